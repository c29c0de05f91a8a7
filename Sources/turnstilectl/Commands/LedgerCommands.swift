import ArgumentParser
import Ledger
import Settings

/// Where the ledger is.
struct LedgerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A ledger elsewhere; without, the gate's own.", valueName: "file"),
        completion: .file())
    var ledger: String?
    @OptionGroup var settings: SettingsOptions

    /// Where it is; ends the program where the settings do not say.
    func path() throws -> String {
        if let ledger { return ledger }
        let settings: Settings
        do throws(SettingsErrors) {
            settings = try Settings.load(path: self.settings.path)
        } catch {
            complain("\(error)")
            throw ExitCode(ExitStatus(error).rawValue)
        }
        guard let path = settings.ledger else {
            complain("there is no ledger: 'ledger.path' is off")
            throw ExitCode(ExitStatus.cannotRead.rawValue)
        }
        return path
    }
}

struct LedgerCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "Read the ledger of money and passages.",
        subcommands: [LedgerExport.self])

    func run() throws { throw ValidationError("say which: export") }
}

extension ExitStatus {
    /// The one for what is wrong with a ledger.
    init(_ error: LedgerError) { self = error.remedy == .person ? .notAllowed : .cannotRead }
}
