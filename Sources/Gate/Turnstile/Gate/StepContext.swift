import StateMachines

/// The results of one event while the machine handles it: records, answers and verdict, but not the
/// outputs, which follow from the state. There is one per event, and it is never copied.
struct StepContext: ~Copyable {
    /// The time of the event or, before it, of the deadline that is handled.
    var time: Instant
    var counts = Counters.Pulses()
    /// Whether to make all records durable.
    private(set) var asksToStore = false
    private(set) var changes = 0
    var reachedGate = false
    private var records = Commands<Record>.List()
    private var answers = Commands<Answer>.List()
    /// Why the first region that ignored the event did so.
    private var reason: Reason?

    @inline(__always) init(at time: Instant) {
        self.time = time
    }

    mutating func record(_ record: Record) {
        records.append(record)
    }

    /// Answers a request, and records the answer.
    mutating func answer(_ answer: Answer) {
        if let record = answer.record { records.append(record) }
        answers.append(answer)
    }

    /// Has all records up to the end of the step made durable.
    mutating func store() {
        asksToStore = true
    }

    mutating func ignore(_ reason: Reason) {
        if self.reason == nil { self.reason = reason }
    }

    mutating func change() {
        changes += 1
    }

    /// Accounts for the verdict of one of the regions or decoders.
    mutating func account(_ verdict: Verdict) {
        switch verdict {
        case .handled: changes += 1
        case .ignored(let reason): ignore(reason)
        case .unhandled: preconditionFailure("the parts of a turnstile decide every event")
        }
    }

    /// Hands over answers and records; returns the verdict on the event.
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
