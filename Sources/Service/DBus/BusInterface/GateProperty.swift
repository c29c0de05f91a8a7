public import Turnstile

/// A property of the gate on the bus.
public struct GateProperty: Hashable, Sendable {
    /// Whether it changes, and whether changes are signalled: `EmitsChangedSignal` of D-Bus.
    public enum Change: String, Hashable, Sendable {
        /// Changes are signalled.
        case told = "true"
        /// Changes are not signalled: the value changes constantly.
        case untold = "false"
        /// Constant.
        case never = "const"
    }

    /// Such as `ServiceRequester`.
    public let name: String
    /// The D-Bus signature of its value.
    public let signature: String
    public let change: Change

    private init(_ name: String, _ signature: String, _ change: Change = .told) {
        (self.name, self.signature, self.change) = (name, signature, change)
    }

    /// The property for a field of ``StatusReport``.
    public init(_ field: Shape.Field) {
        self.init(GateInterface.member(field.name.rawValue), field.type.busSignature)
    }

    /// The fields of the report, then the service's own properties.
    public static let all =
        Shape(of: StatusReport.self).forms[0].fields.map { GateProperty($0) } + [
            levels, states, registers, collected, collectionCheckpoint, ledgerBranch,
            settingsDigest, gate, version, vocabularyVersion, settingsPath, debounce,
            kernelDebounces, simulated, edges, now,
        ]
}

// The service's own.
extension GateProperty {
    /// The levels of the wired lines: whether an input is active, or an output energised.
    public static let levels = GateProperty("Levels", "a{sb}")
    /// The state of each region of the gate.
    public static let states = GateProperty("States", "a{ss}")
    /// The totals of the registers since the gate was new.
    public static let registers = GateProperty("Registers", "a{sx}")
    /// The totals of the registers since the last collection.
    public static let collected = GateProperty("Collected", "a{sx}")
    /// The signed note of the last collection or count. Empty before the first, and until the
    /// ledger is open.
    public static let collectionCheckpoint = GateProperty("CollectionCheckpoint", "s")
    /// The branch of the ledger, in which record numbers are unique. Empty until the ledger is
    /// open.
    public static let ledgerBranch = GateProperty("LedgerBranch", "s")
    /// SHA-256 of the settings in force.
    public static let settingsDigest = GateProperty("SettingsDigest", "s")
    public static let gate = GateProperty("Gate", "s", .never)
    public static let version = GateProperty("Version", "s", .never)
    public static let vocabularyVersion = GateProperty("VocabularyVersion", "u", .never)
    public static let settingsPath = GateProperty("SettingsPath", "s", .never)
    /// The debounce time of each wired input, in microseconds.
    public static let debounce = GateProperty("Debounce", "a{st}", .never)
    /// Whether the kernel debounces: then shorter levels stay unseen.
    public static let kernelDebounces = GateProperty("KernelDebounces", "b", .never)
    /// Whether the gate is simulated: then its lines are not the board's.
    public static let simulated = GateProperty("Simulated", "b", .never)
    /// How many edges each line had since the start of the service.
    public static let edges = GateProperty("Edges", "a{st}", .untold)
    /// The gate's monotonic time.
    public static let now = GateProperty("Now", "t", .untold)
}
