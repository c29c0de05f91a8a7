public import StateMachines

/// Gives counting pulses one after the other: on for a length, then off for as long at least.
///
/// A counter counts rises. A pulser that hears late that time has passed takes one step and starts
/// the next one from then, so that every pulse is long enough to be seen and none is lost.
public struct Pulser: StateMachine, Hashable, Sendable {
    /// What may happen to a pulser.
    public enum Event: Hashable, Sendable {
        /// So many more pulses are wanted.
        case asked(Int, at: Instant)
        /// Time passed.
        case timePassed(Instant)
    }

    /// A pulser says nothing: what it drives is ``Pulser/isOn``.
    public enum Command: Hashable, Sendable {}

    /// What the output carries.
    public enum State: Hashable, Sendable {
        /// No pulse, for as long as nobody asks for one.
        case idle
        /// A pulse. The pause follows.
        case pulse(until: Instant)
        /// The pause after a pulse. The next pulse follows, or silence.
        case pause(until: Instant)
    }

    /// What the output carries.
    public private(set) var state = State.idle
    /// How many pulses are to follow, the one that is on left out.
    public private(set) var waiting = 0
    private var length: Duration

    /// A silent pulser whose pulses, and the pauses after them, will last for `length`.
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

    /// Takes another length, for the pulses and pauses to come.
    mutating func adopt(length: Duration) { self.length = length }

    /// Begins a pulse, ends it, or has it wait for its turn.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .asked(let count, let time):
            guard count > 0 else { return .ignored("no pulse is wanted") }
            // More pulses than a number can count would take longer than any counter lives.
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
    /// What it is called.
    public static var title: String { "pulser" }
    /// One that is silent.
    public static var blank: Pulser { Pulser(length: .zero) }

    /// What the output carries, and how much is to follow; the length of a pulse is the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> Pulser {
        var pulser = self
        pulser.state = fields.inline(state, as: .phase)
        pulser.waiting = fields.count(.waiting, waiting)
        return pulser
    }
}
