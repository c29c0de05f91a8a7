import Hardware
import System
import TestSupport
import Testing
import Turnstile

@Suite struct StartTests {
    @Test func `a gate with an input that cannot be read starts out of service and says so`()
        throws
    {
        let gate = try TestGate(prepare: { $0.unreadable = [.rotorA] })
        #expect(gate.status.state == .outOfService(.line(.input(.rotorA), .unreadable)))
        #expect(
            gate.events() == [
                "started", "hardware_failed", "fault_line_unreadable", "out_of_service",
            ])
        #expect(gate.service.take().contains(.ready))
        gate.loop.advance(by: .seconds(10))
        #expect(!gate.service.take().contains(.alive))
        gate.bank.unreadable = []
        gate.loop.advance(by: .seconds(2))
        #expect(gate.service.take().contains(.alive))
        gate.press(.serviceKey)
        gate.loop.advance(by: .seconds(1))
        #expect(gate.status.state == .locked)
    }

    @Test func `an emergency loop that cannot be read is an open one`() throws {
        let gate = try TestGate(prepare: { $0.unreadable = [.fire] })
        #expect(gate.status.state == .emergency)
        #expect(gate.bank.energised == [.lockEntry])
    }

    @Test
    func `a loop that opened while it could not be read is heard of before the repair counts`()
        throws
    {
        let gate = try TestGate {
            $0.fireReset = .auto
        } prepare: {
            $0.unreadable = [.fire]
            $0.active = [.fire]
        }
        gate.press(.serviceKey)
        #expect(gate.status.state == .emergency, "nobody has repaired it")
        gate.bank.unreadable = []
        for _ in 0..<5 {
            gate.press(.serviceKey)
            #expect(gate.status.state == .emergency)
            #expect(gate.bank.energised == [.lockEntry])
            gate.loop.advance(by: .seconds(1))
        }
        gate.change(.fire, isActive: false)
        #expect(gate.status.state == .locked)
    }

    @Test func `a loop that opened while it could not be read is asked once more`() throws {
        let gate = try TestGate()
        gate.bank.unreadable = [.fire]
        gate.loop.advance(by: .seconds(1))
        #expect(gate.status.state == .emergency)
        // No edge tells that it opened. The first look at it does, and the second believes it.
        gate.bank.unreadable = []
        gate.bank.active = [.fire]
        gate.loop.advance(by: .seconds(1))
        gate.press(.serviceKey)
        gate.press(.emergencyResetKey)
        #expect(gate.status.state == .emergency)
        #expect(gate.bank.energised == [.lockEntry])
    }

    @Test func `no line hides another`() throws {
        let gate = try TestGate(prepare: {
            $0.unreadable = [.rotorA]
            $0.active = [.fire]
        })
        #expect(gate.status.state == .emergency)
    }
}
