import StateMachines

/// One event on its way through the machine: when it is, what has become of it so far, and what is
/// to be said of it. What is to be driven is no part of it: that follows from the state.
///
/// There is one per event, and it is never copied.
struct StepContext: ~Copyable {
    /// When that happens which is handled now: the event, or before it what was due.
    var time: Instant
    /// What is to be counted.
    var counts = Counters.Pulses()
    /// Whether all that was recorded is to be made durable.
    private(set) var asksToStore = false
    private(set) var changes = 0
    /// Whether the gate heard of anything.
    var reachedGate = false
    /// The records, in order.
    private var records = Commands<Record>.List()
    /// What became of requests, in order.
    private var answers = Commands<Answer>.List()
    /// Why the first part that was asked ignored the event.
    private var reason: Reason?

    @inline(__always) init(at time: Instant) {
        self.time = time
    }

    mutating func record(_ record: Record) {
        records.append(record)
    }

    /// Tells whoever asked for something what became of it, and has that written down.
    mutating func answer(_ answer: Answer) {
        if let record = answer.record { records.append(record) }
        answers.append(answer)
    }

    /// Has all that was recorded, until the end of the step, made durable.
    mutating func store() {
        asksToStore = true
    }

    mutating func ignore(_ reason: Reason) {
        if self.reason == nil { self.reason = reason }
    }

    mutating func change() {
        changes += 1
    }

    /// Takes down what became of the event in one of the parts.
    mutating func account(_ verdict: Verdict) {
        switch verdict {
        case .handled: changes += 1
        case .ignored(let reason): ignore(reason)
        case .unhandled: preconditionFailure("the parts of a turnstile decide every event")
        }
    }

    /// Hands over the records and the answers, and says what became of the event.
    @inline(__always) func finish(perform: (Command) -> Void) -> Verdict {
        answers.forEach { perform(.answer($0)) }
        guard records.isEmpty else {
            records.forEach { perform(.record($0)) }
            if asksToStore { perform(.store) }
            return .handled
        }
        if changes == 0, let reason { return .ignored(reason) }
        return .handled
    }
}
