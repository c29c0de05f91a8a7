import StateMachines
package import Turnstile

/// A recorded event with its results, and those of the replay.
public struct RecordedStep: Sendable {
    package var place: ReplayedStep.Place
    package var event: Event
    /// The recorded results.
    public var recorded: Replay.Answer
    /// The results of the replay; nil if the state before it is unknown.
    public var replayed: ReplayedStep?
    /// The wall clock's offset from monotonic time.
    public var clock: ClockOffset

    /// The wall time: UTC, since 1970.
    public var utc: Duration { clock.utc(at: event.time) }

    var decidedAnew: RecordedStep {
        guard let replayed else { return self }
        var step = self
        step.recorded = Replay.Answer(
            verdict: RecordedVerdict(replayed.verdict), commands: replayed.commands,
            records: replayed.records)
        return step
    }
}

extension Replay.News {
    var decidedAnew: Replay.News {
        if case .step(let step) = self { .step(step.decidedAnew) } else { self }
    }
}
