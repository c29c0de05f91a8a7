public import StateMachines

/// Reports an obstacle in the light beams: passengers break them only for less than
/// ``Policy/beamBlocked``.
public struct BeamWatch: TimedMachine, Hashable, Sendable {
    /// The events of the beams.
    public enum Event: Hashable, Sendable {
        /// Whether any beam is broken.
        case changed(isBroken: Bool, at: Instant)
        case timePassed(Instant)
    }

    /// The commands of the watch.
    public enum Command: Hashable, Sendable {
        /// Something stands in a beam.
        case reportBlocked
        /// The beams are free again.
        case reportFree
    }

    private var blockage: OnDelay

    /// A watch over free beams.
    public init(policy: Policy) { blockage = OnDelay(delay: policy.beamBlocked) }

    /// When a broken beam will have lasted for too long.
    public var deadline: Instant? { blockage.deadline }

    /// The name of the state: `in_order`, `noticed`, `reported`.
    public var stateName: String { blockage.state.name }

    /// Applies a new policy to later obstacles.
    mutating func adopt(_ policy: Policy) { blockage.delay = policy.beamBlocked }

    /// Reports a broken beam that lasts, and its end.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        let outcome =
            switch event {
            case .changed(let isBroken, let time): blockage.handle(isShown: isBroken, at: time)
            case .timePassed(let now): blockage.handle(.timePassed(now))
            }
        return outcome.map { $0 == .report ? .reportBlocked : .reportFree }
    }

    mutating func shiftInstants(by duration: Duration) {
        blockage.shiftInstants(by: duration)
    }
}

extension BeamWatch: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "beam_watch" }
    /// One over free beams.
    public static var blank: BeamWatch { BeamWatch(policy: .blank) }

    /// The state; the delay is the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> BeamWatch {
        var watch = self
        watch.blockage = fields.inline(blockage)
        return watch
    }
}
