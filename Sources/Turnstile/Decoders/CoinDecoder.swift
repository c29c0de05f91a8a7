public import StateMachines

/// Counts the pulses of a coin acceptor and says when a train of them is over.
///
/// A coin's value is proportional to its pulses, so that two trains that run into one another
/// count what two separate ones would. A pulse counts when it is half to double as wide as the
/// acceptor's nominal pulse; another width is noise and is reported, not counted.
public struct CoinDecoder: StateMachine, Hashable, Sendable {
    /// What may happen on the coin line.
    public enum Event: Hashable, Sendable {
        /// The line became active, or inactive.
        case changed(isActive: Bool, at: Instant)
        /// Edges are missing; the line is now active, or is not.
        case edgesLost(isActive: Bool, at: Instant)
        /// Time passed.
        case timePassed(Instant)
    }

    /// What the decoder makes of it.
    public enum Command: Hashable, Sendable {
        /// A train of this many good pulses is over.
        case credit(pulses: Int)
        /// There was a pulse of this width, which is none.
        case reportNoise(width: Duration)
        /// The line has been active for too long.
        case reportStuck
        /// The line is no longer stuck.
        case reportReleased
    }

    /// What the line is doing.
    public enum State: Hashable, Sendable {
        /// Silence. A pulse follows.
        case idle
        /// In a pulse. The gap after it follows, or the line sticks.
        case pulse(since: Instant, counted: Int)
        /// Between the pulses of a train. The next pulse follows, or silence.
        case gap(until: Instant, counted: Int)
        /// Active for longer than any pulse. Silence follows.
        case stuck
    }

    /// What the line is doing.
    public private(set) var state = State.idle
    private var timing: Timing

    /// The times that tell a pulse from noise and a train's end.
    struct Timing: Hashable, Sendable {
        var shortestPulse: Duration
        var longestPulse: Duration
        var quiet: Duration
        var stuckAfter: Duration

        init(_ policy: CoinPolicy) {
            shortestPulse = policy.pulseWidth / 2
            longestPulse = policy.pulseWidth * 2
            quiet = policy.trainQuiet
            stuckAfter = policy.stuckAfter
        }
    }

    /// A decoder for an acceptor with the policy's pulse times, on a silent line.
    public init(policy: CoinPolicy) {
        timing = Timing(policy)
    }

    /// Whether a coin is being counted.
    public var isCounting: Bool { state != .idle && state != .stuck }

    /// When the train is over, or the pulse too long to be one.
    public var deadline: Instant? {
        switch state {
        case .idle, .stuck: nil
        case .pulse(let since, _): since + timing.stuckAfter
        case .gap(let until, _): until
        }
    }

    /// Takes the pulse times of a new policy, for the pulses to come.
    mutating func adopt(_ policy: CoinPolicy) {
        timing = Timing(policy)
    }

    /// Counts, or says what was counted.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .changed(isActive: true, let time): return rose(at: time)
        case .changed(isActive: false, let time): return fell(at: time)
        case .edgesLost(let isActive, let time): return resynchronise(isActive: isActive, at: time)
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            return timedOut()
        }
    }

    /// Moves every instant that the state holds.
    mutating func shiftInstants(by duration: Duration) {
        switch state {
        case .idle, .stuck: break
        case .pulse(let since, let counted):
            state = .pulse(since: since + duration, counted: counted)
        case .gap(let until, let counted):
            state = .gap(until: until + duration, counted: counted)
        }
    }

    private mutating func rose(at time: Instant) -> Outcome<Command> {
        switch state {
        case .idle: state = .pulse(since: time, counted: 0)
        case .gap(_, let counted): state = .pulse(since: time, counted: counted)
        case .pulse, .stuck: return .ignored("the coin line was active already")
        }
        return .handled
    }

    private mutating func fell(at time: Instant) -> Outcome<Command> {
        switch state {
        case .idle, .gap: return .ignored("the coin line was inactive already")
        case .stuck:
            state = .idle
            return .handled(.reportReleased)
        case .pulse(let since, let counted):
            let width = time - since
            if width >= timing.shortestPulse && width <= timing.longestPulse {
                state = .gap(until: time + timing.quiet, counted: counted + 1)
                return .handled
            }
            state = counted > 0 ? .gap(until: time + timing.quiet, counted: counted) : .idle
            return .handled(.reportNoise(width: width))
        }
    }

    private mutating func timedOut() -> Outcome<Command> {
        switch state {
        case .idle, .stuck: return .ignored("nothing is due")
        case .gap(_, let counted):
            state = .idle
            return .handled(.credit(pulses: counted))
        case .pulse(_, let counted):
            state = .stuck
            var commands = Commands<Command>()
            if counted > 0 { commands.append(.credit(pulses: counted)) }
            commands.append(.reportStuck)
            return .handled(commands)
        }
    }

    /// What was counted before the gap is good; what follows is a new train.
    private mutating func resynchronise(isActive: Bool, at time: Instant) -> Outcome<Command> {
        var commands = Commands<Command>()
        switch state {
        case .idle: break
        case .pulse(_, let counted), .gap(_, let counted):
            if counted > 0 { commands.append(.credit(pulses: counted)) }
        case .stuck:
            if isActive { return .ignored("the coin line is still stuck") }
            commands.append(.reportReleased)
        }
        state = isActive ? .pulse(since: time, counted: 0) : .idle
        return .handled(commands)
    }
}
