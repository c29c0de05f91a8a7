import StateMachines

/// What is to be done and said about an event, gathered while its parts handle it.
///
/// There is one per event, and it is never copied.
struct Log: ~Copyable {
    /// The records, in order.
    private var records = Commands<Record>.List()
    /// Why the first part that was asked ignored the event.
    private var reason: Reason?
    /// What is to be counted.
    var counts = Counters.Request()
    /// How many parts took the event.
    private(set) var changes = 0
    /// Whether the gate heard of anything.
    var reachedGate = false

    mutating func record(_ record: Record) {
        records.append(record)
    }

    mutating func ignore(_ reason: Reason) {
        if self.reason == nil { self.reason = reason }
    }

    mutating func change() {
        changes += 1
    }

    /// Takes down what became of the event in one of the parts.
    mutating func note(_ verdict: Verdict) {
        switch verdict {
        case .handled: changes += 1
        case .ignored(let reason): ignore(reason)
        case .unhandled: preconditionFailure("the parts of a turnstile decide every event")
        }
    }

    /// Hands over the records, and says what became of the event.
    @inline(__always) func tell(perform: (Command) -> Void) -> Verdict {
        guard records.isEmpty else {
            records.forEach { perform(.record($0)) }
            return .handled
        }
        if changes == 0, let reason { return .ignored(reason) }
        return .handled
    }
}
