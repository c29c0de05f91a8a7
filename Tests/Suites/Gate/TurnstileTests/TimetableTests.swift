import StateMachines
import Testing

@testable import Turnstile

/// A week's timetable on a virtual clock.
@Suite struct TimetableTests {
    /// What applies while an entry holds, and what it begins and ends with, on every policy that
    /// the schedule is tested with.
    private static let policies = ScheduleTests.policies

    /// The open hours of a museum: free on Sunday night, locked every night.
    private static let museum = {
        var policy = Policy(price: 250, coinUnit: 50)
        var night = ScheduleEntry(days: .all, from: 1320, to: 360)
        night.entry = .locked
        var party = ScheduleEntry(days: Weekdays([.sunday]), from: 1380, to: 60)
        party.entry = .free
        policy.schedule = [night, party]
        return policy
    }()

    /// The same instants, told of as the marks of a week that began then.
    private static func time(_ day: Weekday, _ minute: Int) -> WeekTime {
        WeekTime(day, minute: minute)
    }

    @Test func `until the clock was read the policy's own regime applies`() {
        var clockwork = Clockwork(Timetable(policy: Self.museum))
        clockwork.wait(.seconds(1_000_000))
        #expect(clockwork.said == [])
        #expect(clockwork.machine.regime == Self.museum.regime)
        #expect(clockwork.machine.deadline == nil)
    }

    @Test func `without a schedule nothing is ever due`() {
        var clockwork = Clockwork(Timetable(policy: Policy(price: 250, coinUnit: 50)))
        #expect(clockwork.send { .clockRead(WeekTime(second: 5), at: $0) } == .handled)
        #expect(clockwork.machine.deadline == nil)
    }

    @Test func `follows the schedule over midnight and the end of the week`() {
        var clockwork = Clockwork(Timetable(policy: Self.museum))
        clockwork.wait(.milliseconds(500))
        clockwork.send { .clockRead(Self.time(.sunday, 1319), at: $0) }
        var changes: [String] = []
        var regime = clockwork.machine.regime
        let start = clockwork.now
        for _ in 0..<600 {
            clockwork.wait(.seconds(60))
            guard clockwork.machine.regime != regime else { continue }
            regime = clockwork.machine.regime
            changes.append("\((clockwork.now - start).components.seconds / 60) \(regime.entry)")
        }
        #expect(changes == ["1 locked", "61 free", "181 locked", "481 controlled"])
        #expect(clockwork.said.count == 4)
        #expect(clockwork.said.first?.hasPrefix("60500 change") == true)
    }

    @Test(arguments: policies) func `asks for what the schedule says, all week`(policy: Policy) {
        var clockwork = Clockwork(Timetable(policy: policy))
        clockwork.send { .clockRead(WeekTime(second: 100_000), at: $0) }
        for _ in 0..<1_100 {
            clockwork.wait(.seconds(600))
            let second = 100_000 + Int((clockwork.now - .zero).components.seconds)
            #expect(clockwork.machine.regime == policy.regime(at: WeekTime(second: second)))
        }
    }

    @Test(arguments: [1, 59, 3_599, 40_000, 604_800, 10_000_000], policies)
    func `catches up when it is told late`(seconds: Int, policy: Policy) {
        var timetable = Timetable(policy: policy)
        _ = timetable.handle(.clockRead(WeekTime(.sunday, minute: 1379), at: .zero))
        let late = Instant.zero + .seconds(seconds) + .milliseconds(300)
        let before = timetable.regime
        let outcome = timetable.handle(.timePassed(late))
        let now = WeekTime(second: WeekTime(.sunday, minute: 1379).second + seconds)
        #expect(timetable.regime == policy.regime(at: now))
        #expect(outcome.commands.isEmpty == (timetable.regime == before))
        // The next change is on the full minute, whenever it was told.
        let next = policy.secondsToNextChange(after: now)
        #expect(timetable.deadline == next.map { .zero + .seconds(seconds + $0) })
    }

    @Test func `the clock is set, and the regime is another`() {
        var clockwork = Clockwork(Timetable(policy: Self.museum))
        clockwork.send { .clockRead(Self.time(.monday, 720), at: $0) }
        #expect(clockwork.machine.regime.entry == .controlled)
        var night = Self.museum.regime
        night.entry = .locked
        #expect(
            clockwork.send { .clockRead(Self.time(.monday, 1400), at: $0) }
                == .handled(.change(night)))
        // What was due by the other clock is not due.
        #expect(clockwork.machine.deadline == Instant.zero + .seconds(400 * 60))
        #expect(clockwork.send { .clockRead(Self.time(.monday, 1401), at: $0) } == .handled)
    }

    @Test func `is asked too early`() {
        var timetable = Timetable(policy: Self.museum)
        _ = timetable.handle(.clockRead(WeekTime(.monday, minute: 720), at: .zero))
        let early = Instant.zero + .seconds(600 * 60) - .nanoseconds(1)
        let before = timetable
        #expect(timetable.handle(.timePassed(early)) == .ignored("nothing is due"))
        #expect(timetable == before)
    }

    @Test func `a new schedule applies at once`() {
        var timetable = Timetable(policy: Policy(price: 250, coinUnit: 50))
        _ = timetable.handle(.clockRead(WeekTime(.monday, minute: 1300), at: .zero))
        let later = Instant.zero + .seconds(30 * 60)
        timetable.adopt(Self.museum, at: later)
        #expect(timetable.regime.entry == .locked)
        #expect(timetable.deadline == later + .seconds(470 * 60))
        var locked = Policy(price: 250, coinUnit: 50)
        locked.regime.exit = .locked
        timetable.adopt(locked, at: later)
        #expect(timetable.regime == locked.regime)
        #expect(timetable.deadline == nil)
    }

    @Test func `weeks are alike, and so are times at which the clock was read`() {
        func timetable(readAt first: Int, lookedAt last: Int) -> Timetable {
            var clockwork = Clockwork(Timetable(policy: Self.museum))
            clockwork.wait(.seconds(first))
            clockwork.send { .clockRead(WeekTime(second: first), at: $0) }
            clockwork.wait(.seconds(last - first))
            var timetable = clockwork.machine
            timetable.shiftInstants(by: .seconds(-last))
            return timetable
        }
        let week = WeekTime.weekLength
        #expect(
            timetable(readAt: 40_000, lookedAt: week + 9)
                == timetable(readAt: 12, lookedAt: week + 9))
        #expect(
            timetable(readAt: 40_000, lookedAt: week + 50_000)
                == timetable(readAt: 40_000, lookedAt: 3 * week + 50_000))
    }
}
