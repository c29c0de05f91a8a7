import GPIOHardware
import Hardware
import Settings
import System
public import Turnstile

/// The gathered facts about a machine.
///
/// Checks use these, and the files below ``root``; tests set them freely.
struct Facts: Sendable {
    var root: Root
    var path: String
    var version: String
    /// The settings file, key by key, or its mistakes.
    var settings: Result<SettingsListing, SettingsErrors>
    /// The settings in force, now or when the service last ran since the boot; nil if unreadable.
    var inForce: SettingsListing?
    /// The service's unit with its drop-ins; nil if it is missing.
    var unit: UnitFile?
    var accounts: Accounts
    var process: ServiceProcess?
    /// Whether systemd's control groups are visible here.
    var showsProcesses: Bool
    var service: ServiceReport?
    /// The devices of the GPIO chips, by their paths.
    var devices: [String: FileStatus]
    var survey: LineSurvey?
    var triesOutputs: Bool
    var capabilities: Capabilities
    var kernel: String
    /// Whether the kernel stamps edges with the monotonic clock, as the service requires.
    var stampsEdgesMonotonic: Bool
    /// The free space of file systems, by the paths of folders on them.
    var rooms: [String: Result<Room, SystemError>]
    /// Nil if the ledger cannot be read.
    var ledger: LedgerFacts?
    /// Wall-clock time since 1970, UTC.
    var now: Duration
    /// Whether the clock is synchronised; nil if the kernel does not say.
    var isClockSynchronized: Bool?
    /// The longest commit beside the ledger; nil if not requested.
    var commit: Result<Duration, SystemError>?

    /// The advice to reinstall: the package, if the unit or this program belongs to one and no unit
    /// from the sources hides it; or else `make install`.
    var installation: String {
        let unit = "/lib/systemd/system/turnstiled.service"
        let files = ["turnstiled", "turnstilectl"].flatMap { package in
            ((try? root.text("/var/lib/dpkg/info/\(package).list").get()) ?? "")
                .split(separator: "\n")
        }
        let isPackaged = files.contains { $0.hasSuffix(unit) || $0 == "/usr/bin/turnstilectl" }
        guard isPackaged, !root.has("/usr/local\(unit)") else {
            return "install the service: sudo make install"
        }
        return "install the package, from the folder with it: "
            + "sudo apt install --reinstall ./turnstiled_*.deb"
    }

    var wiring: Wiring? { currentSettings?.wiring }

    var userName: String { unit?["Service", "User"] ?? "turnstiled" }
    var groupName: String { unit?["Service", "Group"] ?? "turnstile-audit" }
    var user: Accounts.User? { accounts.user(userName) }
}

/// What a running service reports.
public struct ServiceReport: Hashable, Sendable {
    public var version: String
    /// Each wired line: whether the input is active, or the output energised.
    public var levels: [Line: Bool]

    /// Takes levels by the lines' names; unknown names are dropped.
    public init(version: String, levels: [String: Bool]) {
        self.version = version
        self.levels = [:]
        for line in Line.all { self.levels[line] = levels[line.description] }
    }
}

struct ServiceProcess: Hashable, Sendable {
    var number: Int
    /// The policy's number in `sched(7)`: 1 and 2 are real-time.
    var schedulingPolicy: Int
    /// The real-time priority: 1 to 99.
    var priority: Int
}
