public import Keeping
import System

/// The local clock of a gate: converts between time in UTC and local days, hours and texts.
public struct LocalClock: Sendable {
    /// The offset from UTC, in seconds, at a time since 1970, UTC.
    private let offset: @Sendable (Duration) -> Int

    public init(offset: @escaping @Sendable (Duration) -> Int) { self.offset = offset }

    public static let system = LocalClock { SystemWallClock.utcOffset(at: $0) }

    /// Local time, in seconds since the local beginning of 1970.
    private func shown(at time: Duration) -> Int {
        Int(time.components.seconds) + offset(time)
    }

    public func day(at time: Duration) -> CalendarDay {
        CalendarDay.split(second: shown(at: time)).day
    }

    /// When a day begins: at midnight, or later if the clock is put forward over midnight.
    public func beginning(of day: CalendarDay) -> Duration {
        // Every offset from UTC is smaller.
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

    /// When the local hour of `time` began.
    public func hour(at time: Duration) -> Duration {
        let begun = CalendarDay.split(second: shown(at: time)).second % 3_600
        return .seconds(time.components.seconds - Int64(begun))
    }

    /// `2026-11-22 06:00`; with seconds unless they are zero, and with the offset if the clock
    /// shows that time twice: `2026-10-25 02:00+01:00`.
    public func text(of time: Duration) -> String {
        let shown = shown(at: time)
        let (day, second) = CalendarDay.split(second: shown)
        let text = timeText(ofSecond: second).dropLast(second % 60 == 0 ? 3 : 0)
        return "\(day) \(text)\(times(showing: shown).count > 1 ? ahead(at: time) : "")"
    }

    /// The offset from UTC: `+01:00`.
    private func ahead(at time: Duration) -> String {
        let minutes = offset(time) / 60
        let parts = [abs(minutes) / 60, abs(minutes) % 60].map(twoDigits)
        return (minutes < 0 ? "-" : "+") + parts.joined(separator: ":")
    }

    /// RFC 3339 with the offset: `2026-11-22T06:00:00+01:00`.
    public func timestamp(of time: Duration) -> String {
        let (day, second) = CalendarDay.split(second: shown(at: time))
        return "\(day)T\(timeText(ofSecond: second))\(ahead(at: time))"
    }

    /// The first time at which it shows this; nil if it never does, since it is put forward.
    public func time(of day: CalendarDay, second: Int) -> Duration? {
        times(showing: day.number * 86_400 + second).first
    }

    /// The times at which it shows so many seconds since the local beginning of 1970, in order.
    private func times(showing shown: Int) -> [Duration] {
        // The offset is that of a day before or a day after.
        let offsets = Set([-86_400, 86_400].map { offset(.seconds(shown + $0)) }).sorted(by: >)
        return offsets.map { Duration.seconds(shown - $0) }.filter { self.shown(at: $0) == shown }
    }
}
