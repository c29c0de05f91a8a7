import ArgumentParser
import Drawing
import GateCharts
import GateClient
import StateMachines
import System
import Turnstile

struct Draw: GateCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagram",
        abstract: "Draw the gate's state machines and mark the current states.",
        discussion: """
            It draws one region of the gate, or all of them. Mermaid and DOT are texts for other \
            programs; SVG is a picture for any browser.

            Example: turnstilectl diagram lane --format svg -o lane.svg
            """)

    @Argument(help: "A region of the gate (default: all).")
    var region: RegionWord?
    @Option(help: "Output format.")
    var format = Format.mermaid
    @Flag(help: "Draw without the current state (no connection needed).")
    var noState = false
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Output file (default: standard output).", valueName: "file"))
    var path: String?
    @OptionGroup var gate: GateOptions

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case mermaid, dot, svg
    }

    func validate() throws {
        if gate.json, noState { throw ValidationError("--json asks the gate, --no-state does not") }
    }

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let drawing = GateDrawing(region.map { [$0.region] } ?? GateChart.regions)
        guard !noState else { return deliver(drawing.text(in: format)) }
        let state: GateState
        do throws(GateError) {
            state = try gate.connect().state()
        } catch {
            complain(gate.words(for: error))
            complain("--no-state draws the states without the present one")
            return ExitStatus(error)
        }
        guard !gate.json else {
            out.printJSON(state.told(only: ["States"]))
            return .done
        }
        let marked = drawing.marking(state)
        marked.doubts.forEach(complain)
        return deliver(marked.drawing.text(in: format))
    }

    private func deliver(_ text: String) -> ExitStatus {
        guard let path else {
            printOutput(text)
            return .done
        }
        do throws(SystemError) {
            let file = try OutputFile(at: path, permissions: 0o666)
            try file.write(Array(text.utf8))
            try file.finish()
            return .done
        } catch {
            complain("\(error)")
            return .cannotWrite
        }
    }
}

/// A region that can be drawn, as an argument.
struct RegionWord: ExpressibleByArgument {
    let region: Gate.Region

    init?(argument: String) {
        guard let region = GateChart.regions.first(where: { $0.name == argument }) else {
            return nil
        }
        self.region = region
    }

    static var allValueStrings: [String] { GateChart.regions.map { $0.name } }
}
