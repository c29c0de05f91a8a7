import Controller
import Hardware
import SimulatedHardware
import StateMachines
import System
import TestSupport
import Testing
import Turnstile

@Suite struct HealthTests {
    private func signsOfLife(_ gate: SimulatedGate) -> Int {
        gate.service.take().filter { $0 == .alive }.count
    }

    @Test func `the watchdog is fed twice in its interval, and nothing else wakes an idle gate`()
        throws
    {
        let gate = try SimulatedGate(watchdogInterval: .seconds(2))
        gate.wait(.seconds(1))
        _ = gate.service.take()
        let wakeUps = gate.loop.wakeUps
        gate.wait(.seconds(3600))
        #expect(gate.loop.wakeUps - wakeUps == 3600)
        #expect(gate.service.take() == [ServiceNotification](repeating: .alive, count: 3600))
    }

    @Test func `says that it is ready, and what it does`() throws {
        let gate = try SimulatedGate()
        #expect(gate.service.take() == [.status("locked"), .ready])
        gate.insertCoin(100)
        #expect(gate.service.take().contains(.status("locked, credit 100")))
    }

    @Test func `a lock that does not follow takes the gate out of service`() throws {
        let gate = try SimulatedGate()
        gate.perform(.defectAppeared(.stuckOutput(.lockEntry)))
        gate.insertCoin(250)
        #expect(gate.status.state == .outOfService(.line(.output(.lockEntry), .mismatch)))
        let events = gate.events()
        #expect(events.contains("fault_line_mismatch"))
        #expect(events.contains("watchdog_withheld"))
        gate.perform(.contactPressed(.serviceKey))
        gate.wait(.seconds(1))
        #expect(gate.events().last == "refused", "the cause is still there")
        #expect(gate.status.state == .outOfService(.line(.output(.lockEntry), .mismatch)))
        gate.perform(.everythingRepaired)
        gate.wait(.seconds(2))
        gate.perform(.contactPressed(.serviceKey))
        gate.wait(.seconds(1))
        #expect(gate.status == Status(state: .locked, credit: 250, soundsAlarm: false))
    }

    @Test func `an output that never carries its level starves the watchdog`() throws {
        let gate = try SimulatedGate()
        gate.perform(.defectAppeared(.stuckOutput(.coinEnable)))
        gate.perform(.contactMoved(.externalFault, isActive: true))
        gate.wait(.seconds(6))
        _ = gate.service.take()
        gate.wait(.seconds(10))
        #expect(signsOfLife(gate) == 0)
        #expect(gate.events().filter { $0 == "watchdog_withheld" }.count == 1)
    }

    @Test func `a siren that fails is told, ends no service and hides no lock`() throws {
        let gate = try SimulatedGate()
        gate.perform(.armForced(.entry))
        gate.wait(.seconds(1))
        gate.perform(.defectAppeared(.stuckOutput(.alarm)))
        gate.wait(.seconds(6))
        _ = gate.service.take()
        gate.wait(.seconds(10))
        #expect(signsOfLife(gate) == 10)
        #expect(gate.status.state == .locked)
        #expect(gate.events().contains("fault_line_mismatch"))
        gate.perform(.defectAppeared(.stuckOutput(.coinEnable)))
        gate.perform(.contactMoved(.externalFault, isActive: true))
        gate.wait(.seconds(2))
        #expect(gate.events().contains("watchdog_withheld"))
    }

    @Test func `an input that cannot be read starves the watchdog and is told`() throws {
        let gate = try SimulatedGate()
        gate.perform(.defectAppeared(.unreadable(.rotorA)))
        _ = gate.service.take()
        gate.wait(.seconds(10))
        #expect(signsOfLife(gate) == 0)
        #expect(gate.status.state == .outOfService(.line(.input(.rotorA), .unreadable)))
        gate.perform(.everythingRepaired)
        gate.wait(.seconds(2))
        #expect(signsOfLife(gate) > 0)
        gate.perform(.contactPressed(.serviceKey))
        gate.wait(.seconds(1))
        #expect(gate.status.state == .locked)
    }

    @Test func `an input that cannot be read hides none of the others`() throws {
        let gate = try SimulatedGate(bounces: false)
        gate.perform(.defectAppeared(.unreadable(.rotorA)))
        gate.perform(.edgeMissed(.fire))
        gate.perform(.contactMoved(.fire, isActive: true))
        gate.wait(.seconds(3))
        #expect(gate.status.state == .emergency)
    }

    @Test func `nor does it keep an output from being driven again`() throws {
        let gate = try SimulatedGate()
        gate.insertCoin(250)
        gate.perform(.defectAppeared(.unreadable(.rotorA)))
        gate.perform(.defectAppeared(.stuckOutput(.lockEntry)))
        gate.wait(.seconds(6))
        #expect(gate.world.energised[.lockEntry])
        gate.perform(.defectRepaired(.stuckOutput(.lockEntry)))
        gate.wait(.seconds(2))
        #expect(!gate.world.energised[.lockEntry])
    }

    @Test func `nor when edges are lost`() throws {
        let gate = try SimulatedGate(bounces: false)
        gate.perform(.defectAppeared(.unreadable(.rotorA)))
        gate.perform(.queueOverflowed(edges: 1))
        gate.perform(.contactMoved(.fire, isActive: true))
        gate.wait(.milliseconds(30))
        #expect(gate.status.state == .emergency)
    }

