import ArgumentParser
import GateClient
import StateMachines
import System
import Turnstile

struct SelfTest: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Test one output, or all, in your service mode.",
        discussion: """
            Locks engage meanwhile. With --follow it ends with the test, and with 1 where an \
            output failed or the test was ended before its end.

            Examples:
              turnstilectl self-test --follow
              turnstilectl self-test lamp_go
            """)

    @Argument(help: "The output; all of them where it is left out.") var output: Output?
    @Flag(help: "Print what happens until the test is over.") var follow = false
    @OptionGroup var gate: GateOptions

    func perform(_ paper: Paper) throws(GateError) -> ExitStatus {
        let connection = try gate.connect()
        if follow { try connection.listen() }
        let answer = try connection.ask(.test(output))
        if gate.json { paper.printJSON(answer.values) }
        if case .refused(let refusal) = answer.result {
            complain("refused: \(refusal.sentence) (\(refusal.rawValue))")
        } else if !gate.json {
            paper.print(output.map { "testing \($0.name)" } ?? "testing every output")
        }
        guard follow, answer.result == .done else { return ExitStatus(answer.result) }
        return try followTest(on: connection, paper)
    }

    private func followTest(
        on connection: GateConnection, _ paper: Paper
    ) throws(GateError) -> ExitStatus {
        var status = ExitStatus.done
        while true {
            while let event = try connection.next() {
                switch event {
                case .changed, .line, .ownerChanged(isThere: true): continue
                case .ownerChanged(isThere: false): throw .lost
                case .recordsLost(let count): paper.print(lost: count, json: gate.json)
                case .recorded(let told):
                    paper.print(told, json: gate.json)
                    switch told.record.map(TestStep.init) ?? .other {
                    case .other: continue
                    case .failed: status = .refused
                    case .finished: return status
                    case .aborted: return .refused
                    }
                }
            }
            connection.wait()
        }
    }
}

/// What a record says of a self-test.
private enum TestStep {
    case failed, finished, aborted, other

    init(_ record: Record) {
        self = .other
        if case .selfTestFailed = record { self = .failed }
        if case .selfTestFinished = record { self = .finished }
        if case .selfTestAborted = record { self = .aborted }
    }
}
