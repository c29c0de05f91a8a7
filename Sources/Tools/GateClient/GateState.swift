import BusInterface
public import StateMachines
public import System
public import Turnstile

/// All properties of the gate at one moment.
public struct GateState: Hashable, Sendable {
    public let report: StatusReport
    /// The lines that are wired, and which of them are active or on, in the gate's order.
    public let levels: [Level]
    /// The states of its regions, by the regions' names; none where the service does not tell.
    public let states: [String: String]
    /// The counts since the gate's beginning, and since the last collection.
    public let registers: [Count]
    /// How often each line has changed since the service was started, without those that never
    /// have; nil where the service is of a version that does not count.
    public let edges: [String: Int64]?
    /// How long a level of each input must last to count.
    public let debounce: [String: Duration]
    /// Whether the kernel sees to that: then the service hears of none that does not.
    public let kernelDebounces: Bool
    /// Whether the gate is simulated: then its lines tell nothing of the board's.
    public let isSimulated: Bool
    public let gate: String
    public let version: String
    public let settingsPath, settingsDigest: String
    /// The note signed at the last collection, or its count. Empty if there was none, or the gate
    /// does not say.
    public let collectionCheckpoint: String
    /// When it was so, in the gate's monotonic time.
    public let now: Instant
    /// The same by the bus's names, in the bus's order.
    public let values: [Value]

    public struct Value: Hashable, Sendable {
        public let name: String
        public let value: BusValue
    }

    public struct Level: Hashable, Sendable {
        public let line: String
        /// Whether it is active, or driven on.
        public let isActive: Bool
    }

    public struct Count: Hashable, Sendable {
        public let name: String
        /// Since the gate was new, and since the last collection.
        public let total, collected: Int64
    }

    public init(_ properties: [(key: String, value: BusValue)]) throws(GateError) {
        let reader = PropertyReader(properties)
        guard reader.tellsOfLines else { throw .unavailable("it has no lines yet") }
        report = try reader.report()
        levels = try reader.pairs(.levels).map {
            Level(line: $0.key, isActive: $0.value.boolean == true)
        }
        states = try reader.texts(.states)
        let collected = try Dictionary(reader.pairs(.collected)) { $1 }
        registers = try reader.pairs(.registers).compactMap { name, value in
            value.integer.map {
                Count(name: name, total: $0, collected: collected[name]?.integer ?? 0)
            }
        }
        edges = try reader.numbers(.edges)
        debounce = try (reader.numbers(.debounce) ?? [:]).mapValues { .microseconds($0) }
        kernelDebounces = reader.isSo(.kernelDebounces)
        isSimulated = reader.isSo(.simulated)
        gate = try reader.text(.gate)
        version = try reader.text(.version)
        settingsPath = try reader.text(.settingsPath)
        settingsDigest = try reader.text(.settingsDigest)
        collectionCheckpoint = reader.textIfPresent(.collectionCheckpoint)
        now = Instant(nanoseconds: try reader.number(.now))
        values = properties.map { Value(name: $0.key, value: $0.value) }
    }
}

extension GateState {
    /// Whether each line that is wired is active or on, by its name.
    public var isActive: [String: Bool] {
        Dictionary(levels.map { ($0.line, $0.isActive) }) { $1 }
    }
}

private struct PropertyReader {
    private var values: [String: BusValue]

    init(_ properties: [(key: String, value: BusValue)]) {
        values = Dictionary(properties.map { ($0.key, $0.value) }) { $1 }
    }

    /// Nil if an older service lacks this property.
    private subscript(property: GateProperty) -> BusValue? { values[property.name] }

    /// Whether the service has its lines: while it starts, it has constant properties only.
    var tellsOfLines: Bool {
        self[.gate] == nil || values["Status"] != nil || self[.levels] != nil
    }

    private func value(_ property: GateProperty) throws(GateError) -> BusValue {
        guard let value = self[property] else { throw .unreadable("it has no '\(property.name)'") }
        return value
    }

    private func mismatch(_ property: GateProperty) -> GateError {
        .unreadable("'\(property.name)' is of type '\(self[property]?.signature ?? "")'")
    }

    func text(_ property: GateProperty) throws(GateError) -> String {
        guard let text = try value(property).text else { throw mismatch(property) }
        return text
    }

    func number(_ property: GateProperty) throws(GateError) -> Int64 {
        guard let number = try value(property).integer else { throw mismatch(property) }
        return number
    }

    func pairs(
        _ property: GateProperty
    ) throws(GateError) -> [(key: String, value: BusValue)] {
        guard let pairs = try value(property).pairs else { throw mismatch(property) }
        return pairs
    }

    /// The numbers of a property that an older service has not; nil there.
    func numbers(_ property: GateProperty) throws(GateError) -> [String: Int64]? {
        guard self[property] != nil else { return nil }
        return try Dictionary(pairs(property).map { ($0.key, $0.value.integer ?? 0) }) { $1 }
    }

    /// Whether a property says so that an older service has not.
    func isSo(_ property: GateProperty) -> Bool { self[property]?.boolean == true }

    /// The text of a property that an older service has not; empty there.
    func textIfPresent(_ property: GateProperty) -> String { self[property]?.text ?? "" }

    /// The texts by their names; none where it has no such property.
    func texts(_ property: GateProperty) throws(GateError) -> [String: String] {
        guard self[property] != nil else { return [:] }
        let texts = try pairs(property).compactMap { pair in
            pair.value.text.map { (pair.key, $0) }
        }
        return Dictionary(texts) { $1 }
    }

    /// The report, of one property for each of its fields. One that may be left out is empty where
    /// there is nothing to tell.
    func report() throws(GateError) -> StatusReport {
        var fields = Fields()
        for field in Shape(of: StatusReport.self).forms[0].fields {
            let property = GateProperty(field)
            // An older service lacks later fields.
            if field.before != nil, self[property] == nil { continue }
            let value = try value(property)
            if field.isOptional, value.text == "" || value.pairs?.isEmpty == true { continue }
            guard let told = value.fieldValue else { throw mismatch(property) }
            fields.all.append(Fields.Field(field.name, told))
        }
        do throws(FieldError) {
            return try StatusReport(fields)
        } catch {
            throw .unreadable("\(error)")
        }
    }
}
