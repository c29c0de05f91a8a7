import Glibc
import Keeping
import StateMachines
import System
import Turnstile

/// The ledger as a file that is open for writing: the records, what the registers show, and what
/// is held for people.
///
/// It is used from one thread at a time, and by one process: see ``FileLock``. How it comes to be
/// open is in ``Opening``.
final class LedgerFile {
    /// How many transactions go by before what they wrote is put in its place in the file.
    static let transactionsPerCheckpointByDefault = 64

    let contents: Contents

    let database: Database
    private let bootID: String
    let limits: RecordLimits
    private let clock: SystemWallClock
    private let transactionsPerCheckpoint: Int
    /// The number of this start, from 1.
    private let life: Int64
    /// What its checkpoints are signed with; nil where none is made.
    private let key: SigningKey?
    /// What stands in the file, so that only what changed is written.
    private(set) var state: LedgerState
    private var chain: Chain
    private var seal: Seal
    private var transactions = 0
    /// Whether the limits were applied since it was opened: they may have become lower.
    private var isPruned = false

    private let insertRecord: Statement
    private let deleteRecords: Statement
    private let writeRegister: Statement
    private let deleteRegister: Statement
    private let writeNumber: Statement

    var lastSequence: Int64 { state.books.sequence }

    /// A ledger of this number of starts whose tables, as they should be, hold `page`.
    init(
        _ database: Database, _ page: Page, _ key: SigningKey?, bootID: String,
        life: Int64, limits: RecordLimits = RecordLimits(),
        clock: SystemWallClock = SystemWallClock(),
        transactionsPerCheckpoint: Int = transactionsPerCheckpointByDefault
    ) throws(LedgerError) {
        self.database = database
        (state, chain) = (page.state, page.chain)
        self.key = key
        self.bootID = bootID
        self.life = life
        self.limits = limits
        self.clock = clock
        self.transactionsPerCheckpoint = transactionsPerCheckpoint
        contents = state.contents
        seal = state.seal

        insertRecord = try database.prepare(
            """
            INSERT INTO records
                (sequence, boot_id, life, monotonic_ns, wall_ns, vocabulary, kind, details, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        deleteRecords = try database.prepare(
            """
            DELETE FROM records
            WHERE sequence <= min(?, (SELECT min(sequence) FROM records) + ?)
            """)
        writeRegister = try database.prepare(
            "INSERT OR REPLACE INTO registers VALUES (?, ?, ?, ?, ?)")
        deleteRegister = try database.prepare(
            "DELETE FROM registers WHERE name = ? AND pulses = ? AND value = ?")
        writeNumber = try database.prepare("INSERT OR REPLACE INTO state VALUES (?, ?)")
    }

    /// Writes down `entries`, before which so many are missing, and what all records come to with
    /// them; durable once it returns, and undone if it throws. `day` is that of the last entry, nil
    /// for the same as before; for an `occasion` it signs a checkpoint behind them, and returns it.
    @discardableResult
    func write(
        _ entries: [Entry], missing: Int, contents: Contents, wallOffset: Duration,
        day: Int64? = nil, closing occasion: Checkpoint.Occasion? = nil,
        at now: Instant? = nil
    ) throws(LedgerError) -> SignedCheckpoint? {
        try database.checkIsInPlace()
        let now = now ?? clock.monotonic
        var page = page
        page.state = LedgerState(state.identity, contents, life: life, books: state.books)
        var freshSeal = seal
        var note: SignedCheckpoint?
        try database.transaction { () throws(LedgerError) in
            // What goes makes room for what comes.
            try deletePruned(atLeast: entries.count)
            if missing > 0 {
                try insert(
                    LedgerNote.recordsMissing.rawValue, "\(missing)",
                    at: entries.first?.time ?? now, wallOffset, on: &page)
            }
            for entry in entries {
                try insert(
                    entry.record.name, entry.record.fields.journalLines, at: entry.time, wallOffset,
                    on: &page)
            }
            if let day { page.state.books[.day] = day }
            let wall = now - Instant.zero + wallOffset
            var occasion = occasion
            if occasion != nil || !isPruned,
                try prune(&page, for: occasion ?? .interval, at: wall)
            {
                // Nothing goes but what a checkpoint says has gone.
                occasion = occasion ?? .interval
            }
            if let occasion { note = try close(&page, occasion, at: wall) }
            try write(page.state, sealing: &freshSeal)
        }
        isPruned = true
        state = page.state
        chain = page.chain
        seal = freshSeal
        transactions += 1
        return note
    }

    /// Deletes some of the records that are kept no longer: more than come, and not so many that
    /// the transaction takes long.
    private func deletePruned(atLeast count: Int) throws(LedgerError) {
        let pruned = state.books[.pruned]
        guard pruned > 0 else { return }
        try deleteRecords.run(.number(pruned), .number(Int64(max(32, 2 * count))))
    }

    /// Writes what is not in the file yet, and the seal on all of it.
    private func write(_ fresh: LedgerState, sealing seal: inout Seal) throws(LedgerError) {
        // Only another ledger, in the place of the one that was in use, has what is not known.
        for (register, value) in state.values where fresh.values[register] == nil {
            seal.change(register, from: value, to: nil)
            try deleteRegister.run(
                .text(register.name), .number(Int64(register.coin?.pulses ?? 0)),
                .number(Int64(register.coin?.value ?? 0)))
        }
        for (register, value) in fresh.values where state.values[register] != value {
            seal.change(register, from: state.values[register], to: value)
            try put(register, value)
        }
        for (name, number) in fresh.numbers where state.numbers[name] != number {
            seal.change(name, from: state.numbers[name], to: number)
            try writeNumber.run(.text(name), .number(number))
        }
        try writeNumber.run(.text(LedgerState.seal), .number(seal.number))
    }

    private func put(_ register: Register, _ value: Register.Value) throws(LedgerError) {
        try writeRegister.run(
            .text(register.name), .number(Int64(register.coin?.pulses ?? 0)),
            .number(Int64(register.coin?.value ?? 0)), .number(value.sinceInit),
            .number(value.sinceCollection))
    }

    private func insert(
        _ name: String, _ details: String, at time: Instant, _ wallOffset: Duration,
        on page: inout Page
    ) throws(LedgerError) {
        let row = ChainedRow(
            sequence: page.state.books.sequence + 1, life: life, monotonic: time.nanoseconds,
            wall: (time + wallOffset).nanoseconds, vocabulary: Int64(Vocabulary.version),
            bootID: Array(bootID.utf8), kind: Array(name.utf8), details: Array(details.utf8))
        let hash = page.chain.add(row)
        page.state.books.sequence = row.sequence
        try insertRecord.run(
            .number(row.sequence), .text(bootID), .number(life), .number(row.monotonic),
            .number(row.wall), .number(row.vocabulary), .text(name), .text(details),
            .bytes(hash.bytes))
    }

    var page: Page { Page(state: state, chain: chain) }

    /// What stands in the file, or what a transaction makes of it.
    struct Page {
        var state: LedgerState
        var chain: Chain
    }
}

// What a ledger is begun with, or goes on with in another way: parts of a transaction.
extension LedgerFile {
    /// Begins the chain behind what is there, which cannot be verified.
    func beginChain() throws(LedgerError) {
        var page = page
        page.chain = Chain(after: Chain.beginning(of: state.identity.number))
        page.state.books[.base] = page.state.books.sequence
        _ = try close(&page, .begun, at: clock.now.utc)
        take(page)
    }

    func note(_ note: LedgerNote, _ details: Fields) throws(LedgerError) {
        var page = page
        try insert(
            note.rawValue, details.journalLines, at: clock.monotonic, clock.wallOffset,
            on: &page)
        take(page)
    }

    /// Signs that the key is this one from here on, and what it was before.
    func changeKey(from earlier: VerificationKey) throws(LedgerError) {
        var page = page
        page.state.identity.key = try knownKey.verificationKey
        _ = try close(&page, .key(after: earlier), at: clock.now.utc)
        take(page)
    }

    /// Writes all of it but the records and checkpoints into its tables.
    func fill() throws(LedgerError) {
        seal = state.seal
        for (register, value) in state.values { try put(register, value) }
        for (name, number) in state.numbers { try writeNumber.run(.text(name), .number(number)) }
        try writeNumber.run(.text(LedgerState.seal), .number(seal.number))
        let writeIdentity = try database.prepare("INSERT OR REPLACE INTO identity VALUES (?, ?)")
        for (name, value) in state.identity.texts {
            try writeIdentity.run(.text(name), .text(value))
        }
    }

    private func take(_ page: Page) { (state, chain) = (page.state, page.chain) }
}

// Checkpoints.
extension LedgerFile {
    private func close(
        _ page: inout Page, _ occasion: Checkpoint.Occasion, at wall: Duration
    ) throws(LedgerError) -> SignedCheckpoint {
        let registers = page.state.contents.registers
        let list = RegisterList(registers.sinceInit)
        page.state.books.count(occasion)
        let books = page.state.books
        let checkpoint = Checkpoint(
            ledger: page.state.identity.number, sequence: books.sequence, hash: page.chain.head,
            gate: page.state.identity.gate, time: .seconds(wall.components.seconds),
            occasion: occasion.numbered(books), number: books[.checkpoint], page: books[.page],
            registers: list.digest, valueIn: registers.sinceInit.valueIn,
            held: registers.sinceInit.creditHeld &+ registers.sinceInit.fareInUse,
            passages: registers.sinceInit.passagesMade, standing: page.state.standing)
        let signed = SignedCheckpoint(
            checkpoint: checkpoint, note: SignedNote(checkpoint.text, by: try knownKey))
        let kept = KeptCheckpoint(
            signed: signed, registers: list, row: checkpoint.number,
            rowSequence: checkpoint.sequence, rowWall: (Instant.zero + wall).nanoseconds,
            isKept: occasion.isKept)
        try kept.insert(into: database)
        return signed
    }

    private var knownKey: SigningKey {
        get throws(LedgerError) {
            guard let key else {
                throw LedgerError(database.path, "there is no key to sign with", .decision)
            }
            return key
        }
    }
}

// The files.
extension LedgerFile {
    /// Puts what was written in its place in the file, once it has become much: in a quiet moment,
    /// since it takes longer than a transaction.
    func compactLog() {
        guard transactions >= transactionsPerCheckpoint else { return }
        transactions = 0
        // What fails here fails again in a transaction, where somebody hears of it.
        try? database.execute("PRAGMA main.wal_checkpoint(PASSIVE)")
    }

    /// Has the log be put in its place when the file is closed: nothing is wrong with either.
    func prepareToClose() { database.leaveLogOnClose(false) }

    /// Keeps in mind how far this ledger, in use here, goes now: an older copy of it is none.
    func remember() throws(LedgerError) {
        try Place(path: database.path).remember(state.toRemember)
    }

    /// The note signed when the coins were last collected, or counted; nil where they never were.
    func lastCollection() throws(LedgerError) -> String? {
        guard state.books[.collection] > 0 else { return nil }
        let sql = """
            SELECT note FROM checkpoints
            WHERE kept = 1 AND (instr(note, char(10) || 'for collection ') > 0
                OR instr(note, char(10) || 'for count of collection ') > 0)
            ORDER BY number DESC LIMIT 1
            """
        return try database.value(sql)?.text
    }

    func usedRoom() throws(LedgerError) -> Double? { try database.usedRoom() }

    /// Leaves file and log as they are when the file is closed: something is wrong with them.
    func abandon() { database.leaveLogOnClose(true) }
}
