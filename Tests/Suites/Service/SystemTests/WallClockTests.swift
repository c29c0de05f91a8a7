import Glibc
import System
import Testing

@Suite struct WallClockTests {
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
        let (day, hour) = unsafe (Int(parts.tm_wday), Int(parts.tm_hour))
        let (minute, second) = unsafe (Int(parts.tm_min), Int(parts.tm_sec))
        let local = seconds + shown.utcOffset
        #expect(local % 86_400 == hour * 3_600 + minute * 60 + second)
        // The first day of 1970 was a Thursday.
        #expect((local / 86_400 + 4) % 7 == day)
    }

    @Test func `the time of day has the digits of a clock`() {
        let shape = localTimeOfDay().map { $0.isWholeNumber ? "0" : $0 }
        #expect(String(shape) == "00:00:00.000")
    }
}
