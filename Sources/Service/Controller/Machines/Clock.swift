public import StateMachines
import System
public import Turnstile

/// Detects steps of the wall clock against monotonic time.
public struct ClockWatch: StateMachine, Hashable, Sendable {
    /// A smaller difference is latency of a reading, or a correction by slewing.
    private static let tolerance: Duration = .seconds(1)

    /// The reference: the first reading, or the last one with a step or another offset.
    private var reading: Event?

    /// A reading of the clock.
    public struct Event: Hashable, Sendable {
        var shown: WallTime
        var time: Instant
    }

    public enum Command: Hashable, Sendable {
        case reportStep(by: Duration)
        case report(WeekTime)
    }

    /// Reports a step, or another offset from UTC, and takes the reading as the reference. After a
    /// tolerated difference the reference stays, so that many small ones add up to a step.
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

// The wall clock.
extension Controller {
    /// The wall clock, read between two readings of the monotonic one.
    private struct Reading {
        var shown: WallTime
        var begin, end: Instant

        var length: Duration { end - begin }
    }

    /// How long a reading may take, which bounds its error, and how often a longer one is repeated.
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

    /// The wall clock's time at `now`. A process held up between the two readings sees a false
    /// step, many times as large on an accelerated gate.
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
    public static var title: String { "clock_watch" }
    public static var blank: ClockWatch { ClockWatch() }

    public func visit(_ fields: inout some FieldVisitor) -> ClockWatch {
        var watch = ClockWatch()
        watch.reading = fields.optional(.reading, reading)
        return watch
    }
}

extension ClockWatch.Event: Composite {
    public static var title: String { "clock_reading" }
    public static var blank: ClockWatch.Event {
        ClockWatch.Event(shown: WallTime(utc: .zero, utcOffset: 0), time: .zero)
    }

    public func visit(_ fields: inout some FieldVisitor) -> ClockWatch.Event {
        let utc = fields.exactDuration(.utc, shown.utc)
        let range = Int64(Int32.min)...Int64(Int32.max)
        let offset = fields.count(.utcOffset, shown.utcOffset, in: range)
        return ClockWatch.Event(
            shown: WallTime(utc: utc, utcOffset: offset), time: fields.instant(.time, time))
    }
}

extension WallTime {
    /// The local time of the week, rounded down to a second.
    var weekTime: WeekTime {
        // The first day of 1970 was a Thursday.
        let thursday = Weekday.thursday.rawValue * 86_400
        return WeekTime(second: Int(utc.components.seconds) + utcOffset + thursday)
    }
}
