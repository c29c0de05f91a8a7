import Glibc
import Keeping
import StateMachines
import System
import Turnstile

/// The ledger's file, open for writing: records, registers and balances.
///
/// Used from one thread at a time, and by one process: see ``FileLock``. ``Opening`` opens it.
final class LedgerFile {
    /// How many transactions the log holds before they are copied into the file.
    static let transactionsPerCheckpointByDefault = 64

    let contents: Contents

    let database: Database
    private let bootID: String
    let limits: RecordLimits
    private let clock: SystemWallClock
    private let transactionsPerCheckpoint: Int
    /// The number of this start, from 1.
    private let life: Int64
    /// The key of its checkpoints; nil if none are made.
    private let key: SigningKey?
    /// The file's present state, so that only changes are written.
    private(set) var state: LedgerState
    private var chain: Chain
    private var seal: Seal
    private var transactions = 0
    /// Whether the limits were applied since the opening: the settings may have lowered them.
    private var isPruned = false

    private let insertRecord: Statement
    private let deleteRecords: Statement
    private let writeRegister: Statement
    private let deleteRegister: Statement
    private let writeNumber: Statement

    var lastSequence: Int64 { state.books.sequence }

    /// A ledger in start number `life` of the service, whose valid tables are at `progress`.
    init(
        _ database: Database, _ progress: Progress, _ key: SigningKey?, bootID: String,
        life: Int64, limits: RecordLimits = RecordLimits(),
        clock: SystemWallClock = SystemWallClock(),
        transactionsPerCheckpoint: Int = transactionsPerCheckpointByDefault
    ) throws(LedgerError) {
        self.database = database
        (state, chain) = (progress.state, progress.chain)
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

    /// Writes `entries`, and `contents`, the totals including them; durable on return.
    ///
    /// `missing` records were lost before them. `day` is the new day of the books; nil if it stays.
    /// For an `occasion`, and for pruned records, it signs a checkpoint after them, and returns it.
    @discardableResult
    func write(
        _ entries: [Entry], missing: Int, contents: Contents, wallOffset: Duration,
        day: Int64? = nil, closing occasion: Checkpoint.Occasion? = nil,
        at now: Instant? = nil
    ) throws(LedgerError) -> SignedCheckpoint? {
        try database.checkIsInPlace()
        let now = now ?? clock.monotonic
        var progress = progress
        progress.state = LedgerState(state.identity, contents, life: life, books: state.books)
        var freshSeal = seal
        var note: SignedCheckpoint?
        try database.transaction { () throws(LedgerError) in
            // Deleting makes room for the new records.
            try deletePruned(atLeast: entries.count)
            if missing > 0 {
                try insert(
                    LedgerNote.recordsMissing.rawValue, "\(missing)",
                    at: entries.first?.time ?? now, wallOffset, on: &progress)
            }
            for entry in entries {
                try insert(
                    entry.record.name, entry.record.fields.journalLines, at: entry.time, wallOffset,
                    on: &progress)
            }
            if let day { progress.state.books[.day] = day }
            let wall = now - Instant.zero + wallOffset
            var occasion = occasion
            if occasion != nil || !isPruned,
                try prune(&progress, for: occasion ?? .interval, at: wall)
            {
                // A checkpoint has to sign the pruning.
                occasion = occasion ?? .interval
            }
            if let occasion { note = try sign(&progress, occasion, at: wall) }
            try write(progress.state, sealing: &freshSeal)
        }
        isPruned = true
        state = progress.state
        chain = progress.chain
        seal = freshSeal
        transactions += 1
        return note
    }

    /// Deletes some of the pruned records: more than are written, but few enough for a short
    /// transaction.
    private func deletePruned(atLeast count: Int) throws(LedgerError) {
        let pruned = state.books[.pruned]
        guard pruned > 0 else { return }
        try deleteRecords.run(.number(pruned), .number(Int64(max(32, 2 * count))))
    }

    /// Writes the changes of the state, and the seal on all of it.
    private func write(_ fresh: LedgerState, sealing seal: inout Seal) throws(LedgerError) {
        // Only a ledger that replaced the one in use has unknown registers.
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
        on progress: inout Progress
    ) throws(LedgerError) {
        let row = ChainedRow(
            sequence: progress.state.books.sequence + 1, life: life, monotonic: time.nanoseconds,
            wall: (time + wallOffset).nanoseconds, vocabulary: Int64(Vocabulary.version),
            bootID: Array(bootID.utf8), kind: Array(name.utf8), details: Array(details.utf8))
        let hash = progress.chain.add(row)
        progress.state.books.sequence = row.sequence
        try insertRecord.run(
            .number(row.sequence), .text(bootID), .number(life), .number(row.monotonic),
            .number(row.wall), .number(row.vocabulary), .text(name), .text(details),
            .bytes(hash.bytes))
    }

    var progress: Progress { Progress(state: state, chain: chain) }

    /// How far the ledger is: its state, and the head of its chain. A transaction changes a copy,
    /// which is adopted once it is durable.
    struct Progress {
        var state: LedgerState
        var chain: Chain

        var toRemember: Remembered { Remembered(state, head: chain.head) }
    }
}

// The beginning of a ledger, and changes of its chain or key: parts of a transaction.
extension LedgerFile {
    /// Begins the chain after existing records that cannot be verified, whose checkpoints are
    /// signed with the key `earlier`; nil if there are none.
    func beginChain(after earlier: VerificationKey?) throws(LedgerError) {
        var progress = progress
        progress.chain = Chain(after: Chain.beginning(of: state.identity.number))
        progress.state.books[.base] = progress.state.books.sequence
        if let earlier, earlier != state.identity.key {
            _ = try sign(&progress, .key(after: earlier), at: clock.now.utc)
        }
        _ = try sign(&progress, .begun, at: clock.now.utc)
        take(progress)
    }

