import Hardware
import Journal
import StateMachines
import System
import TestSupport
import Testing

@testable import Controller
@testable import Turnstile

/// What the lines carry while an installer has one output driven.
@Suite struct DriveTests {
    private static let anna = Requester.anna

    /// A gate in their service mode.
    private static func gate(_ outputs: [Output: OutputLine]) throws -> TestGate {
        let gate = try TestGate(outputs: outputs) { $0.remoteService = .allowed }
        #expect(gate.controller.ask(for: .beginService, by: anna).result == .done)
        return gate
    }

    private static func drive(
        _ output: Output, for length: Duration, _ gate: TestGate
    ) -> Answer.Result {
        gate.controller.ask(for: .test(output, for: length), by: anna).result
    }

    /// A lock that is energised to open, and a lamp; both for ten seconds.
    private static let limited: [Output: OutputLine] = [
        .lockEntry: .wired(maximumOnTime: .seconds(10), powerLoss: .failSecure),
        .lampGo: .wired(maximumOnTime: .seconds(10)),
    ]

    @Test func `an output is on for all of its maximum on-time, and is not cut`() throws {
        let gate = try Self.gate(Self.limited)
        let longer = Duration.seconds(10) + .microseconds(1)
        #expect(Self.drive(.lampGo, for: longer, gate) == .refused(.outOfRange))
        #expect(gate.bank.energised == [])
        #expect(Self.drive(.lampGo, for: .seconds(10), gate) == .done)
        #expect(gate.bank.energised == [.lampGo])
        gate.loop.advance(by: .seconds(10) - .nanoseconds(1))
        #expect(gate.bank.energised == [.lampGo])
        gate.loop.advance(by: .nanoseconds(1))
        #expect(gate.bank.energised == [])
        let events = gate.journal.entries.compactMap { $0[.event] }
        #expect(!events.contains("output_cut") && events.contains("self_test_finished"))
    }

    @Test func `an output is cut at its maximum on-time, whatever is asked for`() throws {
        let gate = try Self.gate(Self.limited)
        // Asking for it again gives it no rest.
        for _ in 0..<2 {
            #expect(Self.drive(.lampGo, for: .seconds(9), gate) == .done)
            gate.loop.advance(by: .milliseconds(4_999))
            #expect(gate.bank.energised == [.lampGo])
        }
        gate.loop.advance(by: .milliseconds(3))
        #expect(gate.bank.energised == [])
        let events = gate.journal.entries.compactMap { $0[.event] }
        #expect(events.contains("output_cut"))
        #expect(
            events.suffix(4) == [
                "fault_energised_too_long", "fault_cleared", "self_test_failed",
                "self_test_aborted",
            ])
    }

    @Test func `the end of the process ends it, and leaves every output safe`() throws {
        let gate = try Self.gate(Self.limited)
        #expect(Self.drive(.lampGo, for: .seconds(9), gate) == .done)
        gate.controller.stop()
        #expect(gate.bank.energised == [])
        #expect(Self.drive(.lampGo, for: .seconds(9), gate) == .refused(.outOfService))
        #expect(gate.bank.energised == [])
    }

    @Test func `a lock of two coils is on for as long as the one that holds it`() throws {
        let outputs: [Output: OutputLine] = [
            .lockEntry: .wired(maximumOnTime: .seconds(1), powerLoss: .failSecure),
            .lockEntryHold: .wired(maximumOnTime: .seconds(60)),
            .lockExit: .wired(maximumOnTime: .seconds(2), powerLoss: .failSecure),
            .lockExitHold: .wired(),
        ]
        let gate = try Self.gate(outputs)
        #expect(Self.drive(.lockEntry, for: .seconds(31), gate) == .refused(.outOfRange))
        #expect(Self.drive(.lockExit, for: .seconds(300), gate) == .done)
        #expect(Self.drive(.lockEntry, for: .seconds(30), gate) == .done)
        gate.loop.advance(by: .milliseconds(500))
        #expect(gate.bank.energised == [.lockEntryHold])
    }

    @Test func `what opens or drops without power is driven for as long as anything`() throws {
        let gate = try Self.gate([
            .lockEntry: .wired(maximumOnTime: .seconds(5), powerLoss: .failSafe),
            .dropArm: .wired(maximumOnTime: .seconds(5), powerLoss: .failSafe),
        ])
        #expect(Self.drive(.dropArm, for: .seconds(300), gate) == .done)
        #expect(gate.bank.energised == [.lockEntry])
        #expect(Self.drive(.lockEntry, for: .seconds(300), gate) == .done)
        #expect(gate.bank.energised == [.dropArm])
    }
}
