public import Turnstile

extension Register.Total {
    /// The total of this ``name``; nil for an unknown one.
    public init?(name: String) {
        // Coins come first: those of value 2 of the first acceptor have the name of the second's
        // register, which is told by values alone.
        for fate in CoinFate.allCases {
            for acceptor in Acceptor.allCases {
                let register = Register.coins(fate, Coin(acceptor, pulses: 0, value: 0)).name
                guard name.hasPrefix("\(register)_"),
                    let value = Int(name.dropFirst(register.count + 1))
                else { continue }
                self = .coins(fate, acceptor, value: value)
                return
            }
        }
        let sums = [Self.valueIn, .refunded] + Fault.all.map { .faults(code: $0.code) }
        if let sum = sums.first(where: { $0.name == name }) {
            self = sum
            return
        }
        guard let register = Register.form(named: name) else { return nil }
        self = .register(register)
    }
}

extension CoinFate {
    /// Whether such a coin is in the vault.
    public var isInVault: Bool {
        switch self {
        case .accepted, .late: true
        case .inhibited, .rejected: false
        }
    }
}
