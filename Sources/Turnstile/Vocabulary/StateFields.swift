// What a gate holds, and what it is doing.

extension Balances: Composite {
    /// What they are called.
    public static var title: String { "balances" }
    /// Those of a gate that is new.
    public static var blank: Balances { Balances() }

    /// What is held for people.
    public func visit(_ fields: inout some FieldVisitor) -> Balances {
        var balances = Balances()
        balances.credit = fields.amount(.credit, credit)
        balances.fareInUse = fields.amount(.fareInUse, fareInUse)
        balances.isFareBegun = fields.field(.isFareBegun, isFareBegun)
        let coins = fields.field(.counted, Acceptor.ordered.compactMap { counted[$0] })
        for coin in coins {
            if balances.counted[coin.acceptor] != nil { fields.reject(.counted) }
            balances.counted[coin.acceptor] = coin
        }
        return balances
    }
}

extension Status: Composite {
    /// What it is called.
    public static var title: String { "status" }
    /// That of a gate that has not started.
    public static let blank = Status(state: .starting, credit: 0, soundsAlarm: false)

    /// What the gate is doing, and what it holds.
    public func visit(_ fields: inout some FieldVisitor) -> Status {
        let state = fields.field(.state, state)
        let credit = fields.amount(.credit, credit)
        let stored = fields.count(.stored, stored)
        let limitation = fields.optional(.limitation, limitation)
        return Status(
            state: state, credit: credit, stored: stored, limitation: limitation,
            soundsAlarm: fields.field(.soundsAlarm, soundsAlarm))
    }
}

extension Status.State: Named {
    /// What states are called.
    public static var title: String { "state" }

    /// One of each name.
    public static let forms: [Status.State] = [
        .starting, .emergency, .awaitingReset, .awaitingClearLane, .stopped, .service,
        .testing(.lockEntry), .outOfService(.external), .passing(.entry), .released(.entry), .free,
        .locked,
    ]

    /// The state's fields.
    public func visit(_ fields: inout some FieldVisitor) -> Status.State {
        switch self {
        case .starting, .emergency, .awaitingReset, .awaitingClearLane, .stopped, .service, .free,
            .locked:
            self
        case .testing(let output): .testing(fields.field(.line, output))
        case .outOfService(let fault): .outOfService(fields.inline(fault))
        case .passing(let direction): .passing(fields.direction(direction))
        case .released(let direction): .released(fields.direction(direction))
        }
    }
}

extension Status.Limitation: Named {
    /// What they are called.
    public static var title: String { "limitation" }
    /// One of each name.
    public static let forms: [Status.Limitation] = [.coinsRefused(.storeFull), .fault(.external)]

    /// The name, which never changes: `coins_refused`.
    public var name: String {
        switch self {
        case .coinsRefused: "coins_refused"
        case .fault: "fault"
        }
    }

    /// What is not as usual.
    public func visit(_ fields: inout some FieldVisitor) -> Status.Limitation {
        switch self {
        case .coinsRefused(let refusal): .coinsRefused(fields.inline(refusal, as: .refusal))
        case .fault(let fault): .fault(fields.inline(fault))
        }
    }
}
