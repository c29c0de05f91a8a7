import ArgumentParser
import GateClient
import Glibc
import StateMachines
import System
import Turnstile

struct SelfTest: Driving {
    static let configuration = CommandConfiguration(
        abstract: Request.Kind.selfTest.entry.does,
        discussion: """
            Locks engage meanwhile. Every output is driven: a drop arm drops, and the gate may be \
            out of service until it is raised again (F4). With --wait the command ends with the \
            test, with exit code 1 if an output failed or the test was aborted. To drive one \
            output: turnstilectl lines drive.

            Example: turnstilectl self-test --wait
            """)

    @Flag(help: "Follow the test until it ends.") var wait = false
    @OptionGroup var gate: GateOptions

    var call: GateCall { GateCall(.selfTest) }
    var announcement: String { "testing every output" }
}

struct DriveOutput: Driving {
    static let configuration = CommandConfiguration(
        commandName: "drive",
        abstract: Request.Kind.test.entry.does,
        discussion: """
            All other outputs are off meanwhile, and locks engage. The output is driven for a \
            second, or for the time of --for: five minutes at most, and no longer than its max_on. \
            A lock is open for no longer than half of its max_on, earlier drives without a break \
            included; with two coils, of that of the holding coil. It ends at once when the arm \
            moves or service mode ends. With --wait the command ends with the test, with exit \
            code 1 if the output failed or the test was aborted.

            Examples:
              turnstilectl service begin --wait
              turnstilectl lines drive lamp_go --for 10s --wait
            """)

    @Argument(help: "The output.") var output: Output
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For this long, such as 5s or 2min.", valueName: "time"),
        transform: Length.read)
    var length: Duration?
    @Flag(help: "Follow it until it ends.") var wait = false
    @OptionGroup var gate: GateOptions

    var call: GateCall { GateCall(.test(output, for: length)) }
    var announcement: String { "driving \(output.name)" }
}

/// A command that has outputs driven, which takes a while.
protocol Driving: GateCommand {
    var call: GateCall { get }
    var announcement: String { get }
    var wait: Bool { get }
}

extension Driving {
    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let connection = try gate.connect()
        if wait { try connection.listen() }
        let answer = try connection.ask(call)
        if gate.json { out.printJSON(answer.values) }
        if case .refused(let refusal) = answer.result {
            complain(refusal.words)
            if refusal == .noService {
                complain(
                    "take the gate first: turnstilectl service begin --wait (refused with "
                        + "not_from_afar where the settings leave that to the mechanic's key)")
            }
        } else if !gate.json {
            out.print(announcement)
        }
        guard wait, answer.result == .done else { return ExitStatus(answer.result) }
        return try follow(on: connection, out)
    }

    /// Prints the records from the beginning to the end of the test.
    private func follow(
        on connection: GateConnection, _ out: StandardOutput
    ) throws(GateError) -> ExitStatus {
        var status = ExitStatus.done
        var hasBegun = false
        while true {
            while let event = try connection.next() {
                switch event {
                case .changed, .line, .ownerChanged(isThere: true): continue
                case .ownerChanged(isThere: false): throw .lost
                case .recordsLost(let count):
                    out.print(lost: count)
                    hasBegun = true
                case .recorded(let told):
                    let step = told.record.map { TestStep($0, of: call) } ?? .other
                    // Before its beginning there may be the end of a test that it replaces.
                    guard hasBegun else {
                        hasBegun = step == .begun
                        continue
                    }
                    out.print(told)
                    switch step {
                    case .begun, .other: continue
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

private enum TestStep {
    case begun, failed, finished, aborted, other

    init(_ record: Record, of call: GateCall) {
        self = .other
        if case .done(call.kind, by: .person(let person)) = record, person.number == geteuid() {
            self = .begun
        }
        if case .selfTestFailed = record { self = .failed }
        if case .selfTestFinished = record { self = .finished }
        if case .selfTestAborted = record { self = .aborted }
    }
}
