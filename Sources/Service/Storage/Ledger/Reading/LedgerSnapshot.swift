package import Turnstile

/// A ledger at one moment, for verification and reports.
public final class LedgerSnapshot {
    package var gate: String { state.identity.gate }
    /// 32 hexadecimal digits; a trial's after `trial-`.
    public var number: String { state.identity.number }
    package var isTrial: Bool { Identity.isTrial(number) }
    /// A record's number is unique in a branch; nil for an earlier version.
    public var branch: String? { state.identity.branch }
    /// The public key of its checkpoints; nil for an earlier version.
    public var key: VerificationKey? { state.identity.key }
    package var registers: Registers { contents.registers }
    package var balances: Balances { contents.balances }
    /// The numbers of the kept records; nil if no record is kept.
    public var sequences: ClosedRange<Int64>? { records.sequences }
    /// Records after this one can be verified: earlier ones have no hashes, or are pruned.
    public var base: Int64 { state.books[.base] }
    /// The day by the books: `20261122`; 0 for none yet.
    public var day: Int { Int(state.books[.day]) }
    package var collection: Int64 { state.books[.collection] }

    let state: LedgerState
    private let contents: Contents
    let records: KeptRecords

    var database: Database { records.database }
    var version: Int64 { records.found.version }

    /// The number of the last record by now: the service may have written on since.
    func presentSequence() throws(LedgerError) -> Int64 {
        let sql = "SELECT value FROM state WHERE name = '\(Books.Name.sequence.rawValue)'"
        return try database.value(sql)?.number ?? state.books.sequence
    }

    /// Requires a transaction if others write to `database`; `gate` is the name for a ledger of the
    /// first version, which had none.
    init(in database: Database, gate: String = "") throws(LedgerError) {
        records = try KeptRecords(in: database)
        state = try LedgerState(in: database, records.found, gate: gate)
        contents = state.contents
    }

    /// The kept records with these numbers, or all, oldest first; unreadable ones as such.
    public func forEach(
        in range: ClosedRange<Int64>? = nil,
        _ body: (LedgerRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try records.forEach(in: range) { chained throws(LedgerError) in try body(chained.record) }
    }

    /// The kept records with these numbers and this condition, in this order.
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

    /// The checkpoints in the file, oldest first; only those kept for good if requested. Throws if
    /// one cannot be parsed.
    public func checkpoints(
        keptForGood isKeptForGood: Bool = false
    ) throws(LedgerError) -> [StoredCheckpoint] {
        guard records.found.isSigned else { return [] }
        var found: [StoredCheckpoint] = []
        let sql = isKeptForGood ? StoredCheckpoint.keptForGood : StoredCheckpoint.all
        try database.prepare(sql).run(.number(records.lastCheckpoint)) { row throws(LedgerError) in
            found.append(try StoredCheckpoint(row))
        }
        return found
    }

    /// The last checkpoint, kept for good or not; nil for an earlier version.
    func lastStoredCheckpoint() throws(LedgerError) -> StoredCheckpoint? {
        var found: StoredCheckpoint?
        guard records.found.isSigned else { return nil }
        try database.prepare(StoredCheckpoint.last).run(.number(records.lastCheckpoint)) {
            row throws(LedgerError) in found = try StoredCheckpoint(row)
        }
        return found
    }
}
