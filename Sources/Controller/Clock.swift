public import StateMachines
import System
public import Turnstile

/// Notices when the clock on the wall does not show what the time that passed makes of it.
public struct ClockWatch: StateMachine, Hashable, Sendable {
    /// Up to here a difference is the time between two readings, and what a clock is corrected by
    /// without a step.
    private static let tolerance: Duration = .seconds(1)

    /// What the others are compared with: the first reading, or the last that was not expected.
    private var reading: Event?

    /// The clock was read.
    public struct Event: Hashable, Sendable {
        /// What it shows.
        var shown: WallTime
        /// When.
        var time: Instant
    }

    /// What the machine is to be told.
    public enum Command: Hashable, Sendable {
        /// Somebody set the clock, by so much.
        case reportStep(by: Duration)
        /// What the clock shows.
        case report(WeekTime)
    }

    /// Compares what the clock shows with what it showed before: a step, or another offset of the
    /// local time from UTC. What was found is expected from then on; a difference that is tolerated
    /// is kept in mind, so that many small ones become a step.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
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
        let event = ClockWatch.Event(shown: wallClock.now, time: now)
        recorded(
            clock.handle(event), of: .clock(event), at: now, as: ShellCommand.clock
        ).forEach { command in
            switch command {
            case .reportStep(let step): dispatch(Event(.clockStepped(by: step), at: now))
            case .report(let time): dispatch(Event(.clockRead(time), at: now))
            }
        }
    }
}

extension ClockWatch: Composite {
    /// What it is called.
    public static var title: String { "clock_watch" }
    /// That of a clock that was not read.
    public static var blank: ClockWatch { ClockWatch() }

    /// What the next reading is compared with.
    public func visit(_ fields: inout some FieldVisitor) -> ClockWatch {
        var watch = ClockWatch()
        watch.reading = fields.optional(.reading, reading)
        return watch
    }
}

extension ClockWatch.Event: Composite {
    /// What it is called.
    public static var title: String { "clock_reading" }
    /// Some reading.
    public static var blank: ClockWatch.Event {
        ClockWatch.Event(shown: WallTime(utc: .zero, utcOffset: 0), time: .zero)
    }

    /// What the clock shows, and when.
    public func visit(_ fields: inout some FieldVisitor) -> ClockWatch.Event {
        let utc = fields.exactDuration(.utc, shown.utc)
        let range = Int64(Int32.min)...Int64(Int32.max)
        let offset = fields.count(.utcOffset, shown.utcOffset, in: range)
        return ClockWatch.Event(
            shown: WallTime(utc: utc, utcOffset: offset), time: fields.instant(.time, time))
    }
}
