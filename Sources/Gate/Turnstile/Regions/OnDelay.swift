public import StateMachines

/// A signal that counts once it has lasted for a delay, and ends at once: an on-delay timer.
///
/// A ``Debouncer`` delays both edges; this delays only the report, not its end.
public struct OnDelay: TimedMachine, Hashable, Sendable {
    /// The events of the signal.
    public enum Event: Hashable, Sendable {
        case appeared(at: Instant)
        case vanished
        /// The delay of a present signal ends now.
        case hastened
        case timePassed(Instant)
    }

    /// The commands of the delay.
    public enum Command: Hashable, Sendable {
        /// The signal has lasted.
        case report
        /// A reported signal has ended.
        case reportOver
    }

    /// Whether the signal is present, and counts.
    public enum State: Hashable, Sendable {
        /// Not present. It appears.
        case absent
        /// Present, and reported at `until`. It lasts, or vanishes.
        case noticed(until: Instant)
        /// Reported. It vanishes.
        case reported
    }

    /// Whether the signal is present, and counts.
    public private(set) var state = State.absent
    /// How long the signal must last, from its next appearance on.
    var delay: Duration

    /// An absent signal that must last for `delay`.
    public init(delay: Duration) { self.delay = delay }

    /// When a present signal will have lasted.
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

    mutating func handle(isShown: Bool, at time: Instant) -> Outcome<Command> {
        handle(isShown ? .appeared(at: time) : .vanished)
    }

    mutating func shiftInstants(by duration: Duration) {
        if case .noticed(let until) = state { state = .noticed(until: until + duration) }
    }
}

extension OnDelay: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "on_delay" }
    /// An absent signal.
    public static var blank: OnDelay { OnDelay(delay: .zero) }

    /// The state; the delay is the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> OnDelay {
        var delay = self
        delay.state = fields.inline(state, as: .phase)
        return delay
    }
}
