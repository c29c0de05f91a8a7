import Controller
import Hardware
import StateMachines
import System
import TestSupport
import Testing
import Turnstile

/// An orderly end, which waits for the coin that is being counted and for nothing else.
@Suite struct EndingTests {
    private static let outputs: [Output: OutputLine] = [
        .lockEntry: .wired(powerLoss: .failSecure), .coinEnable: .wired(),
    ]

    private func gate(_ edit: (inout Policy) -> Void = { _ in }) throws -> TestGate {
        let gate = try TestGate(
            outputs: Self.outputs, inputs: [.coinPulse, .powerLow], edit: edit)
        #expect(gate.bank.energised == [.coinEnable])
        _ = gate.events()
        return gate
    }

    private func pulse(_ gate: TestGate) {
        gate.change(.coinPulse, isActive: true)
        gate.loop.advance(by: .milliseconds(50))
        gate.change(.coinPulse, isActive: false)
        gate.loop.advance(by: .milliseconds(100))
    }

    /// Asks for the end; whether it has come by then.
    private func stop(_ gate: TestGate) -> () -> Bool {
        let end = Flag()
        gate.controller.stop { end.isUp = true }
        return { end.isUp }
    }

    private final class Flag { var isUp = false }

    @Test func `with no coin on its way it ends at once`() throws {
        let gate = try gate()
        #expect(stop(gate)())
        #expect(gate.bank.energised.isEmpty)
        #expect(gate.events() == ["stopped", "registers"])
    }

    @Test func `a coin that is being counted is waited for, and no other is taken`() throws {
        let gate = try gate()
        pulse(gate)
        let hasEnded = stop(gate)
        #expect(gate.bank.energised.isEmpty)
        pulse(gate)
        #expect(!hasEnded())
        gate.loop.advance(by: .milliseconds(100))
        #expect(hasEnded())
        #expect(gate.events() == ["coin_accepted", "stopped", "registers"])
        #expect(gate.status.credit == 100)
    }

    @Test func `it waits for 0_7 s, and what is unfinished then is kept as it is`() throws {
        let gate = try gate()
        let begin = gate.loop.now
        pulse(gate)
        let hasEnded = stop(gate)
        while !hasEnded() { pulse(gate) }
        #expect(gate.loop.now - begin < Controller.longestWaitForCoins + .milliseconds(300))
        #expect(!gate.events().contains("coin_accepted"))
        let kept = try #require(gate.stateStore.states.last)
        guard case .gap(_, let train) = kept.coins[.first] else {
            Issue.record("\(kept.coins[.first])")
            return
        }
        #expect(train.counted >= 4)
        #expect(gate.bank.energised.isEmpty)
    }

    @Test func `meanwhile fire and contacts are answered, and coins stay refused`() throws {
        let gate = try gate { $0.coins[.first].trainQuiet = .milliseconds(500) }
        pulse(gate)
        let hasEnded = stop(gate)
        gate.change(.powerLow, isActive: true)
        gate.change(.powerLow, isActive: false)
        #expect(gate.bank.energised.isEmpty)
        gate.change(.releaseEntry, isActive: true)
        gate.change(.releaseEntry, isActive: false)
        gate.change(.fire, isActive: true)
        #expect(gate.bank.energised == [.lockEntry])
        #expect(!hasEnded())
        gate.loop.advance(by: .milliseconds(500))
        #expect(hasEnded())
        #expect(gate.bank.energised.isEmpty)
    }

    @Test func `who asks twice waits for nothing`() throws {
        let gate = try gate()
        pulse(gate)
        let first = stop(gate)
        #expect(!first())
        #expect(stop(gate)())
        #expect(gate.events() == ["stopped", "registers"])
    }

    @Test func `who is awaited at the end is kept with the time of the end`() throws {
        let gate = try gate()
        gate.press(.releaseEntry)
        let count = gate.stateStore.states.count
        #expect(stop(gate)())
        #expect(gate.stateStore.states.count == count + 1)
        #expect(gate.stateStore.states.last?.isAnybodyAwaited == true)
    }
}
