import StateMachines
public import Turnstile

// What gates are made of, and what they say, for those who tell of them.

extension Equipment {
    /// A gate both ways, with a stop contact.
    public static let twoWays = oneWay.with(.stop, .releaseExit, outputs: .lockExit)

    /// A gate with these lines besides.
    public func with(_ inputs: Input..., outputs: Output...) -> Equipment {
        Equipment(
            inputs: self.inputs.union(InputLevels(inputs)),
            outputs: self.outputs.union(OutputSet(outputs)))
    }

    /// A gate without these lines.
    public func without(_ inputs: Input..., outputs: Output...) -> Equipment {
        Equipment(
            inputs: self.inputs.subtracting(InputLevels(inputs)),
            outputs: self.outputs.subtracting(OutputSet(outputs)))
    }
}

extension TimeOfDay {
    /// 12:00.
    public static let noon = TimeOfDay(minute: 720)!
}

extension Balances {
    /// So much credit.
    public static func holding(_ credit: Int) -> Balances {
        var balances = Balances()
        balances.credit = credit
        return balances
    }
}

extension Command {
    /// The answer that the command gives, or nil.
    public var answer: Answer? {
        if case .answer(let answer) = self { answer } else { nil }
    }

    /// The record that the command writes, or nil.
    public var record: Record? {
        if case .record(let record) = self { record } else { nil }
    }
}

extension Requester {
    /// The mechanic's key.
    public static let serviceKey = contact(.serviceKey)
    /// The key that ends an emergency.
    public static let resetKey = contact(.emergencyResetKey)
}

extension Request {
    /// One request of every kind, for an operator to make anywhere.
    public static let probes: [Request] = Kind.allCases.map { kind in
        switch kind {
        case .grant: .grant(.entry)
        case .grantGroup: .grantGroup(.entry, count: 2)
        case .withdraw: .withdraw(.entry)
        case .setMode: .setMode(.entry, .locked, until: nil)
        case .setEnforcement: .setEnforcement(.weak, until: .zero + .seconds(1))
        case .setModeUntil: .setModeUntil(.entry, .locked, .noon)
        case .setEnforcementUntil: .setEnforcementUntil(.weak, .noon)
        case .confirmRepair: .confirmRepair
        case .acknowledgeAlarms: .acknowledgeAlarms
        case .resetEmergency: .resetEmergency
        case .beginService: .beginService
        case .endService: .endService
        case .selfTest: .selfTest
        case .test: .test(.lockEntry)
        case .collectCoins: .collectCoins(counted: 1)
        case .adopt: .adopt(Policy(price: 1, coinUnit: 1))
        }
    }
}
