public import StateMachines

/// Gives counting pulses one after the other: on for a length, then off for at least as long.
///
/// A counter counts rising edges. After a late event the pulser takes one step, and times the next
/// one from then: every pulse is long enough, and none is lost.
public struct Pulser: TimedMachine, Hashable, Sendable {
    /// The events of a pulser.
    public enum Event: Hashable, Sendable {
        /// More pulses are requested.
        case asked(Int, at: Instant)
        case timePassed(Instant)
    }

    /// A pulser has no commands: its output is ``Pulser/isOn``.
    public enum Command: Hashable, Sendable {}

    /// The states of the output.
    public enum State: Hashable, Sendable {
        /// No pulse. A request follows.
        case idle
        /// A pulse. The pause follows.
        case pulse(until: Instant)
        /// The pause after a pulse. The next pulse follows, or silence.
        case pause(until: Instant)
    }

    /// The state of the output.
    public private(set) var state = State.idle
    /// How many pulses are to follow the present one.
    public private(set) var waiting = 0
    private var length: Duration

    /// A silent pulser with pulses and pauses of `length`.
    public init(length: Duration) { self.length = length }

    /// Whether a pulse is on.
    public var isOn: Bool {
        switch state {
        case .idle, .pause: false
        case .pulse: true
        }
    }

    /// When the pulse, or the pause after it, is over.
    public var deadline: Instant? {
        switch state {
        case .idle: nil
        case .pulse(let until), .pause(let until): until
        }
    }

    /// Applies to later pulses and pauses.
    mutating func adopt(length: Duration) { self.length = length }

    /// Begins, ends or queues pulses.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .asked(let count, let time):
            guard count > 0 else { return .ignored("no pulse is wanted") }
            // No overflow: so many pulses would outlast any counter.
            waiting += min(count, .max - waiting)
            if state == .idle { beginNext(at: time) }
            return .handled
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            switch state {
            case .idle: return .ignored("nothing is due")
            case .pulse: state = .pause(until: now + length)
            case .pause: beginNext(at: now)
            }
            return .handled
        }
    }

    mutating func shiftInstants(by duration: Duration) {
        switch state {
        case .idle: break
        case .pulse(let until): state = .pulse(until: until + duration)
        case .pause(let until): state = .pause(until: until + duration)
        }
    }

    private mutating func beginNext(at time: Instant) {
        guard waiting > 0 else {
            state = .idle
            return
        }
        waiting -= 1
        state = .pulse(until: time + length)
    }
}

extension Pulser: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "pulser" }
    /// One that is silent.
    public static var blank: Pulser { Pulser(length: .zero) }

    /// The state and the queue; the length is the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> Pulser {
        var pulser = self
        pulser.state = fields.inline(state, as: .phase)
        pulser.waiting = fields.count(.waiting, waiting)
        return pulser
    }
}
