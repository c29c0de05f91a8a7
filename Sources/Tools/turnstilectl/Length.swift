import ArgumentParser
import System
import Turnstile

enum Length {
    private static let units: [(name: String, seconds: Int64)] = [
        ("s", 1), ("min", 60), ("h", 3600), ("d", 86_400),
    ]

    /// The longest that the gate can be asked for, in days: about a hundred years.
    private static let mostDays: Int64 = 36_600

    /// The duration that a text says: `90s`, `5min`, `1h30min`.
    static func read(_ text: String) throws -> Duration {
        var rest = Substring(text)
        var seconds: Int64 = 0
        var largest = Int64.max
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let letters = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(letters.count)
            guard let number = Int64(digits), number < 1_000_000_000,
                let unit = units.first(where: { $0.name == letters }), unit.seconds < largest
            else { throw mistake(text) }
            seconds += number * unit.seconds
            largest = unit.seconds
        }
        guard seconds > 0 else { throw mistake(text) }
        guard seconds <= mostDays * 86_400 else {
            throw ValidationError("'\(text)' is too long: at most \(mostDays)d")
        }
        return .seconds(seconds)
    }

    private static func mistake(_ text: String) -> ValidationError {
        ValidationError("'\(text)' is no time: write 90s, 5min, 1h, 1h30min or 2d")
    }
}

extension TimeOfDay {
    /// The time of day that a text says: `18:00`.
    static func read(_ text: String) throws -> TimeOfDay {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].count == 2, (1...2).contains(parts[0].count),
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), minute < 60,
            let time = TimeOfDay(minute: hour * 60 + minute)
        else { throw ValidationError("'\(text)' is no time of day: write 18:00") }
        return time
    }
}
