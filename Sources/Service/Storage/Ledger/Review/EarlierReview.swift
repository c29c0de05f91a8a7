/// Reviews the rows before the records that are verified: of pruned records, which are deleted a
/// few at a time, the oldest first. Nothing shows them.
///
/// They are read from the last one back: each has the hash that the next one, or the checkpoint
/// behind it, covers. So nothing proves what the first of them says, besides its hash.
struct EarlierReview {
    private let snapshot: LedgerSnapshot
    private let beginning: Checkpoint
    private let beginsAnew: Bool
    /// The present row; reused for the next one.
    private var row = ChainedRow()
    private var hash: [UInt8] = []
    /// The row behind it, and its hash; nil for the checkpoint.
    private var later: (row: ChainedRow, hash: Digest)?
    /// Whether the rest has no hashes: an earlier version wrote it.
    private var hasEnded = false

    init(_ snapshot: LedgerSnapshot, _ records: RecordReview) {
        self.snapshot = snapshot
        (beginning, beginsAnew) = (records.beginning, records.beginsAnew)
    }

    mutating func run() throws(Flaw) {
        let (base, pruned) = (snapshot.base, snapshot.state.books[.pruned])
        try checkEmptiness(upTo: beginsAnew ? base : 0)
        // Else an earlier version wrote those up to `base`, without hashes.
        guard base == pruned else { return }
        let sql = """
            SELECT \(ChainedRow.columns) FROM records
            WHERE sequence BETWEEN ? AND ? ORDER BY sequence DESC LIMIT 20000
            """
        let statement = try Flaw.of { () throws(LedgerError) in
            try snapshot.database.prepare(sql)
        }
        var (next, before) = (pruned, pruned + 1)
        while next < before, !hasEnded {
            before = next
            try statement.review(1, next) { row throws(Flaw) in
                if !hasEnded { try add(row, &next) }
            }
            try Flaw.of { () throws(LedgerError) in try snapshot.database.checkIsInPlace() }
        }
    }

    private func checkEmptiness(upTo end: Int64) throws(Flaw) {
        let last = try Flaw.of { () throws(LedgerError) in
            try snapshot.database.value(
                "SELECT max(sequence) FROM records WHERE sequence <= \(end)")
        }
        guard let number = last?.number else { return }
        throw .found("the record \(number) is there, and the records begin with \(end + 1)")
    }

    private mutating func add(_ found: borrowing Row, _ next: inout Int64) throws(Flaw) {
        guard found.number(0) == next else {
            throw .found("the pruned record \(next) is gone, and one before it is not")
        }
        guard row.read(found, hash: &hash) else {
            throw .found("the pruned record \(next) lacks a value")
        }
        hasEnded = hash.isEmpty
        let head: Digest? = hasEnded ? Chain.beginning(of: snapshot.number) : Digest(hash)
        guard let head, isCovered(head), !row.isAmbiguous else {
            throw .found("the pruned record \(next) was altered, or the one behind it")
        }
        later = (row, head)
        next -= 1
    }

    /// Whether the row behind, or the checkpoint, covers this hash.
    private func isCovered(_ head: Digest) -> Bool {
        guard let later else { return head == beginning.hash }
        var chain = Chain(after: head)
        return chain.add(later.row) == later.hash
    }
}
