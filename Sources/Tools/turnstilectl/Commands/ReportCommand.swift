public import ArgumentParser
public import Audit
import Drawing
import Ledger
import System

struct ReportCommand: Subcommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Report takings and passages, and whether they add up.",
        discussion: """
            It reads the ledger, or a copy of it; no service has to run. The default period is \
            today. A time is 2026-11-22, '2026-11-22 06:00', 06:00, today, yesterday, now, or how \
            long ago: 90min, 3h, 2d. A day means its beginning: for the whole of yesterday write \
            --since yesterday --until today. Days and hours are local (see TZ).

            Whole days and the time between two collections are available permanently; parts of \
            days, hours, kinds of records, time out of service, refusals and doubtful events as \
            long as the records are kept. Amounts are minor units of the currency. The exit code \
            is 1 if something does not add up or is missing.

            Example: turnstilectl report --since yesterday --until today --by hour
            """)

    @Option(
        help: ArgumentHelp("From this time on.", valueName: "time"), transform: WrittenTime.read)
    var since: WrittenTime?
    @Option(
        help: ArgumentHelp("Up to this time.", valueName: "time"), transform: WrittenTime.read)
    var until: WrittenTime?
    @Option(
        help: ArgumentHelp(
            """
            The period up to this collection: its number, last, or open for the period since \
            the last one.
            """, valueName: "number"))
    var collection: CollectionWord?
    @Option(help: "One row per hour, day or kind of record.")
    var by: Report.Grouping?
    @Flag(help: "Print CSV.") var csv = false
    @Flag(help: "Print JSON, with the vocabulary's names.") var json = false
    @Flag(help: "Print a chart of passages and takings as SVG.") var svg = false
    @OptionGroup var ledger: LedgerOptions

    func validate() throws {
        if collection != nil, since != nil || until != nil {
            throw ValidationError("--collection or times, not both")
        }
        if [csv, json, svg].count(where: { $0 }) > 1 {
            throw ValidationError("one of --csv, --json and --svg")
        }
        if svg, by == .kind { throw ValidationError("--svg is by hour or by day") }
    }

    func perform(_ out: StandardOutput) throws -> ExitStatus {
        let clock = LocalClock.system
        let now = SystemWallClock.utc
        let period = try period(now: now, clock)
        let snapshot = try LedgerReader(path: ledger.path()).open()
        try checkHasBegun(period, snapshot, now: now, clock)
        let report: Report
        do {
            let grouping: Report.Grouping? =
                try by ?? (svg ? .toDraw(period, of: snapshot, now: now) : nil)
            report = try Report(of: snapshot, period, by: grouping, clock: clock)
        } catch ReportError.ledger(let error) {
            throw error
        } catch let error as ReportError {
            throw ValidationError("\(error)")
        }
        if csv {
            out.print(verbatim: report.csv(clock: clock))
        } else if json {
            out.print(verbatim: report.json(clock: clock))
        } else if svg {
            out.print(verbatim: report.plot(clock).svg)
        } else {
            out.print(ReportPage(report: report, clock: clock).lines)
        }
        return report.isAccountedFor ? .done : .refused
    }

    /// Throws for a period that has not begun, neither by the clock here nor by the gate's.
    private func checkHasBegun(
        _ period: Period, _ snapshot: LedgerSnapshot, now: Duration, _ clock: LocalClock
    ) throws {
        guard case .times(let from?, _) = period, from >= now else { return }
        var hasBegun = false
        try snapshot.forEach { hasBegun = hasBegun || $0.wallTime >= from }
        guard !hasBegun else { return }
        throw ValidationError(
            "--since \(clock.text(of: from)) is in the future: it is \(clock.text(of: now))")
    }

    private func period(now: Duration, _ clock: LocalClock) throws -> Period {
        if let collection { return .collection(collection.collection) }
        guard since != nil || until != nil else {
            let today = clock.day(at: now)
            return .times(from: clock.beginning(of: today), to: clock.end(of: today))
        }
        let (from, to) = try WrittenTime.range(since, until, now: now, clock)
        return .times(from: from, to: to)
    }
}

extension Report.Grouping: ExpressibleByArgument {}

struct CollectionWord: ExpressibleByArgument {
    let collection: Period.Collection

    init?(argument: String) {
        if argument == "last" {
            collection = .last
        } else if argument == "open" {
            collection = .open
        } else {
            guard let number = Int64(argument), number > 0 else { return nil }
            collection = .number(number)
        }
    }
}
