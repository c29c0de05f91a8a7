import Glibc
import StateMachines
import System
import Turnstile

/// The ledger as a file that is open for writing: the records, what the registers show, and what
/// is held for people.
///
/// It is used from one thread at a time, and by one process: see ``FileLock``. How it comes to be
/// open is in ``Opening``.
final class LedgerFile {
    /// How many records are kept by default: some weeks of a busy gate, in about 20 MB.
    static let recordsKeptByDefault = 100_000
    /// How many transactions go by before what they wrote is put in its place in the file.
    static let transactionsPerCheckpointByDefault = 64

    /// What the file held when it was opened.
    let contents: Contents

    private let database: Database
    /// Which file it is: another one may get its name.
    private let file: FileNumber?
    private let bootID: String
    private let recordsKept: Int64
    private let transactionsPerCheckpoint: Int
    /// The number of this start, from 1.
    private let life: Int64
    /// What stands in the file, so that only what changed is written.
    private var stored: Stored
    private var seal: Seal
    private var transactions = 0

    /// The number of the last record.
    private(set) var lastSequence: Int64

    private let insertRecord: Statement
    private let deleteRecords: Statement
    private let writeRegister: Statement
    private let deleteRegister: Statement
    private let writeNumber: Statement

    /// A ledger whose tables are as they should be and hold this.
    ///
    /// - Parameters:
    ///   - bootID: Which boot this is, for the records.
    ///   - life: The number of this start.
    ///   - recordsKept: How many records are kept. The oldest go first; the registers know of all
    ///     that ever were.
    ///   - transactionsPerCheckpoint: How many transactions go by until what they wrote is put in
    ///     its place in the file.
    init(
        _ database: Database, _ stored: Stored, bootID: String, life: Int64,
        recordsKept: Int = recordsKeptByDefault,
        transactionsPerCheckpoint: Int = transactionsPerCheckpointByDefault
    ) throws(LedgerError) {
        self.database = database
        file = Files.number(of: database.path)
        self.stored = stored
        self.bootID = bootID
        self.life = life
        self.recordsKept = Int64(recordsKept)
        self.transactionsPerCheckpoint = transactionsPerCheckpoint
        contents = stored.contents
        seal = stored.seal
        lastSequence = try database.number("SELECT coalesce(max(sequence), 0) FROM records")

        insertRecord = try database.prepare(
            """
            INSERT INTO records (boot_id, life, monotonic_ns, wall_ns, vocabulary, kind, details)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """)
        deleteRecords = try database.prepare(
            "DELETE FROM records WHERE sequence <= (SELECT max(sequence) FROM records) - ?")
        writeRegister = try database.prepare(
            "INSERT OR REPLACE INTO registers VALUES (?, ?, ?, ?, ?)")
        deleteRegister = try database.prepare(
            "DELETE FROM registers WHERE name = ? AND pulses = ? AND value = ?")
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
        // What would be written into a file that has no name any more is lost with the process.
        guard Files.number(of: database.path) == file else {
            throw LedgerError(database.path, "it is gone, or another file has its name", .decision)
        }
        let fresh = Stored(stored.identity, contents, life: life)
        var freshSeal = seal
        let notes = missing > 0 && !entries.isEmpty ? 1 : 0
        try database.transaction { () throws(LedgerError) in
            if missing > 0, let first = entries.first {
                try insert(
                    LedgerNote.recordsMissing.rawValue, "\(missing)", at: first.time,
                    wallOffset: wallOffset)
            }
            for entry in entries {
                try insert(
                    entry.record.name, entry.record.fields.journalLines, at: entry.time,
                    wallOffset: wallOffset)
            }
            try deleteRecords.run(.number(recordsKept))
            try write(fresh, sealing: &freshSeal)
        }
        stored = fresh
        seal = freshSeal
        lastSequence += Int64(entries.count + notes)
        transactions += 1
    }

    /// Writes what is not in the file yet, and the seal on all of it.
    private func write(_ fresh: Stored, sealing seal: inout Seal) throws(LedgerError) {
        // Only another ledger, in the place of the one that was in use, has what is not known.
        for (register, value) in stored.values where fresh.values[register] == nil {
            seal.remove(register, value)
            try deleteRegister.run(
                .text(register.name), .number(Int64(register.coin?.pulses ?? 0)),
                .number(Int64(register.coin?.value ?? 0)))
        }
        for (register, value) in fresh.values where stored.values[register] != value {
            if let old = stored.values[register] { seal.remove(register, old) }
            seal.add(register, value)
            try put(register, value)
        }
        for (name, number) in fresh.numbers where stored.numbers[name] != number {
            if let old = stored.numbers[name] { seal.remove(name, old) }
            seal.add(name, number)
            try writeNumber.run(.text(name), .number(number))
        }
        try writeNumber.run(.text(Stored.seal), .number(seal.number))
    }

    /// Writes all of it but the records into tables that hold nothing, or what an earlier version
    /// left: a part of a transaction.
    func fill() throws(LedgerError) {
        for (register, value) in stored.values { try put(register, value) }
        for (name, number) in stored.numbers { try writeNumber.run(.text(name), .number(number)) }
        try writeNumber.run(.text(Stored.seal), .number(seal.number))
        let writeIdentity = try database.prepare("INSERT OR REPLACE INTO identity VALUES (?, ?)")
        for (name, value) in stored.identity.texts {
            try writeIdentity.run(.text(name), .text(value))
        }
    }

    /// Writes down what has become of the ledger itself: a part of a transaction.
    func note(_ note: LedgerNote, _ details: Fields) throws(LedgerError) {
        try insert(
            note.rawValue, details.journalLines, at: MonotonicTimer.now,
            wallOffset: SystemWallClock.offset)
    }

    private func put(_ register: Register, _ value: Register.Value) throws(LedgerError) {
        try writeRegister.run(
            .text(register.name), .number(Int64(register.coin?.pulses ?? 0)),
            .number(Int64(register.coin?.value ?? 0)), .number(value.sinceInit),
            .number(value.sinceCollection))
    }

    private func insert(
        _ name: String, _ details: String, at time: Instant, wallOffset: Duration
    ) throws(LedgerError) {
        let wall = time + wallOffset
        try insertRecord.run(
            .text(bootID), .number(life), .number(time.nanoseconds), .number(wall.nanoseconds),
            .number(Int64(Vocabulary.version)), .text(name), .text(details))
    }

    /// Puts what was written in its place in the file, once it has become much: in a quiet moment,
    /// since it takes longer than a transaction.
    func tidy() {
        guard transactions >= transactionsPerCheckpoint else { return }
        transactions = 0
        // What fails here fails again in a transaction, where somebody hears of it.
        try? database.execute("PRAGMA main.wal_checkpoint(PASSIVE)")
    }

    /// Has the log be put in its place when the file is closed: nothing is wrong with either.
    func prepareToClose() { database.leaveLogOnClose(false) }

    /// Leaves file and log as they are when the file is closed: something is wrong with them.
    func abandon() { database.leaveLogOnClose(true) }
}
