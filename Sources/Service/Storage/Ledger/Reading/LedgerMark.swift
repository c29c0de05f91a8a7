public import Keeping
public import Turnstile

/// A checkpoint that is kept for good, or from which the kept records begin: the facts of its row.
public struct LedgerMark: Hashable, Sendable {
    package let number: Int64
    /// The last record that it covers.
    public let sequence: Int64
    /// By the wall clock: since 1970, UTC.
    public let time: Duration
    /// Nil if it cannot be parsed.
    public let occasion: CheckpointOccasion?

    init(_ row: borrowing Row) throws(LedgerError) {
        number = try row.count(0)
        sequence = try row.count(1)
        time = .nanoseconds(try row.nanoseconds(2))
        occasion = CheckpointOccasion(try row.text(3).prefix { $0 != "\n" })
    }
}

extension LedgerSnapshot {
    /// The checkpoints kept for good, and the one from which the kept records begin, oldest first,
    /// unverified.
    public func marks() throws(LedgerError) -> [LedgerMark] {
        guard records.found.isSigned else { return [] }
        var found: [LedgerMark] = []
        let sql = """
            SELECT number, sequence, wall_ns, substr(note, instr(note, char(10) || 'for ') + 5, 60)
            FROM checkpoints WHERE kept = 1 OR sequence = ? ORDER BY number
            """
        try database.prepare(sql).run(.number(state.books[.pruned])) { row throws(LedgerError) in
            found.append(try LedgerMark(row))
        }
        return found
    }

    /// The registers at a mark.
    public func registers(at mark: LedgerMark) throws(LedgerError) -> RegisterValues {
        let sql = "SELECT registers FROM checkpoints WHERE number = \(mark.number)"
        guard let list = try database.value(sql)?.text.flatMap({ RegisterList($0) }) else {
            throw LedgerError(
                database.path, damage: "the registers of checkpoint \(mark.number) are not valid")
        }
        return list.values
    }

    package func checkpoint(of mark: LedgerMark) throws(LedgerError) -> Checkpoint {
        let sql = "SELECT note FROM checkpoints WHERE number = \(mark.number)"
        guard let signed = try database.value(sql)?.text.flatMap({ SignedCheckpoint($0) }) else {
            throw LedgerError(
                database.path, damage: "checkpoint \(mark.number) cannot be parsed")
        }
        return signed.checkpoint
    }

    /// The kept records with these numbers and kinds, oldest first.
    public func forEach(
        in range: ClosedRange<Int64>, of kinds: [String],
        _ body: (LedgerRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try forEach(in: range, where: Self.condition(kinds), body)
    }

    /// The last kept record with these numbers and kinds; nil for none.
    public func last(
        in range: ClosedRange<Int64>, of kinds: [String]
    ) throws(LedgerError) -> LedgerRecord? {
        var found: LedgerRecord?
        try forEach(in: range, where: Self.condition(kinds), order: "DESC LIMIT 1") { found = $0 }
        return found
    }

    /// The last kept record of the gate, not of the ledger itself, before this number; nil if none
    /// is kept.
    public func lastOfGate(before sequence: Int64) throws(LedgerError) -> LedgerRecord? {
        guard sequence > 1 else { return nil }
        let notes = LedgerNote.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        var found: LedgerRecord?
        try forEach(
            in: 1...sequence - 1, where: " AND kind NOT IN (\(notes))", order: "DESC LIMIT 1"
        ) { found = $0 }
        return found
    }

    /// A condition in SQL; no record's name needs escaping.
    private static func condition(_ kinds: [String]) -> String {
        let names = kinds.filter { $0.utf8.allSatisfy { $0 == 95 || (97...122).contains($0) } }
        return " AND kind IN (\(names.map { "'\($0)'" }.joined(separator: ", ")))"
    }
}
