public import BusInterface
import StateMachines
import System
public import Turnstile

/// The constant properties, which the bus thread knows itself.
public struct GateFacts: Sendable {
    package var gate: String
    package var version: String
    package var settingsPath: String
    /// The debounce time of each wired input.
    public var debounce: [Input: Duration]
    /// Whether the kernel debounces: then shorter levels stay unseen.
    public var kernelDebounces: Bool
    /// Methods that only this gate has.
    public var extra: [GateMethod]
    package let edges = EdgeCounts()

    public init(
        gate: String, version: String, settingsPath: String, debounce: [Input: Duration] = [:],
        kernelDebounces: Bool = false, extra: [GateMethod] = []
    ) {
        self.gate = gate
        self.version = version
        self.settingsPath = settingsPath
        self.debounce = debounce
        self.kernelDebounces = kernelDebounces
        self.extra = extra
    }

    var methods: [GateMethod] { GateMethod.all + extra }
}

/// The variable properties at one moment.
public final class GateSnapshot: Sendable {
    package let report: StatusReport
    /// The levels of the wired lines.
    public let levels: [(line: Line, isOn: Bool)]
    /// By the regions' names.
    public let states: [(region: String, state: String)]
    package let registers: Registers
    /// SHA-256 of the settings in force.
    public let settingsDigest: String
    /// ``GateProperty/collectionCheckpoint``.
    public let collectionCheckpoint: String
    /// ``GateProperty/ledgerBranch``.
    public let ledgerBranch: String

    package init(
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

/// A list: a dictionary would not pay for so few.
typealias PropertyValues = [(property: GateProperty, value: BusValue)]

extension PropertyValues {
    subscript(name: String) -> BusValue? { first { $0.property.name == name }?.value }
}

extension GateProperty {
    /// A dictionary of the property's type.
    fileprivate func dictionary<Value>(
        _ pairs: [(name: String, value: Value)], _ value: (Value) -> BusValue
    ) -> (GateProperty, BusValue) {
        let entries = pairs.map { BusValue.entry(.string($0.name), value($0.value)) }
        return (self, .array(of: String(signature.dropFirst()), entries))
    }
}

extension GateFacts {
    /// The properties that are known without lines.
    func values(at now: Instant) -> PropertyValues {
        let debounces = Input.allCases.compactMap { input in
            debounce[input].map { (input.name, UInt64(max(0, $0.wholeMicroseconds))) }
        }
        return [
            (.gate, .string(gate)), (.version, .string(version)),
            (.vocabularyVersion, .uint32(UInt32(Vocabulary.version))),
            (.settingsPath, .string(settingsPath)),
            GateProperty.debounce.dictionary(debounces) { .uint64($0) },
            (.kernelDebounces, .boolean(kernelDebounces)),
            (.simulated, .boolean(extra.contains(.simulate))),
            GateProperty.edges.dictionary(edges.nonzero.map { ($0.line.name, $0.count) }) {
                .uint64($0)
            },
            (.now, .uint64(UInt64(clamping: now.nanoseconds))),
        ]
    }
}

extension GateSnapshot {
    var values: PropertyValues {
        let fields = report.fields
        let ofReport = Shape(of: StatusReport.self).forms[0].fields.map { field in
            let value = fields[field.name].map { BusValue($0, as: field.type) }
            return (property: GateProperty(field), value: value ?? .absent(field.type))
        }
        return ofReport + [
            GateProperty.levels.dictionary(levels.map { ($0.line.description, $0.isOn) }) {
                .boolean($0)
            },
            GateProperty.states.dictionary(states.map { ($0.region, $0.state) }) { .string($0) },
            numbers(.registers, registers.sinceInit),
            numbers(.collected, registers.sinceCollection),
            (.collectionCheckpoint, .string(collectionCheckpoint)),
            (.ledgerBranch, .string(ledgerBranch)), (.settingsDigest, .string(settingsDigest)),
        ]
    }

    private func numbers(
        _ property: GateProperty, _ registers: RegisterValues
    ) -> (GateProperty, BusValue) {
        property.dictionary(registers.totals.map { ($0.total.name, $0.value) }) { .int64($0) }
    }
}
