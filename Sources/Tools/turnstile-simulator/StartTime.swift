import System

/// What the clock of a simulated gate shows at the start: `08:00`, `08:00:30`, or with a date,
/// `2026-03-29T01:30`.
struct StartTime {
    /// When that is, since 1970-01-01, 0:00 UTC.
    let utc: Duration

    /// The time that a text says; on the day of `now`, since 1970-01-01, 0:00 UTC, where it says no
    /// other. Nil for what is no time, and for one that no clock here shows.
    init?(_ text: String, now: Duration) {
        var time = LocalTime(at: now)
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard parts.count <= 2, let last = parts.last,
            let clock = Self.numbers(last, between: ":"), (2...3).contains(clock.count)
        else { return nil }
        if parts.count == 2 {
            guard let date = Self.numbers(parts[0], between: "-"), date.count == 3 else {
                return nil
            }
            (time.year, time.month, time.day) = (date[0], date[1], date[2])
        }
        let second = clock.count == 3 ? clock[2] : 0
        (time.hour, time.minute, time.second) = (clock[0], clock[1], second)
        guard let utc = time.utc else { return nil }
        self.utc = utc
    }

    /// The numbers of a text that stand between these characters; nil where there is anything else.
    private static func numbers(_ text: Substring, between separator: Character) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.allSatisfy { $0.isASCII && $0.isNumber } && part.count <= 4 ? Int(part) : nil
        }
        return numbers.count == parts.count ? numbers : nil
    }
}
