import Console
import GateClient
import Hardware
import StateMachines
import System
import Turnstile

struct FollowedLines {
    struct Edge: Hashable {
        var line: Line
        /// Whether it is active, or energised, from then on.
        var isOn: Bool
        /// Whether people are let through then; nil for a line of no way, or if unknown.
        var isReleased: Bool?
        /// When it was, in monotonic time.
        var time: Instant
        /// The duration of the previous level; nil if unknown.
        var since: Duration?
        /// Whether the previous level was a bounce; nil if bounces are filtered.
        var isBounce: Bool?
    }

    let lines: [Line]
    /// The lines' places from the settings.
    let places: [Line: String]
    private var last: [Line: Instant] = [:]

    init(_ lines: [Line], wiring: Wiring?) {
        self.lines = lines
        let inputs = (wiring?.inputs ?? [:]).map { (Line.input($0), $1.line) }
        let outputs = (wiring?.outputs ?? [:]).map { (Line.output($0), $1.line) }
        places = Dictionary(inputs + outputs) { $1 }.mapValues { $0.place }
    }

    /// Takes an edge; nil if its line is not followed. A level that lasts for `bound` is no bounce;
    /// nil if bounces are filtered.
    mutating func take(
        _ line: Line, _ isOn: Bool, isReleased: Bool?, at time: Instant, bound: Duration?
    ) -> Edge? {
        guard lines.contains(line) else { return nil }
        let since = last.updateValue(time, forKey: line).map { time - $0 }
        return Edge(
            line: line, isOn: isOn, isReleased: isReleased, time: time, since: since,
            isBounce: bound.map { bound in since.map { $0 < bound } ?? false })
    }

    /// Edges are missing: the durations of the levels before the next ones are unknown.
    mutating func edgesLost() { last = [:] }

    /// The edge as a line: time, name, level, and the duration of the previous level.
    func line(_ edge: Edge, clockOffset: Duration) -> [Span] {
        let names = lines.map(\.name.count).max() ?? 0
        let room = lines.compactMap { places[$0]?.count }.max() ?? 0
        var cells = [edge.line.name.padded(to: names)]
        if room > 0 { cells.append((places[edge.line] ?? "").padded(to: room)) }
        cells.append(edge.level.padded(to: lines.map(\.longestLevel).max() ?? 0))
        if let since = edge.since { cells.append("after \(since.precise)") }
        let isBounce = edge.isBounce == true
        if isBounce { cells.append("bounce") }
        let time = localTimeOfDay(at: clockOffset + (edge.time - .zero))
        return [
            Span("\(time) ", .faint),
            Span(
                cells.joined(separator: "  "), isBounce ? .yellow : edge.isOn ? .bold : .plain),
        ].trimmed
    }
}

extension FollowedLines.Edge {
    var level: String { line.words(isOn, isReleased: isReleased) }

    var values: [(String, BusValue)] {
        let values: [(String, BusValue?)] = [
            ("time_nsec", .int64(time.nanoseconds)), ("line", .string(line.name)),
            ("level", .boolean(isOn)), ("released", isReleased.map { .boolean($0) }),
            ("since_nsec", since.map { .int64($0.wholeNanoseconds) }),
            ("bounce", isBounce.map { .boolean($0) }),
        ]
        return values.told
    }
}

extension Line {
    /// The level in words; for a way also its meaning, if known.
    func words(_ isOn: Bool, isReleased: Bool? = nil) -> String {
        switch self {
        case .input: return isOn ? "active" : "inactive"
        case .output(let output):
            let level = isOn ? "energised" : "de-energised"
            let way = output.way?.lock ?? output
            let meaning = isReleased.flatMap { way.entry.words.besideName($0) }
            return level + (meaning.map { " (\($0))" } ?? "")
        }
    }

    fileprivate var longestLevel: Int { max(words(true).count, words(false).count) }
}

extension LineSelector {
    /// The line as people find it on its chip.
    fileprivate var place: String {
        switch self {
        case .name(let name): name
        case .offset(let offset): "line \(offset)"
        }
    }
}

extension Duration {
    /// The duration for measurements: `1.25 ms`, `12.34 s`, `5 min`.
    var precise: String {
        let microseconds = max(0, wholeMicroseconds)
        if microseconds < 1_000_000 { return "\(Self.hundredths(microseconds / 10)) ms" }
        return microseconds < 120_000_000
            ? "\(Self.hundredths(microseconds / 10_000)) s" : rounded
    }

    private static func hundredths(_ count: Int64) -> String {
        "\(count / 100).\(count % 100 < 10 ? "0" : "")\(count % 100)"
    }
}
