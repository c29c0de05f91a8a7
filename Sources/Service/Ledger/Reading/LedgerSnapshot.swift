package import Turnstile

/// A ledger as it is at one moment, for whoever checks it or reports what it comes to.
public final class LedgerSnapshot {
    package var gate: String { state.identity.gate }
    /// Which ledger it is: 32 hexadecimal digits, of a trial behind `trial-`.
    public var number: String { state.identity.number }
    package var isTrial: Bool { Identity.isTrial(number) }
    /// Which branch it is: a record's number is used once in each; nil for an earlier version.
    public var branch: String? { state.identity.branch }
    /// What its checkpoints are verified with; nil for an earlier version, which has none.
    public var key: VerificationKey? { state.identity.key }
    package var registers: Registers { contents.registers }
    package var balances: Balances { contents.balances }
    /// The numbers of the records that are kept; nil where none is.
    public var sequences: ClosedRange<Int64>? { records.sequences }
    /// The number of the record behind which the records can be verified: those up to it have no
    /// hashes, or are kept no longer.
    public var base: Int64 { state.books[.base] }
    /// The day that it is by the books: `20261122`; 0 for none yet.
    public var day: Int { Int(state.books[.day]) }
    package var collection: Int64 { state.books[.collection] }

    let state: LedgerState
    private let contents: Contents
    let records: KeptRecords

    var database: Database { records.database }
    var version: Int64 { records.found.version }

    /// The ledger in a database, in which a transaction was begun where others write to it; `gate`
    /// is the name that one of the first version gets, which had none.
    init(in database: Database, gate: String = "") throws(LedgerError) {
        records = try KeptRecords(in: database)
        state = try LedgerState(in: database, records.found, gate: gate)
        contents = state.contents
    }

    /// Hands over the records with these numbers that are kept, or all, the oldest first. One that
    /// this version cannot read is handed over as one.
    public func forEach(
        in range: ClosedRange<Int64>? = nil,
        _ body: (LedgerRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try records.forEach(in: range) { chained throws(LedgerError) in try body(chained.record) }
    }

    /// Hands over the kept records with these numbers that fulfil this condition, in this order.
    func forEach(
        in range: ClosedRange<Int64>, where condition: String, order: String = "",
        _ body: (LedgerRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        let sql = records.select() + "\(condition) ORDER BY sequence \(order)"
        let (first, last) = (max(range.lowerBound, state.books[.pruned] + 1), range.upperBound)
        var known = KnownRecords<LedgerRecord.Words>()
        try database.prepare(sql).run(.number(first), .number(last)) { row throws(LedgerError) in
            try body(LedgerRecord(row, &known))
        }
    }

    /// The checkpoints that are kept, the oldest first; of those alone that are kept for good where
    /// that is all. Throws for what is none.
    public func checkpoints(
        keptForGood isKeptForGood: Bool = false
    ) throws(LedgerError) -> [KeptCheckpoint] {
        guard records.found.isSigned else { return [] }
        var found: [KeptCheckpoint] = []
        let sql = isKeptForGood ? KeptCheckpoint.allForGood : KeptCheckpoint.all
        try database.prepare(sql).run(.number(records.lastCheckpoint)) { row throws(LedgerError) in
            found.append(try KeptCheckpoint(row))
        }
        return found
    }

    func lastPage() throws(LedgerError) -> KeptCheckpoint? {
        var found: KeptCheckpoint?
        guard records.found.isSigned else { return nil }
        try database.prepare(KeptCheckpoint.last).run(.number(records.lastCheckpoint)) {
            row throws(LedgerError) in found = try KeptCheckpoint(row)
        }
        return found
    }
}
