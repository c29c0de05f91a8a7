public import Turnstile

/// A ledger as it is at one moment, for whoever checks it or reports what it comes to.
public final class LedgerSnapshot {
    /// The gate's name.
    public let gate: String
    /// Which ledger it is: 32 hexadecimal digits.
    public let number: String
    /// What its checkpoints are verified with; nil for a ledger of an earlier version, which has
    /// none.
    public let key: VerificationKey?
    /// What the registers show.
    public let registers: Registers
    /// What is held for people.
    public let balances: Balances
    /// The numbers of the records that are kept; nil where none is.
    public let sequences: ClosedRange<Int64>?
    /// The number of the record behind which the records can be verified: those up to it have no
    /// hashes, or are kept no longer.
    public let base: Int64
    /// The day that it is by the books: `20261122`; 0 for none yet.
    public let day: Int
    /// How often the coins were collected.
    public let collection: Int64

    let database: Database
    let stored: Stored
    let version: Int64

    /// Reads a database from here on as it is now.
    init(_ database: Database) throws(LedgerError) {
        try database.execute("BEGIN")
        let found = try Schema.find(in: database)
        guard found.hasRecords else {
            throw LedgerError(
                database.path, damage: "the table of the records is not as it should be")
        }
        self.database = database
        version = found.version
        stored = try Stored(in: database, found, gate: "")
        gate = stored.identity.gate
        number = stored.identity.number
        key = stored.identity.key.flatMap { VerificationKey($0) }
        registers = stored.contents.registers
        balances = stored.contents.balances
        base = stored.books[.base]
        day = Int(stored.books[.day])
        collection = stored.books[.collection]
        let pruned = stored.books[.pruned]
        let last = try database.number("SELECT coalesce(max(sequence), 0) FROM records")
        let first = try database.number(
            "SELECT coalesce(min(sequence), 0) FROM records WHERE sequence > \(pruned)")
        sequences = first > 0 && first <= last ? first...last : nil
    }

    /// Hands over the records with these numbers that are kept, or all, the oldest first. One that
    /// this version cannot read is handed over as one.
    public func forEach(
        in range: ClosedRange<Int64>? = nil,
        _ body: (LedgerRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        guard let range = range ?? sequences else { return }
        // Before there was a column for it, there was one version.
        let sql = """
            SELECT sequence, boot_id, life, monotonic_ns, wall_ns,
                \(version < 3 ? "1" : "vocabulary"), kind, details
            FROM records WHERE sequence BETWEEN ? AND ? ORDER BY sequence
            """
        let (first, last) = (max(range.lowerBound, stored.books[.pruned] + 1), range.upperBound)
        try database.prepare(sql).run(.number(first), .number(last)) { row throws(LedgerError) in
            try body(LedgerRecord(row))
        }
    }

    /// The checkpoints that are kept, the oldest first. Throws for what is none.
    public func checkpoints() throws(LedgerError) -> [KeptCheckpoint] {
        guard version == Schema.version else { return [] }
        var found: [KeptCheckpoint] = []
        let sql = "SELECT number, sequence, kept, registers, note FROM checkpoints ORDER BY number"
        try database.prepare(sql).run { row throws(LedgerError) in
            let number = try row.count(0)
            guard let signed = SignedCheckpoint(try row.text(4)) else {
                throw row.damage("the checkpoint \(number) is none")
            }
            guard let registers = RegisterList(try row.text(3)) else {
                throw row.damage("the registers of the checkpoint \(number) are none")
            }
            found.append(
                KeptCheckpoint(
                    signed: signed, registers: registers, row: number,
                    rowSequence: try row.count(1),
                    isKept: row[2]?.number == 1))
        }
        return found
    }
}

/// A checkpoint as a ledger keeps it.
public struct KeptCheckpoint: Hashable, Sendable {
    /// What was signed.
    public var signed: SignedCheckpoint
    /// What the registers showed since the gate was new.
    public var registers: RegisterList
    /// What its row says beside that, which must agree with it.
    var row: Int64, rowSequence: Int64
    /// Whether it stays when the records before it go.
    public internal(set) var isKept: Bool

    /// What was signed, without the signature.
    public var checkpoint: Checkpoint { signed.checkpoint }
}
