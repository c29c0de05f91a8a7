import ArgumentParser
import Console
import Ledger
import System
import Turnstile

/// A command about the gate's ledger or a copy, the `file`.
protocol ReadingCommand: Subcommand {
    var file: String? { get }
    var place: LedgerOptions { get }
}

extension ReadingCommand {
    func validate() throws {
        if file != nil, place.ledger != nil {
            throw ValidationError("a file or --ledger, not both")
        }
    }

    func path() throws -> String { try file ?? place.path() }
}

extension LedgerCommands {
    struct PrintKey: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "key", abstract: "Print the ledger's public key.",
            discussion: """
                One line. Keep it out of reach of those who can change the ledger.

                Example: turnstilectl ledger key
                """)

        @Argument(help: "A copy of the ledger (default: the gate's own).", completion: .file())
        var file: String?
        @OptionGroup var place: LedgerOptions

        func perform(_ out: StandardOutput) throws -> ExitStatus {
            guard let key = try LedgerReader(path: path()).open().key else {
                throw CommandError(
                    "it is of an earlier version, and has no key: start the service once")
            }
            out.print(signed: "\(key)\n")
            return .done
        }
    }

    struct Slips: ReadingCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the checkpoints that are kept permanently.",
            discussion: """
                There is one for each day, each collection, each count, and each restart of the \
                chain of records.

                Example: turnstilectl ledger slips
                """)

        @Argument(help: "A copy of the ledger (default: the gate's own).", completion: .file())
        var file: String?
        @OptionGroup var place: LedgerOptions

        func perform(_ out: StandardOutput) throws -> ExitStatus {
            for kept in try LedgerReader(path: path()).open().checkpoints(keptForGood: true) {
                out.print(signed: "\(kept.signed.note.description)\n")
            }
            return .done
        }
    }

    struct Backup: Subcommand {
        static let configuration = CommandConfiguration(
            abstract: "Back up the ledger while the service runs.",
            discussion: """
                The backup is made in a private folder next to the target, overwrites no file, and \
                contains no private key. Its last checkpoint is printed: keep it elsewhere to \
                prove later that the backup is unchanged.

                Example: turnstilectl ledger backup /media/usb/ledger.db
                """)

        @Argument(help: "The backup file to write.", completion: .file()) var file: String
        @OptionGroup var place: LedgerOptions

        func perform(_ out: StandardOutput) throws -> ExitStatus {
            let reader = LedgerReader(path: try place.path())
            // Distinguishes read errors from write errors.
            _ = try reader.open()
            do throws(LedgerError) {
                if let last = try reader.backUp(to: file) {
                    out.print(signed: last.note.description)
                }
                return .done
            } catch {
                guard error.remedy == .time else { throw error }
                throw CommandError("\(error)", .cannotWrite)
            }
        }
    }

    struct Restore: Subcommand {
        static let configuration = CommandConfiguration(
            abstract: "Restore a backup while the service is stopped.",
            discussion: """
                The backup is verified first. The present ledger is set aside, and records since \
                the backup are lost; the restored ledger has a record of that.

                Examples:
                  sudo turnstilectl ledger restore /media/usb/ledger.db
                  sudo turnstilectl ledger restore /media/usb/ledger.db --key gate.key
                """)

        @Argument(help: "The backup.", completion: .file()) var file: String
        @OptionGroup var evidence: EvidenceOptions
        @Flag(help: "Accept a backup made before the gate was renamed.")
        var gateRenamed = false
        @OptionGroup var place: LedgerOptions

        func perform(_ out: StandardOutput) throws -> ExitStatus {
            let path = try place.path()
            let keeper = LedgerKeeper(path: path, gate: try place.gate(), bootID: bootID())
            let done = try keeper.restore(
                file, verifiedBy: evidence.verification(), takesOtherGates: gateRenamed)
            out.print("\(path): \(file) is in its place now")
            if let aside = done.aside { out.print("the previous ledger is in \(aside)") }
            for line in done.remarks { complain(line) }
            return .done
        }
    }
}

extension LedgerKeeper.Restoration {
    /// What is lost or changed by restoring this copy.
    fileprivate var remarks: [String] {
        var remarks: [String] = []
        if let lost, lost > 0 {
            let records = counted(lost, "record")
            remarks.append(
                wasAnother
                    ? "it replaces another ledger, which had \(records)"
                    : "lost since the copy was made: \(records)")
        }
        switch keepsKey {
        case true?: break
        case false?:
            remarks.append(
                "the key beside it is another one than the copy was signed with: the service "
                    + "says so, and signs with that one from its next start on")
        case nil:
            remarks.append(
                "there is no key beside it: put it there, or the service makes a new one, unless "
                    + "it is given one as a credential")
        }
        return remarks
    }
}
