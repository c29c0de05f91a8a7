import System

/// The time that a simulated gate's clock shows at the start: `08:00`, `08:00:30`, or with a date,
/// `2026-03-29T01:30`.
struct StartTime {
    /// When that is, since 1970-01-01, 0:00 UTC.
    let utc: Duration

    /// Parses a time, since 1970-01-01, 0:00 UTC; on the day of `now` unless it has a date. Nil if
    /// it is invalid, or one that the local clock never shows.
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
