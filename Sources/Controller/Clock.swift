import StateMachines
import System
import Turnstile

/// Notices when the clock on the wall does not show what the time that passed makes of it.
struct ClockWatch: StateMachine, Hashable, Sendable {
    /// Up to here a difference is the time between two readings, and what a clock is corrected by
    /// without a step.
    private static let tolerance: Duration = .seconds(1)

    /// What the others are compared with: the first reading, or the last that was not expected.
    private var reading: Event?

    /// The clock was read.
    struct Event: Hashable, Sendable {
        /// What it shows.
        var shown: WallTime
        /// When.
        var time: Instant
    }

    /// What the machine is to be told.
    enum Command: Hashable, Sendable {
        /// Somebody set the clock, by so much.
        case reportStep(by: Duration)
        /// What the clock shows.
        case report(WeekTime)
    }

    /// Compares what the clock shows with what it showed before: a step, or another offset of the
    /// local time from UTC. What was found is expected from then on; a difference that is tolerated
    /// is kept in mind, so that many small ones become a step.
    mutating func handle(_ event: Event) -> Outcome<Command> {
        let week = event.shown.weekTime
        guard let reading else {
            reading = event
            return .handled(.report(week))
        }
        let step = (event.shown.utc - reading.shown.utc) - (event.time - reading.time)
        let isStep = step > Self.tolerance || step < .zero - Self.tolerance
        guard isStep || event.shown.utcOffset != reading.shown.utcOffset else {
            return .ignored("it shows what was expected")
        }
        self.reading = event
        guard isStep else { return .handled(.report(week)) }
        return .handled([.reportStep(by: step.inWholeMicroseconds), .report(week)])
    }
}

// The clock on the wall.
extension Controller {
    /// Reads the clock on the wall, as the service starts and at every look.
    func readClock(at now: Instant) {
        clock.handle(.init(shown: wallClock.now, time: now)).commands.forEach { command in
            switch command {
            case .reportStep(let step): dispatch(Event(.clockStepped(by: step), at: now))
            case .report(let time): dispatch(Event(.clockRead(time), at: now))
            }
        }
    }
}
