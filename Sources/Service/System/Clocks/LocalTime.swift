import Glibc

/// A date and a time of day as the clock on the wall shows them.
public struct LocalTime: Hashable, Sendable {
    /// The year, the month from 1 and its day from 1.
    public var year: Int, month: Int, day: Int
    public var hour: Int, minute: Int, second: Int

    /// The local time at this time since 1970-01-01, 0:00 UTC.
    public init(at utc: Duration) {
        var (seconds, local) = unsafe (time_t(utc.components.seconds), tm())
        // Sound: the call writes the structure that it is given, of which only numbers are read.
        unsafe _ = localtime_r(&seconds, &local)
        self = unsafe LocalTime(local)
    }

    private init(_ time: tm) {
        (year, month, day) = unsafe (
            Int(time.tm_year) + 1900, Int(time.tm_mon) + 1, Int(time.tm_mday)
        )
        (hour, minute, second) = unsafe (
            Int(time.tm_hour), Int(time.tm_min), Int(time.tm_sec)
        )
    }

    /// A time since 1970-01-01, 0:00 UTC, at which that is shown; nil where it never is:
    /// there is no such day, or the clock is put forward over it.
    public var utc: Duration? {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        var local = unsafe tm()
        unsafe (local.tm_year, local.tm_mon, local.tm_mday) = (
            CInt(year - 1900), CInt(month - 1), CInt(day)
        )
        unsafe (local.tm_hour, local.tm_min, local.tm_sec) = (
            CInt(hour), CInt(minute), CInt(second)
        )
        unsafe local.tm_isdst = -1
        // Sound: the call reads and writes the structure that it is given.
        let seconds = unsafe mktime(&local)
        guard unsafe LocalTime(local) == self else { return nil }
        return .seconds(seconds)
    }
}

/// The local time of day: `14:05:09.123`.
public func localTimeOfDay() -> String { localTimeOfDay(at: SystemWallClock.utc) }

/// The local time of day at this time since 1970-01-01, 0:00 UTC.
public func localTimeOfDay(at utc: Duration) -> String {
    let (seconds, attoseconds) = (utc + .seconds(SystemWallClock.utcOffset(at: utc))).components
    let numbers = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
    let time = numbers.map { "\($0)".zeroPadded(to: 2) }.joined(separator: ":")
    return "\(time).\("\(attoseconds / 1_000_000_000_000_000)".zeroPadded(to: 3))"
}
