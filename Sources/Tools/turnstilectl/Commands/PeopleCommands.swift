import ArgumentParser
import GateClient
import StateMachines
import System
import Turnstile

struct Grant: RequestCommand {
    static let configuration = CommandConfiguration(
        abstract: Request.Kind.grant.entry.does,
        discussion: """
            If the gate is in use, the authorisation is queued. A group is authorised as a whole: \
            it is refused if the queue (passage.max_stored) has no room for all of it.

            Examples:
              turnstilectl grant entry --wait --timeout 30s
              turnstilectl grant entry --count 3
            """)

    @Argument(help: "Which way.") var direction: Direction
    @Option(
        help: ArgumentHelp("Let a group of so many people pass.", valueName: "number"))
    var count: Int?
    @OptionGroup var wait: WaitOptions
    @OptionGroup var gate: GateOptions

    var call: GateCall {
        GateCall(count.map { .grantGroup(direction, count: $0) } ?? .grant(direction))
    }
    var waiting: WaitOptions? { wait }
    var substitute: String? {
        count.map { "for each of the \($0) people: turnstilectl grant \(direction)" }
    }
    var remedy: String? {
        "the authorisation is queued; to take it back: turnstilectl withdraw \(direction)"
    }

    func validate() throws {
        guard let count else { return }
        guard (1...Policy.mostStored).contains(count) else {
            throw ValidationError("--count \(count): allowed is 1 to \(Policy.mostStored)")
        }
        if wait.wait { throw ValidationError("--count or --wait: a group is never deferred") }
    }
}

struct Withdraw: RequestCommand {
    static let configuration = CommandConfiguration(
        abstract: Request.Kind.withdraw.entry.does,
        discussion: """
            It withdraws the last queued authorisation for this way or, if none is queued, the one \
            in use before the passenger comes. Paid fares stay.

            Example: turnstilectl withdraw entry
            """)

    @Argument(help: "Which way.") var direction: Direction
    @OptionGroup var gate: GateOptions

    var call: GateCall { GateCall(.withdraw(direction)) }
}

struct TermOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For this long, such as 90s, 5min or 1h30min.", valueName: "time"),
        transform: Length.read)
    var length: Duration?

    @Option(
        help: ArgumentHelp(
            "Until the gate's clock next shows this time, such as 18:00.", valueName: "clock"),
        transform: TimeOfDay.read)
    var until: TimeOfDay?

    /// The end of ``length``, from the moment of the call.
    var end: Instant? { length.map { .zero + $0 } }

    func validate() throws {
        if length != nil, until != nil { throw ValidationError("--for or --until, not both") }
    }

    /// Refuses a time for the return to the schedule.
    func validate(ordinary: Bool) throws {
        if ordinary, length != nil || until != nil {
            throw ValidationError("ordinary is for good: it takes neither --for nor --until")
        }
    }
}

struct SetMode: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "mode", abstract: Request.Kind.setMode.entry.does,
        discussion: """
            It overrides the schedule for that time, or until 'mode ordinary'. It is deferred \
            until the gate is idle.

            Examples:
              turnstilectl mode entry free --for 1h
              turnstilectl mode exit locked --until 18:00
              turnstilectl mode entry ordinary
            """)

    @Argument(help: "Which way.") var direction: Direction
    @Argument(help: "Who may pass; ordinary: as schedule and settings say.")
    var mode: ModeWord
    @OptionGroup var term: TermOptions
    @OptionGroup var wait: WaitOptions
    @OptionGroup var gate: GateOptions

    var call: GateCall {
        if let mode = mode.mode, let clock = term.until {
            return GateCall(.setModeUntil(direction, mode, clock))
        }
        return GateCall(.setMode(direction, mode.mode, until: term.end))
    }
    var waiting: WaitOptions? { wait }

    func validate() throws { try term.validate(ordinary: mode == .ordinary) }
}

struct SetEnforcement: RequestCommand {
    static let configuration = CommandConfiguration(
        commandName: "enforcement", abstract: Request.Kind.setEnforcement.entry.does,
        discussion: """
            Examples:
              turnstilectl enforcement weak --for 30min
              turnstilectl enforcement ordinary
            """)

    @Argument(help: "How strict; ordinary: as schedule and settings say.")
    var enforcement: EnforcementWord
    @OptionGroup var term: TermOptions
    @OptionGroup var wait: WaitOptions
    @OptionGroup var gate: GateOptions

    var call: GateCall {
        if let enforcement = enforcement.enforcement, let clock = term.until {
            return GateCall(.setEnforcementUntil(enforcement, clock))
        }
        return GateCall(.setEnforcement(enforcement.enforcement, until: term.end))
    }
    var waiting: WaitOptions? { wait }

    func validate() throws { try term.validate(ordinary: enforcement == .ordinary) }
}

struct EmergencyCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emergency", abstract: "End an emergency.", subcommands: [Reset.self])

    struct Reset: RequestCommand {
        static let configuration = CommandConfiguration(
            abstract: Request.Kind.resetEmergency.entry.does,
            discussion: """
                Refused unless the settings allow it from afar (remote.emergency_reset), and while \
                the loop is open or the gate is occupied.

                Example: turnstilectl emergency reset
                """)

        @OptionGroup var gate: GateOptions

        var call: GateCall { GateCall(.resetEmergency) }
    }
}
