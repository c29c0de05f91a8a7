public import System

/// The folders in which the service keeps what outlives it.
public struct Folders {
    /// Where the unit has the runtime folder.
    public static let standardRuntime = "/run/turnstiled"

    /// Lasts until the next boot: `/run/turnstiled`. Nil where the service was started by hand.
    public let runtime: String?
    /// Lasts for good: `/var/lib/turnstiled`. Nil where the service was started by hand.
    public let state: String?
    /// Where the ledger is, whatever folder the settings name; nil where that counts.
    private let ledgerFolder: String?
    /// Whether its time is not that of everybody else: nothing but its ledger is kept then.
    let isTrial: Bool

    /// These folders, of a gate whose settings say where its ledger is.
    init(runtime: String?, state: String?) {
        (self.runtime, self.state) = (runtime, state)
        (ledgerFolder, isTrial) = (nil, false)
    }

    /// All in one folder, and one in it.
    public init(in path: String, isTrial: Bool = false) {
        (runtime, state) = isTrial ? (nil, nil) : ("\(path)/run", path)
        (ledgerFolder, self.isTrial) = (path, isTrial)
    }

    /// The folders that the environment of this process names.
    public init() {
        self.init(
            runtime: Self.folder("RUNTIME_DIRECTORY"), state: Self.folder("STATE_DIRECTORY"))
    }

    public func make() throws(SystemError) {
        for folder in [ledgerFolder, runtime].compactMap({ $0 }) { try File.makeFolder(folder) }
    }

    /// Where the ledger is that the settings have at `path`.
    public func ledger(_ path: String?) -> String? {
        guard let ledgerFolder, let path else { return path }
        return "\(ledgerFolder)/\(path.split(separator: "/").last ?? "ledger.db")"
    }

    /// Where it is recorded what the gate decides; nil for nowhere.
    public var trace: String? { state.map { "\($0)/trace" } }

    /// What cannot be kept for want of a folder; nil where there are both.
    var problem: String? {
        switch (runtime, state) {
        case (nil, nil):
            "neither TURNSTILED_RUNTIME_DIRECTORY nor TURNSTILED_STATE_DIRECTORY is set, as the "
                + "unit does"
        case (nil, _?): "TURNSTILED_RUNTIME_DIRECTORY is not set, as the unit does"
        case (_?, nil): "TURNSTILED_STATE_DIRECTORY is not set, as the unit does"
        case (_?, _?): nil
        }
    }

    /// The folder that the unit names. Where a drop-in has systemd make another one, that counts:
    /// of several the first.
    private static func folder(_ variable: String) -> String? {
        let named = environmentVariable(variable) ?? environmentVariable("TURNSTILED_\(variable)")
        return named?.split(separator: ":").first.map(String.init)
    }
}

/// What the files in the runtime folder are called.
public enum Kept {
    /// The settings in force, as they were written.
    public static let settings = "settings.yaml"
    /// How often the service has started in a row.
    static let starts = "starts"
    /// How often the watchdog was to end it.
    static let watchdog = "watchdog"
}
