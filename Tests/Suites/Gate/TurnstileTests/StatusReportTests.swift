import StateMachines
import Stories
import Testing

@testable import Turnstile

/// What a gate tells of itself: all that is so, since when, until when, and what ends it.
@Suite struct StatusReportTests {
    @Test func `a fault says since when it is up, and what ends it`() {
        var story = Story()
        let began = story.now
        story.open(.externalFault)
        var onsets = Onsets()
        for record in story.records { onsets.count(record, at: began) }
        let raised = story.turnstile.report(onsets).faults
        #expect(raised == [.init(value: .external, since: began, end: .causeThenKey)])
        story.close(.externalFault)
        #expect(story.turnstile.report(onsets).faults.map(\.end) == [.key])
        story.press(.serviceKey)
        for record in story.records { onsets.count(record, at: story.now) }
        #expect(story.turnstile.report(onsets).faults == [])
        #expect(onsets[.external] == nil)
    }

    @Test func `what was so before the start has no beginning`() {
        var before = RetainedState()
        before.faults[.external] = true
        before.alarms[.forcedPassage] = true
        let report = Story(recovery: .known(before)).turnstile.report()
        #expect(report.faults == [.init(value: .external, since: nil, end: .key)])
        #expect(report.alarms == [.init(value: .forcedPassage, since: nil, end: .key)])
    }

    @Test func `an alarm ends by time, with its cause, or by the key`() {
        var story = Story()
        story.turn(1, 2, 3, 0)
        let end = story.turnstile.gate.alarms.deadline
        #expect(story.turnstile.report().alarms.map(\.end) == [end.map { .at($0) }])
        #expect(story.turnstile.report().due.first?.time == end)
        #expect(story.turnstile.report().due.first?.reason == .alarmEnds)
    }

    @Test func `a mode says until when, by whom, and what comes next`() {
        var story = Story(equipment: .twoWays)
        let end = story.now + .seconds(60)
        story.turn(1)
        _ = story.ask(.setMode(.exit, .free, until: end))
        var exit = story.turnstile.report().exit
        #expect(exit.mode.value == .controlled && exit.mode.next == .free)
        story.turn(0)
        exit = story.turnstile.report().exit
        #expect(exit.mode.value == .free && exit.mode.next == nil)
        #expect(exit.mode.term == Term(.free, until: end, by: Story.anna))
        #expect(exit.isReleased)
        #expect(story.turnstile.report().due == [.init(time: end, reason: .termsChange)])
    }

    @Test func `what is due by the wall clock is told by the calendar, and nothing else`() {
        var opening = ScheduleEntry(days: .all, from: 900, to: 960)
        opening.entry = .free
        var story = Story(
            Story.policy { $0.schedule = [opening] }, equipment: .twoWays.with(outputs: .buzzer))
        story.send(.clockRead(WeekTime(.monday, minute: 600)))
        let end = story.now + .seconds(7_000)
        _ = story.ask(.setModeUntil(.exit, .free, .noon))
        _ = story.ask(.setEnforcement(.weak, until: end))
        let noon = story.now + .seconds(7_200)
        func report() -> StatusReport {
            story.turnstile.report(calendar: { $0 - .seconds(3_600) })
        }
        #expect(report().exit.mode.term?.until == noon - .seconds(3_600))
        #expect(report().enforcement.term?.until == end)
        #expect(report().due == [.init(time: noon - .seconds(3_600), reason: .termsChange)])
        #expect(story.turnstile.report().due == [.init(time: end, reason: .termsChange)])
        _ = story.ask(.setMode(.exit, nil, until: nil))
        _ = story.ask(.setEnforcement(nil, until: nil))
        let three = story.now + .seconds(300 * 60 - 3_600)
        #expect(report().due == [.init(time: three, reason: .termsChange)])
    }

    @Test func `who waits, who passes, and who paid`() {
        var story = Story(equipment: .twoWays)
        story.press(.releaseEntry)
        story.press(.releaseEntry)
        _ = story.ask(.grant(.exit))
        var report = story.turnstile.report()
        #expect(report.entry.grant == .contact && report.entry.waitingByContact == 1)
        #expect(report.exit.waitingByPerson == 1 && report.exit.grant == nil)
        #expect(report.held == 3 && report.mostHeld == 3)
        story.turn(1)
        report = story.turnstile.report()
        #expect(report.entry.isPassing && !report.exit.isPassing)
        #expect(report.coinRefusal == .storeFull || report.coinRefusal == .released)
    }

