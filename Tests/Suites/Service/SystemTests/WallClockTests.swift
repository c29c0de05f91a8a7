import Glibc
import System
import Testing
import Turnstile

@Suite struct WallClockTests {
    /// 2024-01-01 was a Monday.
    private static let monday = Duration.seconds(1_704_067_200)

    @Test(arguments: [
        (Duration.zero, 0, WeekTime(.thursday, minute: 0)),
        (monday, 0, WeekTime(.monday, minute: 0)),
        (monday + .milliseconds(59_999), 0, WeekTime(second: 59)),
        (monday, 3_600, WeekTime(.monday, minute: 60)),
        (monday, -3_600, WeekTime(.sunday, minute: 23 * 60)),
        (monday + .seconds(6 * 86_400 + 23 * 3_600), 7_200, WeekTime(.monday, minute: 60)),
    ]) func `the week begins on Monday, by the local time`(
        utc: Duration, offset: Int, expected: WeekTime
    ) {
        #expect(WallTime(utc: utc, utcOffset: offset).weekTime == expected)
    }

    /// The C library is asked another way, until both answers are of the same second.
    @Test func `the system's clock shows what the C library says`() {
        let clock = SystemWallClock()
        var shown: WallTime
        var seconds: time_t
        repeat {
            shown = clock.now
            seconds = time(nil)
        } while Int(shown.utc.components.seconds) != seconds
        var parts = unsafe tm()
        // Sound: the call writes the structure that it is given, of which only numbers are read.
        unsafe _ = localtime_r(&seconds, &parts)
        let (day, hour) = unsafe (Int(parts.tm_wday + 6) % 7, Int(parts.tm_hour))
        let (minute, second) = unsafe (Int(parts.tm_min), Int(parts.tm_sec))
        #expect(
            shown.weekTime
                == WeekTime(second: day * 86_400 + hour * 3_600 + minute * 60 + second))
    }

    @Test func `the time of day has the digits of a clock`() {
        let shape = localTimeOfDay().map { $0.isWholeNumber ? "0" : $0 }
        #expect(String(shape) == "00:00:00.000")
    }
}
