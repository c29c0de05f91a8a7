import StateMachines

/// Filters noise from the rotor's sensors, before the ``RotorDecoder`` follows them.
///
/// A person cannot turn the rotor so fast that both sensors change within one step time. A change
/// of one sensor is accepted when the step time has passed without a change of the other. Changes
/// of both within it are doubtful: noise if both change back soon, also within one step time, and
/// otherwise a skipped state.
///
/// The sensors are at rest once neither has changed for the step time. Until then a movement is
/// undecided: see ``deadline``. Sensors that bounce, or are noisy, for ``longestUnrest`` without a
/// rest have failed, which is a skipped state as well.
struct RotorFilter: TimedMachine, Hashable, Sendable {
    /// The states of the sensors.
    typealias Sensors = RotorDecoder.Sensors

    /// The events of the sensors.
    enum Event: Hashable, Sendable {
        /// One of them changed; they now show this.
        case changed(Sensors, at: Instant)
        /// One of them changed, and back before it counted.
        case bounced(at: Instant)
        /// Edges are missing; they now show this.
        case edgesLost(Sensors, at: Instant)
        /// Time passed.
        case timePassed(Instant)
    }

    /// The filter's commands.
    enum Command: Hashable, Sendable {
        /// The sensors have these states, which the decoder should follow.
        case follow(Sensors)
        /// The sensors skipped a state, and show this.
        case skip(Sensors)
        /// A change of the sensors was noise.
        case reportNoise
    }

    /// The states of the filter.
    enum State: Hashable, Sendable {
        /// The accepted states are shown. A change of one sensor follows.
        case settled
        /// One of them shows this, which counts from then on. Time passes, or it is doubtful.
        case changing(Sensors, until: Instant)
        /// Both changed at once; they show this, since then. They change back, or are believed.
        case doubtful(Sensors, since: Instant, until: Instant)
    }

    /// The sensors changed without a rest.
    struct Unrest: Hashable, Sendable {
        var since: Instant
        var until: Instant
    }

    /// The longest time for which both sensors may show a state that no person can cause.
    static let longestNoise: Duration = .milliseconds(500)
    /// For how long the sensors may bounce, and be noisy, without a rest.
    static let longestUnrest: Duration = .seconds(5)

    private(set) var state = State.settled
    private(set) var sensors: Sensors
    /// How long the sensors have not been at rest; nil while they are.
    private(set) var unrest: Unrest?
    private var step: Duration

    /// A filter of sensors that show this at the start.
    init(policy: Policy, sensors: Sensors = .home) {
        step = policy.rotorStep
        self.sensors = sensors
    }

    /// When a change is accepted, a doubtful one resolved, or the sensors come to rest; nil while
    /// they are at rest, and no movement is undecided.
    var deadline: Instant? {
        guard let unrest else { return nil }
        return min(due(unrest), unrest.since + Self.longestUnrest)
    }

    /// The same, however long there has been no rest.
    private func due(_ unrest: Unrest) -> Instant {
        switch state {
        case .settled: unrest.until
        case .changing(_, let until), .doubtful(_, _, let until): until
        }
    }

    /// Takes the time of a new policy, for the changes to come.
    mutating func adopt(_ policy: Policy) { step = policy.rotorStep }

    /// Has the sensors show this, without a doubt.
    mutating func start(_ shown: Sensors) {
        accept(shown)
    }

    private mutating func accept(_ shown: Sensors) {
        state = .settled
        sensors = shown
        unrest = nil
    }

