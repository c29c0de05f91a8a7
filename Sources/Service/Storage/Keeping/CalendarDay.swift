/// A day of the Gregorian calendar: `2026-11-22`.
public struct CalendarDay: Hashable, Sendable, CustomStringConvertible {
    /// The year, the month from 1 and its day from 1.
    public let year: Int, month: Int, day: Int
    /// Its number, counted from 1970-01-01 as 0.
    public let number: Int

    /// The day of this number.
    public init(_ number: Int) {
        self.number = number
        // Years from March, so that the odd day is the last of its year: 400 of them have as many
        // days as any other 400.
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        day = ofYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// The day in which a second lies, counted from the beginning of 1970, and its place there.
    public static func split(second: Int) -> (day: CalendarDay, second: Int) {
        let place = (second % 86_400 + 86_400) % 86_400
        return (CalendarDay((second - place) / 86_400), place)
    }

    /// The day of this date; nil if the date is invalid, or before 1970.
    public init?(_ year: Int, _ month: Int, _ day: Int) {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let yearOfEra = shiftedYear % 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let ofEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear
        self.init(shiftedYear / 400 * 146_097 + ofEra - 719_468)
        // There is no 31st of June.
        guard (self.year, self.month, self.day) == (year, month, day) else { return nil }
    }

    /// Parses `2026-11-22`; nil if it is invalid.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year, month, day)
    }

    /// `2026-11-22`.
    public var description: String {
        let digits = "\(year)"
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "\(padded)-\(twoDigits(month))-\(twoDigits(day))"
    }
}

/// The time so many seconds after midnight: `06:12:09`.
public func timeText(ofSecond second: Int) -> String {
    [second / 3_600, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
}

/// A number below 100 with two digits.
public func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
