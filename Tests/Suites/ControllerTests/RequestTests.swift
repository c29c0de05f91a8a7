import StateMachines
import System
import TestSupport
import Testing

@testable import Controller
@testable import Turnstile

/// What a program asks of a running gate, and what it is told.
@Suite struct RequestTests {
    private static let anna: Requester = {
        guard let anna = Operator(number: 1000, name: "anna") else {
            preconditionFailure("it is a name")
        }
        return .person(anna)
    }()

    @Test func `a passage that is asked for drives the lock, and is answered at once`() throws {
        let gate = try TestGate()
        #expect(
            gate.controller.ask(for: .grant(.entry), by: Self.anna)
                == Answer(.grant, by: Self.anna, .done))
        #expect(gate.bank.energised == [.lockEntry])
        let entry = try #require(gate.journal.entries.last { $0[.event] == "request_done" })
        #expect(entry[.request] == "grant" && entry[.requester] == "person")
        #expect(entry[.operator] == "anna" && entry[.operatorNumber] == "1000")
        #expect(gate.controller.ask(for: .withdraw(.entry), by: Self.anna).result == .done)
        #expect(gate.bank.energised == [])
    }

    @Test func `an answer to somebody else is not taken for it`() throws {
        // The key's wait is over in the step in which the operator asks.
        let gate = try TestGate(edit: { $0.serviceHold = .seconds(1) })
        gate.press(.emergencyResetKey)
        let answer = gate.controller.ask(for: .resetEmergency, by: Self.anna)
        #expect(answer == Answer(.resetEmergency, by: Self.anna, .refused(.noEmergency)))
    }

    @Test func `a mode that is asked for is retained, and ends by itself`() throws {
        let gate = try TestGate()
        let until = gate.loop.now + .seconds(60)
        #expect(
            gate.controller.ask(for: .setMode(.entry, .free, until: until), by: Self.anna).result
                == .done)
        #expect(gate.bank.energised == [.lockEntry])
        #expect(gate.stateStore.states.last?.terms.entry?.until == until)
        gate.loop.advance(by: .seconds(60))
        #expect(gate.bank.energised == [])
        #expect(gate.stateStore.states.last?.terms == Terms())
    }

    @Test func `the report tells what the lines carry, and since when what is wrong`() throws {
        let gate = try TestGate(inputs: [.externalFault])
        gate.loop.advance(by: .seconds(7))
        let began = gate.loop.now
        gate.change(.externalFault, isActive: true)
        gate.loop.advance(by: .seconds(3))
        let report = gate.controller.report()
        let fault = StatusReport.Raised<Fault>(value: .external, since: began, end: .causeThenKey)
        #expect(report.faults == [fault])
        #expect(report.outputs.map(\.output) == [.lockEntry])
        #expect(report.outputs.map(\.isOn) == [false])
        #expect(report == gate.controller.report())
        gate.change(.fire, isActive: true)
        #expect(gate.controller.report().outputs.map(\.isOn) == [true])
        #expect(gate.controller.report().standing == .emergency)
    }
}
