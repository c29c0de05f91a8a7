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
        abstract: "Show the lines of the gate, drive one, and measure what they do.",
        subcommands: [ShowLines.self, DriveOutput.self, Measure.self],
        defaultSubcommand: ShowLines.self)
}

struct ShowLines: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show every line: its role, where it is, what it carries, who has it.",
        discussion: """
            What a line carries is told by the service that has it. Run it as root: who may not \
            open the chips does not see where the lines are.

            Example: sudo turnstilectl lines
            """)

    @OptionGroup var settings: SettingsOptions
    @OptionGroup var gate: GateOptions

    func run() throws {
        let wiring = try settings.wiring()
        let survey = LineSurvey(of: wiring, readsInputs: false)
        let levels = (try? gate.connect().state().levels) ?? []
        let page = LinePage(
            wiring: wiring, survey: survey,
            levels: Dictionary(levels.map { ($0.line, $0.isActive) }) { $1 })
        if gate.json {
            for object in page.objects { gate.paper.printJSON(object) }
        } else {
            gate.paper.print(page.lines)
        }
    }
}

extension SettingsOptions {
    /// How the gate is wired, by the file.
    func wiring() throws -> Wiring {
        do throws(SettingsErrors) {
            return try Settings.load(path: path).wiring
        } catch {
            complain("\(error)")
            throw ExitCode(ExitStatus.settingsRefused.rawValue)
        }
    }
}

/// The lines as a table.
struct LinePage {
    let wiring: Wiring
    let survey: LineSurvey
    /// What the service says of them.
    let levels: [String: Bool]

    /// One line of a gate.
    private struct Row {
        var role: String
        var place: String
        var level: Bool?
        var isActiveLow: Bool
        var bias: String?
        var holder: String?
    }

    private var rows: [Row] {
        let inputs = Input.words.compactMap { input in
            wiring.inputs[input].map { line in
                row(.input(input), line.activeLow, bias: line.bias.rawValue)
            }
        }
        let outputs = Output.words.compactMap { output in
            wiring.outputs[output].map { row(.output(output), $0.activeLow, bias: nil) }
        }
        return inputs + outputs
    }

    private func row(_ line: Line, _ isActiveLow: Bool, bias: String?) -> Row {
        var row = Row(
            role: line.description, place: "not there", level: levels[line.description],
            isActiveLow: isActiveLow, bias: bias)
        switch survey.lines[line] {
        case .success(let found)?:
            row.place = found.description
            row.holder = found.holder
        case .failure(let error)?: row.place = error.description
        case nil: break
        }
        return row
    }

    /// The table.
    var lines: [[Span]] {
        var table = Table(columns: [.left, .left, .left, .left, .left, .left])
        let titles = ["role", "level", "active", "bias", "held by", "line"]
        table.rows = [titles.map { [Span($0, .faint)] }]
        for row in rows {
            let level = row.level.map { $0 ? "on" : "off" } ?? "-"
            table.rows.append(
                [
                    row.role, level, row.isActiveLow ? "low" : "high", row.bias ?? "-",
                    row.holder.map { $0.isEmpty ? "somebody" : $0 } ?? "-", row.place,
                ].map { [Span($0, row.level == true ? .bold : .plain)] })
        }
        return table.lines
    }

    /// An object of JSON for each.
    var objects: [[(String, BusValue)]] {
        rows.map { row in
            var object: [(String, BusValue)] = [
                ("role", .string(row.role)), ("line", .string(row.place)),
                ("active_low", .boolean(row.isActiveLow)),
            ]
            if let level = row.level { object.append(("level", .boolean(level))) }
            if let bias = row.bias { object.append(("bias", .string(bias))) }
            if let holder = row.holder { object.append(("holder", .string(holder))) }
            return object
        }
    }
}