    @Test func `an output that may carry something else says why`() {
        var story = Story()
        story.send(.lineFailed(.output(.alarm), .mismatch))
        let outputs = story.turnstile.report().outputs
        #expect(
            outputs.map(\.output)
                == [.lockEntry, .coinEnable, .alarm].sorted { $0.index < $1.index })
        let fault = Fault.line(.output(.alarm), .mismatch)
        #expect(outputs.first { $0.output == .alarm }?.fault == fault)
        #expect(outputs.first { $0.output == .lockEntry }?.fault == nil)
        #expect(outputs.first { $0.output == .coinEnable }?.isOn == true)
    }

    @Test func `a policy that waits says who asked for it`() {
        var story = Story()
        story.turn(1)
        _ = story.ask(.adopt(Story.policy { $0.price = 100 }))
        #expect(story.turnstile.report().policyRequester == Story.anna)
        #expect(story.turnstile.report().price == 250)
        story.turn(0)
        #expect(story.turnstile.report().policyRequester == nil)
        #expect(story.turnstile.report().price == 100)
    }

    @Test func `an alarm says since when it is up, and a second one since when it is`() {
        var story = Story()
        var onsets = Onsets()
        for _ in 0..<2 {
            let before = story.records.count
            story.turn(1, 2, 3, 0)
            let raised = story.now
            for record in story.records.dropFirst(before) { onsets.count(record, at: raised) }
            #expect(story.turnstile.report(onsets).alarms.map(\.since) == [raised])
            story.wait(.seconds(60))
            #expect(story.turnstile.report(onsets).alarms == [])
        }
        // One that is up from before the start is told without, whatever was raised since.
        onsets.count(.alarmCleared(.forcedPassage), at: story.now)
        #expect(onsets[.forcedPassage] == nil)
    }

    @Test func `who asked for service mode, while they wait and while they have it`() {
        var story = Story(Story.policy { $0.remoteService = .allowed })
        #expect(story.turnstile.report().serviceRequester == nil)
        story.press(.releaseEntry)
        _ = story.ask(.beginService)
        #expect(story.turnstile.report().serviceRequester == Story.anna)
        #expect(story.turnstile.report().standing == .inService)
        story.wait(.seconds(10))
        #expect(story.turnstile.report().serviceRequester == Story.anna)
        #expect(story.turnstile.report().standing == .service)
        _ = story.ask(.endService)
        #expect(story.turnstile.report().serviceRequester == nil)
    }

    @Test func `an enforcement that waits is what comes next`() {
        var story = Story(equipment: .oneWay.with(outputs: .buzzer))
        story.turn(1)
        _ = story.ask(.setEnforcement(.weak, until: nil))
        let report = story.turnstile.report().enforcement
        let term = Term(Enforcement.weak, isAwaited: true, by: Story.anna)
        #expect(report == .init(value: .strong, term: term, next: .weak))
    }

    @Test func `whoever comes the other way passes, and those who wait do so on their side`() {
        var story = Story(equipment: .twoWays)
        _ = story.ask(.grant(.exit))
        _ = story.ask(.grant(.entry))
        let report = story.turnstile.report()
        #expect(report.exit.grant == .person(1000) && report.entry.grant == nil)
        #expect(report.entry.waitingByPerson == 1 && report.exit.waitingByPerson == 0)
        #expect(report.exit.isReleased && !report.entry.isReleased)
        story.turn(1, 2)
        #expect(story.turnstile.report().entry.isPassing)
        #expect(!story.turnstile.report().exit.isPassing)
    }

    @Test func `a pulse that a counter waits for is due`() {
        var story = Story(equipment: .oneWay.with(outputs: .countPulse))
        _ = story.ask(.grant(.entry))
        story.walkIn()
        let due = story.turnstile.report().due.filter { $0.reason == .countPulse }
        #expect(due.count == 1 && due.map(\.time) == [story.turnstile.gate.counters.deadline])
    }

    @Test func `a way is released while its lock is, whatever the lane would have`() {
        var story = Story(equipment: .twoWays)
        _ = story.ask(.setMode(.exit, .free, until: nil))
        #expect(story.turnstile.report().exit.isReleased)
        story.open(.stop)
        #expect(!story.turnstile.report().exit.isReleased)
        story.open(.fire)
        #expect(story.turnstile.report().entry.isReleased)
        #expect(story.turnstile.report().entry.mode.value == .controlled)
    }

    @Test func `a gate without an acceptor refuses no coins`() {
        var story = Story(
            equipment: Equipment(
                inputs: Equipment.oneWay.inputs.subtracting(.init(.coinPulse)),
                outputs: Equipment.oneWay.outputs))
        story.press(.releaseEntry)
        #expect(story.turnstile.report().coinRefusal == nil)
        var taking = Story()
        taking.press(.releaseEntry)
        #expect(taking.turnstile.report().coinRefusal == .released)
    }

    @Test func `an input is active once it counts`() {
        var story = Story(debounce: [.externalFault: .milliseconds(100)])
        story.open(.externalFault)
        #expect(!story.turnstile.report().inputs[.externalFault])
        #expect(story.turnstile.report().due.map(\.reason) == [.contactSettles])
        story.wait(.milliseconds(100))
        story.open(.coinPulse)
        story.turn(1)
        #expect(
            story.turnstile.report().inputs
                == [.init(.externalFault), .init(.coinPulse), .init(.rotorA)])
    }

    @Test func `what is due is what the machine waits for, in every state of a story`() {
        var story = Story(Story.policy { $0.creditExpiry = .seconds(60) }, equipment: .twoWays)
        story.insertCoin(pulses: 3)
        story.press(.releaseEntry)
        story.turn(1, 2, 3, 0)
        for _ in 0..<50 {
            #expect(story.turnstile.report().due.first?.time == story.turnstile.deadline)
            #expect(story.turnstile.report() == story.turnstile.report())
            story.wait(.milliseconds(300))
        }
    }
}
