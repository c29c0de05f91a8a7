public import ArgumentParser
import StateMachines
import System
import Trace
public import TraceExport
import Turnstile

struct TraceExportCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export a trace for viewers, or as an HTML page.",
        discussion: """
            --html is one file for any browser, without a network; --vcd is for GTKWave and \
            PulseView; --perfetto is for ui.perfetto.dev and chrome://tracing; --json has a line \
            for each event. The drawing shows the replay of the events.

            Example: turnstilectl trace export --html --since 06:00 --until 07:00 -o hour.html
            """)

    @Flag(help: "Output format.") var format: ExportFormat
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "Output file (default, or -: standard output).", valueName: "file"),
        completion: .file())
    var output: String?
    @OptionGroup var trace: TraceOptions

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let recording = try trace.read()
        let part = try trace.part(of: recording)
        if let output { try TraceOptions.refuseOwn(output, of: trace.path) }
        // Names of operators are in it.
        let sink = Sink(output, permissions: 0o600)
        let gate = recording.pages[part.pages.lowerBound].header.gate
        let equipment = equipment(of: part, recording)
        var export = format.export(of: gate, with: equipment) { sink.write($0) }
        var before: ReplayedStep?
        var hasBegun = false
        let result = Replay.run(
            recording, pages: part.pages, counting: part.contains
        ) { news in
            if case .item(_, at: let moment) = news {
                before?.energised = moment.energised
                if part.contains(moment.utc) { export.setOutputs(at: moment) }
            }
            guard case .step(let step) = news else { return true }
            let isInPart = part.contains(step.utc)
            guard let replayed = step.replayed else { return true }
            guard isInPart else {
                before = replayed
                return true
            }
            // Another process's state is no beginning of this one.
            if !hasBegun, let before,
                recording.pages[before.place.page].isOfSameStart(
                    as: recording.pages[step.place.page])
            {
                export.begin(at: step.event.time, after: before)
            }
            hasBegun = true
            export.add(replayed)
            return true
        }
        result.reportGaps()
        if !hasBegun {
            throw result.isWhole
                ? trace.nothing(in: recording, part)
                : CommandError("nothing of it can be drawn", .cannotRead)
        }
        export.finish()
        sink.finish()
        return .done
    }

    /// The lines of every start in the export, since a file begins with their names.
    private func equipment(of part: TracePart, _ recording: Recording) -> Equipment {
        var equipment = Equipment(inputs: InputLevels(), outputs: OutputSet())
        for page in recording.pages[part.pages] {
            guard let turnstile = recording.turnstile(at: page) else { continue }
            equipment.formUnion(turnstile.gate.equipment)
        }
        return equipment
    }
}

extension ExportFormat: EnumerableFlag {
    public static func help(for value: ExportFormat) -> ArgumentHelp? {
        switch value {
        case .vcd: "As a value change dump."
        case .perfetto: "As a trace of Perfetto."
        case .json: "As lines of JSON."
        case .html: "As a page of HTML."
        }
    }
}
