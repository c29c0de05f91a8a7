import ArgumentParser
import System

struct Turnstilectl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "turnstilectl",
        abstract: "Shows and operates a turnstile.",
        discussion: """
            It talks to the service turnstiled over D-Bus. Root and members of the group turnstile \
            may make requests.

            Examples:
              turnstilectl status
              turnstilectl grant entry --wait
              turnstilectl mode entry free --until 18:00

            \(ExitStatus.help)
            """,
        version: "turnstilectl \(programVersion)",
        groupedSubcommands: [
            CommandGroup(
                name: "Reading",
                subcommands: [
                    Status.self, Watch.self, Records.self, Faults.self, Registers.self,
                    Metrics.self, Draw.self,
                ]),
            CommandGroup(
                name: "People",
                subcommands: [
                    Grant.self, Withdraw.self, SetMode.self, SetEnforcement.self,
                    EmergencyCommands.self,
                ]),
            CommandGroup(
                name: "Machine",
                subcommands: [
                    Acknowledge.self, Repair.self, ServiceCommands.self, SelfTest.self,
                    Reload.self,
                ]),
            CommandGroup(
                name: "Ledger",
                subcommands: [ReportCommand.self, Collect.self, LedgerCommands.self]),
            CommandGroup(
                name: "Installation",
                subcommands: [Examine.self, SettingsCommands.self, LineCommands.self]),
            CommandGroup(
                name: "Incidents", subcommands: [TraceCommands.self, DiagnosticsCommand.self]),
            CommandGroup(name: "Simulation", subcommands: [SimulateCommands.self]),
        ])
}
