public import System

/// The folders of the service's persistent state.
public struct Folders {
    /// The unit's runtime folder.
    public static let standardRuntime = "/run/turnstiled"

    /// Until the next boot: `/run/turnstiled`. Nil if the service was started by hand.
    public let runtime: String?
    /// Permanent: `/var/lib/turnstiled`. Nil if the service was started by hand.
    public let state: String?
    /// The ledger's folder; nil to use the path in the settings.
    private let ledgerFolder: String?
    /// Whether the gate is accelerated: then only its ledger is kept.
    let isTrial: Bool

    /// Folders of a gate whose ledger is where the settings say.
    init(runtime: String?, state: String?) {
        (self.runtime, self.state) = (runtime, state)
        (ledgerFolder, isTrial) = (nil, false)
    }

    /// All in one folder, and a folder in it.
    public init(in path: String, isTrial: Bool = false) {
        (runtime, state) = isTrial ? (nil, nil) : ("\(path)/run", path)
        (ledgerFolder, self.isTrial) = (path, isTrial)
    }

    /// From the environment of this process.
    public init() {
        self.init(
            runtime: Self.folder("RUNTIME_DIRECTORY"), state: Self.folder("STATE_DIRECTORY"))
    }

    public func make() throws(SystemError) {
        for folder in [ledgerFolder, runtime].compactMap({ $0 }) { try File.makeFolder(folder) }
    }

    /// The path of the ledger that the settings have at `path`.
    public func ledger(_ path: String?) -> String? {
        guard let ledgerFolder, let path else { return path }
        return "\(ledgerFolder)/\(path.split(separator: "/").last ?? "ledger.db")"
    }

    /// The folder of the traces; nil for none.
    public var trace: String? { state.map { "\($0)/trace" } }

    /// What cannot be kept without a folder; nil if there are both.
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

    /// The unit's folder; of several in a drop-in, the first.
    private static func folder(_ variable: String) -> String? {
        let named = environmentVariable(variable) ?? environmentVariable("TURNSTILED_\(variable)")
        return named?.split(separator: ":").first.map(String.init)
    }
}

/// File names in the runtime folder.
public enum Kept {
    /// The settings in force, verbatim.
    public static let settings = "settings.yaml"
    /// How often the service has started in a row.
    static let starts = "starts"
    /// How often signs of life were withheld.
    static let watchdog = "watchdog"
}
