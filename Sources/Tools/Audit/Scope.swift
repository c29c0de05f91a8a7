import Keeping
public import Ledger
import System
import Turnstile

/// A period, resolved in a ledger.
struct Scope {
    /// Its bounds in wall-clock time; nil for none.
    var from: Duration?, to: Duration?
    /// The collection with which it ends; nil if it ends otherwise.
    var vault: Report.Vault?
    /// Whether its coins are not collected yet.
    var isOpen = false

    init(
        _ period: Period, _ snapshot: LedgerSnapshot, _ marks: [LedgerMark]
    ) throws(ReportError) {
        let last = snapshot.collection
        switch period {
        case .times(let from, let to): (self.from, self.to) = (from, to)
        case .collection(.number(let number)):
            guard (1...last + 1).contains(number) else {
                throw .noCollection(number, last: last)
            }
            try find(number, snapshot, marks)
        case .collection(.last):
            guard last > 0 else { throw .noCollection(nil, last: last) }
            try find(last, snapshot, marks)
        case .collection(.open): try find(last + 1, snapshot, marks)
        }
    }

    /// Finds the bounds of a collection's period, and its vault.
    private mutating func find(
        _ number: Int64, _ snapshot: LedgerSnapshot, _ marks: [LedgerMark]
    ) throws(ReportError) {
        var vault = Report.Vault(collection: number)
        from = marks.last { $0.occasion == .collection(number - 1) }?.time
        // The first collection's period begins with the ledger, if that has its first record.
        if number == 1, let first = marks.first, first.sequence == 0 { from = first.time }
        if let mark = marks.last(where: { $0.occasion == .collection(number) }) {
            to = mark.time
            if case .collection(_, let expected) = try Self.occasion(of: mark, in: snapshot) {
                vault.expected = expected
            }
        } else {
            guard number == snapshot.collection + 1 else {
                throw .noCollection(number, last: snapshot.collection)
            }
            isOpen = true
        }
        if let mark = marks.last(where: { $0.occasion == .counted(number) }),
            case .counted(_, let count) = try Self.occasion(of: mark, in: snapshot)
        {
            vault.counted = count.counted
        }
        self.vault = vault
    }

    private static func occasion(
        of mark: LedgerMark, in snapshot: LedgerSnapshot
    ) throws(ReportError) -> Checkpoint.Occasion {
        try ReportError.of { () throws(LedgerError) in try snapshot.checkpoint(of: mark).occasion }
    }
}

extension Report.Grouping {
    /// The longest period that is drawn by the hour.
    private static let drawnByHour = Duration.seconds(14 * 86_400)

    /// By the hour unless the period is too long, else by the day.
    public static func toDraw(
        _ period: Period, of snapshot: LedgerSnapshot, now: Duration
    ) throws(ReportError) -> Report.Grouping {
        let marks = try ReportError.of { () throws(LedgerError) in try snapshot.marks() }
        let scope = try Scope(period, snapshot, marks)
        guard let from = scope.from else { return .day }
        return (scope.to ?? now) - from <= drawnByHour ? .hour : .day
    }
}

extension ReportError {
    static func of<Result>(
        _ body: () throws(LedgerError) -> Result
    ) throws(ReportError) -> Result {
        do throws(LedgerError) {
            return try body()
        } catch {
            throw .ledger(error)
        }
    }
}
