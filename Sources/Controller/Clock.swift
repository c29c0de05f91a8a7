import StateMachines
import System
import Turnstile

/// Notices when the clock on the wall does not show what the time that passed makes of it.
struct ClockWatch {
    /// What is found at a look.
    enum Finding: Hashable {
        /// What was expected.
        case asExpected
        /// Somebody set the clock, by so much.
        case stepped(by: Duration)
        /// The local time is ahead of UTC by something else.
        case offsetChanged
    }

    /// Up to here a difference is the time between two readings, and what a clock is corrected by
    /// without a step.
    private static let tolerance: Duration = .seconds(1)

    private var shown: WallTime
    private var instant: Instant

    /// A clock that shows `time` at `now`.
    init(_ time: WallTime, at now: Instant) {
        shown = time
        instant = now
    }

    /// Looks at the clock again. What was found is expected from then on; a difference that is
    /// tolerated is kept in mind, so that many small ones become a step.
    mutating func look(_ time: WallTime, at now: Instant) -> Finding {
        let step = (time.utc - shown.utc) - (now - instant)
        let isStep = step > Self.tolerance || step < .zero - Self.tolerance
        guard isStep || time.utcOffset != shown.utcOffset else { return .asExpected }
        self = ClockWatch(time, at: now)
        return isStep ? .stepped(by: step) : .offsetChanged
    }
}

// The clock on the wall.
extension Controller {
    /// Tells the machine what the clock on the wall shows as the service starts.
    func readClock(at now: Instant) {
        let time = wallClock.now
        clockWatch = ClockWatch(time, at: now)
        dispatch(Event(.clockRead(time.weekTime), at: now))
    }

    /// Tells the machine when the clock on the wall was set, or changed its offset.
    func checkClock(at now: Instant) {
        let time = wallClock.now
        switch clockWatch?.look(time, at: now) {
        case .asExpected, nil: return
        case .stepped(let step): dispatch(Event(.clockStepped(by: step), at: now))
        case .offsetChanged: break
        }
        dispatch(Event(.clockRead(time.weekTime), at: now))
    }
}
