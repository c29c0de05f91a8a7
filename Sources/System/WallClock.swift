// `timespec` is in a header that both modules read; in an optimised build it belongs to this one.
import CLinux
import Glibc
public import Turnstile

/// The clock on the wall: what people mean by the time.
///
/// It is set, and it changes its offset twice a year. Nothing is measured by it; the schedule goes
/// by it.
public protocol WallClock: AnyObject {
    /// What it shows now.
    var now: WallTime { get }
}

/// What a clock on the wall shows.
public struct WallTime: Hashable, Sendable {
    /// The time since 1970-01-01, 0:00 UTC, without leap seconds.
    public var utc: Duration
    /// What the local time is ahead of UTC, in seconds; negative in the west.
    public var utcOffset: Int

    /// A time.
    public init(utc: Duration, utcOffset: Int) {
        self.utc = utc
        self.utcOffset = utcOffset
    }

    /// The local time of the week; the second that has begun.
    public var weekTime: WeekTime {
        // The first day of 1970 was a Thursday.
        let thursday = Weekday.thursday.rawValue * 86_400
        return WeekTime(second: Int(utc.components.seconds) + utcOffset + thursday)
    }
}

/// The clock and the time zone of the system.
public final class SystemWallClock: WallClock {
    /// The clock of the system.
    public init() {}

    /// Reads the clock; the zone is looked up anew, so that a change of it is seen.
    public var now: WallTime {
        var time = timespec()
        var local = unsafe tm()
        // Sound: the calls write the structures that they are given, of which only numbers are
        // read; no thread of the process changes the environment.
        unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
        tzset()
        unsafe _ = localtime_r(&time.tv_sec, &local)
        return WallTime(
            utc: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec),
            utcOffset: unsafe local.tm_gmtoff)
    }
}
