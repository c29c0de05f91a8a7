import Audit
import CReportRival
import Glibc
import Ledger
import Measure
import StateMachines
import System
import Turnstile

// A report of one day out of a year of a busy gate, beside the SQL that would be written by hand.
//
//     ReportBenchmarks [FOLDER [RECORDS]]

let records = CommandLine.arguments.dropFirst(2).first.flatMap { Int64($0) } ?? 10_000_000
let days: Int64 = 365
let perDay = records / days

/// A folder for the ledger, which goes at the end.
let folder: String = {
    var name = Array("\(CommandLine.arguments.dropFirst().first ?? ".")/report-XXXXXX".utf8CString)
    guard let path = mkdtemp(&name) else { fatalError("no folder: errno \(errno)") }
    return String(cString: path)
}()
let path = "\(folder)/ledger.db"
let clock = LocalClock.system
let firstDay = CalendarDay(2025, 1, 1)!

/// What is recorded of people who pay with two coins and pass, and of one who leaves.
let story: [Record] = {
    let coin = Coin(.first, pulses: 2, value: 100)
    let paid: [Record] = [
        .coinCounted(coin), .coinAccepted(coin), .coinCounted(coin), .coinAccepted(coin),
        .creditUsed(value: 200), .released(.entry, by: .credit(fare: 200)),
        .passageStarted(.entry), .passageCompleted(.entry, .paid),
    ]
    return paid + paid + [
        .released(.exit, by: .free), .passageStarted(.exit), .passageCompleted(.exit, .free),
    ]
}()

/// Begins a ledger as the service does.
func beginLedger() throws {
    let ledger = try Ledger(path: path, gate: "bench", bootID: String(repeating: "0af3", count: 8))
    ledger.write([.started], at: MonotonicTimer.now, confirms: true)
    var answers: [StoreAnswer] = []
    while !answers.contains(.stored) {
        var watched = pollfd(fd: ledger.descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, 60_000) == 1 else { fatalError("the ledger says nothing") }
        answers += ledger.takeAnswers()
    }
    ledger.close()
}

/// The list of registers as a checkpoint has it.
func list(_ values: RegisterValues) -> String {
    let lines = values.counted.map { register in
        let coin = register.coin.map { " \($0.pulses) \($0.value)" } ?? ""
        return "\(register.name)\(coin) \(values[register])\n"
    }
    return lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined()
}

/// Nanoseconds since 1970.
func nanoseconds(_ time: Duration) -> Int64 { time.components.seconds * 1_000_000_000 }

/// Adds a year, each day from six to ten o'clock in the evening.
func fillLedger() {
    let rows = ledger_rows_open(path)
    let told = story.map { (record: $0, name: $0.name, details: $0.fields.journalLines) }
    var values = RegisterValues()
    var sequence: Int64 = 100
    var place = 0
    for number in 0..<Int(days) {
        let day = CalendarDay(firstDay.number + number)
        let open = nanoseconds(clock.beginning(of: day)) + 6 * 3_600_000_000_000
        for index in 0..<perDay {
            let row = told[place]
            place = (place + 1) % told.count
            sequence += 1
            values.count(row.record)
            let wall = open + index * 16 * 3_600_000_000_000 / perDay
            ledger_rows_record(rows, sequence, wall, row.name, row.details)
        }
        let end = nanoseconds(clock.end(of: day))
        ledger_rows_checkpoint(rows, Int64(number) + 10, sequence, end, "\(day)", list(values))
    }
    ledger_rows_close(rows)
}

/// How long `body` takes by the clock.
func time(_ body: () throws -> Void) rethrows -> Duration {
    let start = MonotonicTimer.now
    try body()
    return MonotonicTimer.now - start
}

func tell(_ name: String, _ time: Duration, most: Duration? = nil) {
    print("  ", padded(name, to: 52), fixed(time / .milliseconds(1)), "ms")
    if let most, time > most { miss("\(name): \(time), asked \(most)") }
}

func compareReport() throws {
    let day = CalendarDay(firstDay.number + 200)
    let (from, to) = (clock.beginning(of: day), clock.end(of: day))
    let first = 100 + 200 * perDay + 1
    var times: [(known: Duration, report: Duration, hours: Duration)] = []
    func report(_ grouping: Report.Grouping?) throws {
        let snapshot = try LedgerReader(path: path).open()
        let report = try Report(of: snapshot, .times(from: from, to: to), by: grouping)
        guard report.isAccountedFor, report.records.count == perDay else {
            fatalError("\(report.records), \(report.reconciliations)")
        }
    }
    for _ in 0..<11 {
        let known = time {
            let last = first + perDay - 1
            guard rival_group(path, first, last, nanoseconds(from), nanoseconds(to)) > 0 else {
                fatalError("the query finds nothing")
            }
        }
        times.append((known, try time { try report(nil) }, try time { try report(.hour) }))
    }
    let scan = time { _ = rival_group(path, 0, 0, nanoseconds(from), nanoseconds(to)) }
    print("a day of \(perDay) out of \(records) records, median of \(times.count)")
    tell("SQL by hand, GROUP BY hour, all records looked at", scan)
    tell("the same, the numbers of the day's records known", middle(times.map(\.known)))
    tell("report", middle(times.map(\.report)), most: .milliseconds(200))
    tell("report --by hour", middle(times.map(\.hours)), most: .milliseconds(200))
}

func middle(_ times: [Duration]) -> Duration { times.sorted()[times.count / 2] }

func removeFolder() {
    for part in ["", "-wal", "-shm", ".key", ".known", ".lock"] { unlink(path + part) }
    rmdir(folder)
}

try beginLedger()
fillLedger()
try compareReport()
removeFolder()
finish()
