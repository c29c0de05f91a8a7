import Daemon
import Glibc
import Ledger
import Settings
import System

/// The commands on the ledger.
enum LedgerCommand {
    /// Verify it.
    case check
    /// Accept a ledger that the service refuses.
    case accept

    /// Applies to the settings' ledger; returns the exit code.
    func run(_ settings: Settings, _ folders: Folders) -> CInt {
        guard let path = folders.ledger(settings.ledger) else {
            printError("there is no ledger: 'ledger.path' is off")
            return EX_CONFIG
        }
        let keeper = LedgerKeeper(path: path, gate: settings.gate, bootID: bootID())
        do throws(LedgerError) {
            switch self {
            case .check:
                let verdict = try keeper.check()
                let remarks = [verdict.flaw].compactMap(\.self) + verdict.reservations
                for remark in remarks { printError("\(path): \(remark)".onOneLine) }
                if verdict.missing != nil { return LedgerVerification.recordsAreMissing }
                print("\(path): all is accounted for")
            case .accept: print("\(path): \(try keeper.accept())")
            }
            return EX_OK
        } catch {
            printError("\(error)")
            return EXIT_FAILURE
        }
    }
}
