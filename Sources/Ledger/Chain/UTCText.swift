/// A number below 100 with two digits.
func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

extension Duration {
    /// A time since 1970, as RFC 3339 has it, in UTC and whole seconds: `2026-11-22T06:12:09Z`.
    var utcText: String {
        let seconds = Int(components.seconds)
        let (days, second) = (seconds / 86_400, seconds % 86_400)
        let date = Date(day: days)
        let time = [second / 3_600, second / 60 % 60, second % 60].map(twoDigits)
        return "\(date)T\(time.joined(separator: ":"))Z"
    }

    /// Reads such a time; nil for any other text.
    init?(utcText text: Substring) {
        let numbers = text.split { "-:TZ".contains($0) }.compactMap { Int($0) }
        guard numbers.count == 6, let days = Date(numbers[0], numbers[1], numbers[2]).day else {
            return nil
        }
        self = .seconds(days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5])
        guard utcText == text else { return nil }
    }
}

/// A day of the Gregorian calendar.
private struct Date: CustomStringConvertible {
    var year: Int, month: Int, date: Int

    init(_ year: Int, _ month: Int, _ date: Int) {
        (self.year, self.month, self.date) = (year, month, date)
    }

    /// The day of this number, counted from 1970-01-01 as 0.
    init(day: Int) {
        // Years from March, so that the odd day is the last of its year: 400 of them have as many
        // days as any other 400.
        let shifted = day + 719_468
        let era = shifted / 146_097, ofEra = shifted % 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        date = ofYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// Its number; nil where there is no such month or year.
    var day: Int? {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(date)
        else { return nil }
        let shiftedYear = month <= 2 ? year - 1 : year
        let yearOfEra = shiftedYear % 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + date - 1
        let ofEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear
        return shiftedYear / 400 * 146_097 + ofEra - 719_468
    }

    var description: String {
        let digits = "\(year)"
        let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "\(padded)-\(twoDigits(month))-\(twoDigits(date))"
    }
}
