import StateMachines

// Records with their hashes, for exports that others can verify.

public struct ChainedRecord: Hashable, Sendable {
    package let record: LedgerRecord
    /// Nil for an earlier version.
    public let hash: Digest?
}

extension LedgerSnapshot {
    /// The kept records with these numbers, oldest first, with their hashes.
    public func forEachChained(
        in range: ClosedRange<Int64>, _ body: (ChainedRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try records.forEach(in: range, withHashes: true, body)
    }

    /// The chain's hash after this record, from the record or a checkpoint there; nil if the ledger
    /// has neither.
    public func hash(of sequence: Int64) throws(LedgerError) -> Digest? {
        guard records.found.isSigned else { return nil }
        let sql = "SELECT hash FROM records WHERE sequence = \(sequence) AND hash <> x''"
        if sequence != base, let hash = try database.value(sql)?.bytes { return Digest(hash) }
        let note = try database.value(
            "SELECT note FROM checkpoints WHERE sequence = \(sequence) ORDER BY number DESC LIMIT 1"
        )
        return note?.text.flatMap { SignedCheckpoint($0) }?.checkpoint.hash
    }

    /// The numbers of the kept records from `since` to before `until`, by the wall clock; nil if no
    /// record is of that time.
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
