public import StateMachines
public import Turnstile

/// Feeds the service manager's watchdog, and notes why signs of life are withheld.
public struct SignsOfLife: StateMachine, Hashable, Sendable {
    private(set) var policy: WatchdogPolicy
    /// The last noted reason for withholding; nil while signs are given.
    private var problem: String?

    public enum Event: Hashable, Sendable {
        /// The check's problem with the lines, nil for none, and what the gate was doing.
        case looked(String?, WatchdogPolicy.Situation, at: Instant)
        case situationChanged(WatchdogPolicy.Situation, at: Instant)
    }

    public enum Command: Hashable, Sendable {
        case feed
        /// Write down that signs are withheld from now on: the service manager ends the service.
        case remember
        case note(String)
    }

    init(_ policy: WatchdogPolicy) { self.policy = policy }

    /// Gives a sign unless a new start might help. If people come to depend on the service while
    /// signs are withheld, one is given at once: the next check may be too late.
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
    public static var title: String { "signs_of_life" }
    public static var blank: SignsOfLife { SignsOfLife(.blank) }

    public func visit(_ fields: inout some FieldVisitor) -> SignsOfLife {
        var signs = SignsOfLife(fields.field(.policy, policy))
        signs.problem = fields.optional(.detail, problem)
        return signs
    }
}
