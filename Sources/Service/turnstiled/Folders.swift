import System

/// The folders in which the service keeps what outlives it.
struct Folders {
    /// Where the unit has the runtime folder.
    static let standardRuntime = "/run/turnstiled"

    /// Lasts until the next boot: `/run/turnstiled`. Nil where the service was started by hand.
    let runtime: String?
    /// Lasts for good: `/var/lib/turnstiled`. Nil where the service was started by hand.
    let state: String?
    /// Where a simulated gate has its ledger; nil for a real gate.
    let simulated: String?
    /// Whether its time is not that of everybody else: nothing else is kept then.
    let isTrial: Bool

    /// These folders, of a real gate.
    init(runtime: String?, state: String?) {
        (self.runtime, self.state) = (runtime, state)
        (simulated, isTrial) = (nil, false)
    }

    /// Those of a simulated gate: `path`, and one in it.
    init(ofSimulatedGate path: String, isTrial: Bool) {
        (runtime, state) = isTrial ? (nil, nil) : ("\(path)/run", path)
        (simulated, self.isTrial) = (path, isTrial)
    }

    /// Makes those that are missing.
    func make() throws(SystemError) {
        for folder in [simulated, runtime].compactMap({ $0 }) { try File.makeFolder(folder) }
    }

    /// Where the ledger is that the settings have at `path`.
    func ledger(_ path: String?) -> String? {
        guard let simulated, let path else { return path }
        return "\(simulated)/\(path.split(separator: "/").last ?? "ledger.db")"
    }

    /// Where it is recorded what the gate decides; nil for nowhere.
    var trace: String? { state.map { "\($0)/trace" } }

    /// The folders that the environment of this process names.
    init() {
        self.init(
            runtime: Self.folder("RUNTIME_DIRECTORY"), state: Self.folder("STATE_DIRECTORY"))
    }

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
enum Kept {
    /// The settings in force, as they were written.
    static let settings = "settings.yaml"
    /// How often the service has started in a row.
    static let starts = "starts"
    /// How often the watchdog was to end it.
    static let watchdog = "watchdog"
}
