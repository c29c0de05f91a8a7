// Requesters and answers.

extension Requester: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "requester" }
    /// One of each name.
    public static let forms: [Requester] = [
        .contact(.serviceKey), .schedule, .settings, .person(.blank),
    ]

    /// The requester's fields.
    public func visit(_ fields: inout some FieldVisitor) -> Requester {
        switch self {
        case .contact(let input): fields.named("contact", .contact(fields.field(.line, input)))
        case .schedule: fields.named("schedule", self)
        case .settings: fields.named("settings", self)
        case .person(let person): fields.named("person", .person(fields.inline(person)))
        }
    }
}

extension Operator: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "operator" }
    /// An operator to begin reading with.
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
    /// The name of the type in the vocabulary.
    public static var title: String { "answer" }
    /// Some answer.
    public static let blank = Answer(.grant, by: .schedule, .done)

    /// The request, the requester, and the result.
    public func visit(_ fields: inout some FieldVisitor) -> Answer {
        let request = fields.field(.request, request)
        let requester = fields.inline(requester, as: .requester)
        return Answer(request, by: requester, fields.inline(result, as: .result))
    }
}

extension Answer.Result: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "result" }
    /// One of each name.
    public static let forms: [Answer.Result] = [.done, .deferred, .refused(.storeFull)]

    /// Why it is refused.
    public func visit(_ fields: inout some FieldVisitor) -> Answer.Result {
        switch self {
        case .done: fields.named("done", self)
        case .deferred: fields.named("deferred", self)
        case .refused(let refusal):
            fields.named("refused", .refused(fields.field(.refusal, refusal)))
        }
    }
}

extension Term: FieldConvertible, Composite where Value: Word {
    /// The name of the type in the vocabulary: `mode_term`.
    public static var title: String { "\(Value.list)_term" }
    /// The schedule's.
    public static var blank: Term { Term(nil, by: .schedule) }

    /// The value, its end, and the requester.
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
