import Controller
import Hardware
import SimulatedHardware
import StateMachines
import System
import TestSupport
import Testing
import Turnstile

@Suite struct ControllerTests {
    @Test func `five coins let one person through`() throws {
        let gate = try SimulatedGate()
        #expect(gate.events() == ["started"])
        for _ in 1...5 { gate.insertCoin(50) }
        #expect(gate.status.state == .released(.entry))
        #expect(
            gate.events() == [String](repeating: "coin_accepted", count: 5) + [
                "credit_used", "released",
            ])
        gate.walkIn()
        #expect(gate.events() == ["passage_started", "passage_completed"])
        #expect(gate.world.passages(.entry) == 1)
        #expect(gate.world.valueInBox == 250)
        #expect(gate.world.boltIsOut)
    }

    @Test func `the lock holds whoever has not paid, and forcing it sounds the alarm`() throws {
        let gate = try SimulatedGate()
        gate.walkIn()
        #expect(gate.world.passages(.entry) == 0)
        gate.perform(.armForced(.entry))
        gate.wait(.seconds(1))
        #expect(gate.world.passages(.entry) == 1)
        #expect(gate.world.energised[.alarm])
        gate.wait(.seconds(5))
        #expect(!gate.world.energised[.alarm])
        #expect(
            gate.events() == [
                "started", "alarm_forced_passage", "passage_unauthorised", "alarm_cleared",
            ])
    }

    @Test func `coins are given back while the gate is released, where the policy says so`() throws
    {
        let gate = try SimulatedGate { $0.coinWhileUnlocked = .reject }
        gate.insertCoin(250)
        #expect(gate.status.state == .released(.entry))
        gate.insertCoin(50)
        #expect(gate.world.valueReturned == 50)
        #expect(gate.world.valueInBox == 250)
        #expect(gate.status.credit == 0)
    }

    @Test func `fire opens the gate at once and coins are refused`() throws {
        let gate = try SimulatedGate()
        gate.perform(.contactMoved(.fire, isActive: true))
        gate.wait(.milliseconds(60))
        #expect(!gate.world.boltIsOut)
        #expect(!gate.world.energised[.coinEnable])
        gate.perform(.armPushed(.exit))
        gate.wait(.seconds(2))
        #expect(gate.world.passages(.exit) == 1)
        #expect(!gate.world.energised[.alarm])
    }

    @Test func `a fail-safe lock is energised to lock and dropped to release`() throws {
        let gate = try SimulatedGate(lock: .failSafe)
        #expect(gate.world.energised[.lockEntry])
        gate.insertCoin(250)
        #expect(!gate.world.energised[.lockEntry])
        gate.walkIn()
        #expect(gate.world.passages(.entry) == 1)
        #expect(gate.world.energised[.lockEntry])
    }

    @Test func `a lock is cut at its maximum on-time, whatever the state`() throws {
        let gate = try SimulatedGate(lockMaximumOnTime: .seconds(10)) {
            $0.relockAt = .complete
        }
        gate.insertCoin(250)
        // Somebody sets out, very slowly.
        gate.perform(.armPushed(.entry, degreesPerSecond: 8))
        gate.wait(.seconds(7))
        #expect(gate.world.energised[.lockEntry])
        gate.wait(.seconds(4))
        #expect(!gate.world.energised[.lockEntry])
        #expect(
            gate.events().filter {
                ["on_time_warning", "alarm_passage_delayed", "output_cut"].contains($0)
            } == ["on_time_warning", "alarm_passage_delayed", "output_cut"])
        #expect(gate.status.state == .outOfService(.energisedTooLong(.lockEntry)))
    }

    @Test func `what the lines carried when edges got lost follows from the edges since`() throws {
        let gate = try TestGate()
        gate.bank.active = [.fire]
        gate.bank.arrivals = [
            .lost(count: 1, at: gate.loop.now), .edge(.fire, isActive: true, at: gate.loop.now),
        ]
        _ = gate.takeHeard()
        gate.loop.makeReadable(7)
        gate.loop.dispatchAll()
        #expect(gate.heard == [.edgesLost([]), .changed(.fire, isActive: true)])
    }

    @Test func `an edge is told once what it led to is driven`() throws {
        let gate = try TestGate()
        var told: [String] = []
        gate.controller.onLineEvent = { [unowned gate] event in
            told.append("\(event.time == gate.loop.now) \(gate.bank.energised)")
        }
        gate.controller.onDriven = { output, isOn in told.append("\(output) \(isOn)") }
        gate.change(.releaseEntry, isActive: true)
        gate.loop.advance(by: .milliseconds(200))
        #expect(gate.status.state == .released(.entry))
        #expect(told == ["lockEntry true", "true [Turnstile.Output.lockEntry]"])
    }

    @Test func `what the machine was told of the lines is told, in order, with what was lost`()
        throws
    {
        let gate = try TestGate()
        var told: [LineEvent] = []
        gate.controller.onLineEvent = { told.append($0) }
        let now = gate.loop.now
        let events: [LineEvent] = [
            .edge(.rotorA, isActive: true, at: now), .lost(count: 3, at: now),
            .edge(.rotorA, isActive: false, at: now),
        ]
        gate.bank.arrivals = events
        gate.loop.makeReadable(7)
        gate.loop.dispatchAll()
        #expect(told == events)
    }

    @Test func `an output that refuses its level, or has it already, did not change`() throws {
        let gate = try TestGate()
        var told: [Bool] = []
        gate.controller.onDriven = { told.append($1) }
        gate.bank.undrivable = [.lockEntry]
        gate.change(.releaseEntry, isActive: true)
        gate.loop.advance(by: .milliseconds(200))
        #expect(told == [])
        gate.bank.undrivable = []
        gate.controller.stop()
        #expect(told == [])
    }

    @Test func `that an output is driven safe at the end is told as well`() throws {
        let gate = try TestGate()
        gate.change(.releaseEntry, isActive: true)
        gate.loop.advance(by: .milliseconds(200))
        var told: [String] = []
        gate.controller.onDriven = { output, isOn in told.append("\(output) \(isOn)") }
        gate.controller.stop()
        #expect(told == ["lockEntry false"])
    }

    @Test func `edges that the queue lost are a fault, and the gate goes on`() throws {
        let gate = try SimulatedGate()
        gate.perform(.queueOverflowed(edges: 4))
        gate.insertCoin(100)
        #expect(gate.events().contains("fault_edges_lost"))
        gate.insertCoin(250)
        #expect(gate.status.state == .released(.entry))
    }

    @Test func `an edge that vanished unseen is found by its level`() throws {
        let gate = try SimulatedGate(bounces: false)
        gate.perform(.edgeMissed(.externalFault))
        gate.perform(.contactMoved(.externalFault, isActive: true))
        gate.wait(.seconds(3))
        #expect(gate.events().contains("fault_edges_lost"))
        #expect(gate.status.state == .outOfService(.external))
    }

    @Test func `a new policy is in force when the gate is next idle`() throws {
        let gate = try SimulatedGate()
        gate.insertCoin(250)
        var policy = Policy(price: 100, coinUnit: 50)
        policy.alarmHold = .seconds(1)
        gate.controller.change(policy: policy, registerSnapshot: .seconds(4 * 3_600))
        #expect(gate.events().last == "policy_deferred")
        gate.walkIn()
        #expect(gate.events().last == "policy_changed")
        gate.insertCoin(100)
        #expect(gate.status.state == .released(.entry))
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func `the same seed tells the same story`(
        seed: UInt64
    ) throws {
        let stories = try (1...2).map { _ in
            let gate = try SimulatedGate(seed: seed)
            for _ in 1...5 { gate.insertCoin(50) }
            gate.walkIn()
            gate.perform(.armForced(.exit))
            gate.wait(.seconds(10))
            return gate.journal.entries
        }
        #expect(stories[0] == stories[1])
        #expect(stories[0].count > 8)
    }
}
