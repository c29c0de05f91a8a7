import ArgumentParser
import Audit
import Keeping

/// A time of the past as people write it on a command line.
enum WrittenTime: Hashable {
    /// A second of a day in local time; midnight by default.
    case local(CalendarDay, second: Int)
    /// A second of the day that it is, or that was so many days before.
    case today(second: Int, before: Int)
    case ago(Duration)
    case now
    /// A time with its offset from UTC: since 1970, UTC.
    case exact(Duration)

    static func read(_ text: String) throws -> WrittenTime {
        if text == "now" { return .now }
        if let before = ["today", "yesterday"].firstIndex(of: text) {
            return .today(second: 0, before: before)
        }
        let parts = text.split(separator: " ", maxSplits: 1).flatMap {
            $0.split(separator: "T", maxSplits: 1)
        }
        if let first = parts.first, let day = CalendarDay(first) {
            if parts.count == 1 { return .local(day, second: 0) }
            if parts.count == 2, let time = exactTime(day, parts[1]) { return time }
        } else if let second = second(text[...]) {
            return .today(second: second, before: 0)
        } else if let length = try? Length.read(text) {
            return .ago(length)
        }
        throw ValidationError(
            """
            '\(text)' is no time: write 2026-11-22, '2026-11-22 06:00', 06:00, today, yesterday, \
            now, or how long ago, as 90min, 3h or 2d
            """)
    }

    /// The time of a day that a text says: `06:00`, `06:00:30`, `06:00:30Z`, `06:00:30+01:00`.
    private static func exactTime(_ day: CalendarDay, _ text: Substring) -> WrittenTime? {
        guard let sign = text.lastIndex(where: { "Z+-".contains($0) }) else {
            return second(text).map { .local(day, second: $0) }
        }
        guard let second = second(text[..<sign]) else { return nil }
        let utc = Duration.seconds(day.number * 86_400 + second)
        if text[sign...] == "Z" { return .exact(utc) }
        guard text[sign] != "Z", let ahead = Self.second(text[text.index(after: sign)...]) else {
            return nil
        }
        return .exact(text[sign] == "+" ? utc - .seconds(ahead) : utc + .seconds(ahead))
    }

    /// The second of the day that a text says: `06:00` or `06:00:30`.
    private static func second(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), (1...2).contains(parts[0].count),
            parts.dropFirst().allSatisfy({ $0.count == 2 }),
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } })
        else { return nil }
        let numbers = parts.compactMap { Int($0) } + [0]
        guard numbers[0] < 24, numbers[1] < 60, numbers[2] < 60 else { return nil }
        return numbers[0] * 3_600 + numbers[1] * 60 + numbers[2]
    }

    func time(now: Duration, _ clock: LocalClock) throws -> Duration {
        switch self {
        case .now: return now
        case .exact(let time): return time
        case .ago(let length): return now - length
        case .local(let day, let second): return try Self.time(day, second, clock)
        case .today(let second, let before):
            return try Self.time(CalendarDay(clock.day(at: now).number - before), second, clock)
        }
    }

    /// The same a day earlier, of a time of the day.
    var dayBefore: WrittenTime {
        if case .today(let second, let before) = self {
            .today(second: second, before: before + 1)
        } else {
            self
        }
    }

    /// From when to when is meant now, where the one is before the other.
    static func range(
        _ since: WrittenTime?, _ until: WrittenTime?, now: Duration, _ clock: LocalClock
    ) throws -> (from: Duration?, to: Duration?) {
        let (from, to) = try (since?.time(now: now, clock), until?.time(now: now, clock))
        if let from, let to, from >= to { throw exchanged(from, to, clock) }
        return (from, to)
    }

    static func exchanged(_ from: Duration, _ to: Duration, _ clock: LocalClock) -> CommandError {
        CommandError(
            "--since \(clock.text(of: from)) is not before --until \(clock.text(of: to))", .usage)
    }

    private static func time(
        _ day: CalendarDay, _ second: Int, _ clock: LocalClock
    ) throws -> Duration {
        // The beginning of the day, whatever the clock shows then.
        if second == 0 { return clock.beginning(of: day) }
        guard let time = clock.time(of: day, second: second) else {
            throw ValidationError(
                "the clock never shows that time on \(day): it is put forward over it")
        }
        return time
    }
}
