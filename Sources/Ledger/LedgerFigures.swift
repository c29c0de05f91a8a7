// What can be told of a ledger without going through it.
extension LedgerSnapshot {
    /// How many bytes of the file are in use; what was freed is used again.
    public func usedBytes() throws(LedgerError) -> Int64 {
        let pages =
            try database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count")
        return try pages * database.number("PRAGMA page_size")
    }

    /// What was signed last; nil for a ledger of an earlier version. Throws for what is no
    /// checkpoint.
    public func lastCheckpoint() throws(LedgerError) -> SignedCheckpoint? {
        guard version == Schema.version,
            let note = try database.value(
                "SELECT note FROM checkpoints ORDER BY number DESC LIMIT 1")
        else { return nil }
        guard let signed = note.text.flatMap({ SignedCheckpoint($0) }) else {
            throw LedgerError(database.path, damage: "the last checkpoint is none")
        }
        return signed
    }
}
