import ArgumentParser
import System

/// A day or a time as people write them on a command line, by the clock on the wall where the gate
/// is: `2026-11-22`, `2026-11-22T06:30`.
struct Moment: Hashable {
    /// When it begins, since 1970, UTC.
    let start: Duration
    /// When it is over, likewise: a day counts whole, and a time not at all.
    let end: Duration

    /// The day or time that a text says.
    static func read(_ text: String) throws -> Moment {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        let date = numbers(parts[0], separator: "-", digits: [4, 2, 2])
        let time =
            parts.count == 2 ? numbers(parts[1], separator: ":", digits: [2, 2]) : [0, 0]
        guard let date, let time, parts.count <= 2 else { throw mistake(text) }
        var shown = LocalTime(at: .zero)
        (shown.year, shown.month, shown.day) = (date[0], date[1], date[2])
        (shown.hour, shown.minute, shown.second) = (time[0], time[1], 0)
        guard let start = shown.utc else { throw mistake(text) }
        guard parts.count == 1 else { return Moment(start: start, end: start) }
        // No day is longer than 25 hours, and none shorter than 23.
        var next = LocalTime(at: start + .seconds(30 * 3_600))
        (next.hour, next.minute, next.second) = (0, 0, 0)
        return Moment(start: start, end: next.utc ?? start + .seconds(86_400))
    }

    private static func numbers(
        _ text: Substring, separator: Character, digits: [Int]
    ) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == digits,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return parts.compactMap { Int($0) }
    }

    private static func mistake(_ text: String) -> ValidationError {
        ValidationError("'\(text)' is no day or time: write 2026-11-22 or 2026-11-22T06:30")
    }
}
