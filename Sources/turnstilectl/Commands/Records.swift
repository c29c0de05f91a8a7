import ArgumentParser
import Console
import GateClient
import System

struct Records: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what the gate records, as it happens.",
        discussion: """
            Without --follow it prints the command that shows what was recorded before: the \
            journal has that, and the gate does not tell it again.

            Example: turnstilectl records --follow
            """)

    @Flag(name: .shortAndLong, help: "Print each record as it is made, until it is interrupted.")
    var follow = false
    @OptionGroup var gate: GateOptions

    /// What shows the records of the past.
    static let journal = "journalctl _SYSTEMD_UNIT=turnstiled.service"

    func perform(_ paper: Paper) throws(GateError) -> ExitStatus {
        guard follow else {
            if gate.json {
                paper.printJSON([("command", .string("\(Self.journal) --output=json"))])
            } else {
                paper.print(Self.journal)
            }
            return .done
        }
        let connection = try gate.connect()
        try connection.listen()
        // Is there anybody to listen to?
        _ = try connection.state()
        while true {
            while let event = try connection.next() {
                switch event {
                case .recorded(let told): paper.print(told, json: gate.json)
                case .recordsLost(let count): paper.print(lost: count, json: gate.json)
                case .changed, .line, .ownerChanged(isThere: true): continue
                case .ownerChanged(isThere: false):
                    complain("the gate's service has gone away; waiting for it")
                }
            }
            connection.wait()
        }
    }
}
