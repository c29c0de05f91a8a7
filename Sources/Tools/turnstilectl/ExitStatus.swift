import GateClient
import Settings
import Turnstile

/// What the program ends with. The numbers from 64 are those of `sysexits.h`.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case refused = 1
    case wrong = 2
    case deferred = 3
    case recordsMissing = 4
    case usage = 64
    case badScenario = 65
    case cannotRead = 66
    case unavailable = 69
    case unreadable = 70
    case cannotWrite = 73
    case unwritable = 74
    case tryAgain = 75
    case notAllowed = 77
    case settingsRefused = 78

    /// What it means.
    var meaning: String {
        switch self {
        case .done: "done"
        case .refused:
            "refused by the gate, not as a scenario expects, a ledger that is not in order, a "
                + "trace that was decided otherwise or cannot be replayed as a whole, "
                + "nothing written since nobody said yes, or the doctor's warnings; the reason is "
                + "on standard error"
        case .wrong: "the doctor found what is wrong"
        case .deferred: "put off by the gate, and not waited for, or not for long enough"
        case .recordsMissing:
            "records are missing, since a ledger that was damaged was set aside; all others verify"
        case .usage: "wrong arguments"
        case .badScenario: "a scenario has mistakes"
        case .cannotRead: "a file is not there, cannot be read, or has nothing of that time"
        case .unavailable:
            "no bus, no gate on it, one that went away while it was asked, or the gate cannot be "
                + "asked now"
        case .unreadable: "the gate says what this program cannot read"
        case .cannotWrite: "the file cannot be written"
        case .unwritable: "what it has to tell cannot be written"
        case .tryAgain:
            "too much was asked at once, a gate that is there did not answer in time, or another "
                + "process has the ledger"
        case .notAllowed: "you may not ask this"
        case .settingsRefused:
            "the settings have mistakes or need a restart, and those in force stay, or say that "
                + "there is no ledger"
        }
    }

    /// All of them, for the help.
    static var help: String {
        "Exit codes:\n"
            + allCases.map { status in
                let code = "\(status.rawValue)"
                let padding = String(repeating: " ", count: 4 - code.count)
                return "  \(code)\(padding)\(status.meaning)"
            }.joined(separator: "\n")
    }

    /// The one for what went wrong.
    init(_ error: GateError) {
        self =
            switch error {
            case .noBus, .busLost, .noGate, .lost, .unavailable: .unavailable
            case .noAnswer, .busy: .tryAgain
            case .notAllowed: .notAllowed
            case .settingsRefused: .settingsRefused
            case .refusedArguments: .usage
            case .olderService, .unreadable: .unreadable
            }
    }

    /// The one for what is wrong with a file of settings.
    init(_ errors: SettingsErrors) {
        self = errors.isUnreadable ? .cannotRead : .settingsRefused
    }

    /// The one for what the gate answered.
    init(_ result: Answer.Result) {
        self =
            switch result {
            case .done: .done
            case .deferred: .deferred
            case .refused: .refused
            }
    }
}

/// Why a command is not done, and what the program ends with.
struct CommandError: Error, CustomStringConvertible {
    let description: String
    let status: ExitStatus

    init(_ description: String, _ status: ExitStatus = .refused) {
        (self.description, self.status) = (description, status)
    }

    init(_ error: GateError) { self.init("\(error)", ExitStatus(error)) }
}
