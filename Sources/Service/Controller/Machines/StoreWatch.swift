public import StateMachines
public import Turnstile

/// Whether the store does its work: what it owes an answer to, and whether it counts as failing.
public struct StoreWatch: StateMachine, Hashable, Sendable {
    /// How long the store may owe an answer before it counts as failing: a disk that hangs says
    /// nothing of it.
    static let timeout: Duration = .seconds(2)

    /// Since when it has owed an answer, or that it is open; nil while it owes none.
    private var awaitingSince: Instant?
    private var isAsked = false
    /// Whether it was asked since its answers were last taken: none of them answers that.
    private var isAskedAnew = false
    /// Why the store fails, as long as the machine was not told that it works again.
    private var problem: String?

    /// What may happen to a store.
    public enum Event: Hashable, Sendable {
        case opening(at: Instant)
        case asked(at: Instant)
        /// What waits of its answers is taken, and told one by one.
        case answersTaken
        /// All that it was asked about is durable, or it works again.
        case stored
        /// It is open. What it holds is told to the machine by whoever heard of it: there is
        /// nothing to decide about that.
        case opened(at: Instant)
        case failed(String)
        case looked(at: Instant)
    }

    /// What is to be done about it.
    public enum Command: Hashable, Sendable {
        case reportStored
        case reportFailure
        case note(String)
    }

    /// Follows what is asked and answered. One answer may have the machine ask anew: those behind
    /// it are none to that.
    @inline(__always) public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .opening(let time):
            awaitingSince = time
            return .handled
        case .asked(let time):
            isAsked = true
            isAskedAnew = true
            awaitingSince = awaitingSince ?? time
            return .handled
        case .answersTaken:
            isAskedAnew = false
            return .handled
        case .stored:
            guard !isAskedAnew else { return .ignored("it was asked anew since") }
            self = StoreWatch()
            return .handled(.reportStored)
        case .opened(let time):
            // What it was asked for meanwhile it owes from now on.
            awaitingSince = isAsked ? time : nil
            problem = nil
            return .handled
        case .failed(let reason):
            return fail(reason)
        case .looked(let now):
            guard let awaitingSince, now - awaitingSince > Self.timeout else {
                return .ignored("it does not owe an answer for too long")
            }
            guard problem == nil else { return .ignored("it fails already") }
            return fail("the ledger has not answered for \(Self.timeout)")
        }
    }

    private mutating func fail(_ reason: String) -> Outcome<Command> {
        guard reason != problem else { return .ignored("that was said") }
        let isFailing = problem != nil
        problem = reason
        return isFailing ? .handled(.note(reason)) : .handled([.note(reason), .reportFailure])
    }
}

extension StoreWatch: Composite {
    /// What it is called.
    public static var title: String { "store_watch" }
    /// That of a store that owes nothing.
    public static var blank: StoreWatch { StoreWatch() }

    /// What the store owes, and why it fails.
    public func visit(_ fields: inout some FieldVisitor) -> StoreWatch {
        var watch = StoreWatch()
        watch.awaitingSince = fields.optional(.since, awaitingSince)
        watch.isAsked = fields.field(.isAsked, isAsked)
        watch.isAskedAnew = fields.field(.isAskedAnew, isAskedAnew)
        watch.problem = fields.optional(.detail, problem)
        return watch
    }
}
