import ArgumentParser
import Audit
import Ledger
import System

struct LedgerExport: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the ledger for other programs.",
        discussion: """
            jsonl has a line for each record and each checkpoint, with its hash, so that the chain \
            can be verified from the export alone; eva-dts has the registers in the format of \
            vending machines. The service may run meanwhile. Times are written as for report.

            Example: turnstilectl ledger export --since 2026-11-01 november.jsonl
            """)

    @Option(help: "Output format.")
    var format = Format.jsonl
    @Option(
        help: ArgumentHelp("From this time on.", valueName: "time"), transform: WrittenTime.read)
    var since: WrittenTime?
    @Option(
        help: ArgumentHelp("Up to this time.", valueName: "time"), transform: WrittenTime.read)
    var until: WrittenTime?
    @Option(
        help: ArgumentHelp(
            "Currency code for eva-dts, such as EUR.", valueName: "currency"))
    var currency: String?
    @Option(
        help: ArgumentHelp("Decimal places of an amount, for eva-dts.", valueName: "n"))
    var decimals = 2
    @OptionGroup var place: LedgerOptions
    @Argument(
        help: "Output file (default, or -: standard output).", completion: .file())
    var file: String?

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case jsonl
        case evaDTS = "eva-dts"
    }

    func validate() throws {
        switch format {
        case .jsonl:
            if currency != nil { throw ValidationError("--currency is for eva-dts") }
        case .evaDTS:
            if since != nil || until != nil {
                throw ValidationError(
                    "eva-dts reports since the installation and since the last collection: "
                        + "--since and --until are for jsonl")
            }
        }
        guard (0...4).contains(decimals) else {
            throw ValidationError("--decimals takes 0 to 4, not \(decimals)")
        }
        if let currency, currency.utf8.count != 3 || !currency.allSatisfy(\.isUppercase) {
            throw ValidationError("'\(currency)' is no currency: write three letters, as EUR")
        }
    }

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let (from, to) = try WrittenTime.range(
            since, until, now: SystemWallClock.utc, LocalClock.system)
        let reader = LedgerReader(path: try place.path())
        if let file, reader.owns(file) {
            throw CommandError(
                "\(file): this is the ledger's own file: name another one", .cannotWrite)
        }
        let snapshot = try reader.open()
        guard format == .jsonl || !snapshot.isTrial else {
            throw CommandError("it is the ledger of a trial, and has no place in a back office")
        }
        let sink = Sink(file)
        switch format {
        case .jsonl:
            let export = JSONLinesExport(snapshot, since: from, until: to)
            try export.write { sink.write($0) }
        case .evaDTS:
            var report = try EVADTSReport(snapshot, at: SystemWallClock.utc)
            (report.decimalPlaces, report.currency) = (decimals, currency)
            sink.write(report.text)
        }
        sink.finish()
        return .done
    }
}
