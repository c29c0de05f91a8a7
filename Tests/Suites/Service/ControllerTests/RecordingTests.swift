import Hardware
import StateMachines
import System
import TestSupport
import Testing

@testable import Controller
@testable import Turnstile

extension ReplayingRecorder {
    /// The recorder of a story: what it does not replay as it was makes the test fail.
    static func forStories() -> ReplayingRecorder {
        ReplayingRecorder(keeps: true) { Issue.record("when it is replayed: \($0)") }
    }
}

/// What is decided is told step by step, and the same machines decide it once more. Every story of
/// these tests is replayed as it happens; here is what the steps look like.
@Suite struct RecordingTests {
    private let recorder = ReplayingRecorder.forStories()

    /// The names of the steps since they were last asked for, but for states.
    private func steps() -> [String] { Self.names(of: recorder) }

    private static func names(of recorder: ReplayingRecorder) -> [String] {
        recorder.takeSteps().compactMap { step in
            switch step {
            case .state: nil
            case .event(let event, _): event.name
            case .command(let command): command.name
            case .record(let record): record.name
            case .postponed: "postponed"
            case .shell(let event, _): event.name
            case .shellCommand(let command): command.name
            }
        }
    }

    @Test func `what is driven stands behind what drives it, and what was said of it`() throws {
        let gate = try TestGate(recorder: recorder)
        _ = steps()
        gate.press(.releaseEntry)
        #expect(
            steps() == [
                "changed", "release_entry", "answer", "released", "output_took", "changed",
            ])
    }

    @Test func `what a line does not take is told as well`() throws {
        let gate = try TestGate(recorder: recorder)
        gate.bank.undrivable = [.lockEntry]
        _ = steps()
        gate.press(.releaseEntry)
        #expect(
            steps().prefix(7) == [
                "changed", "release_entry", "answer", "released", "output_refused", "lines_failed",
                "report_line",
            ])
    }

    @Test func `a look that finds nothing is told by what it is concluded from, and no more`()
        throws
    {
        let gate = try TestGate(recorder: recorder)
        _ = steps()
        gate.loop.advance(by: .seconds(1))
        #expect(
            steps() == [
                "retention_looked_at", "lines_look_began", "lines_inputs_read", "lines_look_ended",
                "assess_lines", "signs_of_life_looked_at", "give_sign_of_life",
            ])
    }

    @Test func `the state comes first, and once more where it is asked for`() throws {
        let gate = try TestGate(recorder: recorder)
        gate.loop.advance(by: .seconds(100))
        let steps = recorder.takeSteps()
        let places = steps.indices.filter { if case .state = steps[$0] { true } else { false } }
        #expect(places.first == 0)
        #expect(places.count >= 2)
        // Whoever begins in the middle needs nothing before it.
        var replay = StepReplay()
        for step in steps[places[1]...] { replay.replay(step) }
        replay.compare(with: gate.controller.turnstile, gate.controller.shell)
        #expect(replay.complaint == nil)
    }

    @Test func `without a recorder nothing is kept`() throws {
        let gate = try TestGate(recorder: nil)
        gate.press(.releaseEntry)
        gate.loop.advance(by: .seconds(100))
        gate.controller.stop()
        #expect(gate.controller.steps.capacity == 0)
        #expect(gate.controller.meanwhile.capacity == 0)
    }

    @Test func `every machine of the shell is told of, whatever it hears`() throws {
        var names = try namesOfTroubles()
        names.formUnion(try namesOfTroublesWithTheStore())
        // Those follow from what the machine itself heard and said.
        names.formUnion(["retention_happened", "registers_recorded"])
        #expect(Set(ShellEvent.forms.map { $0.name }).subtracting(names).isEmpty)
    }

    /// The names of all that happens where the lines fail, and work again.
    private func namesOfTroubles() throws -> Set<String> {
        let gate = try TestGate(
            outputs: [
                .lockEntry: .wired(maximumOnTime: .seconds(1), powerLoss: .failSecure),
                .lockEntryHold: .wired(maximumOnTime: .seconds(6)),
            ],
            registerSnapshot: .seconds(3), recorder: recorder)
        gate.press(.releaseEntry)
        gate.loop.advance(by: .seconds(2))
        gate.bank.fail(.lockEntryHold)
        gate.loop.advance(by: .seconds(4))
        gate.bank.undrivable = [.lockEntry]
        gate.bank.unreadable = [.rotorA]
        gate.loop.advance(by: .seconds(100))
        gate.change(.fire, isActive: true)
        gate.loop.advance(by: .seconds(2))
        gate.bank.undrivable = []
        gate.bank.unreadable = []
        gate.loop.advance(by: .seconds(10))
        gate.controller.change(
            policy: gate.controller.turnstile.gate.policy, registerSnapshot: .seconds(4))
        gate.controller.stop()
        return Set(steps())
    }

    /// The names of all that happens where the store is slow, and then fails.
    private func namesOfTroublesWithTheStore() throws -> Set<String> {
        let gate = try SimulatedGate(
            bounces: false, store: { VirtualRecordStore($0, opening: .milliseconds(500)) })
        let store = try #require(gate.store)
        gate.wait(.seconds(1))
        gate.insertCoin(100)
        store.latency = { .seconds(5) }
        gate.insertCoin(100)
        gate.wait(.seconds(10))
        store.isBroken = true
        gate.insertCoin(100)
        gate.wait(.seconds(10))
        return Set(Self.names(of: gate.recorder))
    }
}

/// What the tests of all this rely on: that a replay which differs is noticed.
@Suite struct StepReplayTests {
    /// The steps of somebody who is let in.
    private func story() throws -> [TraceStep] {
        let recorder = ReplayingRecorder.forStories()
        let gate = try TestGate(recorder: recorder)
        gate.press(.releaseEntry)
        gate.loop.advance(by: .seconds(60))
        return recorder.takeSteps()
    }

    private func complaint(about steps: [TraceStep]) -> String? {
        var replay = StepReplay()
        for step in steps { replay.replay(step) }
        replay.finish()
        return replay.complaint
    }

    @Test func `what was recorded is replayed as it was`() throws {
        #expect(complaint(about: try story()) == nil)
    }

    @Test func `a step that is missing, and one that comes twice, are noticed`() throws {
        let steps = try story()
        let said = steps.indices.filter {
            switch steps[$0] {
            case .command, .record, .shellCommand: true
            case .state, .event, .postponed, .shell: false
            }
        }
        try #require(said.count > 20)
        for index in said {
            var other = steps
            other.remove(at: index)
            #expect(complaint(about: other) != nil)
            other.insert(contentsOf: [steps[index], steps[index]], at: index)
            #expect(complaint(about: other) != nil)
        }
    }
}
