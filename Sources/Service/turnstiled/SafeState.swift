import Daemon
import GPIOHardware
import Glibc
import Hardware
import Retention
import Settings
import Turnstile

/// Drives every output to its safe level, while no service runs.
///
/// The settings last in force come first: the file may have changed since, or be broken, and the
/// outputs are wired as they were.
struct SafeState {
    /// The wiring last in force, then the file's.
    private(set) var wirings: [Wiring] = []
    /// The mistakes of either.
    private(set) var failures: [String] = []
    /// Whether the file differs from the settings last in force.
    let hasOther: Bool
    private let path: String

    /// From the file at `path`, and the settings last in force in `folder`.
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

    /// Drives them, reports errors, and returns the exit code: the lines' if one of them failed.
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
