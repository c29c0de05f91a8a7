import StateMachines

// Pruning of records beyond the limits, up to a checkpoint, from which the rest can be verified.
// The next checkpoint signs it.
extension LedgerFile {
    /// Marks records as pruned, before a checkpoint for this occasion; returns whether any were.
    func prune(
        _ progress: inout Progress, for occasion: Checkpoint.Occasion, at wall: Duration
    ) throws(LedgerError) -> Bool {
        var books = progress.state.books
        var end = try proved(try self.end(beyond: limits.count, books), before: nil, progress)
        if let age = limits.age {
            let (old, oldest) = try self.end(olderThan: age, for: occasion, at: wall, books)
            end = max(end, try proved(old, before: oldest, progress))
        }
        guard end > books[.pruned] else { return false }
        books[.pruned] = end
        books[.base] = max(books[.base], end)
        progress.state.books = books
        try database.prepare("DELETE FROM checkpoints WHERE kept = 0 AND sequence < ?")
            .run(.number(end))
        return true
    }

    /// `sequence` if a signed checkpoint covers it as its last record, and was made before `time`;
    /// else 0. The searched rows are not signed: forging them must not make the service prune.
    private func proved(
        _ sequence: Int64, before time: Duration?, _ progress: Progress
    ) throws(LedgerError) -> Int64 {
        guard sequence > progress.state.books[.pruned], let key = progress.state.identity.key else {
            return 0
        }
        var found: StoredCheckpoint?
        try database.prepare(StoredCheckpoint.at).run(.number(sequence)) {
            row throws(LedgerError) in found = try StoredCheckpoint(row)
        }
        guard let found, found.checkpoint.sequence == sequence,
            found.checkpoint.ledger == progress.state.identity.number,
            time.map({ found.checkpoint.time < $0 }) ?? true
        else { return 0 }
        let changes = try StoredCheckpoint.changesOfKey(in: database)
        return KeySuccession(key, of: changes, given: []).hasSigned(found.signed.note)
            ? sequence : 0
    }

    /// The last record beyond the count that a checkpoint covers; 0 for none.
    private func end(beyond count: Int, _ books: Books) throws(LedgerError) -> Int64 {
        try database.number(
            """
            SELECT coalesce(max(sequence), 0) FROM checkpoints
            WHERE sequence <= \(books.sequence - Int64(count))
            """)
    }

    /// The last record beyond the age that a checkpoint covers, 0 for none, and the limit's time.
    ///
    /// No clock is trusted alone:
    /// - A clock at 1970: nothing after the first recent checkpoint is pruned.
    /// - A clock years ahead: age counts from the last checkpoint but one of those kept
    ///   for good, a day ago.
    private func end(
        olderThan age: Duration, for occasion: Checkpoint.Occasion, at wall: Duration,
        _ books: Books
    ) throws(LedgerError) -> (end: Int64, oldest: Duration) {
        var known: Int64?
        // The checkpoint being made is not in the table yet.
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
