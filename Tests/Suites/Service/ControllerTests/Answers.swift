import StateMachines

extension StateMachine {
    /// What the machine answers to one event after the other: its commands, or nil to an event that
    /// changes nothing.
    mutating func answers(to events: [Event]) -> [[Command]?] {
        events.map {
            let outcome = handle($0)
            return outcome.isHandled ? Array(outcome.commands) : nil
        }
    }

    /// The same machine after these events.
    func after(_ events: [Event]) -> Self {
        var machine = self
        _ = machine.answers(to: events)
        return machine
    }
}

extension Instant {
    /// So many seconds after the clock's origin.
    static func second(_ seconds: Double) -> Instant { .zero + .seconds(seconds) }
}
