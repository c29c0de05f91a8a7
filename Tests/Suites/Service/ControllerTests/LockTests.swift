import Exploration
import Hardware
import Journal
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

    /// A look at a lock of which the coil that holds has power, or has none.
    private static func look(_ isHeld: Bool, _ hasMoved: Bool? = nil) -> LockDrive.Event {
        .looked(
            at: start, isHeld ? .held(hasMoved: hasMoved) : .noPower, pull: .milliseconds(150))
    }

    private static func passed(_ now: Instant, isPulled: Bool = true) -> LockDrive.Event {
        .timePassed(now, isPulled: isPulled)
    }

    private static let pulling = LockDrive.pulling(until: end)
    private static let holding = LockDrive.holding(missedPower: false)
    private static let doubtful = LockDrive.holding(missedPower: true)

    @Test(
        arguments: [
            (.atRest, energise, pulling, [.pull(true), .hold(true)]),
            (.atRest, .deEnergise, .atRest, [.pull(false), .hold(false)]),
            (.atRest, passed(end), .atRest, nil),
            (pulling, energise, pulling, nil),
            (pulling, .deEnergise, .atRest, [.pull(false), .hold(false)]),
            (pulling, passed(start), pulling, nil),
            (pulling, passed(end), holding, [.pull(false)]),
            (pulling, passed(end, isPulled: false), doubtful, [.pull(false)]),
            (holding, energise, holding, nil),
            (holding, .deEnergise, .atRest, [.pull(false), .hold(false)]),
            (holding, passed(end), holding, nil),
            // A bolt that may not be where it was pulled to is pulled once more.
            (holding, look(true), holding, nil),
            (holding, look(true, true), holding, nil),
            (holding, look(true, false), pulling, [.pull(true)]),
            (holding, look(false), doubtful, []),
            (holding, look(false, false), doubtful, []),
            (doubtful, look(false), doubtful, []),
            (doubtful, look(true), pulling, [.pull(true)]),
            (doubtful, look(true, true), pulling, [.pull(true)]),
            (doubtful, .deEnergise, .atRest, [.pull(false), .hold(false)]),
            (.atRest, look(true, false), .atRest, nil), (.atRest, look(false), .atRest, nil),
            (pulling, look(true, false), pulling, nil), (pulling, look(false), pulling, nil),
        ] as [(LockDrive, LockDrive.Event, LockDrive, [LockDrive.Command]?)])
    func `is pulled, then held`(
        before: LockDrive, event: LockDrive.Event, after: LockDrive, said: [LockDrive.Command]?
    ) {
        var drive = before
        #expect(drive.answers(to: [event]) == [said])
        #expect(drive == after)
        #expect(drive.deadline == (drive == Self.pulling ? Self.end : nil))
        #expect(drive.isToBeLookedAt == (drive == Self.holding || drive == Self.doubtful))
    }

    @Test func `the coil that pulls has power for as long as it takes, and no longer`() {
        let graph = StateGraph(from: LockWorld())
        #expect(graph.isComplete)
        #expect(graph.violation { $0.pulledFor <= 2 } == nil)
        #expect(graph.violation { $0.pull == ($0.drive.deadline != nil) } == nil)
        #expect(graph.violation { $0.hold == ($0.drive != .atRest) } == nil)
        // What was not pulled with power until the end is pulled at the next look that finds some.
        #expect(
            graph.violation(ofStep: { step in
                step.event != .looked || !step.before.isInDoubt || !step.before.hasPower
                    || step.after.pull
            }) == nil)
    }
}

/// A lock that is pulled for two ticks, whose lines have power or none.
private struct LockWorld: StateMachine, Hashable {
    enum Event: CaseIterable { case energised, deEnergised, ticked, lostPower, gotPower, looked }

    private(set) var drive = LockDrive.atRest
    private(set) var hasPower = true
    /// What the coils are to carry.
    private(set) var pull = false, hold = false
    /// For how many ticks the first of them has been to carry it.
    private(set) var pulledFor = 0
    /// Whether the lock is held though a look, or the end of the pull, found no power.
    private(set) var isInDoubt = false

