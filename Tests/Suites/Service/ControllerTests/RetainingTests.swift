import Controller
import Hardware
import StateMachines
import System
import TestSupport
import Testing
import Turnstile

/// What the end of the process must not take away is handed over, and taken up again.
@Suite struct RetainingTests {
    @Test func `the state is kept at the start and with every change, and at no other time`() throws
    {
        let gate = try TestGate()
        #expect(gate.stateStore.states == [RetainedState()])
        gate.loop.advance(by: .seconds(60))
        #expect(gate.stateStore.states.count == 1)
        gate.change(.fire, isActive: true)
        gate.change(.fire, isActive: false)
        gate.loop.advance(by: .seconds(60))
        #expect(gate.stateStore.states.map(\.isEmergency) == [false, true])
        gate.press(.emergencyResetKey)
        #expect(gate.stateStore.states.last?.isEmergency == false)
        #expect(gate.stateStore.states.count == 3)
    }

    @Test func `it is kept after the outputs were driven`() throws {
        var driven: [Set<Output>] = []
        let gate = try TestGate(keeping: { bank, _ in driven.append(bank.energised) })
        gate.change(.fire, isActive: true)
        #expect(driven == [[], [.lockEntry]])
    }

    @Test func `nothing is kept before it is known what was before`() throws {
        // The clock on the wall is read before the start, when nobody knows of the emergency.
        let gate = try TestGate(recovery: .unknown)
        #expect(gate.stateStore.states.map(\.isEmergency) == [true])
        #expect(gate.status.state == .awaitingReset)
        #expect(gate.bank.energised == [.lockEntry])
    }

    @Test func `a new process goes on from what was kept last`() throws {
        var gate = try TestGate()
        gate.change(.fire, isActive: true)
        gate.change(.fire, isActive: false)
        let kept = try #require(gate.stateStore.states.last)
        gate = try TestGate(recovery: .known(kept))
        #expect(gate.status.state == .awaitingReset)
        #expect(gate.events().contains("emergency_recovered"))
        #expect(gate.stateStore.states == [kept])
        gate.press(.emergencyResetKey)
        #expect(gate.status.state == .locked)
    }

    @Test func `an orderly stop takes nothing from what was kept`() throws {
        let gate = try TestGate()
        gate.change(.fire, isActive: true)
        gate.change(.fire, isActive: false)
        gate.controller.stop()
        #expect(gate.stateStore.states.last?.isEmergency == true)
    }

    @Test func `while somebody is awaited it is kept at each look, since it is true for a while`()
        throws
    {
        let gate = try TestGate { $0.passWait = .seconds(10) }
        gate.press(.releaseEntry)
        let count = gate.stateStore.states.count
        gate.loop.advance(by: .seconds(3))
        #expect(gate.stateStore.states.count == count + 3)
        #expect(gate.stateStore.states.last?.isAnybodyAwaited == true)
        gate.loop.advance(by: .seconds(10))
        let kept = gate.stateStore.states.count
        gate.loop.advance(by: .seconds(10))
        #expect(gate.stateStore.states.count == kept)
    }

    @Test func `what cannot be kept is said once, and tried again at each look`() throws {
        let gate = try TestGate()
        _ = gate.events()
        gate.stateStore.failure = "the disk is full"
        gate.loop.advance(by: .seconds(3))
        #expect(gate.events() == ["state_not_kept"])
        #expect(gate.stateStore.states == [RetainedState](repeating: RetainedState(), count: 4))
        gate.stateStore.failure = nil
        gate.loop.advance(by: .seconds(3))
        #expect(gate.events() == [])
        #expect(gate.stateStore.states.count == 4)
        gate.stateStore.failure = "the disk is full"
        gate.loop.advance(by: .seconds(1))
        #expect(gate.events() == ["state_not_kept"])
    }

    @Test func `an emergency loop that cannot be read at the start is an open one for the machine`()
        throws
    {
        let gate = try TestGate(prepare: { $0.unreadable = [.fire] })
        #expect(gate.controller.turnstile.inputs[.fire])
        #expect(gate.stateStore.states.first?.isEmergency == true)
        gate.bank.unreadable = []
        gate.loop.advance(by: .seconds(5))
        gate.press(.serviceKey)
        #expect(gate.status.state == .awaitingReset)
    }
}
