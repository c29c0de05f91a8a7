public import StateMachines

/// Compares the home contact of the arm with the sensors of the rotor.
///
/// Both show the arm's position, and may disagree only while it moves. A disagreement that lasts
/// for ``Policy/homeSettle`` is a fault: if the sensors are at rest and the arm is not at home, the
/// arm hangs or is broken; if the arm is at home and the sensors show a turn, a sensor sticks.
public struct ArmWatch: TimedMachine, Hashable, Sendable {
    /// The events of the arm.
    public enum Event: Hashable, Sendable {
        /// The contact and the sensors show these levels.
        case changed(isHome: Bool, sensorsAtRest: Bool, at: Instant)
        /// The arm was dropped: it is not judged until the next change.
        case suspended
        case timePassed(Instant)
    }

    /// The commands of the watch.
    public enum Command: Hashable, Sendable {
        /// The rotor is at rest, and the arm is not.
        case reportAway
        case reportAwayOver
        /// The arm is at rest, and the sensors indicate a turn.
        case reportStuck
        case reportStuckOver
    }

    private var away: OnDelay
    private var stuck: OnDelay

    /// A watch over an arm at rest.
    public init(policy: Policy) {
        away = OnDelay(delay: policy.homeSettle)
        stuck = OnDelay(delay: policy.homeSettle)
    }

    /// When a disagreement will have lasted for too long.
    public var deadline: Instant? { .earliest(away.deadline, stuck.deadline) }

    /// The name of the state: `in_order`, `away_noticed` and `away` once it has lasted,
    /// `stuck_noticed` and `stuck`.
    public var stateName: String {
        switch (away.state, stuck.state) {
        case (.absent, .absent): "in_order"
        case (.noticed, _): "away_noticed"
        case (.reported, _): "away"
        case (.absent, .noticed): "stuck_noticed"
        case (.absent, .reported): "stuck"
        }
    }

    /// Applies a new policy to later disagreements.
    mutating func adopt(_ policy: Policy) {
        away.delay = policy.homeSettle
        stuck.delay = policy.homeSettle
    }

    /// Reports a disagreement that lasts, and its end.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .changed(let isHome, let sensorsAtRest, let time):
            join(
                away.handle(isShown: sensorsAtRest && !isHome, at: time),
                stuck.handle(isShown: isHome && !sensorsAtRest, at: time))
        case .suspended: join(away.handle(.vanished), stuck.handle(.vanished))
        case .timePassed(let now):
            join(away.handle(.timePassed(now)), stuck.handle(.timePassed(now)))
        }
    }

    mutating func shiftInstants(by duration: Duration) {
        away.shiftInstants(by: duration)
        stuck.shiftInstants(by: duration)
    }

    private func join(
        _ away: Outcome<OnDelay.Command>, _ stuck: Outcome<OnDelay.Command>
    ) -> Outcome<Command> {
        away.map { $0 == .report ? Command.reportAway : .reportAwayOver }
            .joined(with: stuck.map { $0 == .report ? .reportStuck : .reportStuckOver })
    }
}

extension ArmWatch: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "arm_watch" }
    /// One over an arm at rest.
    public static var blank: ArmWatch { ArmWatch(policy: .blank) }

    /// Both disagreements; their delays are the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> ArmWatch {
        var watch = self
        watch.away = fields.part(.away, away, in: away)
        watch.stuck = fields.part(.stuck, stuck, in: stuck)
        return watch
    }
}
