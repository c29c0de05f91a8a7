// What outlives the process, as fields, and as the lines of a file.

extension RetainedState: Composite {
    /// What it is called.
    public static var title: String { "retained" }
    /// That of a gate at rest.
    public static var blank: RetainedState { RetainedState() }

    /// What is to be retained; what is not named is as in a gate at rest.
    public func visit(_ fields: inout some FieldVisitor) -> RetainedState {
        var state = RetainedState()
        state.isEmergency = fields.switched(.emergency, isEmergency)
        for fault in fields.several(.fault, faults.all.map { LatchingFault(fault: $0) }) {
            state.faults[fault.fault] = true
        }
        let codes = Alarm.ordered.filter { alarms[$0] }.map { AlarmCode(alarm: $0) }
        for code in fields.several(.alarm, codes) { state.alarms[code.alarm] = true }
        state.isInServiceMode = fields.switched(.serviceMode, isInServiceMode)
        state.passage = fields.optional(.passage, passage)
        state.contacts = Gate.Stored(
            entry: fields.contacts(.contactsEntry, contacts.entry),
            exit: fields.contacts(.contactsExit, contacts.exit))
        return state
    }
}

extension FieldVisitor {
    /// What is on, or left out.
    fileprivate mutating func switched(_ name: FieldName, _ isOn: Bool) -> Bool {
        optional(name, isOn ? Switch.on : nil) != nil
    }

    /// One or more, or left out.
    fileprivate mutating func several<Value: Word>(
        _ name: FieldName, _ values: [Value]
    ) -> [Value] {
        optional(name, values.isEmpty ? nil : values) ?? []
    }

    /// How many authorisations, from 1; left out for none.
    fileprivate mutating func contacts(_ name: FieldName, _ count: Int) -> Int {
        optional(name, count == 0 ? nil : ContactCount(count: count))?.count ?? 0
    }
}

/// What can only be on.
enum Switch: String, CaseIterable, Word {
    case on
    static var list: String { "switch" }
}

/// A fault that waits for the mechanic's key, by its ``Fault/identifier``.
struct LatchingFault: Word {
    var fault: Fault

    static var list: String { "latching_fault" }
    static let words = FaultSet.latching.all.map { LatchingFault(fault: $0) }
    var name: String { fault.identifier }
}

/// An alarm, by its code.
struct AlarmCode: Word {
    var alarm: Alarm

    static var list: String { "alarm_code" }
    static let words = Alarm.ordered.map { AlarmCode(alarm: $0) }
    var name: String { alarm.code }
}

/// How many authorisations wait: from 1 to as many as any policy allows.
struct ContactCount: FieldConvertible {
    var count: Int

    static var fieldType: FieldType { .integer(1...Int64(Policy.mostStored)) }
    var fieldValue: FieldValue { .integer(Int64(count)) }

    init(count: Int) { self.count = count }
    init(_ value: FieldValue) throws(FieldError) {
        guard let number = value.integer, (1...Int64(Policy.mostStored)).contains(number) else {
            throw Self.mismatch(value)
        }
        count = Int(number)
    }
}

extension RetainedState.Passage: Composite {
    /// What it is called.
    public static var title: String { "retained_passage" }
    /// Some passage.
    public static let blank = RetainedState.Passage(.entry, .free)

    /// Which way, what it counts as, and what was paid.
    public func visit(_ fields: inout some FieldVisitor) -> RetainedState.Passage {
        let direction = fields.direction(direction)
        let kind = fields.field(.kind, kind)
        let fare = fields.count(.value, fare, in: 0...Int64(Policy.highestPrice))
        return RetainedState.Passage(direction, kind, fare: fare)
    }
}

// A line for each value: a name that has several comes several times, and what has fields is its
// values, one after the other.
extension RetainedState {
    /// The state as names and values; what is not named is as in a gate at rest.
    public var lines: [(name: String, value: String)] {
        fields.all.flatMap { field -> [(name: String, value: String)] in
            let name = field.name.rawValue
            switch field.value {
            case .list(let values): return values.map { (name, $0.line ?? "") }
            case .fields(let parts):
                let words = parts.all.map { $0.value.line ?? "" }
                return [(name, words.joined(separator: " "))]
            case .boolean, .integer, .text: return [(name, field.value.line ?? "")]
            }
        }
    }

    /// The state that these names and values stand for. Throws where one of them means nothing.
    public init(lines: [(name: String, value: String)]) throws(FieldError) {
        let parts = Passage.blank.fields.all.map(\.name)
        var fields = Fields()
        for (text, value) in lines {
            guard let name = FieldName(rawValue: text) else {
                throw FieldError(.unexpected, found: value, at: [text])
            }
            if name == .fault || name == .alarm {
                let earlier: [FieldValue] =
                    if case .list(let values)? = fields[name] { values } else { [] }
                fields.all.removeAll { $0.name == name }
                fields.all.append(Fields.Field(name, .list(earlier + [.text(value)])))
            } else if name == .passage {
                let words = value.split(separator: " ").map { FieldValue.text(String($0)) }
                guard words.count == parts.count else {
                    throw FieldError(.type(.fields(of: Passage.title)), found: value, at: [text])
                }
                let passage = zip(parts, words).map { Fields.Field($0, $1) }
                fields.all.append(Fields.Field(name, .fields(Fields(passage))))
            } else {
                fields.all.append(Fields.Field(name, .text(value)))
            }
        }
        try self.init(fields)
    }
}
