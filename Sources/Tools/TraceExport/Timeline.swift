import Keeping
import StateMachines
import System
import Trace
import Turnstile

/// The times of steps since the beginning of an export. They never go back.
///
/// Monotonic time does when the machine reboots. The length of the gap is taken from the wall
/// clock, unless it says years: the wall clock of a board without a battery is reset as well.
struct Timeline {
    /// The place of the last step, in ns since the beginning.
    private(set) var position: Int64 = 0
    /// A ring keeps less.
    private static let longestPause: Duration = .seconds(366 * 24 * 3_600)
    private var last: (time: Instant, utc: Duration, bootID: String)?

    /// Takes a moment for the beginning, which is of the same boot as this step.
    mutating func begin(at time: Instant, after step: ReplayedStep) {
        last = (time, step.clock.utc(at: time), step.bootID)
    }

    /// The place of the next step.
    mutating func place(_ step: ReplayedStep) -> Int64 {
        place((step.event.time, step.utc, step.bootID))
    }

    /// The place of a moment between two steps.
    mutating func place(_ moment: Replay.Moment) -> Int64 {
        place((moment.time, moment.utc, moment.bootID))
    }

    private mutating func place(_ now: (time: Instant, utc: Duration, bootID: String)) -> Int64 {
        guard let last else {
            self.last = now
            return position
        }
        let isOtherBoot = now.bootID != last.bootID
        var passed = isOtherBoot ? now.utc - last.utc : now.time - last.time
        if isOtherBoot, passed > Self.longestPause { passed = .zero }
        let (sum, overflows) = position.addingReportingOverflow(max(0, passed.wholeNanoseconds))
        position = overflows ? .max : sum
        // An event that is reported late moves nothing back.
        self.last = isOtherBoot ? now : (max(now.time, last.time), now.utc, now.bootID)
        return position
    }
}

extension ReplayedStep {
    var isStart: Bool {
        if case .started = event.kind { true } else { false }
    }
}

extension Duration {
    /// A time since 1970, UTC, as ISO 8601 has it: `2026-11-22T09:00:00.123456789Z`.
    var iso8601: String {
        let (seconds, attoseconds) = components
        let nanoseconds = attoseconds / 1_000_000_000
        // Before 1970 both are negative.
        let (day, second) = CalendarDay.split(second: Int(seconds) - (nanoseconds < 0 ? 1 : 0))
        let fraction = nanoseconds < 0 ? nanoseconds + 1_000_000_000 : nanoseconds
        let padded = "\(fraction)".zeroPadded(to: 9)
        return "\(day)T\(timeText(ofSecond: second)).\(padded)Z"
    }
}
