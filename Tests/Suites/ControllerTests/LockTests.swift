import Hardware
import StateMachines
import System
import TestSupport
import Testing
import Turnstile

@testable import Controller

@Suite struct LockDriveTests {
    private static let start = Instant.zero
    private static let end = start + .milliseconds(150)
    private static let energise = LockDrive.Event.energise(at: start, pull: .milliseconds(150))

    @Test(
        arguments: [
            (LockDrive.atRest, energise, .pulling(until: end), [.pull(true), .hold(true)]),
            (.atRest, .deEnergise, .atRest, [.pull(false), .hold(false)]),
            (.atRest, .timePassed(end), .atRest, nil),
            (.pulling(until: end), energise, .pulling(until: end), nil),
            (.pulling(until: end), .deEnergise, .atRest, [.pull(false), .hold(false)]),
            (.pulling(until: end), .timePassed(start), .pulling(until: end), nil),
            (.pulling(until: end), .timePassed(end), .holding, [.pull(false)]),
            (.holding, energise, .holding, nil),
            (.holding, .deEnergise, .atRest, [.pull(false), .hold(false)]),
            (.holding, .timePassed(end), .holding, nil),
            // A bolt that was jammed while it was pulled is pulled once more.
            (
                .holding, .strayed(at: start, pull: .milliseconds(150)), .pulling(until: end),
                [.pull(true)]
            ),
            (.atRest, .strayed(at: start, pull: .milliseconds(150)), .atRest, nil),
        ] as [(LockDrive, LockDrive.Event, LockDrive, [LockDrive.Command]?)])
    func `is pulled, then held`(
        before: LockDrive, event: LockDrive.Event, after: LockDrive, said: [LockDrive.Command]?
    ) {
        var drive = before
        let outcome = drive.handle(event)
        #expect(drive == after)
        #expect(outcome.isHandled == (said != nil))
        #expect(Array(outcome.commands) == said ?? [])
        #expect(drive.deadline == (drive == .pulling(until: Self.end) ? Self.end : nil))
    }
}

@Suite struct LockTests {
    /// A lock with a coil that pulls and one that holds.
    private func gate(
        pull: Duration? = .seconds(1), hold: Duration? = nil, powerLoss: PowerLoss = .failSecure
    ) throws -> TestGate {
        try TestGate(outputs: [
            .lockEntry: .wired(maximumOnTime: pull, powerLoss: powerLoss),
            .lockEntryHold: .wired(maximumOnTime: hold),
        ]) { $0.lockPull = .milliseconds(300) }
    }

    /// Expects that the lock is pulled once more within `duration`, and then held.
    private func expectOnePull(within duration: Duration, of gate: TestGate) {
        gate.loop.advance(by: duration)
        #expect(gate.bank.energised == [.lockEntry, .lockEntryHold])
        gate.loop.advance(by: .milliseconds(300))
        #expect(gate.bank.energised == [.lockEntryHold])
        gate.loop.advance(by: .seconds(5))
        #expect(gate.bank.energised == [.lockEntryHold])
    }

    @Test func `a lock of one coil is energised for as long as it is released`() throws {
        let gate = try TestGate()
        gate.press(.releaseEntry)
        #expect(gate.bank.energised == [.lockEntry])
        gate.loop.advance(by: .seconds(4))
        #expect(gate.bank.energised == [.lockEntry])
        gate.loop.advance(by: .seconds(1))
        #expect(gate.bank.energised == [])
    }

    @Test func `a lock of two coils is pulled with both and held with one`() throws {
        let gate = try gate()
        gate.press(.releaseEntry)
        #expect(gate.bank.energised == [.lockEntry, .lockEntryHold])
        gate.loop.advance(by: .milliseconds(99))
        #expect(gate.bank.energised == [.lockEntry, .lockEntryHold])
        gate.loop.advance(by: .milliseconds(1))
        #expect(gate.bank.energised == [.lockEntryHold])
        gate.loop.advance(by: .seconds(5))
        #expect(gate.bank.energised == [])
        var policy = gate.controller.turnstile.gate.policy
        policy.lockPull = .milliseconds(50)
        gate.controller.change(policy: policy, registerSnapshot: .seconds(4 * 3_600))
        gate.change(.releaseEntry, isActive: true)
        #expect(gate.bank.energised == [.lockEntry, .lockEntryHold])
        gate.loop.advance(by: .milliseconds(50))
        #expect(gate.bank.energised == [.lockEntryHold])
    }

