import Testing
import Turnstile

/// What the weekly schedule says at every minute of the week.
@Suite struct ScheduleTests {
    private static func policy(_ entries: ScheduleEntry...) -> Policy {
        var policy = Policy(price: 250, coinUnit: 50)
        policy.schedule = entries
        return policy
    }

    private static func entry(
        _ days: Weekdays, _ from: Int, _ to: Int, entry: Mode? = nil, exit: Mode? = nil,
        enforcement: Enforcement? = nil
    ) -> ScheduleEntry {
        var result = ScheduleEntry(days: days, from: from, to: to)
        (result.entry, result.exit, result.enforcement) = (entry, exit, enforcement)
        return result
    }

    /// The minutes of the week, from Monday, 0:00, at which the entry applies: counted out.
    private static func minutes(of entry: ScheduleEntry) -> Set<Int> {
        var minutes: Set<Int> = []
        for day in Weekday.allCases where entry.days.contains(day) {
            let start = day.rawValue * 1440
            if entry.to > entry.from {
                minutes.formUnion((start + entry.from)..<(start + entry.to))
            } else {
                minutes.formUnion((start + entry.from)..<(start + 1440))
                minutes.formUnion(((start + 1440)..<(start + 1440 + entry.to)).map { $0 % 10080 })
            }
        }
        return minutes
    }

    /// What applies at each minute of the week.
    private static func week(of policy: Policy) -> [Regime] {
        let entries = policy.schedule.map { (entry: $0, minutes: minutes(of: $0)) }
        return (0..<10080).map { minute in
            let now = entries.filter { $0.minutes.contains(minute) }.map(\.entry)
            return Regime(
                entry: now.compactMap(\.entry).last ?? policy.regime.entry,
                exit: now.compactMap(\.exit).last ?? policy.regime.exit,
                enforcement: now.compactMap(\.enforcement).last ?? policy.regime.enforcement)
        }
    }

    private static let sunday = Weekdays([.sunday])
    private static let workdays = Weekdays([.monday, .tuesday, .wednesday, .thursday, .friday])

    static let policies = [
        policy(),
        // No day at all.
        policy(entry([], 0, 1440, entry: .free)),
        // Hours, on some days and on all.
        policy(entry(workdays, 480, 1080, entry: .free)),
        policy(entry(.all, 0, 1, exit: .locked), entry(.all, 1439, 1440, exit: .free)),
        // A whole day; all of them; a day's length from noon to noon, and from midnight.
        policy(entry(sunday, 0, 1440, entry: .locked)),
        policy(entry(.all, 0, 1440, entry: .locked)),
        policy(entry(sunday, 720, 720, entry: .locked)),
        policy(entry(.all, 720, 720, entry: .locked)),
        policy(entry(sunday, 1439, 1439, entry: .free)),
        // Past midnight, and past the end of the week.
        policy(entry(.all, 1320, 360, enforcement: .weak)),
        policy(entry(sunday, 1320, 360, entry: .locked, exit: .free)),
        policy(entry(sunday, 1439, 1, entry: .locked)),
        // One over the other: the last wins, for as long as it lasts and where it says anything.
        policy(
            entry(.all, 0, 1440, entry: .locked, exit: .locked),
            entry(workdays, 360, 1320, entry: .controlled),
            entry(workdays, 420, 540, entry: .free, enforcement: .weak),
            entry(sunday, 1380, 420, exit: .free, enforcement: .strong)),
        // Day by day the same, end to end.
        policy(entry(workdays, 540, 539, entry: .free), entry(workdays, 539, 540, exit: .free)),
    ]

    @Test(arguments: policies) func `says what applies at every minute`(policy: Policy) {
        let week = Self.week(of: policy)
        for (minute, regime) in week.enumerated() {
            // The last second of a minute matters where the next one is another.
            let isLast = week[(minute + 1) % week.count] != regime
            for second in isLast ? [0, 59] : [0] {
                let time = WeekTime(second: minute * 60 + second)
                guard policy.regime(at: time) == regime else {
                    Issue.record("second \(time.second): \(policy.regime(at: time)), not \(regime)")
                    return
                }
            }
        }
    }

    @Test(arguments: policies) func `nothing changes before the next change`(policy: Policy) {
        let week = Self.week(of: policy)
        // For how many minutes it stays the same, from each on: at most a week.
        var same = Array(repeating: week.count, count: week.count)
        for minute in (0..<(2 * week.count)).reversed().map({ $0 % week.count }) {
            let next = (minute + 1) % week.count
            same[minute] = week[next] == week[minute] ? min(same[next] + 1, week.count) : 1
        }
        for minute in stride(from: 0, to: week.count, by: 7) {
            let time = WeekTime(second: minute * 60)
            guard let next = policy.secondsToNextChange(after: time) else {
                #expect(policy.schedule.allSatisfy { $0.days.isEmpty } && same[minute] == 10080)
                return
            }
            let later = policy.secondsToNextChange(after: WeekTime(second: minute * 60 + 59))
            guard next >= 1, next % 60 == 0, next <= same[minute] * 60, later == next - 59 else {
                Issue.record("minute \(minute): \(next) s, \(same[minute]) minutes the same")
                return
            }
        }
    }

    @Test func `a change is where an entry begins or ends, and nowhere else`() {
        let policy = Self.policy(Self.entry(Self.sunday, 1380, 60, entry: .free))
        var time = WeekTime(.monday, minute: 0)
        var changes: [Int] = []
        for _ in 0..<4 {
            time = WeekTime(second: time.second + policy.secondsToNextChange(after: time)!)
            changes.append(time.second / 60)
        }
        #expect(changes == [60, 10020, 60, 10020])
    }

    @Test func `a time of the week goes round`() {
        #expect(WeekTime(second: -1).second == 604_799)
        #expect(WeekTime(second: 604_800).second == 0)
        #expect(WeekTime(second: .min).second == WeekTime(second: .min + 604_800).second)
        #expect(WeekTime(.sunday, minute: 1440) == WeekTime(.monday, minute: 0))
        let late = WeekTime(.sunday, minute: 1439)
        #expect(WeekTime(.monday, minute: 1).seconds(since: late) == 120)
        #expect(late.seconds(since: WeekTime(.monday, minute: 1)) == 604_800 - 120)
        #expect(late.seconds(since: late) == 0)
    }

    @Test func `days are those that were named`() {
        for day in Weekday.allCases {
            #expect(Weekdays.all.contains(day))
            #expect(Weekday.allCases.filter(Weekdays([day]).contains) == [day])
        }
    }
}
