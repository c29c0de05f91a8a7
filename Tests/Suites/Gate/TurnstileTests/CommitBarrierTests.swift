import StateMachines
import Testing
import Turnstile

/// What the gate asks of its ledger, every state with every event.
@Suite struct CommitBarrierTests {
    /// The state after these events.
    private static func state(
        _ events: CommitBarrier.Event...
    ) -> (state: CommitBarrier.State, last: Outcome<CommitBarrier.Command>) {
        var commitBarrier = CommitBarrier()
        var last = Outcome<CommitBarrier.Command>.handled([])
        for event in events { last = commitBarrier.handle(event) }
        return (commitBarrier.state, last)
    }

    @Test func `everything is stored until something is recorded`() {
        #expect(CommitBarrier().isDurable)
        #expect(Self.state(.durable) == (.durable, .ignored("no commit was pending")))
        #expect(Self.state(.withheld) == (.durable, .ignored("all is durable")))
        #expect(Self.state(.recorded) == (.storing, .handled(.store)))
    }

    @Test func `what is recorded later is asked for again, and answered once`() {
        #expect(Self.state(.recorded, .recorded) == (.storing, .handled(.store)))
        #expect(Self.state(.recorded, .durable) == (.durable, .handled([])))
    }

    @Test func `whoever has paid is let in by the answer`() {
        #expect(Self.state(.recorded, .withheld) == (.awaited, .handled([])))
        #expect(Self.state(.recorded, .withheld, .recorded) == (.awaited, .handled(.store)))
        #expect(
            Self.state(.recorded, .withheld, .withheld)
                == (.awaited, .ignored("a passenger waits already")))
        #expect(Self.state(.recorded, .withheld, .durable) == (.durable, .handled(.release)))
    }
}
