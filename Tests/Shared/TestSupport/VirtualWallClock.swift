import StateMachines
public import System

/// A clock on the wall that goes with a virtual loop, until the test sets it.
public final class VirtualWallClock: WallClock {
    private let loop: VirtualEventLoop
    private let start: Instant
    /// What the clock showed when it was made, and all that it was set by since.
    private var atStart: WallTime
    /// The offset from UTC from then on.
    private var planned: (utc: Duration, offset: Int)?
    /// For how long the process is held up in each of the next readings, before it has read.
    public var holdUps: [Duration] = []

    /// A clock that shows `time` now: Monday, 2024-01-01, 0:00 UTC, if nothing else is said.
    public init(
        _ loop: VirtualEventLoop,
        showing time: WallTime = WallTime(utc: .seconds(1_704_067_200), utcOffset: 0)
    ) {
        self.loop = loop
        start = loop.now
        atStart = time
    }

    /// What it shows.
    public var now: WallTime {
        if !holdUps.isEmpty { loop.holdUp(until: loop.now + holdUps.removeFirst()) }
        let utc = atStart.utc + (loop.now - start)
        return WallTime(utc: utc, utcOffset: utcOffset(at: utc))
    }

    public func utcOffset(at utc: Duration) -> Int {
        guard let planned, utc >= planned.utc else { return atStart.utcOffset }
        return planned.offset
    }

    /// Somebody sets the clock.
    public func step(by duration: Duration) { atStart.utc += duration }

    /// The local time is so many seconds ahead of UTC from now on.
    public func changeOffset(to seconds: Int) { atStart.utcOffset = seconds }

    /// The local time will be so many seconds ahead of UTC, so long from now.
    public func changeOffset(to seconds: Int, in wait: Duration) {
        planned = (now.utc + wait, seconds)
    }
}
