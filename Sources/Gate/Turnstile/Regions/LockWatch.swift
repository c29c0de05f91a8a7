public import StateMachines

/// Compares the command to one lock with its feedback contact.
///
/// A lock may take ``Policy/lockResponse`` to follow. A commanded release is judged at all times;
/// an engagement only while the bolt can fall: out of its rest, the arm keeps it from its notch.
public struct LockWatch: TimedMachine, Hashable, Sendable {
    /// The events of the lock.
    public enum Event: Hashable, Sendable {
        /// One of the three may have changed.
        case changed(isCommanded: Bool, isReleased: Bool, canEngage: Bool, at: Instant)
        case timePassed(Instant)
    }

    /// The commands of the watch.
    public enum Command: Hashable, Sendable {
        /// The lock of this direction does not follow.
        case reportNotResponding(Direction)
        /// The lock follows again, or no longer has to.
        case reportFollowing(Direction)
    }

    private let direction: Direction
    private var disagreement: OnDelay

    /// A watch over the lock of this direction, which follows.
    public init(_ direction: Direction, policy: Policy) {
        self.direction = direction
        disagreement = OnDelay(delay: policy.lockResponse)
    }

    /// When the lock will have taken too long.
    public var deadline: Instant? { disagreement.deadline }

    /// The name of the state: `in_order`, `noticed`, `reported`.
    public var stateName: String { disagreement.state.name }

    /// Applies a new policy to later commands.
    mutating func adopt(_ policy: Policy) { disagreement.delay = policy.lockResponse }

    /// Reports a lock that does not follow, and when it does again.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        let outcome =
            switch event {
            case .changed(let isCommanded, let isReleased, let canEngage, let time):
                disagreement.handle(
                    isShown: isCommanded != isReleased && (isCommanded || canEngage), at: time)
            case .timePassed(let now): disagreement.handle(.timePassed(now))
            }
        return outcome.map {
            $0 == .report ? .reportNotResponding(direction) : .reportFollowing(direction)
        }
    }

    mutating func shiftInstants(by duration: Duration) {
        disagreement.shiftInstants(by: duration)
    }
}

extension LockWatch: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "lock_watch" }
    /// A watch over the entry's lock, which follows.
    public static var blank: LockWatch { LockWatch(.entry, policy: .blank) }

    /// The state; the direction is the gate's, and the delay the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> LockWatch {
        var watch = self
        watch.disagreement = fields.inline(disagreement)
        return watch
    }
}
