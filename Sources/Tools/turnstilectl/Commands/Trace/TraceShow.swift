import ArgumentParser
import Trace
import Turnstile

struct TraceShow: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show events, transitions, commands and records in order.",
        discussion: """
            Each event is a line with the gate's local time; below it are the transitions of the \
            gate's regions (↪), the commands to outputs (→), and the records (•). Changed settings \
            are listed. With --shell it includes the machines that watch lines, outputs, ledger \
            and clock.

            Example: turnstilectl trace show --since 06:09 --until 06:12
            """)

    @Flag(help: "Include the shell's machines.") var shell = false
    @OptionGroup var trace: TraceOptions

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let recording = try trace.read()
        let part = try trace.part(of: recording)
        var lines = TraceLines(out.appearance, showsShell: shell)
        var hasTold = false
        let result = Replay.run(recording, pages: part.pages, counting: part.contains) { news in
            let told = lines.lines(of: news, in: recording, isWanted: part.contains)
            if !told.isEmpty {
                out.print(told)
                hasTold = true
            }
            return true
        }
        result.reportGaps()
        if !hasTold { throw trace.nothing(in: recording, part) }
        return .done
    }
}

extension Replay.Result {
    func reportGaps() { for text in gapTexts { complain(text) } }

    /// The gaps of a recording.
    var gapTexts: [String] {
        var texts: [String] = []
        if lost > 0 { texts.append("\(counted(lost, "step")) missing: not recorded") }
        if gaps > 0 { texts.append("something is missing in \(counted(gaps, "place"))") }
        if unfinished > 0 {
            texts.append(
                "\(counted(unfinished, "start")) of the service without a stop at its end: what "
                    + "came last may be missing")
        }
        if eventsWithoutState > 0 {
            texts.append(
                "\(counted(eventsWithoutState, "event")) not replayed: the state before is not "
                    + "known here")
        }
        texts += endings.map { ending in
            "\(ending.path): byte \(ending.offset): \(ending.reason); what follows it is missing "
                + "up to the next state of the gate"
        }
        return texts + unknown.sorted().map { "'\($0)' is unknown to this version" }
    }
}
