import Console
import GateClient
import Hardware
import Ledger
import Settings
import System
import Turnstile

/// The exit codes of the program. The numbers from 64 are those of `sysexits.h`.
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

    var meaning: String {
        switch self {
        case .done: "done"
        case .refused:
            "refused by the gate, a failed expectation of a scenario, a ledger that does not "
                + "verify or add up, a trace that replays differently or incompletely, a question "
                + "that was not answered with yes, or the doctor's warnings; the reason is on "
                + "standard error"
        case .wrong: "the doctor found errors"
        case .deferred: "deferred by the gate, and not waited for, or not for long enough"
        case .recordsMissing:
            "records are missing, since a damaged ledger was set aside; all others verify"
        case .usage: "wrong arguments, or --yes is missing without a terminal"
        case .badScenario: "a scenario has mistakes"
        case .cannotRead: "a file is missing, cannot be read, or has nothing of that time"
        case .unavailable:
            "no bus, no gate on it, the gate left during the call, or it cannot answer now"
        case .unreadable: "this program cannot read the gate's answer"
        case .cannotWrite: "the file cannot be written"
        case .unwritable: "the output cannot be written"
        case .tryAgain:
            "too many calls at once, no answer in time from a running gate, or another process "
                + "uses the ledger"
        case .notAllowed: "you may not ask this"
        case .settingsRefused:
            "the settings have mistakes or need a restart (those in force stay), or have the "
                + "ledger off"
        }
    }

    static var help: String {
        "Exit codes:\n"
            + allCases.map { status in
                "  " + "\(status.rawValue)".padded(to: 4) + status.meaning
            }.joined(separator: "\n")
    }

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

    init(_ errors: SettingsErrors) {
        self = errors.isUnreadable ? .cannotRead : .settingsRefused
    }

    init(_ error: LedgerError) {
        self =
            switch error.remedy {
            case .time: error.isInUse ? .tryAgain : .cannotRead
            case .person: .notAllowed
            case .decision: .refused
            }
    }

    init(_ result: Answer.Result) {
        self =
            switch result {
            case .done: .done
            case .deferred: .deferred
            case .refused: .refused
            }
    }
}

struct CommandError: Error, CustomStringConvertible {
    let description: String
    let status: ExitStatus
    /// What to do about it, appended to the error.
    let advice: String?

    init(_ description: String, _ status: ExitStatus = .refused, advice: String? = nil) {
        (self.description, self.status, self.advice) = (description, status, advice)
    }

    /// The error that a command threw; nil for the parser's own.
    init?(_ error: any Error) {
        switch error {
        case let error as CommandError: self = error
        case let error as GateError: self.init("\(error)", ExitStatus(error))
        case let error as SettingsErrors: self.init("\(error)", ExitStatus(error))
        case let error as SystemError: self.init("\(error)", .cannotRead)
        case let error as TerminalError: self.init("\(error)", .usage)
        case let error as HardwareError:
            let advice =
                error.kind == .busy ? "\nWhere it is the service's: systemctl stop turnstiled" : ""
            self.init("\(error)\(advice)", .unavailable)
        case let error as LedgerError:
            self.init(
                "\(error)", ExitStatus(error),
                advice: error.isInUse
                    ? "where that is the service: systemctl stop turnstiled" : nil)
        default: return nil
        }
    }
}
