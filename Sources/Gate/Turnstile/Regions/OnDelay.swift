public import StateMachines

/// Something that counts once it has lasted for a while, and is over at once.
///
/// What the sensors of a gate tell of is seldom all true at the same moment. A ``Debouncer`` waits
/// on both sides; this waits before it reports, and what was reported is taken back with
/// the first sign that it is over.
public struct OnDelay: StateMachine, Hashable, Sendable {
    /// What may happen to the signal.
    public enum Event: Hashable, Sendable {
        /// It shows.
        case appeared(at: Instant)
        /// It does not show.
        case vanished
        /// It counts already, if it shows.
        case hastened
        /// Time passed.
        case timePassed(Instant)
    }

    /// What is said of it.
    public enum Command: Hashable, Sendable {
        /// It has lasted.
        case report
        /// What was reported is over.
        case reportOver
    }

    /// How far it is.
    public enum State: Hashable, Sendable {
        /// It does not show. It appears.
        case absent
        /// It shows, and counts from then on. It lasts, or vanishes.
        case noticed(until: Instant)
        /// It has lasted. It vanishes.
        case reported
    }

    /// How far it is.
    public private(set) var state = State.absent
    /// How long it must last, for the next time that it appears.
    var delay: Duration

    /// A signal that does not show, and must last for `delay`.
    public init(delay: Duration) { self.delay = delay }

    /// When it will have lasted.
    public var deadline: Instant? {
        switch state {
        case .absent, .reported: nil
        case .noticed(let until): until
        }
    }

    /// Decides every pair of state and event.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch (state, event) {
        case (.absent, .appeared(let time)):
            state = .noticed(until: time + delay)
            return .handled
        case (.noticed, .appeared), (.reported, .appeared):
            return .ignored("it shows already")

        case (.noticed, .vanished):
            state = .absent
            return .handled
        case (.reported, .vanished):
            state = .absent
            return .handled(.reportOver)
        case (.absent, .vanished):
            return .ignored("it does not show")

        case (.noticed, .hastened):
            state = .reported
            return .handled(.report)
        case (.absent, .hastened): return .ignored("it does not show")
        case (.reported, .hastened): return .ignored("it was reported")

        case (.noticed(let until), .timePassed(let now)) where until <= now:
            state = .reported
            return .handled(.report)
        case (.absent, .timePassed), (.noticed, .timePassed), (.reported, .timePassed):
            return .ignored("nothing is due")
        }
    }

    /// Takes whether it shows at `time`.
    mutating func handle(isShown: Bool, at time: Instant) -> Outcome<Command> {
        handle(isShown ? .appeared(at: time) : .vanished)
    }

    mutating func shiftInstants(by duration: Duration) {
        if case .noticed(let until) = state { state = .noticed(until: until + duration) }
    }
}

extension OnDelay: Composite {
    /// What it is called.
    public static var title: String { "on_delay" }
    /// A signal that does not show.
    public static var blank: OnDelay { OnDelay(delay: .zero) }

    /// How far it is; how long it must last is the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> OnDelay {
        var delay = self
        delay.state = fields.inline(state, as: .phase)
        return delay
    }
}
