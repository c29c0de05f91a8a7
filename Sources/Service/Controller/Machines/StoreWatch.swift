public import StateMachines
public import Turnstile

/// Whether the store works: a pending commit or opening, and its timeout.
public struct StoreWatch: StateMachine, Hashable, Sendable {
    /// How long an answer may take before the store counts as failing: a hung disk reports nothing.
    static let timeout: Duration = .seconds(2)

    /// Since when an answer is pending; nil for none.
    private var awaitingSince: Instant?
    private var isAsked = false
    /// Whether a commit was requested since answers were last taken: none of them answers it.
    private var isAskedAnew = false
    /// Why the store fails, until the machine is told that it works again.
    private var problem: String?

    public enum Event: Hashable, Sendable {
        case opening(at: Instant)
        /// A commit was requested.
        case asked(at: Instant)
        /// The pending answers are taken, and follow one by one.
        case answersTaken
        /// All requested commits are durable, or the store works again.
        case durable
        case opened(at: Instant)
        case failed(String)
        case looked(at: Instant)
    }

    public enum Command: Hashable, Sendable {
        case reportDurable
        case reportFailure
        case note(String)
    }

    /// An answer may have the machine request another commit: the answers taken with it do not
    /// answer that.
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
        case .durable:
            guard !isAskedAnew else { return .ignored("it was asked anew since") }
            self = StoreWatch()
            return .handled(.reportDurable)
        case .opened(let time):
            // The timeout of a commit requested meanwhile begins now.
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
    public static var title: String { "store_watch" }
    public static var blank: StoreWatch { StoreWatch() }

    public func visit(_ fields: inout some FieldVisitor) -> StoreWatch {
        var watch = StoreWatch()
        watch.awaitingSince = fields.optional(.since, awaitingSince)
        watch.isAsked = fields.field(.isAsked, isAsked)
        watch.isAskedAnew = fields.field(.isAskedAnew, isAskedAnew)
        watch.problem = fields.optional(.detail, problem)
        return watch
    }
}
