public import Turnstile

/// A process from its start to its end: what its turnstile was made of, and what it heard.
public struct Life: Hashable, Sendable {
    /// What the turnstile was made of.
    public var beginning: Beginning
    /// What it heard, in order.
    public var events: [Event] = []

    /// A process that has heard these events.
    public init(beginning: Beginning, events: [Event] = []) {
        self.beginning = beginning
        self.events = events
    }
}

extension PlainGate {
    /// A gate that is made of this.
    public init(_ beginning: Beginning) {
        self.init(
            policy: beginning.policy, equipment: beginning.equipment,
            debounce: beginning.debounce.filter { !beginning.bankDebounces || $0.key == .fire },
            maximumOnTimes: beginning.maximumOnTimes,
            emergencyDuties: beginning.emergencyDuties, ledger: beginning.ledger,
            recovery: beginning.recovery)
    }
}

extension Walk {
    /// The processes on the way.
    public var lives: [Life] { Retelling(self).lives }
}
