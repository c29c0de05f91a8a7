import GPIOHardware
import Hardware
import Settings
import System
public import Turnstile

/// What is known of a machine before anything is concluded.
///
/// Checks ask this, and the files below ``root``; tests put in what they like.
struct Facts: Sendable {
    /// What files are looked for in.
    var root: Root
    var path: String
    var version: String
    /// What the settings' file says, key by key, or what is wrong with it.
    var settings: Result<SettingsListing, SettingsErrors>
    /// The settings that the service has in force, or had when it last ran since the boot; nil
    /// where they cannot be read.
    var inForce: SettingsListing?
    /// The service's unit with its drop-ins; nil if it is missing.
    var unit: UnitFile?
    var accounts: Accounts
    var process: ServiceProcess?
    /// Whether systemd shows here which processes belong to which service.
    var showsProcesses: Bool
    var service: ServiceReport?
    /// The devices of the GPIO chips, by their paths.
    var devices: [String: FileStatus]
    var survey: LineSurvey?
    var triesOutputs: Bool
    var capabilities: Capabilities
    var kernel: String
    /// Whether that kernel stamps edges with the clock that the service goes by.
    var stampsEdgesMonotonic: Bool
    /// The room on the file systems of folders, by the folders' paths.
    var rooms: [String: Result<Room, SystemError>]
    /// What the ledger tells of itself; nil where it cannot be read.
    var ledger: LedgerFacts?
    /// The time on the wall: since 1970, UTC.
    var now: Duration
    /// Whether the clock is set by another one; nil where the kernel does not say.
    var isClockSynchronized: Bool?
    /// How long a commit took beside the ledger; nil where that was not to be measured.
    var commit: Result<Duration, SystemError>?

    /// What puts in place what was installed: the package, where dpkg says that the unit is one's
    /// and none from the sources hides it, or where this program came with one.
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

    /// The wiring that counts.
    var wiring: Wiring? { currentSettings?.wiring }

    var userName: String { unit?["Service", "User"] ?? "turnstiled" }
    var groupName: String { unit?["Service", "Group"] ?? "turnstile-audit" }
    var user: Accounts.User? { accounts.user(userName) }
}

/// What a running service says of itself, for those who can ask it.
public struct ServiceReport: Hashable, Sendable {
    public var version: String
    /// Each wired line: whether the input is active, or the output energised.
    public var levels: [Line: Bool]

    /// What it says, with the lines by their names; one that has another name is left out.
    public init(version: String, levels: [String: Bool]) {
        self.version = version
        self.levels = [:]
        for line in Line.all { self.levels[line] = levels[line.description] }
    }
}

struct ServiceProcess: Hashable, Sendable {
    var number: Int
    /// How it is scheduled, as `sched(7)` numbers that: 1 and 2 are in real time.
    var schedulingPolicy: Int
    /// How urgent it is in real time: 1 to 99.
    var priority: Int
}
