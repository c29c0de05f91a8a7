// The state that outlives the process, as fields, and as the lines of a file.

extension RetainedState: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "retained" }
    /// The state of a gate at rest.
    public static var blank: RetainedState { RetainedState() }

    /// The retained state; omitted fields are as in a gate at rest.
    public func visit(_ fields: inout some FieldVisitor) -> RetainedState {
        var state = RetainedState()
        state.isEmergency = fields.switched(.emergency, isEmergency)
        for fault in fields.several(.fault, faults.all.map { LatchingFault(fault: $0) }) {
            state.faults[fault.fault] = true
        }
        let codes = Alarm.ordered.filter { alarms[$0] }.map { AlarmCode(alarm: $0) }
        for code in fields.several(.alarm, codes) { state.alarms[code.alarm] = true }
        state.isInServiceMode = fields.switched(.serviceMode, isInServiceMode)
        state.serviceRequester = fields.optional(.serviceRequester, serviceRequester)
        state.policySource = fields.optional(.policySource, policySource)
        state.policyRequester = fields.optional(.policyRequester, policyRequester)
        state.passage = fields.optional(.passage, passage)
        state.released = fields.optional(.released, released)
        state.queue = Gate.Queue(
            entry: fields.contacts(.contactsEntry, queue.entry),
            exit: fields.contacts(.contactsExit, queue.exit),
            people: fields.several(.granted, queue.people))
        for (acceptor, name) in zip(Acceptor.ordered, FieldName.ofAcceptors) {
            let line = coins[acceptor]
            state.coins[acceptor] =
                fields.optional(name, line.train == nil ? nil : line) ?? .idle
            // Idle acceptors are omitted.
            if state.coins[acceptor] != .idle, state.coins[acceptor].train == nil {
                fields.reject(name)
            }
        }
        state.absence = fields.exactDuration(.interval, absence)
        state.terms.entry = fields.optional(.modeEntry, terms.entry)
        state.terms.exit = fields.optional(.modeExit, terms.exit)
        state.terms.enforcement = fields.optional(.enforcementTerm, terms.enforcement)
        state.payer = fields.optional(.payer, payer)
        return state
    }
}

extension FieldVisitor {
    /// A switch that is on, or omitted.
    fileprivate mutating func switched(_ name: FieldName, _ isOn: Bool) -> Bool {
        optional(name, isOn ? Switch.on : nil) != nil
    }

    /// One or more, or left out.
    fileprivate mutating func several<Value: FieldConvertible>(
        _ name: FieldName, _ values: [Value]
    ) -> [Value] {
        optional(name, values.isEmpty ? nil : values) ?? []
    }

    /// How many authorisations, from 1; left out for none.
    fileprivate mutating func contacts(_ name: FieldName, _ count: Int) -> Int {
        optional(name, count == 0 ? nil : ContactCount(count: count))?.count ?? 0
    }
}

/// A value that can only be on.
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
    /// The name of the type in the vocabulary.
    public static var title: String { "retained_passage" }
    /// Some passage.
    public static let blank = RetainedState.Passage(.entry, .free)

    /// The direction, the kind, and the fare.
    public func visit(_ fields: inout some FieldVisitor) -> RetainedState.Passage {
        let direction = fields.direction(direction)
        let kind = fields.field(.kind, kind)
        let fare = fields.count(.value, fare, in: 0...Int64(Policy.highestPrice))
        return RetainedState.Passage(direction, kind, fare: fare)
    }
}

extension RetainedState.Release: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "retained_release" }
    /// Some release.
    public static let blank = RetainedState.Release(Lane.Grant(.entry, by: .contact))

    /// The direction, the source, and until when the wait may restart.
    public func visit(_ fields: inout some FieldVisitor) -> RetainedState.Release {
        let grant = fields.inline(grant)
        if !grant.authorisation.isGranted { fields.reject(.authorisation) }
        return RetainedState.Release(grant, limit: fields.optional(.waitLimit, limit))
    }
}

extension RetainedState.Payer: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "retained_payer" }
    /// Some payer.
    public static let blank = RetainedState.Payer(fare: 1)

    /// The fare, the remainder above it, and until when the wait may restart.
    public func visit(_ fields: inout some FieldVisitor) -> RetainedState.Payer {
        let fare = fields.count(.value, fare, in: 1...Int64(Policy.highestPrice))
        let surplus = fields.count(.surplus, surplus, in: 0...Int64(Policy.highestPrice))
        let limit = fields.optional(.waitLimit, limit)
        return RetainedState.Payer(fare: fare, limit: limit, surplus: surplus)
    }
}

