// `timespec` is in a header that both modules read; in an optimised build it belongs to this one.
import CLinux
import Glibc
public import StateMachines

/// The wall clock.
///
/// It is set, and its offset changes twice a year. Nothing is measured with it; the schedule uses
/// it.
public protocol WallClock: AnyObject {
    var now: WallTime { get }

    /// What the local time is ahead of UTC at this time since 1970-01-01, 0:00 UTC, in seconds.
    func utcOffset(at utc: Duration) -> Int
}

extension WallClock {
    /// When it first shows what it would show at `utc` with this offset; when it is put forward,
    /// if it never does.
    public func time(showing utc: Duration, by utcOffset: Int) -> Duration {
        let change = self.utcOffset(at: utc) - utcOffset
        var before = utc - .seconds(change)
        guard change > 0, self.utcOffset(at: before) == utcOffset else { return before }
        var after = utc
        while after - before > .seconds(1) {
            let middle = before + (after - before) / 2
            if self.utcOffset(at: middle) == utcOffset { before = middle } else { after = middle }
        }
        return after
    }
}

/// A reading of a wall clock.
public struct WallTime: Hashable, Sendable {
    /// The time since 1970-01-01, 0:00 UTC, without leap seconds.
    public var utc: Duration
    /// The offset of local time from UTC, in seconds; negative in the west.
    public var utcOffset: Int

    public init(utc: Duration, utcOffset: Int) {
        self.utc = utc
        self.utcOffset = utcOffset
    }
}

/// The clock and the time zone of the system.
public final class SystemWallClock: WallClock, Sendable {
    private let time: (@Sendable () -> Instant)?
    private let ahead: Duration

    /// The system's clock; with `time`, one that runs with that instead of the machine's monotonic
    /// time. It is `ahead` of the system's.
    public init(by time: (@Sendable () -> Instant)? = nil, ahead: Duration = .zero) {
        self.time = time
        self.ahead = ahead
    }

    /// Reads the clock, and the zone again, so that a change of it is seen.
    public var now: WallTime {
        let utc = ahead + (time.map { $0() - .zero + Self.offset } ?? Self.utc)
        return WallTime(utc: utc, utcOffset: Self.utcOffset(at: utc))
    }

    public func utcOffset(at utc: Duration) -> Int { Self.utcOffset(at: utc) }

    /// The monotonic time that it goes by.
    public var monotonic: Instant { time?() ?? MonotonicTimer.now }

    /// Its offset from `time` now.
    public var wallOffset: Duration { Self.offset + ahead }

    /// The offset of local time from UTC at this time since 1970-01-01, 0:00 UTC, in seconds.
    public static func utcOffset(at utc: Duration) -> Int {
        var (seconds, local) = unsafe (time_t(utc.components.seconds), tm())
        tzset()
        // Sound: the call writes the structure that it is given, of which only numbers are read; no
        // thread of the process changes the environment.
        unsafe _ = localtime_r(&seconds, &local)
        return unsafe local.tm_gmtoff
    }

    /// What the local time is ahead of UTC now, in seconds.
    public static var utcOffset: Int { utcOffset(at: utc) }

    /// What it is ahead of the monotonic clock now.
    public static var offset: Duration { Instant.zero + utc - MonotonicTimer.now }

    /// The time now since 1970-01-01, 0:00 UTC.
    public static var utc: Duration {
        var time = timespec()
        // Sound: the call writes the structure that it is given; this clock always exists.
        unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
