import ArgumentParser
import Trace

struct TraceCut: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "cut",
        abstract: "Cut a period out of a trace.",
        discussion: """
            The cut begins with the gate's state at that moment and contains the settings in \
            force, so that it can be replayed by itself.

            Example: turnstilectl trace cut --since 06:09 --until 06:12 -o incident.trace
            """)

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Output file (-: standard output).", valueName: "file"),
        completion: .file())
    var output: String
    @OptionGroup var trace: TraceOptions

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let recording = try trace.read()
        let part = try trace.part(of: recording)
        let cut = TraceCutting.cut(of: recording, pages: part.pages, isWanted: part.contains)
        guard let cut else { throw trace.nothing(in: recording, part) }
        try TraceOptions.refuseOwn(output, of: trace.path)
        let sink = Sink(output, permissions: 0o600)
        sink.write(cut.bytes)
        sink.finish()
        cut.replay.reportGaps()
        return .done
    }
}