    @Test func `an input that cannot be read is as it was heard of last`() throws {
        let gate = try TestGate()
        gate.change(.fire, isActive: true)
        gate.bank.unreadable = [.fire]
        gate.loop.advance(by: .seconds(5))
        #expect(gate.controller.inputs[.fire])
        #expect(!gate.events().contains("fault_edges_lost"))
    }

    @Test func `an output that cannot be driven is a fault at once`() throws {
        let gate = try SimulatedGate()
        gate.perform(.defectAppeared(.undrivable(.lockEntry)))
        gate.insertCoin(250)
        #expect(gate.status.state == .outOfService(.line(.output(.lockEntry), .undrivable)))
        #expect(gate.events().contains("hardware_failed"))
    }

    @Test func `a lock that could not be driven is driven once it is repaired`() throws {
        let gate = try SimulatedGate()
        gate.insertCoin(250)
        #expect(gate.world.energised[.lockEntry])
        gate.perform(.defectAppeared(.undrivable(.lockEntry)))
        gate.wait(.seconds(6))
        #expect(gate.world.energised[.lockEntry])
        gate.perform(.everythingRepaired)
        _ = gate.service.take()
        gate.wait(.seconds(2))
        #expect(!gate.world.energised[.lockEntry])
        #expect(signsOfLife(gate) > 0)
    }

    @Test func `a lock that did not follow follows once it is repaired`() throws {
        let gate = try SimulatedGate()
        gate.insertCoin(250)
        gate.perform(.defectAppeared(.stuckOutput(.lockEntry)))
        gate.wait(.seconds(6))
        #expect(gate.world.energised[.lockEntry])
        gate.perform(.everythingRepaired)
        gate.wait(.seconds(2))
        #expect(!gate.world.energised[.lockEntry])
    }

    @Test func `a cut that the line does not take is tried again with every look at the lines`()
        throws
    {
        let gate = try SimulatedGate(lockMaximumOnTime: .seconds(10)) { $0.passWait = .seconds(60) }
        gate.insertCoin(250)
        gate.perform(.defectAppeared(.undrivable(.lockEntry)))
        gate.wait(.seconds(30))
        let events = gate.events()
        #expect(events.contains("fault_energised_too_long"))
        #expect(!events.contains("output_cut"))
        #expect(events.filter { $0 == "hardware_failed" }.count < 30)
        gate.perform(.everythingRepaired)
        gate.wait(.seconds(1))
        #expect(!gate.world.energised[.lockEntry])
    }

    @Test func `an orderly stop leaves every output at its safe level`() throws {
        let gate = try SimulatedGate(lock: .failSafe)
        gate.perform(.armForced(.entry))
        gate.wait(.seconds(1))
        #expect(gate.world.energised == OutputSet([.lockEntry, .coinEnable, .alarm]))
        gate.controller.stop()
        #expect(gate.world.energised == [])
        #expect(gate.events().suffix(2) == ["stopped", "registers"])
        #expect(gate.service.take().contains(.stopping))
    }

    @Test func `a line that fails keeps none of the others from its safe level`() throws {
        let gate = try SimulatedGate(lock: .failSafe)
        gate.perform(.defectAppeared(.undrivable(.lockEntry)))
        gate.controller.stop()
        #expect(gate.world.energised == OutputSet(.lockEntry))
        #expect(gate.events().contains("hardware_failed"))
    }

    @Test func `a bank that is gone ends the service, outputs safe`() throws {
        let loop = VirtualEventLoop()
        let journal = RecordingJournal()
        let bank = VanishingBank()
        let controller = Controller(
            turnstile: Turnstile(policy: Policy(price: 100, coinUnit: 50)), bank: bank,
            outputs: [:], loop: loop, journal: journal, service: RecordingServiceManager(),
            wallClock: VirtualWallClock(loop))
        var loss: HardwareError?
        controller.onLoss = { loss = $0 }
        try controller.start()
        #expect(bank.energised == [.coinEnable])
        bank.isGone = true
        loop.makeReadable(7)
        loop.dispatchAll()
        #expect(loss == VanishingBank.failure)
        #expect(bank.energised == [])
    }
}

/// A bank whose chip can be unplugged.
private final class VanishingBank: LineBank {
    static let failure = HardwareError(.failed, "read from descriptor 7: No such device")
    let capabilities = Capabilities(name: "test", debounces: true, detectsLostEdges: true)
    let descriptors: [CInt] = [7]
    var isGone = false
    var energised: Set<Output> = []

    func takeEvents(
        at ready: [CInt], _ body: (LineEvent) -> Void
    ) throws(HardwareError) {
        if isGone { throw Self.failure }
    }
    func readInputs(_ failed: (Input, HardwareError) -> Void) -> InputLevels { [] }
    func close() throws(HardwareError) {}
    func set(_ output: Output, energised isOn: Bool) throws(HardwareError) {
        if isOn { energised.insert(output) } else { energised.remove(output) }
    }
    func readOutputs(_ failed: (Output, HardwareError) -> Void) -> OutputSet {
        OutputSet(energised)
    }
}
