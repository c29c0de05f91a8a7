import Hardware
import Journal
import StateMachines
import System
import TestSupport
import Testing

@testable import Controller
@testable import Turnstile

/// What a program asks of a running gate, and what it is told.
@Suite struct RequestTests {
    private static let anna = Requester.anna

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
        // The schedule's time comes in the step of the request, and its answer is the last one.
        let gate = try TestGate(edit: { policy in
            policy.schedule = [ScheduleEntry(days: .all, from: 0, to: 1)]
            policy.schedule[0].enforcement = .weak
        })
        // It is Monday, 0:00.
        gate.loop.advance(by: .seconds(59))
        gate.loop.holdUp(until: gate.loop.now + .seconds(2))
        let answer = gate.controller.ask(for: .resetEmergency, by: Self.anna)
        #expect(answer == Answer(.resetEmergency, by: Self.anna, .refused(.noEmergency)))
        let names = gate.journal.entries.suffix(2).map { $0[.event] }
        #expect(names == ["refused", "enforcement_changed"])
    }

    @Test(arguments: [true, false])
    func `a coin is one coin, whoever asks before its last pulse is read`(isReload: Bool) throws {
        let gate = try TestGate(
            outputs: [.lockEntry: .wired(powerLoss: .failSecure), .coinEnable: .wired()],
            inputs: [.coinPulse])
        gate.change(.coinPulse, isActive: true)
        gate.loop.advance(by: .milliseconds(50))
        gate.change(.coinPulse, isActive: false)
        let time = gate.loop.now
        gate.bank.arrivals = [
            .edge(.coinPulse, isActive: true, at: time + .milliseconds(100)),
            .edge(.coinPulse, isActive: false, at: time + .milliseconds(150)),
        ]
        gate.loop.holdUp(until: time + .milliseconds(300))
        gate.loop.makeReadable(7)
        if isReload {
            var policy = gate.controller.turnstile.gate.policy
            policy.price = 200
            gate.controller.change(policy: policy, registerSnapshot: .seconds(3_600))
        } else {
            _ = gate.controller.ask(for: .acknowledgeAlarms, by: Self.anna)
        }
        gate.loop.dispatchAll()
        gate.loop.advance(by: .seconds(1))
        let coins = gate.journal.entries.filter { $0[.event] == "coin_accepted" }
        #expect(coins.map { $0[.pulses] } == ["2"])
        #expect(gate.status.credit == 100)
    }

    @Test func `settings that are in force are not put off`() throws {
        let gate = try TestGate()
        let old = gate.controller.turnstile.gate.policy
        var new = old
        new.price = 100
        func change(_ policy: Policy) -> Answer.Result {
            gate.controller.change(policy: policy, registerSnapshot: .seconds(3_600))
        }
        gate.press(.releaseEntry)
        _ = gate.events()
        #expect(change(old) == .done && gate.events() == [])
        #expect(change(new) == .deferred && change(new) == .deferred)
        #expect(!gate.events().contains("refused"))
        // What waits would take their place.
        #expect(change(old) == .deferred)
        #expect(gate.controller.turnstile.latestPolicy == old)
        gate.loop.advance(by: .seconds(60))
        #expect(change(new) == .done && gate.events().last == "policy_changed")
        // An operator's policy is not the settings', though it is the same.
        #expect(gate.controller.ask(for: .adopt(old), by: Self.anna).result == .done)
        #expect(gate.controller.ask(for: .adopt(new), by: Self.anna).result == .done)
        #expect(change(new) == .done && gate.events().last == "policy_changed")
    }

    @Test func `somebody who has begun to move is heard of before they are locked onto`() throws {
        let gate = try TestGate()
        _ = gate.controller.ask(for: .grant(.entry), by: Self.anna)
        gate.bank.arrivals = [.edge(.rotorA, isActive: true, at: gate.loop.now)]
        gate.loop.holdUp(until: gate.loop.now + .milliseconds(50))
        gate.loop.makeReadable(7)
        #expect(
            gate.controller.ask(for: .withdraw(.entry), by: Self.anna).result
                == .refused(.occupied))
        #expect(gate.bank.energised == [.lockEntry])
    }

    @Test func `who asks before the start or after the end has an answer, and nothing is driven`()
        throws
    {
        let gate = try TestGate()
        let (loop, bank, journal) = (VirtualEventLoop(), TestBank(), RecordingJournal())
        let outputs: [Output: OutputLine] = [.lockEntry: .wired(powerLoss: .failSecure)]
        let controller = Controller(
            turnstile: Turnstile(
                policy: gate.controller.turnstile.gate.policy,
                equipment: gate.controller.turnstile.gate.equipment),
            bank: bank, outputs: outputs, loop: loop, journal: journal,
            service: RecordingServiceManager(), wallClock: VirtualWallClock(loop))
        bank.arrivals = [.edge(.releaseEntry, isActive: true, at: loop.now)]
        for request in [Request.grant(.entry), .beginService, .setMode(.entry, .free, until: nil)] {
            let answer = controller.ask(for: request, by: Self.anna)
            #expect(answer.result == .refused(.starting))
        }
        #expect(controller.report().standing == .inService && bank.energised == [])
        try controller.start()
        // What came in between is told after the start.
        #expect(bank.energised == [.lockEntry])
        controller.stop()
        #expect(bank.energised == [])
        let answer = controller.ask(for: .grant(.entry), by: Self.anna)
        #expect(answer.result == .refused(.outOfService))
        var free = gate.controller.turnstile.gate.policy
        free.regime.entry = .free
        let change = controller.change(policy: free, registerSnapshot: .seconds(3_600))
        #expect(change == .refused(.outOfService))
        #expect(bank.energised == [])
        #expect(journal.entries.last?[.event] == "refused")
    }

    @Test func `an end that was taken from a clock just set is where it was said`() throws {
        let gate = try TestGate()
        gate.loop.advance(by: .milliseconds(1_300))
        gate.wallClock.step(by: .seconds(3_600))
        let until = gate.loop.now + .seconds(60)
        _ = gate.controller.ask(for: .setMode(.entry, .free, until: until), by: Self.anna)
        gate.loop.advance(by: .seconds(59))
        #expect(gate.bank.energised == [.lockEntry])
        #expect(gate.stateStore.states.last?.terms.entry?.until == until)
        gate.loop.advance(by: .seconds(1))
        #expect(gate.bank.energised == [])
    }

    @Test func `requests by thousands take no state and no answer from one another`() throws {
        let gate = try TestGate(edit: { $0.maxStored = 50 })
        var answers: [Answer.Result: Int] = [:]
        for number in 0..<2_000 {
            let person = try #require(Operator(number: UInt32(number), name: "n\(number)"))
            let answer = gate.controller.ask(for: .grant(.entry), by: .person(person))
            #expect(answer.requester == .person(person))
            answers[answer.result, default: 0] += 1
        }
        #expect(answers == [.done: 1, .deferred: 49, .refused(.storeFull): 1_950])
        let told = gate.journal.entries.filter { $0[.requester] == "person" }
        #expect(Set(told.map { $0[.operator] }).count == 2_000)
        #expect(gate.controller.report().held == 50)
    }

    @Test func `an output that is on without power is told as on`() throws {
        let gate = try TestGate(
            outputs: [
                .lockEntry: .wired(powerLoss: .failSafe), .lockExit: .wired(powerLoss: .failSecure),
            ])
        func report() -> [Bool] { gate.controller.report().outputs.map(\.isOn) }
        #expect(gate.bank.energised == [.lockEntry] && report() == [false, false])
        _ = gate.controller.ask(for: .grant(.entry), by: Self.anna)
        #expect(gate.bank.energised == [] && report() == [true, false])
    }

    /// Its first coil pulls for a moment and no longer; the second one holds it open.
    @Test func `a lock of two coils is told as on for as long as it is held`() throws {
        let gate = try TestGate(
            outputs: [
                .lockEntry: .wired(powerLoss: .failSecure),
                .lockEntryHold: .wired(powerLoss: .failSecure),
            ])
        func isOn() -> Bool? { gate.controller.report().outputs.first?.isOn }
        #expect(isOn() == false)
        _ = gate.controller.ask(for: .grant(.entry), by: Self.anna)
        gate.loop.advance(by: .seconds(2))
        #expect(gate.bank.energised == [.lockEntryHold] && isOn() == true)
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

    @Test func `what is asked for sets the timer, and the service manager hears of it`() throws {
        let gate = try TestGate()
        let until = gate.loop.now + .milliseconds(10)
        _ = gate.controller.ask(for: .setMode(.entry, .free, until: until), by: Self.anna)
        #expect(gate.service.notifications.contains { $0 == .status("\(gate.status)") })
        #expect(gate.status.state == .free && gate.loop.deadline == until)
        gate.loop.advance(by: .milliseconds(10))
        #expect(gate.bank.energised == [])
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
        let quiet = gate.loop.now
        for (input, isActive) in [
            (Input.rotorA, true), (.rotorB, true), (.rotorA, false), (.rotorB, false),
        ] {
            gate.loop.advance(by: .milliseconds(100))
            gate.change(input, isActive: isActive)
        }
        let alarm = try #require(gate.controller.report().alarms.first)
        #expect(alarm.value == .forcedPassage)
        #expect(try #require(alarm.since) > quiet)
        gate.change(.fire, isActive: true)
        #expect(gate.controller.report().outputs.map(\.isOn) == [true])
        #expect(gate.controller.report().standing == .emergency)
    }
}
