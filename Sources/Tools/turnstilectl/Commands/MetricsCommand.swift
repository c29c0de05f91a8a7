import ArgumentParser
import GateClient

struct Metrics: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the gate's metrics for Prometheus.",
        discussion: """
            In Prometheus's text format, for the textfile collector of its node exporter. If the \
            service does not answer, turnstile_up is 0, and nothing else is told.

            Example: turnstilectl metrics -o /var/lib/prometheus/node-exporter/turnstile.prom
            """)

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "Output file, replaced once all of it is written (default: standard output).",
            valueName: "file"),
        completion: .file())
    var file: String?
    @OptionGroup var gate: GateOptions

    func validate() throws {
        if gate.json { throw ValidationError("--json: the metrics have a format of their own") }
    }

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let state: GateState
        do throws(GateError) {
            state = try gate.connect().state()
        } catch {
            if !error.isAnswer { write(.absent, out) }
            throw error
        }
        write(GateMetrics(state), out)
        return .done
    }

    private func write(_ metrics: GateMetrics, _ out: StandardOutput) {
        guard let file, file != "-" else { return out.print(signed: metrics.text) }
        let sink = Sink(file)
        sink.write(metrics.text)
        sink.finish()
    }
}
