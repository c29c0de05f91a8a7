import Foundation
import Keeping
import StateMachines
import System
import Turnstile

@testable import Ledger
@testable import Retention

/// What the service finds in the folder where it keeps things, after whatever has happened to it.
///
/// This is the one place in which the proof of the disk knows what is kept and how it is read:
/// what is kept besides the ledger is read here too, by the service's own reader.
struct LedgerImage {
    /// A record, as its row in the file tells it.
    struct Row: Hashable, Sendable {
        var sequence: Int64
        var boot: String
        var life: Int64
        var time: Duration
        var wallTime: Duration
        var kind: String
        var details: [String: String]
    }

    /// The records, oldest first.
    let rows: [Row]
    /// What the service takes over.
    let tally: Tally
    /// What outlives the service and is not money; nil where it is not there or cannot be read.
    let state: RetainedState?

    /// Opens what is in `folder` as a service does that starts, and has it keep one record more.
    init(in folder: URL) throws {
        let path = folder.appending(path: "ledger.db").path
        let ledger = try Ledger(path: path, gate: "two-way", bootID: "image")
        tally = try ledger.awaitOpening()
        ledger.takeOver()
        try ledger.keep([.started])
        ledger.close()
        rows = try Self.rows(in: path).dropLast()
        let file = StateFile(path: folder.appending(path: "state").path, isDurable: true)
        state = try? file.read()?.state
    }

    private static func rows(in path: String) throws -> [Row] {
        let sql = """
            SELECT sequence, boot_id, life, monotonic_ns, wall_ns, kind, details FROM records
            ORDER BY sequence
            """
        var rows: [Row] = []
        try Database(path: path, .read).prepare(sql).run { row throws(LedgerError) in
            let details = try row.text(6).split(separator: "\n").map { line in
                let field = line.split(separator: "=", maxSplits: 1).map(String.init)
                return (field[0], field.count > 1 ? field[1] : "")
            }
            rows.append(
                Row(
                    sequence: Int64(try row.count(0)), boot: try row.text(1),
                    life: Int64(try row.count(2)), time: .nanoseconds(row.number(3) ?? 0),
                    wallTime: .nanoseconds(row.number(4) ?? 0), kind: try row.text(5),
                    details: Dictionary(details) { $1 }))
        }
        return rows
    }
}

extension Ledger {
    /// What it holds, once it is open.
    fileprivate func awaitOpening() throws -> Tally {
        for answer in try answers() {
            if case .opened(let balances, let registers) = answer {
                return Tally(balances, registers)
            }
        }
        throw LedgerImageError("the ledger cannot be opened")
    }

    /// The next answers, but for those that tell of the ledger and not of what it holds.
    private func answers() throws -> [StoreAnswer] {
        while true {
            var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // Sound: one structure is read and written.
            guard unsafe poll(&watched, 1, 60_000) == 1 else {
                throw LedgerImageError("the ledger does not answer")
            }
            let answers = takeAnswers().filter { answer in
                switch answer {
                case .collected, .branch: false
                case _: true
                }
            }
            if !answers.isEmpty { return answers }
        }
    }

    /// Writes `records`, and waits until they are durable.
    fileprivate func keep(_ records: [Record]) throws {
        write(records, at: MonotonicTimer.now, confirms: true)
        guard try answers() == [.durable] else {
            throw LedgerImageError("the ledger takes no more records")
        }
    }
}

/// What an image of the disk does not hold as it should.
struct LedgerImageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
