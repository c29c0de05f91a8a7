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
        var shown: WallTime
        var time: Instant
    }

    /// What the machine is to be told.
    public enum Command: Hashable, Sendable {
        /// Somebody set the clock, by so much.
        case reportStep(by: Duration)
        case report(WeekTime)
    }

    /// A step, or another offset of the local time from UTC: it is expected from then on. A
    /// tolerated difference is kept in mind, so that many small ones become a step.
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
    /// Both clocks, one read within the other.
    private struct Reading {
        var shown: WallTime
        var begin, end: Instant

        var length: Duration { end - begin }
    }

    /// How long a look may take, which is how far it may be off, and how often a longer one is
    /// tried again.
    private static let (longestLook, attempts): (Duration, Int) = (.milliseconds(100), 8)

    func readClock(at now: Instant) {
        let event = ClockWatch.Event(shown: shown(at: now), time: now)
        recorded(
            clock.handle(event), of: .clock(event), at: now, as: ShellCommand.clock
        ).forEach { command in
            switch command {
            case .reportStep(let step): dispatch(Event(.clockStepped(by: step), at: now))
            case .report(let time): dispatch(Event(.clockRead(time), at: now))
            }
        }
    }

    /// What the clock on the wall showed at `now`. A process that is held up between two clocks
    /// finds them apart as if one had been set: on an accelerated gate, by so many times as much.
    private func shown(at now: Instant) -> WallTime {
        var best = readBoth()
        for _ in 1..<Self.attempts where best.length > Self.longestLook {
            let next = readBoth()
            if next.length < best.length { best = next }
        }
        best.shown.utc -= best.begin + best.length / 2 - now
        return best.shown
    }

    private func readBoth() -> Reading {
        let begin = loop.now
        let shown = wallClock.now
        return Reading(shown: shown, begin: begin, end: loop.now)
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

extension WallTime {
    /// The local time of the week; the second that has begun.
    var weekTime: WeekTime {
        // The first day of 1970 was a Thursday.
        let thursday = Weekday.thursday.rawValue * 86_400
        return WeekTime(second: Int(utc.components.seconds) + utcOffset + thursday)
    }
}
