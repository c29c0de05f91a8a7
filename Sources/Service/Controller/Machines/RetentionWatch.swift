public import StateMachines
public import Turnstile

/// When the retained state has to be kept, and failures to do so.
public struct RetentionWatch: StateMachine, Hashable, Sendable {
    /// Whether the machine was started: before that it has no state to keep.
    private var hasBegun = false
    private var kept: RetainedState?
    /// The last noted failure; nil while all is well.
    private var problem: String?

    public enum Event: Hashable, Sendable {
        /// The machine is about to start.
        case began
        case happened(RetainedState)
        /// The check found this failure of the store; nil for none.
        case looked(String?)
    }

    public enum Command: Hashable, Sendable {
        case keep(RetainedState)
        case note(String)
    }

    /// Keeps each state once. A check keeps it again after a failure, and while a passenger is
    /// awaited or a term runs: the next process measures the outage from the last time.
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
    public static var title: String { "retention_watch" }
    public static var blank: RetentionWatch { RetentionWatch() }

    public func visit(_ fields: inout some FieldVisitor) -> RetentionWatch {
        var watch = RetentionWatch()
        watch.hasBegun = fields.field(.hasBegun, hasBegun)
        watch.kept = fields.optional(.retained, kept)
        watch.problem = fields.optional(.detail, problem)
        return watch
    }
}
