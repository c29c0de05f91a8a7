import System
import Turnstile

extension Format where Value == Int {
    /// A time of day in minutes after midnight: two digits each, `06:30`.
    static func timeOfDay(_ range: ClosedRange<Int>) -> Format {
        let (first, last) = (clock(range.lowerBound), clock(range.upperBound))
        let allowed = "\(first) to \(last)"
        return Format(
            allowed: allowed,
            edge: Edge(
                accepted: [first, last],
                refused: [clock(range.upperBound + 1), "6:00", "06:60", "6", "06.00", "06:00:00"]),
            read: { scalar throws(Mistake) in
                let parts = scalar.text.split(separator: ":", omittingEmptySubsequences: false)
                guard parts.count == 2, let hour = number(parts[0]), let minute = number(parts[1])
                else {
                    throw Mistake(
                        "\(quoted(scalar.text)) is not a time of day: write hours and minutes, as "
                            + "in 06:30")
                }
                let time = hour * 60 + minute
                guard minute < 60, range.contains(time) else {
                    throw .outOfRange(scalar.text, allowed)
                }
                guard scalar.text == clock(time) else {
                    throw Mistake(
                        "\(quoted(scalar.text)) is not a time of day: hours and minutes have two "
                            + "digits each, did you mean \(clock(time))?")
                }
                return time
            },
            write: clock)
    }

    @Sendable private static func clock(_ minutes: Int) -> String {
        [minutes / 60, minutes % 60].map { "\($0)".zeroPadded(to: 2) }.joined(separator: ":")
    }

    /// One or two digits as a number.
    private static func number(_ digits: Substring) -> Int? {
        guard digits.utf8.count <= 2, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(digits)
    }
}

extension Format where Value == Weekdays {
    /// A day of the week, `mon`, a range of days, `mon-fri` or `sat-mon`, or `all`.
    static var days: Format {
        let allowed = "mon, tue, wed, thu, fri, sat, sun, a range such as mon-fri, or all"
        return Format(
            allowed: allowed,
            edge: Edge(
                accepted: names + ["mon-sun", "sun-mon", "fri-fri", "all"],
                refused: ["Mon", "monday", "mon-", "-fri", "mon-fri-sun", "mon - fri", "none"]),
            read: { scalar throws(Mistake) in
                if scalar.text == "all" { return .all }
                let ends = scalar.text.split(separator: "-", omittingEmptySubsequences: false)
                guard ends.count <= 2, let first = day(ends[0]),
                    let last = day(ends[ends.count - 1])
                else { throw unknown(scalar.text, ends, allowed) }
                return days(from: first, through: last)
            },
            write: { days in
                let named = Weekday.allCases.filter(days.contains).map { names[$0.rawValue] }
                return named.count == names.count ? "all" : "[\(named.joined(separator: ", "))]"
            })
    }

    private static var names: [String] { ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] }

    private static func day(_ name: Substring) -> Weekday? {
        names.firstIndex(of: String(name)).flatMap(Weekday.init(rawValue:))
    }

    /// The days of a range, which may include the end of the week.
    private static func days(from first: Weekday, through last: Weekday) -> Weekdays {
        let count = (last.rawValue - first.rawValue + names.count) % names.count
        return Weekdays(
            (0...count).compactMap { Weekday(rawValue: (first.rawValue + $0) % names.count) })
    }

    private static func unknown(
        _ text: String, _ ends: [Substring], _ allowed: String
    ) -> Mistake {
        let list = text.lowercased().split { ", ".contains($0) }
        if list.count > 1,
            list.allSatisfy({ $0.split(separator: "-").allSatisfy { day($0) != nil } })
        {
            return Mistake(
                "\(quoted(text)) is more than one day: write a list in brackets, "
                    + "[\(list.joined(separator: ", "))]")
        }
        let meant = ends.compactMap { end -> String? in
            let name = end.lowercased().filter { $0 != " " }
            if names.contains(where: { name.hasPrefix($0) }) { return String(name.prefix(3)) }
            return Spelling.nearest(to: name, among: names + (ends.count == 1 ? ["all"] : []))
        }
        let isClear = ends.count <= 2 && meant.count == ends.count
        let question = isClear ? " (did you mean '\(meant.joined(separator: "-"))'?)" : ""
        return Mistake("\(quoted(text)) is no day\(question): allowed is \(allowed)")
    }
}
