import Audit
import CReportRival
import Glibc
import Keeping
import Ledger
import Measure
import StateMachines
import System
import Turnstile

// A report of one day out of a year of a busy gate, beside the SQL that would be written by hand;
// and how long the ledger of that year takes to open, beside SQLite by hand.
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

/// The ledger as the service has it.
func openLedger() throws -> Ledger {
    try Ledger(path: path, gate: "bench", bootID: String(repeating: "0af3", count: 8))
}

extension Ledger {
    /// Waits until it has said this.
    func wait(for isAwaited: (StoreAnswer) -> Bool) {
        while true {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 60_000) == 1 else { fatalError("the ledger says nothing") }
            for answer in takeAnswers() {
                if isAwaited(answer) { return }
                switch answer {
                case .failed, .noted(.recordsSetAside): fatalError("\(answer)")
                case .opened, .collected, .durable, .noted, .confirmed, .unconfirmed: break
                }
            }
        }
    }
}

/// Begins a ledger as the service does.
func beginLedger() throws {
    let ledger = try openLedger()
    ledger.write([.started], at: MonotonicTimer.now, confirms: true)
    ledger.wait { $0 == .durable }
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
    setState(of: rows, "sequence", to: sequence)
    setState(of: rows, "checkpoint", to: days + 9)
    ledger_rows_close(rows)
}

/// Sets a number of the state, with the seal on it, so that the service takes the ledger for its
/// own.
func setState(of rows: OpaquePointer?, _ name: String, to value: Int64) {
    func number(_ value: Int64) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "s|\(name)|\(value)".utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ (hash >> 33)
    }
    let seal = UInt64(ledger_rows_read_state(rows, "seal"))
    let old = ledger_rows_read_state(rows, name)
    let sum = seal &- number(old) &+ number(value)
    ledger_rows_state(rows, name, value)
    ledger_rows_state(rows, "seal", Int64(sum & UInt64(Int64.max)))
}

/// How long `body` takes by the clock.
func time(_ body: () throws -> Void) rethrows -> Duration {
    let start = MonotonicTimer.now
    try body()
    return MonotonicTimer.now - start
}

func tell(
    _ name: String, _ time: Duration, most: Duration? = nil, beside rival: Duration? = nil
) {
    let ratio = rival.map { "  \(fixed(time / $0)) ×" } ?? ""
    print("  ", padded(name, to: 52), fixed(time / .milliseconds(1)), "ms\(ratio)")
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
    let most = Duration.milliseconds(budget("report-ms"))
    tell("report", middle(times.map(\.report)), most: most)
    tell("report --by hour", middle(times.map(\.hours)), most: most)
}

/// Has the system forget what it has read of the ledger, as after a start of the board.
func forgetLedger() {
    let file = open(path, O_RDONLY)
    guard file >= 0, fsync(file) == 0, posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0 else {
        fatalError("\(path): errno \(errno)")
    }
    close(file)
}

/// Opens the ledger for reading, and then for writing, each beside SQLite by hand. The service
/// keeps a million records: from its first start on all others are to go.
func compareOpening() throws {
    var reading: [(rival: Duration, ledger: Duration)] = []
    var writing = reading
    for _ in 0..<11 {
        reading.append((timeRival(writes: false), try timeReader()))
    }
    let first = try timeService()
    let kept = try LedgerReader(path: path).open().sequences?.count ?? 0
    guard kept < 2 * RecordLimits().count else { fatalError("no records are to go") }
    for _ in 0..<11 {
        writing.append((timeRival(writes: true), try timeService()))
    }
    print("\(records) records opened, none of them in memory, median of \(reading.count)")
    let (bare, own) = (middle(reading.map(\.rival)), middle(reading.map(\.ledger)))
    tell("SQLite by hand: registers, last record", bare)
    let most = Duration.milliseconds(budget("ledger-open-ms"))
    tell("LedgerReader.open()", own, most: most, beside: bare)
    let (bareWriting, service) = (middle(writing.map(\.rival)), middle(writing.map(\.ledger)))
    tell("SQLite by hand: the same, and one row written", bareWriting)
    tell("the service, all but a million records to go", service, most: most, beside: bareWriting)
    tell("the service, the first time that they are to go", first, most: most, beside: bareWriting)
}

func timeRival(writes: Bool) -> Duration {
    forgetLedger()
    var rival: OpaquePointer?
    defer { rival_close(rival) }
    return time { rival = rival_open(path, writes ? 1 : 0) }
}

func timeReader() throws -> Duration {
    forgetLedger()
    return try time {
        guard try LedgerReader(path: path).open().sequences?.count ?? 0 >= records - days else {
            fatalError("the ledger has other records")
        }
    }
}

func timeService() throws -> Duration {
    forgetLedger()
    let start = MonotonicTimer.now
    let ledger = try openLedger()
    ledger.wait { if case .opened = $0 { true } else { false } }
    defer { ledger.close() }
    return MonotonicTimer.now - start
}

func middle(_ times: [Duration]) -> Duration { times.sorted()[times.count / 2] }

func removeFolder() {
    for part in ["", "-wal", "-shm", ".key", ".known", ".lock"] { unlink(path + part) }
    rmdir(folder)
}

try beginLedger()
fillLedger()
try compareReport()
try compareOpening()
removeFolder()
finish()
