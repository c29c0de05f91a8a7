public import StateMachines
import System
import Turnstile

/// The state of all machines at one moment, with which a page begins.
struct PageState: Hashable {
    var time: Instant
    var clock: ClockOffset
    /// The form of the state: ``Turnstile/snapshotVersion``.
    var version: Int
    var machine: Fields
    var shell: Fields
}

/// The wall clock's offset from monotonic time.
public struct ClockOffset: Hashable, Sendable {
    package var utc: Duration
    /// The offset of local time from UTC, in seconds; negative in the west.
    public var local: Int

    /// The wall time at this moment: UTC, since 1970.
    public func utc(at time: Instant) -> Duration { time - .zero + utc }

    /// A bound against overflow.
    static let range: ClosedRange<Duration> = .nanoseconds(-1 << 61)...(.nanoseconds(1 << 61))

    /// The offset after an event, which may have set the clock.
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

    /// The beginning of the page; it comes first.
    mutating func pageTime() throws(TraceFlaw) -> Instant { Instant(nanoseconds: try time()) }

    /// A bound on times and offsets against overflow.
    private mutating func time() throws(TraceFlaw) -> Int64 {
        let time = try signed()
        guard ClockOffset.range.contains(.nanoseconds(time)) else {
            throw .malformed("a time that is too far away")
        }
        return time
    }

    /// The wall clock's offset; it comes second.
    mutating func clockOffset() throws(TraceFlaw) -> ClockOffset {
        let offset = ClockOffset(
            utc: .nanoseconds(try time()), local: Int(clamping: try signed()))
        // A day at most.
        guard (-86_400...86_400).contains(offset.local) else {
            throw .malformed("a local time that is too far from UTC")
        }
        return offset
    }
}
