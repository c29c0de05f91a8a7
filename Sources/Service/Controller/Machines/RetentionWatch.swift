public import StateMachines
public import Turnstile

/// What has to be kept of the machine's state, and what is said where it is not.
public struct RetentionWatch: StateMachine, Hashable, Sendable {
    /// Whether the machine was told of the start: before that it knows nothing to be kept.
    private var hasBegun = false
    private var kept: RetainedState?
    /// What is wrong with it, as it was last said; nil while all is well.
    private var problem: String?

    /// What may happen to what is kept.
    public enum Event: Hashable, Sendable {
        /// The machine is about to be told of the start.
        case began
        case happened(RetainedState)
        /// It was looked what is wrong with what was handed over; nil where all is well.
        case looked(String?)
    }

    /// What is to be done about it.
    public enum Command: Hashable, Sendable {
        case keep(RetainedState)
        case note(String)
    }

    /// Has each state kept once, and once more at each look as long as it is not; so too while
    /// somebody is awaited or a time runs, since the next process asks when that was last so.
    @inline(__always) public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .began:
            hasBegun = true
            return .handled
        case .happened(let state):
            guard state != kept else { return .ignored("it is what was handed over") }
            guard hasBegun else { return .ignored("the machine knows of no start") }
            kept = state
            return .handled(.keep(state))
        case .looked(let problem): return judge(problem)
        }
    }

    private mutating func judge(_ problem: String?) -> Outcome<Command> {
        var commands = Commands<Command>()
        if let problem, problem != self.problem { commands.append(.note(problem)) }
        self.problem = problem
        if let kept, problem != nil || kept.isAnybodyAwaited || kept.holdsTimes {
            commands.append(.keep(kept))
        }
        return .handled(commands)
    }
}

extension RetentionWatch: Composite {
    /// What it is called.
    public static var title: String { "retention_watch" }
    /// That of a service that has not started.
    public static var blank: RetentionWatch { RetentionWatch() }

    /// What was handed over, and what is wrong with it.
    public func visit(_ fields: inout some FieldVisitor) -> RetentionWatch {
        var watch = RetentionWatch()
        watch.hasBegun = fields.field(.hasBegun, hasBegun)
        watch.kept = fields.optional(.retained, kept)
        watch.problem = fields.optional(.detail, problem)
        return watch
    }
}
