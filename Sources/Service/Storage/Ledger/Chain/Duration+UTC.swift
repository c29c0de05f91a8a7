import Keeping

extension Duration {
    /// A time since 1970 by RFC 3339, in UTC and whole seconds: `2026-11-22T06:12:09Z`.
    var utcText: String {
        let (day, second) = CalendarDay.split(second: Int(components.seconds))
        return "\(day)T\(timeText(ofSecond: second))Z"
    }

    init?(utcText text: Substring) {
        let numbers = text.split { "-:TZ".contains($0) }.compactMap { Int($0) }
        guard numbers.count == 6, let day = CalendarDay(numbers[0], numbers[1], numbers[2]),
            numbers[3...].allSatisfy((0..<60).contains)
        else { return nil }
        self = .seconds(day.number * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + numbers[5])
        guard utcText == text else { return nil }
    }
}
