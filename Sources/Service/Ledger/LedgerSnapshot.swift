package import Turnstile

/// A ledger as it is at one moment, for whoever checks it or reports what it comes to.
public final class LedgerSnapshot {
    package let gate: String
    /// Which ledger it is: 32 hexadecimal digits, of a trial behind `trial-`.
    public let number: String
    package var isTrial: Bool { Identity.isTrial(number) }
    /// Which branch it is of those that go on from one ledger, likewise: the number of a record is
    /// used once in each. nil for a ledger of an earlier version.
    public var branch: String? { stored.identity.branch }
    /// What its checkpoints are verified with; nil for a ledger of an earlier version, which has
    /// none.
    public let key: VerificationKey?
    package let registers: Registers
    package let balances: Balances
    /// The numbers of the records that are kept; nil where none is.
    public let sequences: ClosedRange<Int64>?
    /// The number of the record behind which the records can be verified: those up to it have no
    /// hashes, or are kept no longer.
    public let base: Int64
    /// The day that it is by the books: `20261122`; 0 for none yet.
    public let day: Int
    package let collection: Int64

    let stored: Stored
    let records: KeptRecords

    var database: Database { records.database }
    var version: Int64 { records.found.version }

    /// The ledger in a database, in which a transaction was begun where others write to it.
    ///
    /// - Parameters:
    ///   - gate: The name that a ledger of the first version gets, which had none.
    init(in database: Database, gate: String = "") throws(LedgerError) {
        records = try KeptRecords(in: database)
        stored = try Stored(in: database, records.found, gate: gate)
        self.gate = stored.identity.gate
        number = stored.identity.number
        key = stored.identity.key
        registers = stored.contents.registers
        balances = stored.contents.balances
        base = stored.books[.base]
        day = Int(stored.books[.day])
        collection = stored.books[.collection]
        sequences = records.sequences
    }

    /// Hands over the records with these numbers that are kept, or all, the oldest first. One that
    /// this version cannot read is handed over as one.
    public func forEach(
        in range: ClosedRange<Int64>? = nil,
        _ body: (LedgerRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try records.forEach(in: range) { chained throws(LedgerError) in try body(chained.record) }
    }

    /// Hands over the records with these numbers that are kept and fulfil this condition, in this
    /// order.
    func forEach(
        in range: ClosedRange<Int64>, where condition: String, order: String = "",
        _ body: (LedgerRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        // Before there was a column for it, there was one version.
        let sql = """
            SELECT sequence, boot_id, life, monotonic_ns, wall_ns,
                \(version < 3 ? "1" : "vocabulary"), kind, details
            FROM records WHERE sequence BETWEEN ? AND ?\(condition)
            ORDER BY sequence \(order)
            """
        let (first, last) = (max(range.lowerBound, stored.books[.pruned] + 1), range.upperBound)
        var known = KnownRecords<LedgerRecord.Words>()
        try database.prepare(sql).run(.number(first), .number(last)) { row throws(LedgerError) in
            try body(LedgerRecord(row, &known))
        }
    }

    /// The checkpoints that are kept, the oldest first; of those alone that are kept for good where
    /// that is all. Throws for what is none.
    public func checkpoints(
        keptForGood isKeptForGood: Bool = false
    ) throws(LedgerError) -> [KeptCheckpoint] {
        guard records.found.isSigned else { return [] }
        var found: [KeptCheckpoint] = []
        let sql = isKeptForGood ? KeptCheckpoint.allForGood : KeptCheckpoint.all
        try database.prepare(sql).run(.number(records.lastCheckpoint)) { row throws(LedgerError) in
            found.append(try KeptCheckpoint(row))
        }
        return found
    }

    func lastPage() throws(LedgerError) -> KeptCheckpoint? {
        var found: KeptCheckpoint?
        guard records.found.isSigned else { return nil }
        try database.prepare(KeptCheckpoint.last).run(.number(records.lastCheckpoint)) {
            row throws(LedgerError) in found = try KeptCheckpoint(row)
        }
        return found
    }
}
