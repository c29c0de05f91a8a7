import Daemon
import GPIOHardware
import Glibc
import Hardware
import Retention
import Settings
import Turnstile

/// What has to be done so that every output is at its safe level, now that no service runs.
///
/// What was in force comes first: the file may have been changed since, or broken, and the outputs
/// are wired as they were.
struct SafeState {
    /// The wirings, that which was in force before that of the file.
    private(set) var wirings: [Wiring] = []
    /// What is wrong with either.
    private(set) var failures: [String] = []
    /// Whether the file says something else than what was in force.
    let hasOther: Bool
    private let path: String

    /// What the file at `path`, and the settings in force that `folder` may hold, come to.
    init(path: String, folder: RuntimeFolder) {
        self.path = path
        var kept: Wiring?
        do throws(SettingsErrors) {
            if folder.has(Kept.settings) {
                kept = try Settings.load(path: folder.file(Kept.settings)).wiring
            }
        } catch {
            failures.append("\(error)")
        }
        var given: Wiring?
        do throws(SettingsErrors) {
            given = try Settings.load(path: path).wiring
        } catch {
            failures.append("\(error)")
        }
        hasOther = kept != nil && given != nil && kept != given
        wirings = [kept, kept == given ? nil : given].compactMap { $0 }
    }

    /// Drives all of it, says what is wrong, and returns the exit code: that of the lines, where
    /// one of them failed.
    func run(
        drive: ([Wiring]) -> GPIOBank.SafeState = { GPIOBank.driveSafe($0) },
        say: (String) -> Void
    ) -> CInt {
        failures.forEach(say)
        let result = drive(wirings)
        for failure in result.failures { say(failure.description) }
        if hasOther, let others = result.outputs.last, !others.isEmpty {
            let names = others.map(\.name).joined(separator: ", ")
            say("\(path) has other lines than were in force; driven safe as well: \(names)")
        }
        if !result.failures.isEmpty { return EX_UNAVAILABLE }
        return failures.isEmpty ? EX_OK : EX_CONFIG
    }
}
