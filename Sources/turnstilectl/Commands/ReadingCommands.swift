import ArgumentParser
import Console
import GateClient
import System

struct Status: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what the gate is doing, and why.",
        discussion: "Example: turnstilectl status")

    @OptionGroup var gate: GateOptions

    func perform(_ paper: Paper) throws(GateError) -> ExitStatus {
        let connection = try gate.connect()
        let state = try connection.state()
        if gate.json {
            paper.printJSON(state)
        } else {
            paper.print(StatusPage(state: state, appearance: paper.appearance).lines(at: state.now))
        }
        return .done
    }
}

struct Faults: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the faults and alarms that are up, and what to do about them.",
        discussion: "Example: turnstilectl faults")

    @OptionGroup var gate: GateOptions

    func perform(_ paper: Paper) throws(GateError) -> ExitStatus {
        let connection = try gate.connect()
        let state = try connection.state()
        if gate.json {
            paper.printJSON(state, only: ["Faults", "Alarms"])
        } else {
            paper.print(FaultPage(state: state).lines)
        }
        return .done
    }
}

struct Registers: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what the gate has counted.",
        discussion: """
            Since it was new, and since the coins were collected. docs/policies.md tells what each \
            register counts.

            Example: turnstilectl registers
            """)

    @OptionGroup var gate: GateOptions

    func perform(_ paper: Paper) throws(GateError) -> ExitStatus {
        let connection = try gate.connect()
        let state = try connection.state()
        if gate.json {
            paper.printJSON(state, only: ["Registers", "Collected"])
        } else {
            paper.print(RegisterPage(state: state).lines)
        }
        return .done
    }
}
