public import Turnstile

/// A property of the gate on the bus.
public struct GateProperty: Hashable, Sendable {
    /// Whether it changes, and who hears of that.
    public enum Change: String, Hashable, Sendable {
        /// Everybody is told.
        case told = "true"
        /// Nobody is told: it is always another one.
        case untold = "false"
        /// It never does.
        case never = "const"
    }

    /// Its name: `ServiceRequester`.
    public let name: String
    /// Its type, as D-Bus spells it.
    public let signature: String
    public let change: Change

    private init(_ name: String, _ signature: String, _ change: Change = .told) {
        (self.name, self.signature, self.change) = (name, signature, change)
    }

    /// The one that is a field of ``StatusReport``.
    public init(_ field: Shape.Field) {
        self.init(GateInterface.member(field.name.rawValue), field.type.busSignature)
    }

    /// All properties: the fields of the report, and what belongs to the service.
    public static let all =
        Shape(of: StatusReport.self).forms[0].fields.map { GateProperty($0) } + [
            levels, states, registers, collected, collectionCheckpoint, ledgerBranch,
            settingsDigest, gate, version, vocabularyVersion, settingsPath, debounce,
            kernelDebounces, simulated, edges, now,
        ]
}

// What belongs to the service.
extension GateProperty {
    /// What the lines carry that are wired: whether an input is active, and an output energised.
    public static let levels = GateProperty("Levels", "a{sb}")
    /// The state of each region of the gate.
    public static let states = GateProperty("States", "a{ss}")
    /// What was counted since the gate was new.
    public static let registers = GateProperty("Registers", "a{sx}")
    /// What was counted since the coins were last collected.
    public static let collected = GateProperty("Collected", "a{sx}")
    /// What was signed when the coins were last collected, or counted: a note. Empty where they
    /// never were, or the store is not open yet.
    public static let collectionCheckpoint = GateProperty("CollectionCheckpoint", "s")
    /// Which branch of the ledger the numbers of records are of. Empty where the store is not open
    /// yet.
    public static let ledgerBranch = GateProperty("LedgerBranch", "s")
    /// SHA-256 of the settings in force.
    public static let settingsDigest = GateProperty("SettingsDigest", "s")
    public static let gate = GateProperty("Gate", "s", .never)
    public static let version = GateProperty("Version", "s", .never)
    public static let vocabularyVersion = GateProperty("VocabularyVersion", "u", .never)
    public static let settingsPath = GateProperty("SettingsPath", "s", .never)
    /// How many microseconds a level of each input that is wired must last to count.
    public static let debounce = GateProperty("Debounce", "a{st}", .never)
    /// Whether the kernel sees to that: then nobody hears of a shorter one.
    public static let kernelDebounces = GateProperty("KernelDebounces", "b", .never)
    /// Whether the gate is simulated: then its lines tell nothing of the board's.
    public static let simulated = GateProperty("Simulated", "b", .never)
    /// How often each line has changed since the start of the service.
    public static let edges = GateProperty("Edges", "a{st}", .untold)
    /// The gate's monotonic time.
    public static let now = GateProperty("Now", "t", .untold)
}
