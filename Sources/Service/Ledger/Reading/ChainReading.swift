import StateMachines

// The records with their hashes, for whoever hands them on so that others can verify them.

/// A record of a ledger, and its hash.
public struct ChainedRecord: Hashable, Sendable {
    package let record: LedgerRecord
    /// Its hash, which covers the record before it; nil where an earlier version wrote it.
    public let hash: Digest?
}

extension LedgerSnapshot {
    /// Hands over the kept records with these numbers, the oldest first, with their hashes.
    public func forEachChained(
        in range: ClosedRange<Int64>, _ body: (ChainedRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try records.forEach(in: range, withHashes: true, body)
    }

    /// The hash of this record, or that with which the chain begins behind it; nil for none.
    public func hash(of sequence: Int64) throws(LedgerError) -> Digest? {
        guard records.found.isSigned else { return nil }
        let sql = "SELECT hash FROM records WHERE sequence = \(sequence) AND hash <> x''"
        if sequence != base, let hash = try database.value(sql)?.bytes { return Digest(hash) }
        let note = try database.value(
            "SELECT note FROM checkpoints WHERE sequence = \(sequence) ORDER BY number DESC LIMIT 1"
        )
        return note?.text.flatMap { SignedCheckpoint($0) }?.checkpoint.hash
    }

    /// The numbers of the kept records made at `since` or later and before `until`, by the clock on
    /// the wall; nil for none.
    public func sequences(
        since: Duration?, until: Duration?
    ) throws(LedgerError) -> ClosedRange<Int64>? {
        guard let kept = sequences else { return nil }
        let records = "(sequence) FROM records WHERE sequence >= \(kept.lowerBound) AND wall_ns"
        func end(_ sql: String, _ time: Duration) throws(LedgerError) -> Int64? {
            try database.value("SELECT \(sql) \((Instant.zero + time).nanoseconds)")?.number
        }
        var (first, last): (Int64?, Int64?) = (kept.lowerBound, kept.upperBound)
        if let since { first = try end("min\(records) >=", since) }
        if let until { last = try end("max\(records) <", until) }
        guard let first, let last, first <= last else { return nil }
        return first...last
    }
}
