// What is asked for, who asks, and what becomes of it.

extension Request: Named {
    /// What requests are called.
    public static var title: String { "request" }

    /// One of each name.
    public static let forms: [Request] = Kind.allCases.map { kind in
        switch kind {
        case .grant: .grant(.entry)
        case .withdraw: .withdraw(.entry)
        case .setMode: .setMode(.entry, nil, until: nil)
        case .setEnforcement: .setEnforcement(nil, until: nil)
        case .setModeUntil: .setModeUntil(.entry, .free, .blank)
        case .setEnforcementUntil: .setEnforcementUntil(.weak, .blank)
        case .confirmRepair: .confirmRepair
        case .acknowledgeAlarms: .acknowledgeAlarms
        case .resetEmergency: .resetEmergency
        case .beginService: .beginService
        case .endService: .endService
        case .selfTest: .selfTest
        case .test: .test(.lockEntry)
        case .collectCoins: .collectCoins(counted: nil)
        case .adopt: .adopt(.blank)
        }
    }

    /// The name, which never changes: `grant`.
    public var name: String { kind.rawValue }

    /// The request's fields.
    public func visit(_ fields: inout some FieldVisitor) -> Request {
        switch self {
        case .confirmRepair, .acknowledgeAlarms, .resetEmergency, .beginService, .endService,
            .selfTest:
            self
        case .grant(let direction): .grant(fields.direction(direction))
        case .withdraw(let direction): .withdraw(fields.direction(direction))
        case .setMode(let direction, let mode, let until):
            .setMode(
                fields.direction(direction), fields.optional(.mode, mode),
                until: fields.optional(.until, until))
        case .setEnforcement(let enforcement, let until):
            .setEnforcement(
                fields.optional(.enforcement, enforcement), until: fields.optional(.until, until))
        case .setModeUntil(let direction, let mode, let clock):
            .setModeUntil(
                fields.direction(direction), fields.field(.mode, mode),
                fields.field(.timeOfDay, clock))
        case .setEnforcementUntil(let enforcement, let clock):
            .setEnforcementUntil(
                fields.field(.enforcement, enforcement), fields.field(.timeOfDay, clock))
        case .test(let output, let length):
            .test(
                fields.field(.output, output),
                for: fields.optional(.duration, length.map(Microseconds.init))?.value)
        case .collectCoins(let counted):
            .collectCoins(counted: fields.optional(.value, counted.map(Amount.init))?.value)
        case .adopt(let policy): .adopt(fields.field(.policy, policy))
        }
    }
}

extension Request.Kind: Word {
    /// What the list is called.
    public static var list: String { "request_kind" }
}

extension Requester: Named {
    /// What those are called who ask.
    public static var title: String { "requester" }
    /// One of each name.
    public static let forms: [Requester] = [
        .contact(.serviceKey), .schedule, .settings, .person(.blank),
    ]

    /// The name, which never changes: `person`.
    public var name: String {
        switch self {
        case .contact: "contact"
        case .schedule: "schedule"
        case .settings: "settings"
        case .person: "person"
        }
    }

    /// Who it is.
    public func visit(_ fields: inout some FieldVisitor) -> Requester {
        switch self {
        case .contact(let input): .contact(fields.field(.line, input))
        case .schedule, .settings: self
        case .person(let person): .person(fields.inline(person))
        }
    }
}

extension Operator: Composite {
    /// What they are called.
    public static var title: String { "operator" }
    /// Somebody.
    public static let blank: Operator = {
        guard let root = Operator(number: 0, name: "root") else {
            preconditionFailure("it is a name")
        }
        return root
    }()

    /// The operator's number and name.
    public func visit(_ fields: inout some FieldVisitor) -> Operator {
        let number = fields.operatorNumber(number)
        let name = fields.field(.operator, name)
        if let person = Operator(number: number, name: name) { return person }
        fields.reject(.operator)
        return self
    }
}

extension Answer: Composite {
    /// What answers are called.
    public static var title: String { "answer" }
    /// Some answer.
    public static let blank = Answer(.grant, by: .schedule, .done)

    /// What was asked for, who asked, and what became of it.
    public func visit(_ fields: inout some FieldVisitor) -> Answer {
        let request = fields.field(.request, request)
        let requester = fields.inline(requester, as: .requester)
        return Answer(request, by: requester, fields.inline(result, as: .result))
    }
}

extension Answer.Result: Named {
    /// What results are called.
    public static var title: String { "result" }
    /// One of each name.
    public static let forms: [Answer.Result] = [.done, .deferred, .refused(.storeFull)]

    /// The name, which never changes: `done`.
    public var name: String {
        switch self {
        case .done: "done"
        case .deferred: "deferred"
        case .refused: "refused"
        }
    }

    /// Why it is refused.
    public func visit(_ fields: inout some FieldVisitor) -> Answer.Result {
        switch self {
        case .done, .deferred: self
        case .refused(let refusal): .refused(fields.field(.refusal, refusal))
        }
    }
}

extension Term: FieldConvertible, Composite where Value: Word {
    /// What terms are called: `mode_term`.
    public static var title: String { "\(Value.list)_term" }
    /// What is so without anybody asking.
    public static var blank: Term { Term(nil, by: .schedule) }

    /// What is to be in force, until when, and who asked.
    public func visit(_ fields: inout some FieldVisitor) -> Term {
        let value = fields.optional(.value, value)
        let until = fields.optional(.until, until)
        let isAwaited = fields.optional(.awaited, isAwaited ? Switch.on : nil) != nil
        let requester = fields.inline(requester, as: .requester)
        let timeOfDay = fields.optional(.timeOfDay, timeOfDay)
        return Term(
            value, until: until, timeOfDay: timeOfDay, isAwaited: isAwaited, by: requester)
    }
}
