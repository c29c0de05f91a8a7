import ArgumentParser
import Audit
import Console
import GateClient
import Settings
import System

struct Status: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the gate's state.",
        discussion: "Example: turnstilectl status")

    @OptionGroup var gate: GateOptions

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let state = try gate.connect().state()
        let page = StatusPage(
            state: state, appearance: out.appearance,
            vaultCapacity: json ? nil : state.settings()?.vaultCapacity)
        out.print(state.told(), or: page.lines(at: state.now))
        printRecords(of: state, out)
        return .done
    }

    /// The last records in this machine's journal, if it has them and may be read.
    private func printRecords(of state: GateState, _ out: StandardOutput) {
        // A bus at another address may be another machine's.
        guard !gate.json, !state.isSimulated, gate.bus == .system,
            environmentVariable("DBUS_SYSTEM_BUS_ADDRESS") == nil
        else { return }
        let (clock, now) = (LocalClock.system, SystemWallClock.utc)
        let entries = KeptRecords.newest(5, since: now - .seconds(86_400))
        var page = KeptRecords(clock, today: clock.day(at: now), out.appearance)
        let lines = entries.flatMap { page.lines(of: $0) }
        if !lines.isEmpty { out.print([[], [Span("recorded last", .faint)]] + lines) }
    }
}

struct Faults: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show active faults and alarms, and what to do.",
        discussion: "Example: turnstilectl faults")

    @OptionGroup var gate: GateOptions

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        try show(only: ["Faults", "Alarms"], out) { FaultPage(state: $0).lines }
    }
}

struct Registers: GateCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the registers.",
        discussion: """
            Since the installation, and since the last collection. docs/policies.md explains each \
            register.

            Example: turnstilectl registers
            """)

    @OptionGroup var gate: GateOptions

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        try show(only: ["Registers", "Collected"], out) { RegisterPage(state: $0).lines }
    }
}
