import StateMachines
package import Turnstile

/// One event as it was recorded, and what a replay made of it.
public struct RecordedStep: Sendable {
    package var place: ReplayedStep.Place
    package var event: Event
    /// What was said about it.
    public var recorded: Replay.Answer
    /// What the replay made of it; nil where the state before it is not known here.
    public var replayed: ReplayedStep?
    /// What the clock on the wall was ahead of monotonic time.
    public var clock: ClockOffset

    /// When it happened on the wall, UTC, since 1970.
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
