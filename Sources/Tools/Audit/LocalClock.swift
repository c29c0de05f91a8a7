public import Keeping
import System

/// The clock on the wall where a gate is: what it shows at which time.
public struct LocalClock: Sendable {
    /// What it is ahead of UTC at a time since 1970, UTC, in seconds.
    private let offset: @Sendable (Duration) -> Int

    public init(offset: @escaping @Sendable (Duration) -> Int) { self.offset = offset }

    public static let system = LocalClock { SystemWallClock.utcOffset(at: $0) }

    /// The seconds that it shows, since the beginning of 1970 by itself.
    private func shown(at time: Duration) -> Int {
        Int(time.components.seconds) + offset(time)
    }

    public func day(at time: Duration) -> CalendarDay {
        CalendarDay.split(second: shown(at: time)).day
    }

    /// When a day begins: at midnight, or later where the clock is put forward over that.
    public func beginning(of day: CalendarDay) -> Duration {
        // No clock is as far from UTC as that.
        var (before, after) = (day.number * 86_400 - 86_400, day.number * 86_400 + 86_400)
        while before < after {
            let middle = before + (after - before) / 2
            if self.day(at: .seconds(middle)).number < day.number {
                before = middle + 1
            } else {
                after = middle
            }
        }
        return .seconds(after)
    }

    public func end(of day: CalendarDay) -> Duration { beginning(of: CalendarDay(day.number + 1)) }

    /// When the hour began that it shows.
    public func hour(at time: Duration) -> Duration {
        let begun = CalendarDay.split(second: shown(at: time)).second % 3_600
        return .seconds(time.components.seconds - Int64(begun))
    }

    /// What it shows: `2026-11-22 06:00`, the seconds where there are some and, where it shows that
    /// twice, what it is ahead of UTC: `2026-10-25 02:00+01:00`.
    public func text(of time: Duration) -> String {
        let shown = shown(at: time)
        let (day, second) = CalendarDay.split(second: shown)
        let text = timeText(ofSecond: second).dropLast(second % 60 == 0 ? 3 : 0)
        return "\(day) \(text)\(times(showing: shown).count > 1 ? ahead(at: time) : "")"
    }

    /// What it is ahead of UTC then: `+01:00`.
    private func ahead(at time: Duration) -> String {
        let minutes = offset(time) / 60
        let parts = [abs(minutes) / 60, abs(minutes) % 60].map(twoDigits)
        return (minutes < 0 ? "-" : "+") + parts.joined(separator: ":")
    }

    /// The same as RFC 3339 has it, with what it is ahead of UTC: `2026-11-22T06:00:00+01:00`.
    public func timestamp(of time: Duration) -> String {
        let (day, second) = CalendarDay.split(second: shown(at: time))
        return "\(day)T\(timeText(ofSecond: second))\(ahead(at: time))"
    }

    /// The time at which it shows this; nil where it never does: it is put forward over that. What
    /// it shows twice is the first time.
    public func time(of day: CalendarDay, second: Int) -> Duration? {
        times(showing: day.number * 86_400 + second).first
    }

    /// The times at which it shows so many seconds since the beginning of 1970, the earlier first.
    private func times(showing shown: Int) -> [Duration] {
        // What it is ahead a day before and a day after is all that it can be then.
        let offsets = Set([-86_400, 86_400].map { offset(.seconds(shown + $0)) }).sorted(by: >)
        return offsets.map { Duration.seconds(shown - $0) }.filter { self.shown(at: $0) == shown }
    }
}
