import StateMachines
import System
import TestSupport
import Testing
import Turnstile

@testable import Controller

@Suite struct ClockTests {
    private static let noon = WallTime(utc: .seconds(1_704_110_400), utcOffset: 0)

    /// What is found so much later, where the clock shows a time that is off by `step`.
    private static func reading(
        after passed: Duration, step: Duration = .zero, offset: Int = 0
    ) -> ClockWatch.Event {
        .init(
            shown: WallTime(utc: noon.utc + passed + step, utcOffset: offset),
            time: .zero + passed)
    }

    /// 2024-01-01 was a Monday.
    private static let monday = Duration.seconds(1_704_067_200)

    @Test(arguments: [
        (Duration.zero, 0, WeekTime(.thursday, minute: 0)),
        (monday, 0, WeekTime(.monday, minute: 0)),
        (monday + .milliseconds(59_999), 0, WeekTime(second: 59)),
        (monday, 3_600, WeekTime(.monday, minute: 60)),
        (monday, -3_600, WeekTime(.sunday, minute: 23 * 60)),
        (monday + .seconds(6 * 86_400 + 23 * 3_600), 7_200, WeekTime(.monday, minute: 60)),
    ]) func `the week begins on Monday, by the local time`(
        utc: Duration, offset: Int, expected: WeekTime
    ) {
        #expect(WallTime(utc: utc, utcOffset: offset).weekTime == expected)
    }

    @Test(
        arguments: [
            (Duration.zero, 0, nil), (.seconds(1), 0, nil), (.milliseconds(-1_000), 0, nil),
            (.milliseconds(1_001), 0, .milliseconds(1_001)),
            (.seconds(-3_600), 0, .seconds(-3_600)),
            // A record tells it in whole microseconds.
            (.nanoseconds(7_000_001_999), 0, .microseconds(7_000_001)),
            (.zero, 3_600, .zero), (.milliseconds(500), -3_600, .zero),
            (.seconds(7), 3_600, .seconds(7)),
        ] as [(Duration, Int, Duration?)]) func `a clock is where the time that passed makes it`(
            step: Duration, offset: Int, told: Duration?
        )
    {
        var clock = ClockWatch()
        let found = Self.reading(after: .seconds(100), step: step, offset: offset)
        let week = ClockWatch.Command.report(found.shown.weekTime)
        let answer = told.map { $0 == .zero ? [week] : [.reportStep(by: $0), week] }
        let later = Self.reading(after: .seconds(101), step: step, offset: offset)
        #expect(
            clock.answers(to: [Self.reading(after: .zero), found, later]) == [
                [.report(Self.noon.weekTime)], answer, nil,
            ])
    }

    @Test func `many small steps become one`() {
        var clock = ClockWatch()
        let answers = clock.answers(
            to: (0...3).map {
                Self.reading(after: .seconds($0), step: .milliseconds(400 * $0))
            })
        #expect(answers.map { $0?.count } == [1, nil, nil, 2])
        #expect(answers.last??.first == .reportStep(by: .milliseconds(1_200)))
    }

    @Test func `the machine knows the time before it starts`() throws {
        let gate = try TestGate()
        #expect(gate.heard == [.clockRead(WeekTime(.monday, minute: 0)), .started([])])
        gate.loop.advance(by: .seconds(3_600))
        #expect(gate.heard.count == 2)
    }

    @Test func `a clock that was set is told, with what it shows`() throws {
        let gate = try TestGate()
        _ = gate.takeHeard()
        gate.wallClock.step(by: .seconds(7_200))
        gate.loop.advance(by: .seconds(1))
        #expect(
            gate.takeHeard() == [
                .clockStepped(by: .seconds(7_200)), .clockRead(WeekTime(second: 7_201)),
            ])
        #expect(gate.events().contains("clock_adjusted"))
        gate.loop.advance(by: .seconds(60))
        #expect(gate.heard == [])
    }

    @Test(arguments: [1, 100]) func `a process that is held up as it reads has set no clock`(
        readings: Int
    ) throws {
        let gate = try TestGate()
        _ = gate.takeHeard()
        gate.wallClock.holdUps = Array(repeating: .milliseconds(1_500), count: readings)
        gate.loop.advance(by: .seconds(60))
        #expect(gate.heard == [])
        // And one that was set all the same is found.
        gate.wallClock.step(by: .seconds(60))
        gate.loop.advance(by: .seconds(30))
        #expect(gate.events().contains("clock_adjusted"))
    }

    @Test func `a change of the offset is no step`() throws {
        let gate = try TestGate()
        _ = gate.takeHeard()
        gate.wallClock.changeOffset(to: 3_600)
        gate.loop.advance(by: .seconds(1))
        #expect(gate.takeHeard() == [.clockRead(WeekTime(second: 3_601))])
        #expect(!gate.events().contains("clock_adjusted"))
    }

    @Test(arguments: [(4 * 86_400 + 1_800, 1_800), (6 * 86_400 + 7_200, 0), (-5 * 86_400, 3_600)])
    func `a mode ends when the clock next shows its time, whatever the day`(
        step: Int, left: Int
    ) throws {
        let gate = try TestGate()
        let one = try #require(TimeOfDay(minute: 60))
        _ = gate.controller.ask(for: .setModeUntil(.entry, .free, one), by: .anna)
        #expect(gate.bank.energised == [.lockEntry])
        gate.wallClock.step(by: .seconds(step))
        gate.loop.advance(by: .seconds(max(left - 1, 0)))
        #expect(gate.bank.energised == [.lockEntry])
        gate.loop.advance(by: .seconds(2))
        #expect(gate.bank.energised == [])
    }

    /// At 1:00 the local time will be another. What ends at a time that is left out ends at once,
    /// and at the first of two.
    @Test(arguments: [
        (3_600, 150, 90), (-3_600, 150, 210), (3_600, 90, 60), (-3_600, 30, 30), (3_600, 45, 45),
    ]) func `what is due by the clock is told as it will be`(
        offset: Int, shown: Int, left: Int
    ) throws {
        var opening = ScheduleEntry(days: .all, from: shown, to: shown + 300)
        opening.enforcement = .weak
        let gate = try TestGate { $0.schedule = [opening] }
        gate.wallClock.changeOffset(to: offset, in: .seconds(3_600))
        func isDue(_ time: Instant?) -> Bool {
            guard let time else { return false }
            let late = time - gate.loop.now - .seconds(left * 60)
            return late >= .zero && late <= .seconds(1)
        }
        let due = gate.controller.report().due.first { $0.reason == .termsChange }
        #expect(isDue(due?.time))
        let end = try #require(TimeOfDay(minute: shown))
        _ = gate.controller.ask(for: .setModeUntil(.entry, .free, end), by: .anna)
        #expect(isDue(gate.controller.report().entry.mode.term?.until))
        gate.loop.advance(by: .seconds(left * 60 - 1))
        #expect(gate.bank.energised == [.lockEntry])
        gate.loop.advance(by: .seconds(3))
        #expect(gate.bank.energised == [])
    }

    @Test func `the schedule goes by the clock on the wall`() throws {
        var opening = ScheduleEntry(days: [.init([.monday])], from: 60, to: 120)
        opening.entry = .free
        let gate = try TestGate { $0.schedule = [opening] }
        #expect(gate.bank.energised == [])
        gate.wallClock.changeOffset(to: 3_600)
        gate.loop.advance(by: .seconds(1))
        #expect(gate.bank.energised == [.lockEntry])
        gate.loop.advance(by: .seconds(3_600))
        #expect(gate.bank.energised == [])
    }
}
