import Keeping
import Testing

/// Days of the calendar by their numbers, dates and texts.
@Suite struct CalendarDayTests {
    @Test func `each day follows the one before`() throws {
        var before = try #require(CalendarDay(1970, 1, 1))
        #expect(before.number == 0)
        while before.year < 2101 {
            let day = CalendarDay(before.number + 1)
            let isNewMonth = day.day == 1
            let isNewYear = isNewMonth && day.month == 1
            #expect(isNewMonth || day.day == before.day + 1)
            #expect(day.month == (isNewYear ? 1 : before.month + (isNewMonth ? 1 : 0)))
            #expect(day.year == before.year + (isNewYear ? 1 : 0))
            try #require(CalendarDay(day.year, day.month, day.day) == day)
            try #require(CalendarDay("\(day)") == day)
            before = day
        }
    }

    @Test(arguments: [
        ("2026-11-22", 20_779), ("2000-02-29", 11_016), ("2100-03-01", 47_541),
        ("1999-12-31", 10_956),
    ]) func `known ones`(text: String, number: Int) {
        #expect(CalendarDay(text)?.number == number)
        #expect("\(CalendarDay(number))" == text)
    }

    @Test(arguments: [
        "2026-11-31", "2100-02-29", "1969-12-31", "2026-1-1", "2026-13-01", "2026-00-10", "",
        "2026-11-22 ", "２026-11-22", "2026-11-22-1", "-026-11-22",
    ]) func `what is no day`(text: String) {
        #expect(CalendarDay(text) == nil)
    }
}
