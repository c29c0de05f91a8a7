import ArgumentParser
import Console
import GateClient
import Ledger
import Settings
import System

struct DiagnosticsCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "diagnostics",
        abstract: "Collect a support bundle.",
        discussion: """
            It makes one archive (tar) of the last recorded hour and everything since: the trace, \
            the settings without comments, the journal, the doctor's findings, versions, and the \
            ledger's records. Unreadable parts are left out, and README.txt in it says why; run it \
            as root to have all. It lists the contents and asks for confirmation; without a \
            terminal it needs --yes, or ends with 1. Only you may read the archive.

            Example: sudo turnstilectl diagnostics --since 06:00 --until 06:20
            """)

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "Output file (default: turnstiled-GATE-DATE-TIME.tar in this folder).",
            valueName: "file"),
        completion: .file())
    var output: String?
    @OptionGroup var window: TraceWindow
    @Flag(help: "Do not ask for confirmation.") var yes = false
    @Flag(help: "Overwrite an existing file.") var force = false
    @Option(
        help: ArgumentHelp(
            "Trace file or folder (default: the service's).", valueName: "file"),
        completion: .file())
    var trace = TraceOptions.standardPath
    @OptionGroup var ledger: LedgerOptions
    @OptionGroup var gate: GateOptions

    var json: Bool { gate.json }

    func validate() throws {
        if output == "-" { throw ValidationError("the archive goes into a file, not to '-'") }
    }

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        if let output { try refuse(output, ledger.ledger) }
        let places = DiagnosticsSearch.Places(
            trace: trace, ledger: ledger.ledger, settings: ledger.settings.named, bus: gate.bus)
        let bundle = try DiagnosticsSearch.bundle(
            from: places, since: window.since, until: window.until, service: gate.serviceReport)
        let path = output ?? bundle.fileName
        show(bundle, out)
        guard try isWanted(path, out) else { throw CommandError("nothing was written") }
        try refuse(path, bundle.ledgerPath)
        do throws(SystemError) {
            try write(Tar(members: bundle.members, time: bundle.made), to: path)
        } catch {
            throw CommandError("\(error)", .cannotWrite)
        }
        out.print([("written", .string(path))], or: "written to \(path)")
        return .done
    }

    /// Throws if an existing file must not be overwritten.
    private func refuse(_ path: String, _ ledger: String?) throws {
        try TraceOptions.refuseOwn(path, of: trace)
        guard File.exists(path) else { return }
        guard force else {
            throw CommandError(
                "\(path): a file of this name exists; --force overwrites it", .cannotWrite)
        }
        if let ledger, LedgerReader(path: ledger).owns(path) {
            throw CommandError(
                "\(path): this is the ledger's own file: name another one", .cannotWrite)
        }
    }

    private func show(_ bundle: DiagnosticsBundle, _ out: StandardOutput) {
        for omission in bundle.omissions {
            complain("\(omission.file.rawValue) is left out: \(omission.text)")
        }
        for note in bundle.notes { complain("\(note.file.rawValue): \(note.text)") }
        guard json else { return out.print(bundle.lines) }
        for member in bundle.members {
            out.printJSON([
                ("file", .string(member.name)), ("bytes", .uint64(UInt64(member.bytes.count))),
            ])
        }
        for omission in bundle.omissions {
            out.printJSON([
                ("file", .string(omission.file.rawValue)), ("left_out", .string(omission.text)),
            ])
        }
    }

    private func isWanted(_ path: String, _ out: StandardOutput) throws(CommandError) -> Bool {
        if yes { return true }
        guard !json, Question.isPossible else {
            throw CommandError("not a terminal, or --json: confirm with --yes", .usage)
        }
        return Question.isAnswered("write it to \(out.appearance.printable(path))? [y/N] ")
    }

    private func write(_ tar: Tar, to path: String) throws(SystemError) {
        let file = try FileDraft(of: path, permissions: 0o600)
        var size = 0
        try tar.write { (bytes) throws(SystemError) in
            try file.write(bytes, at: size)
            size += bytes.count
        }
        try file.finish(replacing: force)
    }
}
