import StateMachines

// Records that are beyond the limits, and go: up to a checkpoint, from which the rest can be
// verified. The checkpoint that is made with that says so.
extension LedgerFile {
    /// Has them be kept no longer, before a checkpoint for this occasion; whether there were any.
    func prune(
        _ page: inout Page, for occasion: Checkpoint.Occasion, at wall: Duration
    ) throws(LedgerError) -> Bool {
        var books = page.state.books
        var end = try proved(try self.end(beyond: limits.count, books), before: nil, page)
        if let age = limits.age {
            let (old, oldest) = try self.end(olderThan: age, for: occasion, at: wall, books)
            end = max(end, try proved(old, before: oldest, page))
        }
        guard end > books[.pruned] else { return false }
        books[.pruned] = end
        books[.base] = max(books[.base], end)
        page.state.books = books
        try database.prepare("DELETE FROM checkpoints WHERE kept = 0 AND sequence < ?")
            .run(.number(end))
        return true
    }

    /// The number of a record, where what is signed says as well that a checkpoint was made behind
    /// it, and that this was before a time; else 0. The rows that were searched for it are not
    /// signed: nobody who writes into them has the service let records go.
    private func proved(
        _ sequence: Int64, before time: Duration?, _ page: Page
    ) throws(LedgerError) -> Int64 {
        guard sequence > page.state.books[.pruned], let key = page.state.identity.key else {
            return 0
        }
        var found: KeptCheckpoint?
        try database.prepare(KeptCheckpoint.at).run(.number(sequence)) { row throws(LedgerError) in
            found = try KeptCheckpoint(row)
        }
        guard let found, found.checkpoint.sequence == sequence,
            found.checkpoint.ledger == page.state.identity.number,
            time.map({ found.checkpoint.time < $0 }) ?? true
        else { return 0 }
        var changes: [KeptCheckpoint] = []
        try database.prepare(KeptCheckpoint.changesOfKey).run { row throws(LedgerError) in
            changes.append(try KeptCheckpoint(row))
        }
        return KeySuccession(key, of: changes, given: []).hasSigned(found.signed.note)
            ? sequence : 0
    }

    /// The last record that is one too many, as far as a checkpoint covers it; 0 for none.
    private func end(beyond count: Int, _ books: Books) throws(LedgerError) -> Int64 {
        try database.number(
            """
            SELECT coalesce(max(sequence), 0) FROM checkpoints
            WHERE sequence <= \(books.sequence - Int64(count))
            """)
    }

    /// The last record that is too old, as far as a checkpoint covers it, 0 for none; and when what
    /// is too old was.
    ///
    /// No clock is believed alone. A board without one begins in 1970: no record goes behind one
    /// that was made in the time that is kept. A clock may also be put forward by years: age goes
    /// by the last but one of the checkpoints that stay, which is about a day old, so that there is
    /// a day to set the clock right.
    private func end(
        olderThan age: Duration, for occasion: Checkpoint.Occasion, at wall: Duration,
        _ books: Books
    ) throws(LedgerError) -> (end: Int64, oldest: Duration) {
        var known: Int64?
        // The checkpoint that is about to be made is not in the table yet.
        try database.prepare(
            """
            SELECT wall_ns FROM checkpoints WHERE kept = 1
            ORDER BY sequence DESC, number DESC LIMIT 1 OFFSET \(occasion.isKept ? 0 : 1)
            """
        ).run { row in known = row.number(0) }
        guard let known else { return (0, .zero) }
        let now = (Instant.zero + wall).nanoseconds
        let oldest = min(Instant(nanoseconds: known), Instant.zero + wall) - age
        var end: Int64 = 0
        try database.prepare(
            """
            SELECT coalesce(max(sequence), 0) FROM checkpoints
            WHERE sequence > ?1 AND wall_ns < ?2 AND sequence < coalesce(
                (SELECT min(sequence) FROM checkpoints
                WHERE sequence > ?1 AND wall_ns BETWEEN ?2 AND ?3), ?4)
            """
        ).run(
            .number(books[.pruned]), .number(oldest.nanoseconds), .number(now),
            .number(books.sequence)
        ) { row throws(LedgerError) in end = try row.count(0) }
        return (end, oldest - Instant.zero)
    }
}
