import ArgumentParser
import GateClient
import Glibc
import StateMachines
import System
import Turnstile

/// Whether to wait for a deferred request.
struct WaitOptions: ParsableArguments {
    @Flag(help: "If deferred, wait until done or refused.")
    var wait = false

    @Option(
        help: ArgumentHelp("Wait at most this long, such as 90s or 5min.", valueName: "time"),
        transform: Length.read)
    var timeout: Duration?

    func validate() throws {
        if timeout != nil, !wait { throw ValidationError("--timeout goes with --wait") }
    }
}

protocol RequestCommand: GateCommand {
    var call: GateCall { get }
    /// Whether to wait; nil where the gate never puts it off.
    var waiting: WaitOptions? { get }
    /// The advice if the wait ends early.
    var remedy: String? { get }
    /// The gate's property that shows what is still pending after the answer.
    var remainder: String? { get }
    /// The lines to print once it is done, given the gate's state.
    func lines(of answer: GateAnswer, in state: GateState) -> [String]
}

extension RequestCommand {
    var waiting: WaitOptions? { nil }
    var remedy: String? { nil }
    var remainder: String? { nil }
    func lines(of answer: GateAnswer, in state: GateState) -> [String] { ["done"] }

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let connection = try gate.connect()
        let waits = waiting?.wait ?? false
        if waits { try connection.listen() }
        let end = waiting?.timeout.map { MonotonicTimer.now + $0 }
        let answer = try connection.ask(
            call, within: min(GateConnection.patience, waiting?.timeout ?? GateConnection.patience))
        let isTold = answer.result == .done && (!gate.json || remainder != nil)
        let state = isTold ? try? connection.state() : nil
        if gate.json { out.printJSON(answer.values + pendingState(in: state)) }
        if !answer.isDurable {
            complain("warning: not yet durable; a power failure may lose it")
        }
        if let settings = answer.settings { printNews(of: settings, out) }
        guard answer.result == .deferred, waits else {
            guard !gate.json, let state else { return report(answer.result, out) }
            for line in lines(of: answer, in: state) { out.print(line) }
            return .done
        }
        if !gate.json { out.print("deferred until the gate allows it; waiting") }
        let outcome = try connection.outcome(of: call, answer, for: geteuid(), until: end)
        switch outcome {
        case .done: return reportLate(.done, out)
        case .refused(let refusal): return reportLate(.refused(refusal), out)
        case .dropped:
            if gate.json { out.printJSON([("result", .string("dropped"))]) }
            complain("void: withdrawn, or the gate was closed")
            return .refused
        case nil:
            complain("timed out; the request is still pending")
            if let remedy { complain(remedy) }
            return .deferred
        }
    }

    /// The pending state, in the form of the bus.
    private func pendingState(in state: GateState?) -> [(String, BusValue)] {
        (state?.values ?? []).filter { $0.name == remainder }.map { ($0.name, $0.value) }
    }

    private func printNews(of settings: GateAnswer.SettingsNews, _ out: StandardOutput) {
        for warning in settings.warnings { complain(warning) }
        if !gate.json { for change in settings.changes { out.print(change) } }
    }

    private func reportLate(_ result: Answer.Result, _ out: StandardOutput) -> ExitStatus {
        if gate.json { out.printJSON(GateAnswer.values(of: result)) }
        return report(result, out)
    }

    private func report(_ result: Answer.Result, _ out: StandardOutput) -> ExitStatus {
        switch result {
        case .done: if !gate.json { out.print("done") }
        case .deferred:
            if !gate.json { out.print("deferred until the gate allows it") }
        case .refused(let refusal):
            complain(refusal.words)
        }
        return ExitStatus(result)
    }
}

extension Refusal {
    var words: String { "refused: \(sentence) (\(rawValue))" }
}
