import StateMachines
import System
import TestSupport
import Testing
import Turnstile

@testable import Controller

@Suite struct ClockTests {
    private static let noon = WallTime(utc: .seconds(1_704_110_400), utcOffset: 0)

    @Test(arguments: [
        (Duration.zero, 0, ClockWatch.Finding.asExpected), (.seconds(1), 0, .asExpected),
        (.milliseconds(-1_000), 0, .asExpected),
        (.milliseconds(1_001), 0, .stepped(by: .milliseconds(1_001))),
        (.seconds(-3_600), 0, .stepped(by: .seconds(-3_600))), (.zero, 3_600, .offsetChanged),
        (.milliseconds(500), -3_600, .offsetChanged),
        (.seconds(7), 3_600, .stepped(by: .seconds(7))),
    ]) func `a clock is where the time that passed makes it`(
        step: Duration, offset: Int, expected: ClockWatch.Finding
    ) {
        var watch = ClockWatch(Self.noon, at: .zero)
        let later = Instant.zero + .seconds(100)
        let shown = WallTime(utc: Self.noon.utc + .seconds(100) + step, utcOffset: offset)
        #expect(watch.look(shown, at: later) == expected)
        let again = WallTime(utc: shown.utc + .seconds(1), utcOffset: offset)
        #expect(watch.look(again, at: later + .seconds(1)) == .asExpected)
    }

    @Test func `many small steps become one`() {
        var watch = ClockWatch(Self.noon, at: .zero)
        var findings: [ClockWatch.Finding] = []
        for count in 1...3 {
            let shown = WallTime(
                utc: Self.noon.utc + .milliseconds(1_400 * count), utcOffset: 0)
            findings.append(watch.look(shown, at: .zero + .seconds(count)))
        }
        #expect(findings == [.asExpected, .asExpected, .stepped(by: .milliseconds(1_200))])
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

    @Test func `a change of the offset is no step`() throws {
        let gate = try TestGate()
        _ = gate.takeHeard()
        gate.wallClock.changeOffset(to: 3_600)
        gate.loop.advance(by: .seconds(1))
        #expect(gate.takeHeard() == [.clockRead(WeekTime(second: 3_601))])
        #expect(!gate.events().contains("clock_adjusted"))
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
