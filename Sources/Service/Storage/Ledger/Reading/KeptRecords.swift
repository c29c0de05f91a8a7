/// The kept records of a ledger, up to the last when this value is made.
///
/// They are read in pieces, each in its own transaction. With a slow reader, one long transaction
/// would keep the service from resetting its log and, just after its start, from accepting coins.
/// Records never change, so the pieces are consistent.
struct KeptRecords {
    let database: Database
    let found: Schema.Finding
    /// The records up to this one are pruned; some of their rows may not be deleted yet.
    let pruned: Int64
    /// The last record; 0 for none.
    let last: Int64
    /// The last checkpoint; 0 for none.
    let lastCheckpoint: Int64
    /// Why they cannot be read; nil if sound.
    private let damage: LedgerError?
    /// Nil if none is kept.
    let sequences: ClosedRange<Int64>?

    /// How many are in memory at once.
    private static let atOnce: Int64 = 512

    /// Requires a transaction on `database`.
    init(in database: Database) throws(LedgerError) {
        self.database = database
        found = try Schema.find(in: database)
        pruned = Self.pruned(in: database)
        var (first, last, lastCheckpoint): (Int64, Int64, Int64) = (0, 0, 0)
        do throws(LedgerError) {
            guard found.hasRecords else {
                throw LedgerError(
                    database.path, damage: "the table of the records is not as it should be")
            }
            last = try database.number("SELECT coalesce(max(sequence), 0) FROM records")
            first = try database.number(
                "SELECT coalesce(min(sequence), 0) FROM records WHERE sequence > \(pruned)")
            if found.isSigned {
                lastCheckpoint = try database.number(
                    "SELECT coalesce(max(number), 0) FROM checkpoints")
            }
            damage = nil
        } catch {
            guard error.damage != nil else { throw error }
            damage = error
        }
        (self.last, self.lastCheckpoint) = (last, lastCheckpoint)
        sequences = first > 0 && first <= last ? first...last : nil
    }

    func check() throws(LedgerError) { if let damage { throw damage } }

    /// Reads the number anew, even if other rows are damaged.
    private static func pruned(in database: Database) -> Int64 {
        let sql = "SELECT value FROM state WHERE name = '\(Books.Name.pruned.rawValue)'"
        return (try? database.value(sql))?.number ?? 0
    }

    /// Whether records were pruned since this value was made.
    var haveGone: Bool { Self.pruned(in: database) > pruned }

    /// Selects the columns of ``LedgerRecord``, and others, of a range of records.
    func select(_ others: String = "") -> String {
        // Earlier versions of the ledger had one version of the vocabulary.
        let vocabulary = found.version < 3 ? "1" : "vocabulary"
        return "SELECT sequence, boot_id, life, monotonic_ns, wall_ns, \(vocabulary), kind, details"
            + "\(others) FROM records WHERE sequence BETWEEN ? AND ?"
    }

    /// The records with these numbers, or all, oldest first, with hashes if requested.
    func forEach(
        in range: ClosedRange<Int64>?, withHashes: Bool = false,
        _ body: (ChainedRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try check()
        guard let sequences, range?.overlaps(sequences) != false else { return }
        let range = range?.clamped(to: sequences) ?? sequences
        let hash = withHashes && found.isSigned ? ", hash" : ""
        let statement = try database.prepare(select(hash) + " ORDER BY sequence LIMIT ?")
        var next = range.lowerBound
        var known = KnownRecords<LedgerRecord.Words>()
        while true {
            var piece: [ChainedRecord] = []
            var failure: LedgerError?
            do throws(LedgerError) {
                try statement.run(
                    .number(next), .number(range.upperBound), .number(Self.atOnce)
                ) { row throws(LedgerError) in
                    let hash = row[8]?.bytes.flatMap { Digest($0) }
                    piece.append(ChainedRecord(record: try LedgerRecord(row, &known), hash: hash))
                }
            } catch {
                failure = error
            }
            try database.checkIsInPlace()
            if piece.first?.record.sequence != next && haveGone {
                throw LedgerError(
                    database.path, "records from \(next) on were deleted during the read", .time)
            }
            for record in piece { try body(record) }
            if let failure { throw failure }
            guard let end = piece.last?.record.sequence, end < range.upperBound else { return }
            next = end + 1
        }
    }
}
