/// A checkpoint as a row of the ledger. "Kept" means kept for good: see
/// ``Checkpoint/Occasion/isKept``.
public struct StoredCheckpoint: Hashable, Sendable {
    package var signed: SignedCheckpoint
    public var registers: RegisterList
    /// The row's other columns, which must agree with the signed text.
    var row: Int64, rowSequence: Int64, rowWall: Int64
    public internal(set) var isKept: Bool

    public var checkpoint: Checkpoint { signed.checkpoint }
}

extension StoredCheckpoint {
    private static let columns =
        "SELECT number, sequence, wall_ns, kept, registers, note FROM checkpoints"
    static let all = "\(columns) WHERE number <= ? ORDER BY number"
    static let last = "\(columns) WHERE number <= ? ORDER BY number DESC LIMIT 1"
    static let at = "\(columns) WHERE sequence = ? ORDER BY number DESC LIMIT 1"
    private static let ofKeys =
        "\(columns) WHERE kept = 1 AND instr(note, char(10) || 'for key' || char(10)) > 0 "
        + "ORDER BY number"
    static let keptForGood = "\(columns) WHERE number <= ? AND kept = 1 ORDER BY number"

    /// The changes of a ledger's key, gate or branch, oldest first.
    static func changesOfKey(in database: Database) throws(LedgerError) -> [StoredCheckpoint] {
        var changes: [StoredCheckpoint] = []
        try database.prepare(ofKeys).run { row throws(LedgerError) in
            changes.append(try StoredCheckpoint(row))
        }
        return changes
    }

    init(_ found: borrowing Row) throws(LedgerError) {
        row = try found.count(0)
        guard let signed = SignedCheckpoint(try found.text(5)) else {
            throw found.damage("checkpoint \(row) cannot be parsed")
        }
        guard let registers = RegisterList(try found.text(4)) else {
            throw found.damage("the registers of checkpoint \(row) are not valid")
        }
        (self.signed, self.registers) = (signed, registers)
        rowSequence = try found.count(1)
        rowWall = try found.nanoseconds(2)
        let kept = try found.count(3)
        guard kept < 2 else { throw found.damage("checkpoint \(row): 'kept' is neither 0 nor 1") }
        isKept = kept == 1
    }

    func insert(into database: Database) throws(LedgerError) {
        try database.prepare("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?)").run(
            .number(row), .number(rowSequence), .number(rowWall), .number(isKept ? 1 : 0),
            .text(registers.text), .text(signed.note.description))
    }
}
