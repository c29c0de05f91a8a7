// What can be told of a ledger without going through it.
extension LedgerSnapshot {
    /// How many bytes of the file are in use; what was freed is used again.
    public func usedBytes() throws(LedgerError) -> Int64 {
        let pages =
            try database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count")
        return try pages * database.number("PRAGMA page_size")
    }

    /// What was signed last; nil for an earlier version. Throws for what is no checkpoint.
    public func lastCheckpoint() throws(LedgerError) -> SignedCheckpoint? { try lastPage()?.signed }
}