    /// Decides every pair of state and event.
    mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .changed(let shown, let time): change(to: shown, at: time)
        case .bounced(let time): restartRest(from: time)
        case .edgesLost(let shown, let time): handleLostEdges(shown, at: time)
        case .timePassed(let now): passTime(now)
        }
    }

    private mutating func change(to shown: Sensors, at time: Instant) -> Outcome<Command> {
        switch state {
        case .settled:
            guard shown != sensors else { return .ignored("the sensors have not changed") }
            guard step > .zero else { return follow(shown) }
            if shown == skipped {
                markDoubtful(shown, at: time)
            } else {
                change(later: shown, at: time)
            }
            return .handled
        case .changing(let before, _):
            guard shown != before else { return .ignored("the sensors have not changed") }
            if shown == sensors {
                // Back at once, it was a bounce.
                state = .settled
                markUnrest(at: time)
            } else {
                markDoubtful(shown, at: time)
            }
            return .handled
        case .doubtful(let before, let since, let until):
            guard shown != before else { return .ignored("the sensors have not changed") }
            guard shown == sensors else {
                state = .doubtful(shown, since: time, until: until)
                return .handled
            }
            guard before != skipped, time - since > step else {
                state = .settled
                markUnrest(at: time)
                return .handled(.reportNoise)
            }
            // One after the other: a person may have gone through.
            accept(before)
            change(later: shown, at: time)
            return .handled(.skip(before))
        }
    }

    /// A contact that bounces may be the first movement.
    private mutating func restartRest(from time: Instant) -> Outcome<Command> {
        guard step > .zero else { return .ignored("nothing is filtered") }
        markUnrest(at: time)
        return .handled
    }

    /// The time of the last change is unknown; the rotor's home position counts as a change.
    private mutating func handleLostEdges(_ shown: Sensors, at time: Instant) -> Outcome<Command> {
        guard step > .zero, shown == .home, sensors != .home else {
            accept(shown)
            return restartRest(from: time)
        }
        accept(sensors)
        change(later: shown, at: time)
        return .handled
    }

    private mutating func change(later shown: Sensors, at time: Instant) {
        markUnrest(at: time)
        state = .changing(shown, until: time + step)
    }

    /// The sensors' states if both have changed.
    private var skipped: Sensors { Sensors(a: !sensors.a, b: !sensors.b) }

    private mutating func markDoubtful(_ shown: Sensors, at time: Instant) {
        markUnrest(at: time)
        state = .doubtful(shown, since: time, until: time + Self.longestNoise)
    }

    private mutating func markUnrest(at time: Instant) {
        unrest = Unrest(since: unrest?.since ?? time, until: time + step)
    }

    private mutating func passTime(_ now: Instant) -> Outcome<Command> {
        guard let unrest, let deadline, deadline <= now else { return .ignored("nothing is due") }
        let isDue = due(unrest) <= now
        switch state {
        case .settled where isDue:
            self.unrest = nil
            return .handled
        case .changing(let shown, _) where isDue: return follow(shown)
        case .settled: return skip(sensors)
        case .changing(let shown, _), .doubtful(let shown, _, _): return skip(shown)
        }
    }

    private mutating func follow(_ shown: Sensors) -> Outcome<Command> {
        accept(shown)
        return .handled(.follow(shown))
    }

    private mutating func skip(_ shown: Sensors) -> Outcome<Command> {
        accept(shown)
        return .handled(.skip(shown))
    }

    mutating func shiftInstants(by duration: Duration) {
        unrest = unrest.map { Unrest(since: $0.since + duration, until: $0.until + duration) }
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

    /// The state of the filter, and the accepted states; the step time is the policy's.
    func visit(_ fields: inout some FieldVisitor) -> RotorFilter {
        var filter = self
        filter.state = fields.inline(state, as: .phase)
        filter.sensors = fields.field(.sensors, sensors)
        filter.unrest = fields.optional(.unrest, unrest)
        if filter.state != .settled, filter.unrest == nil { fields.reject(.unrest) }
        return filter
    }
}

extension RotorFilter.Unrest: Composite {
    static var title: String { "rotor_unrest" }
    static let blank = RotorFilter.Unrest(since: .zero, until: .zero)

    func visit(_ fields: inout some FieldVisitor) -> RotorFilter.Unrest {
        let since = fields.instant(.since, since)
        return RotorFilter.Unrest(since: since, until: fields.instant(.until, until))
    }
}
