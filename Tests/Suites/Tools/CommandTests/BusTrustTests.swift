import BusInterface
import Foundation
import PrivateBus
import StateMachines
import System
import Testing
import Turnstile

@testable import GateClient

/// Whom the command believes, and how long it waits for whom.
@Suite(.timeLimit(.minutes(2))) struct BusTrustTests {
    @Test func `what others than the gate say is not heard`() throws {
        let gate = try FakeGate(.busy, ["Grant": .init(signals: [FakeGate.signal(.stopEnded)])])
        let client = try GateConnection(to: .address(gate.address))
        try client.listen()
        let forger = try BusConnection(to: .address(gate.address))
        _ = try forger.call(.callOfBus("GetId"), within: .seconds(60))
        let forged = [
            FakeGate.signal(.started), FakeGate.changed,
            BusMessage.signal(
                "NameOwnerChanged", on: "org.freedesktop.DBus", at: "/org/freedesktop/DBus",
                [.string(GateInterface.service), .string(":1.0"), .string("")]),
        ]
        for var signal in forged {
            signal.destination = client.bus.uniqueName
            try forger.send(signal)
        }
        // What was sent before the answer to this was sent before the answer to that.
        _ = try forger.call(.callOfBus("GetId"), within: .seconds(60))
        _ = try client.ask(GateCall(.grant(.entry)))
        while true {
            guard let event = try client.next() else {
                client.wait()
                continue
            }
            guard case .recorded(let told) = event else {
                Issue.record("\(event) was believed")
                return
            }
            #expect(told.record == .stopEnded)
            break
        }
        gate.stop()
    }

    @Test func `a gate that does not answer is waited for as long as was said`() throws {
        let bus = try PrivateBus()
        // It has the name, and takes nothing.
        let mute = try BusConnection(to: .address(bus.address))
        _ = try mute.call(
            .callOfBus("RequestName", [.string(GateInterface.service), .uint32(4)]),
            within: .seconds(60))
        let client = try GateConnection(to: .address(bus.address))
        #expect(throws: GateError.noAnswer) { try client.state(within: .milliseconds(20)) }
        #expect(throws: GateError.noAnswer) {
            try client.ask(GateCall(.confirmRepair), within: .milliseconds(20))
        }
        #expect(throws: GateError.noAnswer) {
            try client.simulate("coin 50", within: .milliseconds(20))
        }
        withExtendedLifetime(mute) {}
    }

    @Test func `a gate that leaves the bus while it is asked has gone away`() throws {
        let bus = try PrivateBus()
        let isThere = DispatchSemaphore(value: 0)
        Thread { [address = bus.address] in
            do {
                let gate = try BusConnection(to: .address(address))
                _ = try gate.call(
                    .callOfBus("RequestName", [.string(GateInterface.service), .uint32(4)]),
                    within: .seconds(60))
                isThere.signal()
                while try gate.take()?.kind != .call { gate.wait() }
                gate.close()
            } catch {
                Issue.record("the gate: \(error)")
                isThere.signal()
            }
        }.start()
        isThere.wait()
        let client = try GateConnection(to: .address(bus.address))
        #expect(throws: GateError.lost) { try client.state(within: .seconds(60)) }
    }

    @Test func `a bus that goes away is told from a gate that does`() throws {
        let bus = try PrivateBus()
        let client = try GateConnection(to: .address(bus.address))
        bus.stop()
        #expect(throws: GateError.busLost) { try client.state() }
        #expect(GateError.busLost.description.contains("the connection to the bus was lost"))
    }

    @Test func `a bus that says nothing is given up`() throws {
        let bus = try PrivateBus()
        bus.fallSilent()
        let error = #expect(throws: GateError.self) {
            try GateConnection(to: .address(bus.address), within: .milliseconds(20))
        }
        guard case .noBus = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `what cannot be written is said`() throws {
        let gate = try FakeGate(.busy)
        defer { gate.stop() }
        for line in ["turnstilectl status --json >/dev/full", "turnstilectl status >&-"] {
            let command = try Command(shell: "{ \(line); } 2>&1; echo $?", at: gate.address)
            #expect(command.output.contains("the output cannot be written"), "\(line)")
            #expect(command.output.hasSuffix("\n74\n"), "\(command.output)")
        }
    }
}