    mutating func handle(_ event: Event) -> Outcome<Never> {
        switch event {
        case .energised: tell(.energise(at: now, pull: .seconds(2)))
        case .deEnergised: tell(.deEnergise)
        case .ticked:
            guard pull else { break }
            pulledFor += 1
            if pulledFor == 2 { isInDoubt = !hasPower }
            tell(.timePassed(now, isPulled: hasPower))
        case .lostPower: hasPower = false
        case .gotPower: hasPower = true
        case .looked:
            if drive.isToBeLookedAt, !hasPower { isInDoubt = true }
            let finding: LockDrive.Finding = hasPower ? .held(hasMoved: nil) : .noPower
            tell(.looked(at: now, finding, pull: .seconds(2)))
        }
        if !pull { pulledFor = 0 }
        if !hold || pull { isInDoubt = false }
        return .handled
    }

    /// The clock stands while nothing is pulled, so that there are few states.
    private var now: Instant { .second(Double(pulledFor)) }

    private mutating func tell(_ event: LockDrive.Event) {
        for command in drive.handle(event).commands {
            switch command {
            case .pull(let isEnergised): pull = isEnergised
            case .hold(let isEnergised): hold = isEnergised
            }
        }
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

    @Test func `a report tells what each coil carries, and whether the lock is released`() throws {
        let gate = try gate(powerLoss: .failSafe)
        func told(_ output: Output) throws -> StatusReport.OutputReport {
            try #require(gate.controller.report().outputs.first { $0.output == output })
        }
        gate.loop.advance(by: .seconds(1))
        #expect(gate.bank.energised == [.lockEntryHold])
        #expect(try told(.lockEntry).isEnergised == false)
        #expect(try told(.lockEntry).isReleased == false)
        #expect(try told(.lockEntryHold).isEnergised == true)
        #expect(try told(.lockEntryHold).isReleased == nil)
        gate.press(.releaseEntry)
        #expect(try told(.lockEntry).isReleased == true && told(.lockEntry).isOn)
        #expect(try told(.lockEntryHold).isEnergised == false)
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
        // In an emergency the gate itself lets it rest, by the edge.
        gate.loop.advance(by: .milliseconds(18_699))
        #expect(gate.bank.energised == [.lockEntryHold])
        gate.loop.advance(by: .milliseconds(1))
        #expect(gate.bank.energised == [])
        #expect(!gate.journal.entries.contains { $0[.event] == "output_cut" })
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

    @Test func `a coil that cannot be read may not have pulled`() throws {
        let gate = try gate()
        gate.bank.unreadableOutputs = [.lockEntry]
        gate.change(.fire, isActive: true)
        gate.loop.advance(by: .milliseconds(400))
        #expect(gate.bank.energised == [.lockEntryHold])
        gate.bank.unreadableOutputs = []
        expectOnePull(within: .milliseconds(700), of: gate)
    }

    /// An energised lock is released, but for one that opens without power.
    @Test(
        arguments: [
            (.entry, .failSecure), (.entry, .failSafe), (.exit, .failSecure), (.exit, .failSafe),
        ] as [(Direction, PowerLoss)], [true, false])
    func `a bolt whose contact shows that it did not move is pulled once more`(
        lock: (way: Direction, powerLoss: PowerLoss), hasMoved: Bool
    ) throws {
        let (pull, hold) =
            lock.way == .entry
            ? (Output.lockEntry, Output.lockEntryHold) : (.lockExit, .lockExitHold)
        let gate = try TestGate(
            outputs: [pull: .wired(powerLoss: lock.powerLoss), hold: .wired()],
            inputs: [.lockFeedback, .lockFeedbackExit], edit: { $0.lockPull = .milliseconds(300) },
            prepare: {
                if hasMoved == (lock.powerLoss == .failSecure) {
                    $0.active.insert(lock.way.lockFeedback)
                }
            })
        if lock.powerLoss == .failSecure { gate.change(.fire, isActive: true) }
        gate.loop.advance(by: .milliseconds(999))
        #expect(gate.bank.energised == [hold])
        gate.loop.advance(by: .milliseconds(1))
        #expect(gate.bank.energised == (hasMoved ? [hold] : [pull, hold]))
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
