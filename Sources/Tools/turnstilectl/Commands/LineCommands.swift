import ArgumentParser
import Console
import GPIOHardware
import GateClient
import Hardware
import Settings
import System
import Turnstile

struct LineCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines",
        abstract: "Show, drive and measure the gate's lines.",
        subcommands: [ShowLines.self, DriveOutput.self, Measure.self],
        defaultSubcommand: ShowLines.self)
}

struct ShowLines: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show each line: role, chip and offset, level, consumer.",
        discussion: """
            The service reports the level of its lines and their number of edges. Run it as root: \
            otherwise the chips cannot be opened, and the positions of the lines are missing. \
            Without --settings it shows the lines of the service's settings.

            With --follow it prints each edge until interrupted: from the service or, if none \
            runs, from the inputs themselves, as root.

            Examples:
              sudo turnstilectl lines
              turnstilectl lines --follow rotor_a rotor_b
            """)

    @Argument(
        help: "The lines (default: all).",
        completion: .list(Line.allValueStrings))
    var lines: [Line] = []
    @Flag(name: .shortAndLong, help: "Print each edge as it happens.")
    var follow = false
    @Option(help: ArgumentHelp("Stop after this many edges.", valueName: "number"))
    var count: Int?
    @OptionGroup var settings: SettingsOptions
    @OptionGroup var gate: GateOptions

    var json: Bool { gate.json }

    func validate() throws {
        if count != nil, !follow { throw ValidationError("--count goes with --follow") }
        if let count, count < 1 { throw ValidationError("--count: at least 1") }
    }

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        if follow {
            try printEdges(out)
            return .done
        }
        let state = try? gate.connect().state()
        let wiring = try settings.load(of: state?.settingsPath).wiring
        let survey = LineSurvey(of: wiring)
        let page = LinePage(
            wiring: wiring, survey: survey, only: lines, levels: state?.isActive ?? [:],
            outputs: state?.report.outputs ?? [], edges: state?.edges)
        if json {
            for object in page.objects { out.printJSON(object) }
        } else {
            out.print(page.lines)
        }
        return .done
    }

    private func printEdges(_ out: StandardOutput) throws {
        let source = try gate.edges(of: lines, settings, goesOn: true)
        let path = (source as? GateEdges)?.settingsPath
        let wiring = try? Settings.load(path: settings.path(of: path)).wiring
        var followed = FollowedLines(source.lines, wiring: wiring)
        source.introduce()
        var left = count ?? .max
        while left > 0 {
            try source.take { news in
                guard left > 0 else { return }
                switch news {
                case .edge(let line, let isOn, let time):
                    let bound = source.bound(of: line)
                    var isReleased: Bool?
                    if case .output(let output) = line {
                        isReleased = source.isReleased(by: output)
                    }
                    let taken = followed.take(
                        line, isOn, isReleased: isReleased, at: time, bound: bound)
                    guard let edge = taken else { return }
                    left -= 1
                    out.print(
                        edge.values,
                        or: [followed.line(edge, clockOffset: SystemWallClock.offset)])
                case .lost(let count):
                    followed.edgesLost()
                    // A missing service was already reported.
                    guard count > 0 else { return }
                    out.print(
                        [("lost", .uint64(count))], or: "\(count) edges were lost", .yellow)
                }
            }
            if left > 0 { source.wait(until: nil, or: []) }
        }
    }
}

struct LinePage {
    let wiring: Wiring
    let survey: LineSurvey
    /// The lines to show; all if empty.
    let only: [Line]
    /// The levels that the service reports.
    let levels: [String: Bool]
    let outputs: [StatusReport.OutputReport]
    /// How often each has changed, where the service says so.
    let edges: [String: Int64]?

    private struct Row {
        var line: Line
        /// Its place; nil if unknown.
        var place: String?
        var problem: String?
        var level: Bool?
        /// The service's report on it, for a lock or the arm.
        var way: StatusReport.OutputReport?
        var edges: Int64?
        var isActiveLow: Bool
        var bias: String?
        var holder: String?
    }

    private var rows: [Row] {
        let lines = only.isEmpty ? Line.words : only
        return lines.compactMap { line in
            switch line {
            case .input(let input):
                wiring.inputs[input].map { row(line, $0.activeLow, bias: $0.bias.rawValue) }
            case .output(let output):
                wiring.outputs[output].map { row(line, $0.activeLow, bias: nil) }
            }
        }
    }

    private func row(_ line: Line, _ isActiveLow: Bool, bias: String?) -> Row {
        var row = Row(
            line: line, level: levels[line.description],
            edges: edges.map { $0[line.description] ?? 0 }, isActiveLow: isActiveLow, bias: bias)
        if case .output(let output) = line {
            row.way = outputs.first { $0.output == output && $0.isReleased != nil }
        }
        switch survey.lines[line] {
        case .success(let found)?:
            row.place = found.description
            row.holder = found.holder
        case .failure(let error)?: row.problem = error.description
        case nil: row.problem = "not there"
        }
        return row
    }

    var lines: [[Span]] {
        let counts = edges == nil ? [] : ["edges"]
        var table = Table(
            columns: [.left, .left] + counts.map { _ in .right } + [.left, .left, .left, .left])
        let titles = ["role", "level"] + counts + ["active", "bias", "held by", "line"]
        table.rows = [titles.map { [Span($0, .faint)] }]
        for row in rows {
            let level = row.level.map { row.line.words($0, isReleased: row.way?.isReleased) }
            let cells = [
                row.line.name, level ?? "-", row.edges.map { "\($0)" },
                row.isActiveLow ? "low" : "high",
                row.bias ?? "-", row.holder.map { $0.isEmpty ? "somebody" : $0 } ?? "-",
                row.place ?? row.problem,
            ]
            let style: Style = row.level == true ? .bold : .plain
            table.rows.append(cells.compactMap { $0 }.map { [Span($0, style)] })
        }
        return table.lines
    }

    var objects: [[(String, BusValue)]] {
        rows.map { row in
            let object: [(String, BusValue?)] = [
                ("role", .string(row.line.name)), ("active_low", .boolean(row.isActiveLow)),
                ("line", row.place.map { .string($0) }),
                ("problem", row.problem.map { .string($0) }),
                ("level", row.level.map { .boolean($0) }),
                ("released", row.way?.isReleased.map { .boolean($0) }),
                ("edges", row.edges.map { .int64($0) }), ("bias", row.bias.map { .string($0) }),
                ("holder", row.holder.map { .string($0) }),
            ]
            return object.told
        }
    }
}