    @Test func `a shell that is late pulls for no less time`() throws {
        let gate = try gate()
        gate.change(.fire, isActive: true, late: .milliseconds(500))
        #expect(gate.bank.energised == [.lockEntry, .lockEntryHold])
        gate.loop.advance(by: .milliseconds(299))
        #expect(gate.bank.energised == [.lockEntry, .lockEntryHold])
        gate.loop.advance(by: .milliseconds(1))
        #expect(gate.bank.energised == [.lockEntryHold])
    }

    @Test func `a shell that is late cuts no output before it has done its work`() throws {
        let gate = try gate(pull: .seconds(1), hold: .seconds(20))
        gate.change(.fire, isActive: true, late: .seconds(1))
        #expect(gate.bank.energised == [.lockEntry, .lockEntryHold])
        gate.loop.advance(by: .milliseconds(300))
        #expect(gate.bank.energised == [.lockEntryHold])
        gate.loop.advance(by: .milliseconds(19_699))
        #expect(gate.bank.energised == [.lockEntryHold])
        gate.loop.advance(by: .milliseconds(1))
        #expect(gate.bank.energised == [])
    }

    @Test func `a fail-safe lock of two coils is pulled to lock`() throws {
        let gate = try gate(powerLoss: .failSafe)
        #expect(gate.bank.energised == [.lockEntry, .lockEntryHold])
        gate.loop.advance(by: .milliseconds(300))
        #expect(gate.bank.energised == [.lockEntryHold])
        gate.press(.releaseEntry)
        #expect(gate.bank.energised == [])
    }

    @Test func `either coil is cut at its own maximum, and the whole lock with it`() throws {
        for (pull, hold, line) in [(200, 9_000, Output.lockEntry), (900, 2_000, .lockEntryHold)] {
            let gate = try gate(pull: .milliseconds(pull), hold: .milliseconds(hold))
            gate.press(.releaseEntry)
            gate.loop.advance(by: .seconds(2))
            #expect(gate.bank.energised == [])
            #expect(gate.status.state == .outOfService(.energisedTooLong(line)))
            let cut = try #require(gate.journal.entries.first { $0[.event] == "output_cut" })
            #expect(cut[.line] == line.name)
        }
    }

    @Test func `a pull that the line did not carry is made once more, when it can be`() throws {
        let gate = try gate()
        gate.bank.undrivable = [.lockEntry]
        gate.change(.fire, isActive: true)
        gate.loop.advance(by: .milliseconds(400))
        #expect(gate.bank.energised == [.lockEntryHold])
        gate.bank.undrivable = []
        expectOnePull(within: .milliseconds(700), of: gate)
    }

    @Test func `a bolt that sprang back since its coil lost power is pulled once more`() throws {
        let gate = try gate()
        gate.change(.fire, isActive: true)
        gate.loop.advance(by: .milliseconds(400))
        gate.bank.fail(.lockEntryHold)
        gate.loop.advance(by: .seconds(1))
        #expect(gate.bank.energised == [.lockEntryHold])
        expectOnePull(within: .milliseconds(700), of: gate)
    }

    @Test func `a coil that cannot be dropped is a fault, and is dropped once it can be`() throws {
        let gate = try gate()
        gate.press(.releaseEntry)
        gate.bank.undrivable = [.lockEntry]
        gate.loop.advance(by: .milliseconds(100))
        #expect(gate.status.state == .outOfService(.line(.output(.lockEntry), .undrivable)))
        #expect(gate.bank.energised == [.lockEntry])
        gate.bank.undrivable = []
        gate.loop.advance(by: .seconds(1))
        #expect(gate.bank.energised == [])
    }

    @Test(
        arguments: [
            (Output.dropArm, PowerLoss.failSafe, [Output.dropArm], []),
            (.dropArm, .failSecure, [], [.dropArm]),
            (.lockExit, .failSafe, [.lockExit], []),
        ] as [(Output, PowerLoss, Set<Output>, Set<Output>)])
    func `what lets people through follows from what it does without power`(
        output: Output, powerLoss: PowerLoss, ordinary: Set<Output>, inEmergency: Set<Output>
    ) throws {
        let gate = try TestGate(outputs: [output: .wired(powerLoss: powerLoss)])
        #expect(gate.bank.energised == ordinary)
        gate.change(.fire, isActive: true)
        #expect(gate.bank.energised == inEmergency)
    }
}
