public import StateMachines
import System
import Turnstile

/// The state of all that decides, at one moment: what a page begins with.
struct PageState: Hashable {
    var time: Instant
    var clock: ClockOffset
    /// Which state this is the form of: ``Turnstile/snapshotVersion``.
    var version: Int
    var machine: Fields
    var shell: Fields
}

/// What the clock on the wall is ahead of monotonic time.
public struct ClockOffset: Hashable, Sendable {
    package var utc: Duration
    /// What local time is ahead of UTC, in seconds; negative in the west.
    public var local: Int

    /// The time on the wall, UTC, since 1970, at this moment.
    public func utc(at time: Instant) -> Duration { time - .zero + utc }

    /// What is no farther ahead stays what 64 bits hold with what is added to it.
    static let range: ClosedRange<Duration> = .nanoseconds(-1 << 61)...(.nanoseconds(1 << 61))

    /// The offset from an event on: it may tell that the clock was set.
    func following(_ event: Event.Kind) -> ClockOffset {
        guard case .clockStepped(let step) = event, Self.range.contains(utc + step) else {
            return self
        }
        return ClockOffset(utc: utc + step, local: local)
    }
}

extension ClockOffset {
    static var ofSystem: ClockOffset {
        ClockOffset(
            utc: SystemWallClock.offset,
            local: SystemWallClock.utcOffset(at: SystemWallClock.utc))
    }
}

extension ByteWriter {
    mutating func append(_ state: PageState, _ texts: inout TextTable) {
        append(signed: state.time.nanoseconds)
        append(signed: state.clock.utc.wholeNanoseconds)
        append(signed: Int64(state.clock.local))
        append(varint: state.version)
        append(state.machine, &texts)
        append(state.shell, &texts)
    }
}

extension ByteReader {
    mutating func pageState(_ texts: inout TextList) throws(TraceFlaw) -> PageState {
        PageState(
            time: try pageTime(), clock: try clockOffset(),
            version: Int(clamping: try varint()),
            machine: try fields(&texts), shell: try fields(&texts))
    }

    /// When a page begins; it stands first.
    mutating func pageTime() throws(TraceFlaw) -> Instant { Instant(nanoseconds: try time()) }

    /// A time, and what a clock is ahead: with what is added to it, it stays what 64 bits hold.
    private mutating func time() throws(TraceFlaw) -> Int64 {
        let time = try signed()
        guard ClockOffset.range.contains(.nanoseconds(time)) else {
            throw .malformed("a time that is too far away")
        }
        return time
    }

    /// The offset of the clock on the wall; it stands second.
    mutating func clockOffset() throws(TraceFlaw) -> ClockOffset {
        let offset = ClockOffset(
            utc: .nanoseconds(try time()), local: Int(clamping: try signed()))
        // No clock is as far from UTC as a day.
        guard (-86_400...86_400).contains(offset.local) else {
            throw .malformed("a local time that is too far from UTC")
        }
        return offset
    }
}
