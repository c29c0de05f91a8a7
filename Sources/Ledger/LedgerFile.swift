import StateMachines
import System
import Turnstile

/// The ledger as a file: the records, what the registers show, and what is held for people.
///
/// It is used from one thread at a time.
final class LedgerFile {
    /// How many records are kept by default: some weeks of a busy gate, in about 20 MB.
    static let recordsKeptByDefault = 100_000
    /// How many transactions go by before what they wrote is put in its place in the file.
    private static let transactionsPerCheckpoint = 64

    /// What the file held when it was opened.
    let contents: Contents

    private let database: Database
    private let bootID: String
    private let recordsKept: Int64
    /// The number of this start, from 1.
    private let life: Int64
    /// What stands in the file, so that only what changed is written.
    private var readings: [Register: Books.Reading]
    private var numbers: [String: Int64]
    private var transactions = 0

    private let insertRecord: Statement
    private let deleteRecords: Statement
    private let writeRegister: Statement
    private let writeNumber: Statement

    /// Opens the ledger at `path`, or begins a new one where there is no file.
    ///
    /// - Parameters:
    ///   - bootID: Which boot this is, for the records.
    ///   - recordsKept: How many records are kept. The oldest go first; the registers know of all
    ///     that ever were.
    init(
        path: String, bootID: String, recordsKept: Int = recordsKeptByDefault
    ) throws(LedgerError) {
        let database = try Database(path: path)
        try Schema.prepare(database)
        readings = try Self.readings(in: database)
        numbers = try Self.numbers(in: database)
        var contents = Contents()
        contents.books = Books(readings)
        contents.holdings.numbers = numbers
        self.contents = contents
        self.database = database
        self.bootID = bootID
        self.recordsKept = Int64(recordsKept)
        life = numbers["life", default: 0] + 1

        insertRecord = try database.prepare(
            """
            INSERT INTO records (boot_id, life, monotonic_ns, wall_ns, kind, details)
            VALUES (?, ?, ?, ?, ?, ?)
            """)
        deleteRecords = try database.prepare(
            "DELETE FROM records WHERE sequence <= (SELECT max(sequence) FROM records) - ?")
        writeRegister = try database.prepare(
            "INSERT OR REPLACE INTO registers VALUES (?, ?, ?, ?, ?)")
        writeNumber = try database.prepare("INSERT OR REPLACE INTO state VALUES (?, ?)")
    }

    /// Writes down `entries` and what they come to, and returns when it is durable. If it throws,
    /// nothing was written.
    ///
    /// - Parameters:
    ///   - missing: How many records before them could not be kept until now.
    ///   - contents: What all records come to, these among them.
    ///   - wallOffset: What the clock on the wall is ahead of the monotonic one.
    func write(
        _ entries: [Entry], missing: Int, contents: Contents, wallOffset: Duration
    ) throws(LedgerError) {
        let readings = contents.books.readings
        var numbers = contents.holdings.numbers
        numbers["life"] = life
        try database.transaction { () throws(LedgerError) in
            if missing > 0, let first = entries.first {
                try insert(
                    "records_missing", "\(missing)", at: first.time, wallOffset: wallOffset)
            }
            for entry in entries {
                try insert(
                    entry.record.kindName, entry.record.detailText, at: entry.time,
                    wallOffset: wallOffset)
            }
            try deleteRecords.run(.number(recordsKept))
            for (register, reading) in readings where self.readings[register] != reading {
                try writeRegister.run(
                    .text(register.name), .number(Int64(register.coin?.pulses ?? 0)),
                    .number(Int64(register.coin?.value ?? 0)), .number(reading.sinceInit),
                    .number(reading.sinceCollection))
            }
            for (name, number) in numbers where self.numbers[name] != number {
                try writeNumber.run(.text(name), .number(number))
            }
        }
        self.readings = readings
        self.numbers = numbers
        transactions += 1
    }

    private func insert(
        _ kind: String, _ details: String, at time: Instant, wallOffset: Duration
    ) throws(LedgerError) {
        let wall = time + wallOffset
        try insertRecord.run(
            .text(bootID), .number(life), .number(time.nanoseconds), .number(wall.nanoseconds),
            .text(kind), .text(details))
    }

    /// Puts what was written in its place in the file, once it has become much: in a quiet moment,
    /// since it takes longer than a transaction.
    func tidy() {
        guard transactions >= Self.transactionsPerCheckpoint else { return }
        transactions = 0
        // What fails here fails again in a transaction, where somebody hears of it.
        try? database.execute("PRAGMA wal_checkpoint(PASSIVE)")
    }
}

// What was written before.
extension LedgerFile {
    private static func readings(
        in database: Database
    ) throws(LedgerError) -> [Register: Books.Reading] {
        var readings: [Register: Books.Reading] = [:]
        let sql = "SELECT name, pulses, value, since_init, since_collection FROM registers"
        try database.prepare(sql).run { row throws(LedgerError) in
            let name = try row.text(0)
            let register = Register(
                name: name, pulses: try row.count(1), value: try row.count(2))
            guard let register else { throw row.damage("the register '\(name)' is unknown") }
            readings[register] = Books.Reading(
                sinceInit: Int64(try row.count(3)), sinceCollection: Int64(try row.count(4)))
        }
        return readings
    }

    private static func numbers(in database: Database) throws(LedgerError) -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        try database.prepare("SELECT name, value FROM state").run { row throws(LedgerError) in
            numbers[try row.text(0)] = Int64(try row.count(1))
        }
        return numbers
    }
}

extension Record {
    /// The fields of its journal entry, a line each.
    fileprivate var detailText: String {
        details.map { "\($0.name.rawValue)=\($0.value)" }.joined(separator: "\n")
    }
}
