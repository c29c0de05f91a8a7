/// The parts of a turnstile before its first event.
public struct Beginning: Hashable, Sendable {
    /// The owner's policy.
    public var policy: Policy
    /// Which lines there are.
    public var equipment: Equipment
    /// How long each input's level must last before it counts, where it is not taken as it comes.
    public var debounce: [Input: Duration]
    /// Whether the bank sees to that.
    public var bankDebounces: Bool
    /// For how long an output may be on without a break, where that is not for ever.
    public var maximumOnTimes: [Output: Duration]
    /// How locks that cannot be held open are driven in an emergency, where that is stated.
    public var emergencyDuties: [Output: EmergencyDuty]
    /// Where the ledger is.
    public var ledger: LedgerConnection
    /// The knowledge about the previous gate.
    public var recovery: Recovery

    /// The parts of a turnstile.
    public init(
        policy: Policy, equipment: Equipment = .oneWay, debounce: [Input: Duration] = [:],
        bankDebounces: Bool = false,
        maximumOnTimes: [Output: Duration] = [:], emergencyDuties: [Output: EmergencyDuty] = [:],
        ledger: LedgerConnection = .none, recovery: Recovery = .known(RetainedState())
    ) {
        self.policy = policy
        self.equipment = equipment
        self.debounce = debounce
        self.bankDebounces = bankDebounces
        self.maximumOnTimes = maximumOnTimes
        self.emergencyDuties = emergencyDuties
        self.ledger = ledger
        self.recovery = recovery
    }
}

extension Turnstile {
    /// A turnstile that has not started, made of this.
    public init(_ beginning: Beginning) {
        self.init(
            policy: beginning.policy, equipment: beginning.equipment,
            debounce: beginning.debounce, bankDebounces: beginning.bankDebounces,
            maximumOnTimes: beginning.maximumOnTimes,
            emergencyDuties: beginning.emergencyDuties, ledger: beginning.ledger,
            recovery: beginning.recovery)
    }
}
