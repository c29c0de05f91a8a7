import ArgumentParser
import Console
import GateClient
import System
import Turnstile

struct Acknowledge: RequestCommand {
    static let configuration = CommandConfiguration(
        abstract: Request.Kind.acknowledgeAlarms.entry.does,
        discussion: """
            It prints the alarms that remain active, and how each ends.

            Example: turnstilectl acknowledge
            """)

    @OptionGroup var gate: GateOptions

    var call: GateCall { GateCall(.acknowledgeAlarms) }
    var remainder: String? { "Alarms" }

    func lines(of answer: GateAnswer, in state: GateState) -> [String] {
        let alarms = state.report.alarms.map {
            "still up: \($0.value.caption); \($0.end.words(at: state.now))"
        }
        return alarms.isEmpty ? ["no alarm is up"] : alarms
    }
}

struct Repair: RequestCommand {
    static let configuration = CommandConfiguration(
        abstract: Request.Kind.confirmRepair.entry.does,
        discussion: """
            It ends the faults whose cause is gone, and prints the remaining ones.

            While a fault waits for the key or keeps the gate out of service, it is refused unless \
            the settings allow it (remote.repair), and if it would end none. In an emergency it is \
            refused unless the settings allow that (remote.emergency_reset).

            Example: turnstilectl repair
            """)

    @OptionGroup var gate: GateOptions

    var call: GateCall { GateCall(.confirmRepair) }
    var remainder: String? { "Faults" }

    func lines(of answer: GateAnswer, in state: GateState) -> [String] {
        ["done"] + state.report.faults.map { "still there: \($0.value.caption)" }
    }
}

struct ServiceCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service", abstract: "Begin or end service mode.",
        subcommands: [Begin.self, End.self])

    struct Begin: RequestCommand {
        static let configuration = CommandConfiguration(
            abstract: Request.Kind.beginService.entry.does,
            discussion: """
                It begins once nobody is in the gate and it is released for nobody. Refused unless \
                the settings allow it from afar (remote.service). The mechanic's key ends it.

                Example: turnstilectl service begin --wait
                """)

        @OptionGroup var wait: WaitOptions
        @OptionGroup var gate: GateOptions

        var call: GateCall { GateCall(.beginService) }
        var waiting: WaitOptions? { wait }
    }

    struct End: RequestCommand {
        static let configuration = CommandConfiguration(
            abstract: Request.Kind.endService.entry.does,
            discussion: "Example: turnstilectl service end --wait")

        @OptionGroup var wait: WaitOptions
        @OptionGroup var gate: GateOptions

        var call: GateCall { GateCall(.endService) }
        var waiting: WaitOptions? { wait }
    }
}

struct Reload: RequestCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reload the settings.",
        discussion: """
            It prints the changes and warnings. The new settings are deferred until the gate is \
            idle. If they have mistakes or need a restart, the present ones stay in force.

            Example: turnstilectl reload --wait
            """)

    @OptionGroup var wait: WaitOptions
    @OptionGroup var gate: GateOptions

    var call: GateCall { .reloadSettings }
    var waiting: WaitOptions? { wait }
    var remedy: String? { "the settings take effect as soon as the gate is idle" }
    var substitute: String? {
        "systemctl reload turnstiled has it read its settings (SIGHUP), systemctl restart "
            + "turnstiled starts it with them; the journal says what came of it"
    }

    func lines(of answer: GateAnswer, in state: GateState) -> [String] {
        answer.settings?.changes.isEmpty == true ? ["nothing has changed"] : ["done"]
    }
}
