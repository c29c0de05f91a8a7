import StateMachines

/// Tells what somebody in the rotor does to its sensors from noise, before the ``RotorDecoder``
/// follows them.
///
/// Nobody turns a rotor so fast that both sensors change within a moment. A change of one sensor is
/// followed when that moment has passed without a change of the other. Both within it are doubtful:
/// they are noise if both change back soon, and within a moment as well, and else a skipped state.
struct RotorFilter: StateMachine, Hashable, Sendable {
    /// What the sensors show.
    typealias Sensors = RotorDecoder.Sensors

    /// What may happen to the sensors.
    enum Event: Hashable, Sendable {
        /// One of them changed; they now show this.
        case changed(Sensors, at: Instant)
        /// Time passed.
        case timePassed(Instant)
    }

    /// What the filter makes of it.
    enum Command: Hashable, Sendable {
        /// The sensors are to be followed: they show this.
        case follow(Sensors)
        /// The sensors skipped a state, and show this.
        case skip(Sensors)
        /// What the sensors showed for a while was noise.
        case reportNoise
    }

    /// What the sensors are doing.
    enum State: Hashable, Sendable {
        /// They show what is followed. A change of one of them follows.
        case settled
        /// One of them shows this, which counts from then on. Time passes, or it is doubtful.
        case changing(Sensors, until: Instant)
        /// Both changed at once; they show this, since then. They change back, or are believed.
        case doubtful(Sensors, since: Instant, until: Instant)
    }

    /// How long both sensors may show what nobody can have made them show.
    static let longestNoise: Duration = .milliseconds(500)

    /// What the sensors are doing.
    private(set) var state = State.settled
    /// What is followed.
    private(set) var sensors: Sensors
    private var step: Duration

    /// A filter of sensors that show this at the start.
    init(policy: Policy, sensors: Sensors = .home) {
        step = policy.rotorStep
        self.sensors = sensors
    }

    /// When a change counts, or what is doubtful is believed.
    var deadline: Instant? {
        switch state {
        case .settled: nil
        case .changing(_, let until), .doubtful(_, _, let until): until
        }
    }

    /// Takes the time of a new policy, for the changes to come.
    mutating func adopt(_ policy: Policy) { step = policy.rotorStep }

    /// Has the sensors show this, without a doubt.
    mutating func start(_ shown: Sensors) {
        state = .settled
        sensors = shown
    }

    /// Decides every pair of state and event.
    mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .changed(let shown, let time): change(to: shown, at: time)
        case .timePassed(let now): passTime(now)
        }
    }

    private mutating func change(to shown: Sensors, at time: Instant) -> Outcome<Command> {
        switch state {
        case .settled:
            guard shown != sensors else { return .ignored("the sensors have not changed") }
            guard step > .zero else { return follow(shown) }
            if shown == skipped {
                doubt(shown, at: time)
            } else {
                state = .changing(shown, until: time + step)
            }
            return .handled
        case .changing(let before, _):
            guard shown != before else { return .ignored("the sensors have not changed") }
            // Back at once, it was a bounce.
            if shown == sensors { state = .settled } else { doubt(shown, at: time) }
            return .handled
        case .doubtful(let before, let since, let until):
            guard shown != before else { return .ignored("the sensors have not changed") }
            guard shown == sensors else {
                state = .doubtful(shown, since: time, until: until)
                return .handled
            }
            guard before != skipped, time - since > step else {
                state = .settled
                return .handled(.reportNoise)
            }
            // One after the other: somebody may have gone through.
            state = .settled
            return .handled([.skip(before), .follow(shown)])
        }
    }

    /// What the sensors show when both have changed.
    private var skipped: Sensors { Sensors(a: !sensors.a, b: !sensors.b) }

    private mutating func doubt(_ shown: Sensors, at time: Instant) {
        state = .doubtful(shown, since: time, until: time + Self.longestNoise)
    }

    private mutating func passTime(_ now: Instant) -> Outcome<Command> {
        guard let deadline, deadline <= now else { return .ignored("nothing is due") }
        switch state {
        case .settled: return .ignored("nothing is due")
        case .changing(let shown, _):
            state = .settled
            return follow(shown)
        case .doubtful(let shown, _, _):
            state = .settled
            sensors = shown
            return .handled(.skip(shown))
        }
    }

    private mutating func follow(_ shown: Sensors) -> Outcome<Command> {
        sensors = shown
        return .handled(.follow(shown))
    }

    /// Moves every instant that the state holds.
    mutating func shiftInstants(by duration: Duration) {
        switch state {
        case .settled: break
        case .changing(let shown, let until): state = .changing(shown, until: until + duration)
        case .doubtful(let shown, let since, let until):
            state = .doubtful(shown, since: since + duration, until: until + duration)
        }
    }
}

extension RotorFilter: Composite {
    static var title: String { "rotor_filter" }
    static var blank: RotorFilter { RotorFilter(policy: .blank) }

    /// What the sensors are doing, and what is followed; the least time of a step is the policy's.
    func visit(_ fields: inout some FieldVisitor) -> RotorFilter {
        var filter = self
        filter.state = fields.inline(state, as: .phase)
        filter.sensors = fields.field(.sensors, sensors)
        return filter
    }
}