extension Gate.Queue.Person: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "granted_passage" }
    /// Some passage.
    public static let blank = Gate.Queue.Person(.entry, by: 0)

    /// The direction, and the operator.
    public func visit(_ fields: inout some FieldVisitor) -> Gate.Queue.Person {
        let direction = fields.direction(direction)
        return Gate.Queue.Person(direction, by: fields.operatorNumber(number))
    }
}

extension FieldName {
    /// The fields of the acceptors, in order.
    static let ofAcceptors: [FieldName] = [.acceptor1, .acceptor2, .acceptor3]
}

// A line for each value; a name with several values has several lines. A value whose fields are
// always present is the list of their values; any other is names and values.
extension RetainedState {
    /// The state as names and values; omitted names are as in a gate at rest.
    public var lines: [(name: String, value: String)] {
        fields.all.flatMap { field -> [(name: String, value: String)] in
            let name = field.name.rawValue
            switch field.value {
            case .list(let values): return values.map { (name, $0.words(at: field.name)) }
            case .boolean, .integer, .text, .fields:
                return [(name, field.value.words(at: field.name))]
            }
        }
    }

    /// The state that these names and values stand for. Throws where one of them means nothing.
    public init(lines: [(name: String, value: String)]) throws(FieldError) {
        var fields = Fields()
        for (text, words) in lines {
            guard let name = FieldName(rawValue: text) else {
                throw FieldError(.unexpected, found: words, at: [text])
            }
            let value = try FieldValue(words: words, at: name)
            if name == .fault || name == .alarm || name == .granted {
                fields.append(value, to: name)
            } else {
                fields.all.append(Fields.Field(name, value))
            }
        }
        try self.init(fields)
    }
}

extension Fields {
    /// One more value of a list.
    fileprivate mutating func append(_ value: FieldValue, to name: FieldName) {
        let earlier: [FieldValue] = if case .list(let values)? = self[name] { values } else { [] }
        all.removeAll { $0.name == name }
        all.append(Field(name, .list(earlier + [value])))
    }
}

extension FieldName {
    /// The names of the fields, if all are always present.
    fileprivate var parts: [FieldName]? {
        if self == .passage { return RetainedState.Passage.blank.fields.all.map { $0.name } }
        if self == .granted { return Gate.Queue.Person.blank.fields.all.map { $0.name } }
        return nil
    }

    /// Whether some fields may be missing.
    fileprivate var namesParts: Bool {
        self == .modeEntry || self == .modeExit || self == .enforcementTerm || self == .released
            || self == .payer || FieldName.ofAcceptors.contains(self) || self == .serviceRequester
            || self == .policySource || self == .policyRequester
    }
}

extension FieldValue {
    fileprivate func words(at name: FieldName) -> String {
        guard case .fields(let parts) = self else { return line ?? "" }
        let words = parts.all.map { part in
            (name.namesParts ? "\(part.name.rawValue)=" : "") + (part.value.line ?? "")
        }
        return words.joined(separator: " ")
    }

    fileprivate init(words text: String, at name: FieldName) throws(FieldError) {
        // By scalars: a combining scalar at the beginning of a name joins the character before it.
        let words = text.unicodeScalars.split(separator: " ")
        if let parts = name.parts {
            // Later fields stand last, and were not written before.
            guard words.count <= parts.count else {
                throw FieldError(.type(.text), found: text, at: [name.rawValue])
            }
            let fields = zip(parts, words).map { Fields.Field($0, .text(String($1))) }
            self = .fields(Fields(fields))
        } else if name.namesParts {
            var fields = Fields()
            for word in words {
                let pair = word.split(separator: "=", maxSplits: 1).map { String($0) }
                guard pair.count == 2, let part = FieldName(rawValue: pair[0]) else {
                    throw FieldError(.unexpected, found: String(word), at: [name.rawValue])
                }
                fields.all.append(Fields.Field(part, .text(pair[1])))
            }
            self = .fields(fields)
        } else {
            self = .text(text)
        }
    }
}
