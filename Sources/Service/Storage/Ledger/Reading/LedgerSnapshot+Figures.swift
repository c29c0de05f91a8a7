// Figures that need no pass over the records.
extension LedgerSnapshot {
    /// The used bytes of the file; freed ones are reused.
    public func usedBytes() throws(LedgerError) -> Int64 {
        let pages =
            try database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count")
        return try pages * database.number("PRAGMA page_size")
    }

    /// The last checkpoint; nil for an earlier version. Throws if it cannot be parsed.
    public func lastCheckpoint() throws(LedgerError) -> SignedCheckpoint? {
        try lastStoredCheckpoint()?.signed
    }
}
