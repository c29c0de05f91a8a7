// The gate's holdings and state.

extension Balances: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "balances" }
    /// The balances of a new gate.
    public static var blank: Balances { Balances() }

    /// The money held for people.
    public func visit(_ fields: inout some FieldVisitor) -> Balances {
        var balances = Balances()
        balances.credit = fields.amount(.credit, credit)
        balances.fareInUse = fields.amount(.fareInUse, fareInUse)
        balances.isFareBegun = fields.field(.isFareBegun, isFareBegun)
        balances.isCountAwaited = fields.field(.countAwaited, isCountAwaited, before: false)
        let coins = fields.field(.counted, Acceptor.ordered.compactMap { counted[$0] })
        for coin in coins {
            if balances.counted[coin.acceptor] != nil { fields.reject(.counted) }
            balances.counted[coin.acceptor] = coin
        }
        return balances
    }
}

extension Balances {
    /// The money as numbers by names that never change, for a ledger.
    public var numbers: [String: Int64] {
        get {
            var numbers: [String: Int64] = [
                FieldName.credit.rawValue: Int64(credit),
                FieldName.fareInUse.rawValue: Int64(fareInUse),
                FieldName.isFareBegun.rawValue: isFareBegun ? 1 : 0,
                FieldName.countAwaited.rawValue: isCountAwaited ? 1 : 0,
            ]
            for acceptor in Acceptor.ordered {
                let coin = counted[acceptor]
                numbers[acceptor.counted(.pulses)] = Int64(coin?.pulses ?? 0)
                numbers[acceptor.counted(.value)] = Int64(coin?.value ?? 0)
            }
            return numbers
        }
        set {
            // An overflowing number is detected: it reads back as another one.
            func number(_ name: String) -> Int { Int(clamping: newValue[name] ?? 0) }
            credit = number(FieldName.credit.rawValue)
            fareInUse = number(FieldName.fareInUse.rawValue)
            isFareBegun = number(FieldName.isFareBegun.rawValue) != 0
            isCountAwaited = number(FieldName.countAwaited.rawValue) != 0
            for acceptor in Acceptor.ordered {
                let pulses = number(acceptor.counted(.pulses))
                let value = number(acceptor.counted(.value))
                counted[acceptor] =
                    pulses == 0 ? nil : Coin(acceptor, pulses: pulses, value: value)
            }
        }
    }
}

extension Acceptor {
    /// The name of a number of the coin that was counted: `counted_coin_pulse_value`.
    fileprivate func counted(_ field: FieldName) -> String {
        "\(FieldName.counted.rawValue)_\(line.name)_\(field.rawValue)"
    }
}

extension Status: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "status" }
    /// The status of a gate that has not started.
    public static let blank = Status(state: .starting, credit: 0, soundsAlarm: false)

    /// The gate's state and holdings.
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
    /// The name of the type in the vocabulary.
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
    /// The name of the type in the vocabulary.
    public static var title: String { "limitation" }
    /// One of each name.
    public static let forms: [Status.Limitation] = [
        .coinsRefused(.storeFull), .fault(.external), .cannotHoldOpen(nil),
    ]

    /// The restriction.
    public func visit(_ fields: inout some FieldVisitor) -> Status.Limitation {
        switch self {
        case .coinsRefused(let refusal):
            fields.named("coins_refused", .coinsRefused(fields.inline(refusal, as: .refusal)))
        case .fault(let fault): fields.named("fault", .fault(fields.inline(fault)))
        case .cannotHoldOpen(let way):
            fields.named("cannot_hold_open", .cannotHoldOpen(fields.optional(.direction, way)))
        }
    }
}
