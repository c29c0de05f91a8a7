import StateMachines
import System
public import Turnstile

/// What the bus shows of a gate besides its report, and asks the gate's thread for nothing of.
public struct GateFacts: Sendable {
    /// The gate's name.
    public var gate: String
    /// The service's version.
    public var version: String
    /// Where the settings are read.
    public var settingsPath: String
    /// How long a level of each input that is wired must last to count.
    public var debounce: [Input: Duration]
    /// Whether the kernel sees to that: then nobody hears of a shorter one.
    public var kernelDebounces: Bool
    /// Whether the gate is simulated: then its lines tell nothing of the board's.
    public var isSimulated: Bool
    /// How many edges there were.
    public let edges = EdgeCounts()

    /// A gate of this name, at which there was no edge yet.
    public init(
        gate: String, version: String, settingsPath: String, debounce: [Input: Duration] = [:],
        kernelDebounces: Bool = false, isSimulated: Bool = false
    ) {
        self.gate = gate
        self.version = version
        self.settingsPath = settingsPath
        self.debounce = debounce
        self.kernelDebounces = kernelDebounces
        self.isSimulated = isSimulated
    }
}

/// What the bus shows of a gate, as it was at one moment.
public final class GateSnapshot: Sendable {
    /// All that it is doing.
    public let report: StatusReport
    /// What the lines carry that are wired.
    public let levels: [(line: Line, isOn: Bool)]
    /// The states of its regions, by their names.
    public let states: [(region: String, state: String)]
    /// What it has counted.
    public let registers: Registers
    /// SHA-256 of the settings in force.
    public let settingsDigest: String
    /// What was signed when the coins were last collected, or counted: a note. Empty where they
    /// never were, or the store is not open yet.
    public let collectionCheckpoint: String
    /// Which branch of the ledger the numbers of records are of. Empty where the store is not open
    /// yet.
    public let ledgerBranch: String

    /// This.
    public init(
        report: StatusReport, levels: [(line: Line, isOn: Bool)],
        states: [(region: String, state: String)], registers: Registers, settingsDigest: String,
        collectionCheckpoint: String = "", ledgerBranch: String = ""
    ) {
        self.report = report
        self.levels = levels
        self.states = states
        self.registers = registers
        self.settingsDigest = settingsDigest
        self.collectionCheckpoint = collectionCheckpoint
        self.ledgerBranch = ledgerBranch
    }
}

/// A property of the gate.
public struct GateProperty: Sendable {
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
    public var name: String
    /// Its type, as D-Bus spells it.
    public var signature: String
    /// Whether it changes.
    public var change: Change

    private init(_ name: String, _ signature: String, _ change: Change = .told) {
        (self.name, self.signature, self.change) = (name, signature, change)
    }

    /// All properties: the fields of ``StatusReport``, and what belongs to the service.
    public static let all = ofReport + ofService

    private static let ofReport = Shape(of: StatusReport.self).forms[0].fields.map {
        GateProperty(GateInterface.member($0.name.rawValue), $0.type.busSignature)
    }

    private static let ofService = [
        GateProperty("Levels", "a{sb}"), GateProperty("States", "a{ss}"),
        GateProperty("Registers", "a{sx}"), GateProperty("Collected", "a{sx}"),
        GateProperty("CollectionCheckpoint", "s"), GateProperty("LedgerBranch", "s"),
        GateProperty("SettingsDigest", "s"),
        GateProperty("Gate", "s", .never), GateProperty("Version", "s", .never),
        GateProperty("VocabularyVersion", "u", .never), GateProperty("SettingsPath", "s", .never),
        GateProperty("Debounce", "a{st}", .never), GateProperty("KernelDebounces", "b", .never),
        GateProperty("Simulated", "b", .never),
        GateProperty("Edges", "a{st}", .untold), GateProperty("Now", "t", .untold),
    ]
}

/// The values of properties with their names; they are few.
typealias PropertyValues = [(name: String, value: BusValue)]

extension PropertyValues {
    /// The value of the property of this name.
    subscript(name: String) -> BusValue? { first { $0.name == name }?.value }
}

extension GateFacts {
    /// The values of the properties that are known also where the gate has no lines.
    func values(at now: Instant) -> PropertyValues {
        [
            ("Gate", .string(gate)), ("Version", .string(version)),
            ("VocabularyVersion", .uint32(UInt32(Vocabulary.version))),
            ("SettingsPath", .string(settingsPath)),
            ("Debounce", .dictionary(of: "t", debounces)),
            ("KernelDebounces", .boolean(kernelDebounces)),
            ("Simulated", .boolean(isSimulated)),
            (
                "Edges",
                .dictionary(of: "t", edges.told.map { ($0.line.name, .uint64($0.count)) })
            ),
            ("Now", .uint64(UInt64(clamping: now.nanoseconds))),
        ]
    }
}

extension GateFacts {
    private var debounces: [(String, BusValue)] {
        Input.allCases.compactMap { input in
            debounce[input].map { (input.name, .uint64(UInt64(max(0, $0.wholeMicroseconds)))) }
        }
    }
}

extension GateSnapshot {
    /// The values of the properties that change.
    var values: PropertyValues {
        let fields = report.fields
        var values: PropertyValues = [
            (
                "Levels",
                .dictionary(of: "b", levels.map { ($0.line.description, .boolean($0.isOn)) })
            ),
            ("States", .dictionary(of: "s", states.map { ($0.region, .string($0.state)) })),
            ("Registers", Self.numbers(registers.sinceInit)),
            ("Collected", Self.numbers(registers.sinceCollection)),
            ("CollectionCheckpoint", .string(collectionCheckpoint)),
            ("LedgerBranch", .string(ledgerBranch)),
            ("SettingsDigest", .string(settingsDigest)),
        ]
        for field in Shape(of: StatusReport.self).forms[0].fields {
            let value = fields[field.name].map { BusValue($0, as: field.type) }
            values.append(
                (GateInterface.member(field.name.rawValue), value ?? .absent(field.type)))
        }
        return values
    }

    private static func numbers(_ registers: RegisterValues) -> BusValue {
        .dictionary(of: "x", registers.totals.map { ($0.total.name, .int64($0.value)) })
    }
}

extension BusValue {
    /// What stands for a field that is left out: D-Bus has nothing for that.
    fileprivate static func absent(_ type: FieldType) -> BusValue {
        switch type {
        case .boolean: .boolean(false)
        case .integer, .amount, .microseconds, .nanoseconds: .int64(0)
        case .text, .word: .string("")
        case .fields: .dictionary([])
        case .list: BusValue(.list([]), as: type)
        }
    }
}
