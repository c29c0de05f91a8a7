import Console
import Measuring
import Settings
import StateMachines
import System
import Turnstile

struct MeasurementPage {
    let subject: Subject
    /// The measurements, in the order of the subject's inputs.
    let recorder: LineRecorder

    private func trace(_ index: Int) -> LineTrace { recorder[subject.inputs[index]] }

    private var losses: [String] {
        recorder.lost == 0 ? [] : ["\(recorder.lost) edges were lost"]
    }

    var lines: [[Span]] {
        let lines =
            switch subject {
            case .acceptor: page(PulseMeasurement(trace(0)))
            case .sensors: page(RotorMeasurement(a: trace(0), b: trace(1)))
            }
        return (lines + losses.map { "warning: \($0)" }).map { [Span($0)] }
    }

    var object: [(String, BusValue)] {
        let lines = BusValue.strings(subject.inputs.map(\.name))
        let (values, warnings) =
            switch subject {
            case .acceptor: Self.values(PulseMeasurement(trace(0)))
            case .sensors: Self.values(RotorMeasurement(a: trace(0), b: trace(1)))
            }
        return [("lines", lines)] + values + [("warnings", .strings(warnings + losses))]
    }
}

// Coins.
extension MeasurementPage {
    private func page(_ measurement: PulseMeasurement) -> [String] {
        var lines = ["\(measurement.widths.count) pulses, \(measurement.coins.count) coins"]
        for (title, durations) in [
            ("pulses", measurement.widths), ("gaps within a coin", measurement.gaps),
        ] {
            guard let histogram = Histogram(durations) else { continue }
            lines += ["", title] + histogram.lines
        }
        if let bounce = measurement.bounce {
            if bounce.levels > 0 { lines += ["", "it bounces: \(bounce.words)"] }
        } else {
            lines += ["", "whether it bounces: \(Bounce.unknown)"]
        }
        let warnings = measurement.warnings.map { "warning: \($0)" }
        let settings = measurement.settings
        return lines + (warnings.isEmpty ? [] : [""] + warnings)
            + (settings.isEmpty ? [] : ["", "coin:"] + settings.map { "  \($0)" })
    }

    private static func values(
        _ measurement: PulseMeasurement
    ) -> ([(String, BusValue)], warnings: [String]) {
        let pulses: [(String, BusValue?)] = [
            ("widths_nsec", .nanoseconds(measurement.widths)),
            ("gaps_nsec", .nanoseconds(measurement.gaps)),
            ("coins", .array(of: "x", measurement.coins.map { .int64(Int64($0)) })),
        ]
        let settings: [(String, BusValue?)] = [
            ("pulse_width_usec", measurement.pulseWidth.map { .int64($0.wholeMicroseconds) }),
            ("train_quiet_usec", measurement.trainQuiet.map { .int64($0.wholeMicroseconds) }),
        ]
        return ((pulses + measurement.bounce.values + settings).told, measurement.warnings)
    }
}

// Sensors.
extension MeasurementPage {
    private func page(_ measurement: RotorMeasurement) -> [String] {
        let verdict =
            switch measurement.verdict(turned: .entry) {
            case .right: "the sensors are as they are named"
            case .exchanged:
                "the sensors are exchanged, if these were turns inwards: exchange the two lines in "
                    + "the settings"
            case .noTurn: "there was no whole turn"
            case .bothWays: "there were turns both ways: turn it inwards alone"
            }
        let turns = "\(measurement.entries) turns inwards, \(measurement.exits) outwards"
        let warnings = measurement.warnings.map { "warning: \($0)" }
        guard let bounce = measurement.bounce, let debounce = measurement.debounce else {
            return [turns, verdict, "whether they bounce: \(Bounce.unknown)"] + warnings
        }
        let names = subject.inputs.map { "    \($0.name): {debounce: \(debounce.written)}" }
        return [turns, verdict, "they bounce: \(bounce.words)"] + warnings
            + ["", "hardware:", "  inputs:"] + names
    }

    private static func values(
        _ measurement: RotorMeasurement
    ) -> ([(String, BusValue)], warnings: [String]) {
        let turns: [(String, BusValue?)] = [
            ("entries", .int64(Int64(measurement.entries))),
            ("exits", .int64(Int64(measurement.exits))),
            ("verdict", .string(measurement.verdict(turned: .entry).rawValue)),
        ]
        let debounce = measurement.debounce.map { BusValue.int64($0.wholeMicroseconds) }
        let values = turns + measurement.bounce.values + [("debounce_usec", debounce)]
        return (values.told, measurement.warnings)
    }
}

extension Bounce {
    fileprivate static let unknown =
        "not known, since the kernel debounces; stop the service to measure that"

    fileprivate var words: String {
        guard levels > 0 else { return "not at all" }
        return "\(levels) times, for \(longest.written) at most; settled within \(settling.written)"
    }
}

extension Bounce? {
    fileprivate var values: [(String, BusValue?)] {
        [
            ("bounces", map { .int64(Int64($0.levels)) }),
            ("longest_bounce_nsec", map { .int64($0.longest.wholeNanoseconds) }),
        ]
    }
}

extension BusValue {
    fileprivate static func nanoseconds(_ durations: [Duration]) -> BusValue {
        .array(of: "x", durations.map { .int64($0.wholeNanoseconds) })
    }
}
