import Keeping
public import Settings
import Turnstile

/// The settings in force, and their file.
public struct SettingsFile {
    public let path: String
    public private(set) var settings: Settings
    /// Verbatim.
    private(set) var text: [UInt8] { didSet { digest = SHA256.digest(of: text) } }
    private(set) var digest: String

    /// The result of reading the file again.
    enum Outcome: Hashable {
        /// New settings are in force: the changes.
        case changed([SettingsChange])
        /// The old settings stay in force; a line for each mistake.
        case refused([String])
    }

    /// Reads the file at `path`, without waiting for other file systems, at the service's start.
    public init(path: String) throws(SettingsErrors) {
        let text = try Settings.read(path: path)
        self.init(path: path, try Settings.parse(text, file: path), text: text)
    }

    init(path: String, _ settings: Settings, text: [UInt8]) {
        self.path = path
        self.settings = settings
        self.text = text
        digest = SHA256.digest(of: text)
    }

    /// Reads the file again, and puts into force what a running service can, compared with this
    /// policy, which may be an operator's.
    mutating func readAgain(over policy: Policy) -> Outcome {
        do throws(SettingsErrors) {
            let text = try Settings.read(path: path)
            let placed = try PlacedSettings(text, file: path)
            var before = settings
            before.policy = policy
            let changes = placed.settings.changes(from: before)
            let problems = changes.filter(\.needsRestart).map {
                placed.problem(
                    "\($0.values) needs a restart: systemctl restart turnstiled", at: $0.key)
            }
            guard problems.isEmpty else { throw SettingsErrors(file: path, problems: problems) }
            settings = placed.settings
            self.text = text
            return .changed(changes)
        } catch {
            return .refused("\(error)".split(separator: "\n").map(String.init))
        }
    }
}
