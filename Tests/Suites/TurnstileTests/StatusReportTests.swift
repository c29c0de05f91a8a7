import StateMachines
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
