/// A point in monotonic time: nanoseconds since some fixed moment, on Linux the boot.
///
/// It is what the kernel stamps its events with (`CLOCK_MONOTONIC`): it never jumps, and it says
/// nothing about the date. What would lie before the first instant or after the last one is taken
/// for these: they are 292 years away from the origin.
@frozen
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the clock's origin.
    public var nanoseconds: Int64

    /// The instant `nanoseconds` after the clock's origin.
    @inlinable public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The clock's origin.
    @inlinable public static var zero: Instant { Instant(nanoseconds: 0) }

    /// Whether `a` comes before `b`.
    @inlinable public static func < (a: Instant, b: Instant) -> Bool {
        a.nanoseconds < b.nanoseconds
    }

    /// The instant `duration` later.
    @inlinable public static func + (instant: Instant, duration: Duration) -> Instant {
        let (sum, overflows) =
            instant.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return overflows ? instant.farthest : Instant(nanoseconds: sum)
    }

    /// The instant `duration` earlier.
    @inlinable public static func - (instant: Instant, duration: Duration) -> Instant {
        let (difference, overflows) =
            instant.nanoseconds.subtractingReportingOverflow(duration.wholeNanoseconds)
        return overflows ? instant.farthest : Instant(nanoseconds: difference)
    }

    /// The first or the last instant, whichever lies on this one's side of the origin.
    @inlinable var farthest: Instant { Instant(nanoseconds: nanoseconds < 0 ? .min : .max) }

    /// The time from `b` to `a`, negative when `a` comes first.
    @inlinable public static func - (a: Instant, b: Instant) -> Duration {
        let (difference, overflows) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
        return overflows
            ? .nanoseconds(a.nanoseconds) - .nanoseconds(b.nanoseconds) : .nanoseconds(difference)
    }

    /// The earlier of two instants, where nil means never.
    @inlinable public static func earliest(_ a: Instant?, _ b: Instant?) -> Instant? {
        switch (a, b) {
        case (let a?, let b?): min(a, b)
        case (let a?, nil): a
        case (nil, let b): b
        }
    }
}

#if !hasFeature(Embedded)
    extension Instant: Codable {}
#endif

extension Duration {
    /// The duration in nanoseconds, or the nearest number that there is; the attoseconds below one
    /// are dropped.
    @inlinable @inline(__always) public var wholeNanoseconds: Int64 {
        #if hasFeature(Embedded)
            // A microcontroller has no division of 128 bits of its own.
            let (seconds, attoseconds) = components
            let (whole, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            let (sum, exceeds) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
            if overflows || exceeds { return seconds < 0 ? .min : .max }
            return sum
        #else
            // 10^9 is 2^9 · 5^9, and what is left of up to an hour when the first is divided out
            // fits 64 bits, whose division by a constant is a multiplication.
            let rest = attoseconds &>> 9
            if rest >= 0, let rest = Int64(exactly: rest) { return rest / 1_953_125 }
            return Int64(clamping: attoseconds / 1_000_000_000)
        #endif
    }
}
