// Registers by their names, and their published sums.

extension Register: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "register" }

    /// One of each name, with some coin where coins are counted.
    public static let forms: [Register] = {
        var forms = always + [.coinsInDoubt, .passagesInDoubt]
        for acceptor in Acceptor.ordered {
            let coin = Coin(acceptor, pulses: 0, value: 0)
            forms += CoinFate.allCases.map { .coins($0, coin) }
            forms += [.unknownTrains(acceptor), .noisePulses(acceptor)]
        }
        for direction in Direction.allCases {
            forms += PassageKind.allCases.map { .passages(Register.PassageCategory(direction, $0)) }
            forms.append(.releases(direction))
        }
        return forms + Alarm.ordered.map { .alarms($0) } + Fault.all.map { .faults($0) }
    }()

    /// The register's fields: which coin, where coins are counted.
    public func visit(_ fields: inout some FieldVisitor) -> Register {
        switch self {
        case .coins(let fate, let coin):
            let pulses = fields.count(.pulses, coin.pulses)
            let value = fields.amount(.value, coin.value)
            return .coins(fate, Coin(coin.acceptor, pulses: pulses, value: value))
        case .starts, .faresUsed, .fareInUse, .expired, .forfeited, .creditHeld, .creditAtBeginning,
            .unknownTrains, .noisePulses, .coinsInDoubt, .passagesInDoubt, .passagesMade, .passages,
            .releases, .alarms, .faults:
            return self
        }
    }

    /// The register of this ``name``, with a coin where it counts coins; nil for an unknown name.
    public init?(name: String, pulses: Int = 0, value: Int = 0) {
        guard var register = Self.form(named: name) else { return nil }
        if case .coins(let fate, let coin) = register {
            register = .coins(fate, Coin(coin.acceptor, pulses: pulses, value: value))
        }
        self = register
    }

    /// The register of this name, with some coin where coins are counted.
    public static func form(named name: String) -> Register? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: forms.map { ($0.name, $0) })
}

extension Register {
    /// A published number of the registers: a register, or the sum of several.
    public enum Total: Hashable, Sendable {
        /// The value of a register.
        case register(Register)
        /// The money paid in: see ``RegisterValues/valueIn``.
        case valueIn
        /// The money given back at once.
        case refunded
        /// The coins of one fate, acceptor and value, however many pulses they have.
        case coins(CoinFate, Acceptor, value: Int)
        /// How often faults of one code were found.
        case faults(code: String)
    }
}

extension Register.Total {
    /// The name, which never changes: `value_in`, `accepted_coin_pulse_100`, `fault_F7`.
    public var name: String {
        switch self {
        case .register(let register): register.name
        case .valueIn: "value_in"
        case .refunded: "refunded"
        case .coins(let fate, let acceptor, let value):
            "\(Register.coins(fate, Coin(acceptor, pulses: 0, value: value)).name)_\(value)"
        case .faults(let code): "fault_\(code)"
        }
    }
}

extension RegisterValues {
    /// The published numbers, in an order that never changes: those of every gate, and of coins,
    /// alarms and faults those that occurred.
    public var totals: [(total: Register.Total, value: Int64)] {
        var totals: [(total: Register.Total, value: Int64)] = []
        func add(_ register: Register) { totals.append((.register(register), self[register])) }
        add(.starts)
        totals.append((.valueIn, valueIn))
        [.faresUsed, .fareInUse, .creditHeld, .expired, .forfeited].forEach(add)
        totals.append((.refunded, refunded))
        [.coinsInDoubt, .passagesInDoubt].forEach(add)
        for direction in Direction.allCases {
            for kind in PassageKind.allCases {
                add(.passages(Register.PassageCategory(direction, kind)))
            }
            add(.releases(direction))
        }
        for acceptor in Acceptor.ordered {
            add(.unknownTrains(acceptor))
            add(.noisePulses(acceptor))
        }
        for fate in CoinFate.allCases { totals += coins(fate) }
        totals += summed(alarms.all.map { (.register(.alarms($0.key)), $0.value) })
        totals += summed(faults.all.map { (.faults(code: $0.key.code), $0.value) })
        return totals
    }

    private func coins(_ fate: CoinFate) -> [(total: Register.Total, value: Int64)] {
        summed(
            self[fate].all.map {
                (.coins(fate, $0.key.acceptor, value: $0.key.value), $0.value)
            })
    }

    /// One value for each, in the order of the names.
    private func summed(
        _ values: [(Register.Total, Int64)]
    ) -> [(total: Register.Total, value: Int64)] {
        var sums: [String: (total: Register.Total, value: Int64)] = [:]
        for (total, value) in values {
            let name = total.name
            sums[name] = (total, value.plus(sums[name]?.value ?? 0))
        }
        return sums.keys.sorted().compactMap { sums[$0] }
    }
}
