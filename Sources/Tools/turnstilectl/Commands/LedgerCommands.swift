import ArgumentParser
import Ledger
import Settings

struct LedgerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Ledger file (default: the gate's own).", valueName: "file"),
        completion: .file())
    var ledger: String?
    @OptionGroup var settings: SettingsOptions

    func path() throws -> String {
        if let ledger { return ledger }
        guard let path = try settings.load().ledger else {
            throw CommandError("there is no ledger: 'ledger.path' is off", .settingsRefused)
        }
        return path
    }

    func gate() throws -> String { try settings.load().gate }
}

struct LedgerCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Verify, read, back up and restore the ledger.",
        discussion: """
            Root and members of the group turnstile-audit can read the ledger while the service \
            runs; a copy can be read anywhere.
            """,
        subcommands: [
            Verify.self, PrintKey.self, Slips.self, LedgerExport.self, Backup.self, Restore.self,
        ])
}
