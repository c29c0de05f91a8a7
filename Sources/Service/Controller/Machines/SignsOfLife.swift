public import StateMachines
public import Turnstile

/// What the service manager hears of the service's health, and what is said where it hears nothing.
public struct SignsOfLife: StateMachine, Hashable, Sendable {
    private(set) var policy: WatchdogPolicy
    /// Why none was given, as it was last said; nil while one is.
    private var problem: String?

    /// What may happen.
    public enum Event: Hashable, Sendable {
        /// The lines were looked at: what is wrong with them, or nil, and what the gate was doing.
        case looked(String?, WatchdogPolicy.Situation, at: Instant)
        case situationChanged(WatchdogPolicy.Situation, at: Instant)
    }

    /// What is to be done about it.
    public enum Command: Hashable, Sendable {
        case feed
        /// To keep in mind that none is given from now on: the service is to be ended.
        case remember
        case note(String)
    }

    init(_ policy: WatchdogPolicy) { self.policy = policy }

    /// Tells the service manager that the service is well, unless a new start might help. Where
    /// that was so and people come to depend on the service, a sign is given at once: the next look
    /// may be too late.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .looked(let problem, let situation, let now):
            return ask(problem, situation, at: now)
        case .situationChanged(let situation, let now):
            guard policy.isWithholding else { return .ignored("a sign of life is given") }
            guard situation != .other else { return .ignored("nobody depends on the service") }
            return ask(problem, situation, at: now)
        }
    }

    private mutating func ask(
        _ problem: String?, _ situation: WatchdogPolicy.Situation, at now: Instant
    ) -> Outcome<Command> {
        let wasWithholding = policy.isWithholding
        let look = WatchdogPolicy.Event(
            isTroubled: problem != nil, situation: situation, time: now)
        guard policy.handle(look).commands.contains(.withhold) else {
            self.problem = nil
            return .handled(.feed)
        }
        var commands = Commands<Command>()
        if !wasWithholding { commands.append(.remember) }
        if let problem, problem != self.problem { commands.append(.note(problem)) }
        self.problem = problem
        return .handled(commands)
    }
}

extension SignsOfLife: Composite {
    /// What they are called.
    public static var title: String { "signs_of_life" }
    /// Those of a service that always gave them.
    public static var blank: SignsOfLife { SignsOfLife(.blank) }

    /// Whether they are given, and what was said of it.
    public func visit(_ fields: inout some FieldVisitor) -> SignsOfLife {
        var signs = SignsOfLife(fields.field(.policy, policy))
        signs.problem = fields.optional(.detail, problem)
        return signs
    }
}