    func note(_ note: LedgerNote, _ details: Fields) throws(LedgerError) {
        var progress = progress
        try insert(
            note.rawValue, details.journalLines, at: clock.monotonic, clock.wallOffset,
            on: &progress)
        take(progress)
    }

    /// Signs a change of key, gate or branch.
    func changeKey(from earlier: VerificationKey) throws(LedgerError) {
        var progress = progress
        progress.state.identity.key = try knownKey.verificationKey
        _ = try sign(&progress, .key(after: earlier), at: clock.now.utc)
        take(progress)
    }

    /// Writes all tables but records and checkpoints.
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

    private func take(_ progress: Progress) { (state, chain) = (progress.state, progress.chain) }
}

// Checkpoints.
extension LedgerFile {
    private func sign(
        _ progress: inout Progress, _ occasion: Checkpoint.Occasion, at wall: Duration
    ) throws(LedgerError) -> SignedCheckpoint {
        let registers = progress.state.contents.registers
        let list = RegisterList(registers.sinceInit)
        progress.state.books.count(occasion)
        let books = progress.state.books
        let checkpoint = Checkpoint(
            ledger: progress.state.identity.number, sequence: books.sequence,
            hash: progress.chain.head,
            gate: progress.state.identity.gate, time: .seconds(wall.components.seconds),
            occasion: occasion.numbered(books), number: books[.checkpoint],
            page: books[.keptCheckpoints],
            registers: list.digest, valueIn: registers.sinceInit.valueIn,
            held: registers.sinceInit.creditHeld &+ registers.sinceInit.fareInUse,
            passages: registers.sinceInit.passagesMade, standing: progress.state.standing)
        let signed = SignedCheckpoint(
            checkpoint: checkpoint, note: SignedNote(checkpoint.text, by: try knownKey))
        let stored = StoredCheckpoint(
            signed: signed, registers: list, row: checkpoint.number,
            rowSequence: checkpoint.sequence, rowWall: (Instant.zero + wall).nanoseconds,
            isKept: occasion.isKept)
        try stored.insert(into: database)
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
    /// Copies a long log into the file, between transactions, since it takes longer than one.
    func compactLog() {
        guard transactions >= transactionsPerCheckpoint else { return }
        transactions = 0
        // A failure repeats in a transaction, which reports it.
        try? database.execute("PRAGMA main.wal_checkpoint(PASSIVE)")
    }

    /// Has closing copy the log into the file: both are sound.
    func prepareToClose() { database.leaveLogOnClose(false) }

    /// Writes down how far this ledger goes, to detect an older copy in its place.
    func remember() throws(LedgerError) {
        try Place(path: database.path).remember(progress.toRemember)
    }

    /// The signed note of the last collection or count; nil for none.
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

    /// Has closing leave file and log unchanged: they are damaged.
    func abandon() { database.leaveLogOnClose(true) }
}
