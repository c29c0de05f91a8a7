import Foundation
import StateMachines
import System
import Turnstile

@testable import Ledger

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
    /// Whether the service that starts now knows of an emergency that was not reset. The records
    /// tell; a latch in a file of its own is asked here instead.
    var isInEmergency: Bool {
        rows.last { $0.kind.hasPrefix("emergency_") }.map { $0.kind != "emergency_reset" } ?? false
    }

    /// Opens what is in `folder` as a service does that starts, and has it keep one record more.
    init(in folder: URL) throws {
        let path = folder.appending(path: "ledger.db").path
        let ledger = try Ledger(path: path, bootID: "image")
        tally = Tally(ledger.holdings, ledger.books)
        try ledger.keep([.started])
        ledger.close()
        rows = try Self.rows(in: path).dropLast()
    }

    private static func rows(in path: String) throws -> [Row] {
        let sql = """
            SELECT sequence, boot_id, life, monotonic_ns, wall_ns, kind, details FROM records
            ORDER BY sequence
            """
        var rows: [Row] = []
        try Database(path: path).prepare(sql).run { row throws(LedgerError) in
            let details = try row.text(6).split(separator: "\n").map { line in
                let field = line.split(separator: "=", maxSplits: 1).map(String.init)
                return (field[0], field.count > 1 ? field[1] : "")
            }
            rows.append(
                Row(
                    sequence: Int64(try row.count(0)), boot: try row.text(1),
                    life: Int64(try row.count(2)), time: .nanoseconds(try row.count(3)),
                    wallTime: .nanoseconds(try row.count(4)), kind: try row.text(5),
                    details: Dictionary(details) { $1 }))
        }
        return rows
    }
}

extension Ledger {
    /// Writes `records`, and waits until they are durable.
    fileprivate func keep(_ records: [Record]) throws {
        write(records, at: MonotonicTimer.now, confirms: true)
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Sound: one structure is read and written.
        let isAnswered = unsafe poll(&watched, 1, 60_000) == 1
        guard isAnswered, takeAnswers() == [.stored] else {
            throw BookkeepingError("the ledger takes no more records")
        }
    }
}

/// What an image of the disk does not hold as it should.
struct BookkeepingError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
