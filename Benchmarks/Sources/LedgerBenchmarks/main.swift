import CRival
import Glibc
import Keeping
import Ledger
import Measure
import StateMachines
import System
import Turnstile

// The ledger beside SQLite by hand, on the same disk and in one run: how long a coin takes from the
// record to where it is durable, and how many records a verification reads in a second.

/// A folder on the disk that is measured, which goes at the end.
let folder: String = {
    var name = Array("\(CommandLine.arguments.dropFirst().first ?? ".")/ledger-XXXXXX".utf8CString)
    guard let path = mkdtemp(&name) else { fatalError("no folder: errno \(errno)") }
    return String(cString: path)
}()
/// As long as one of systemd's.
let bootID = String(repeating: "0123456789abcdef", count: 2)
let coins = 3_000
let passages = 50_000

/// How long `body` takes by the clock.
func time(_ body: () throws -> Void) rethrows -> Duration {
    let start = MonotonicTimer.now
    try body()
    return MonotonicTimer.now - start
}

extension Ledger {
    /// Waits for an answer of this kind.
    func await(_ isMeant: (StoreAnswer) -> Bool) {
        while true {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&watched, 1, 60_000) == 1 else { fatalError("the ledger says nothing") }
            for answer in takeAnswers() {
                if case .failed(let reason) = answer { fatalError(reason) }
                if isMeant(answer) { return }
            }
        }
    }

    /// Writes `records`, and waits until they are durable.
    func store(_ records: [Record]) {
        write(records, at: MonotonicTimer.now, confirms: true)
        self.await { $0 == .durable }
    }
}

func openLedger(_ name: String) throws -> Ledger {
    let ledger = try Ledger(path: "\(folder)/\(name)", gate: "bench", bootID: bootID)
    ledger.await { if case .opened = $0 { true } else { false } }
    return ledger
}

/// From a coin's record to durable, by turns with a bare insert of the same row.
func measureCommits() throws {
    let ledger = try openLedger("coins.db")
    let rival = rival_open("\(folder)/rival.db")
    let coin = Record.coinAccepted(Coin(.first, pulses: 2, value: 100))
    let details = coin.fields.journalLines
    var times: [(rival: Duration, ledger: Duration)] = []
    for number in 1...coins {
        let bare = time { rival_insert(rival, Int64(number), coin.name, details) }
        times.append((bare, time { ledger.store([coin]) }))
    }
    rival_close(rival)
    ledger.close()
    print("\(coins) coins, each durable before the next, median")
    let bare = median(times.map(\.rival)), own = median(times.map(\.ledger))
    report("bare SQLite insert, WAL, synchronous=FULL", bare)
    let most = budget("ledger-store-ratio")
    report("ledger: hash, registers, thread", own, ratio: own / bare, most: most)
}

func report(_ name: String, _ time: Duration, ratio: Double = 1, most: Double? = nil) {
    print(
        "  ", padded(name, to: 46), fixed(time / .microseconds(1)), "µs  ", fixed(ratio), "×")
    if let most, ratio > most { miss("\(name): \(ratio) ×, asked \(most) ×") }
}

/// What is recorded of somebody who pays with two coins and passes.
let passage: [Record] = {
    let coin = Coin(.first, pulses: 2, value: 100)
    return [
        .coinCounted(coin), .coinAccepted(coin), .coinCounted(coin), .coinAccepted(coin),
        .creditUsed(value: 200), .released(.entry, by: .credit(fare: 200)),
        .passageStarted(.entry), .passageCompleted(.entry, .paid),
    ]
}()

/// How fast a ledger of many records is verified, beside a scan of their table.
func measureVerification() throws {
    let path = "\(folder)/passages.db"
    let ledger = try openLedger("passages.db")
    let batch = Array(repeating: passage, count: 500).flatMap { $0 }
    for _ in 0..<(passages / 500) { ledger.store(batch) }
    ledger.close()
    let records = passages * passage.count
    var times: [(scan: Duration, verification: Duration)] = []
    for _ in 0..<5 {
        let start = processorTime()
        guard rival_scan(path) >= Int64(records) else { fatalError("the scan misses records") }
        let middle = processorTime()
        let verdict = try LedgerVerification().verify(LedgerReader(path: path))
        if let flaw = verdict.flaw { fatalError(flaw) }
        times.append((middle - start, processorTime() - middle))
    }
    print("\(records) records, best of \(times.count)")
    let scan = times.map(\.scan).min()!, own = times.map(\.verification).min()!
    for (name, time) in [("SQLite's scan of the table", scan), ("ledger verify", own)] {
        let speed = Double(records) / (time / .seconds(1))
        print("  ", padded(name, to: 46), fixed(speed / 1_000), "thousand records a second")
    }
    let speed = Double(records) / (own / .seconds(1))
    let least = budget("verified-at-least")
    if speed < least { miss("ledger verify: \(Int(speed)) records a second, asked \(least)") }
    print("   the file takes", fileSize(path) / records, "bytes a record")
}

func fileSize(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
}

func removeFolder() {
    for database in ["coins.db", "passages.db", "rival.db"] {
        for part in ["", "-wal", "-shm", ".key", ".known", ".lock"] {
            unlink("\(folder)/\(database)\(part)")
        }
    }
    rmdir(folder)
}

try measureCommits()
try measureVerification()
removeFolder()
finish()
