/// The records of a ledger from the first that is kept to the one that is the last when this value
/// is made.
///
/// They are read piece by piece, each in a transaction of its own. One that went on for as long as
/// somebody reads would keep the service from beginning a new log, and with that, where it has just
/// started, from taking coins. Nothing is lost by it: a record never changes.
struct KeptRecords {
    let database: Database
    let found: Schema.Finding
    /// Those up to this one are kept no longer, though they may still be there.
    let pruned: Int64
    /// The number of the last one; 0 for none.
    let last: Int64
    /// The number of the last checkpoint; 0 for none.
    let lastCheckpoint: Int64
    /// Why nobody can read them; nil where that can be done.
    private let damage: LedgerError?
    /// The numbers of those that are kept; nil where none is.
    let sequences: ClosedRange<Int64>?

    /// How many are read at once before they are handed over: they are in memory until then.
    private static let atOnce: Int64 = 512

    /// Those of a database in which a transaction was begun for that.
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

    /// What the books say now, whatever else they say.
    private static func pruned(in database: Database) -> Int64 {
        let sql = "SELECT value FROM state WHERE name = '\(Books.Name.pruned.rawValue)'"
        return (try? database.value(sql))?.number ?? 0
    }

    var haveGone: Bool { Self.pruned(in: database) > pruned }

    /// What asks for the columns of ``LedgerRecord``, and others, of the records from one to one.
    func select(_ others: String = "") -> String {
        // Before there was a column for it, there was one version.
        let vocabulary = found.version < 3 ? "1" : "vocabulary"
        return "SELECT sequence, boot_id, life, monotonic_ns, wall_ns, \(vocabulary), kind, details"
            + "\(others) FROM records WHERE sequence BETWEEN ? AND ?"
    }

    /// Hands over those with these numbers, or all, the oldest first, with hashes where asked for.
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
                    database.path, "records from \(next) on went while they were read", .time)
            }
            for record in piece { try body(record) }
            if let failure { throw failure }
            guard let end = piece.last?.record.sequence, end < range.upperBound else { return }
            next = end + 1
        }
    }
}
