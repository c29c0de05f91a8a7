import Console
import Keeping
import Ledger
import System
import Turnstile

/// The slip of a collection: the contents of the vault for people, and the signed text below.
struct SlipPage {
    /// The width of the narrowest paper; only signed text is wider.
    static let columns = 42

    let gate: String
    /// The expected contents of the vault, as far as known by coin.
    let expected: VaultContents?
    /// Nil if not counted.
    let counted: CountedCoins?
    /// When the books were opened that were closed with it, since 1970, UTC; nil where that is not
    /// known.
    let opened: Duration?
    let closed: Duration?
    let signed: SignedCheckpoint

    var text: String {
        let rule = String(repeating: "-", count: Self.columns)
        return ([rule] + head + table + [rule]).map { $0 + "\n" }.joined()
            + signed.note.description
    }

    private var head: [String] {
        var lines = [gate.onOneLine]
        if signed.checkpoint.isTrial { lines.append("TRIAL: no gate has taken this money") }
        if let number = signed.checkpoint.occasion.collection {
            lines.append("collection \(number)")
        }
        if let opened { lines.append("from  \(opened.localDate)") }
        if let closed { lines.append("to    \(closed.localDate)") }
        return lines
    }

    private var table: [String] {
        var table = Table(columns: [.left, .right, .right, .right])
        func add(_ cells: String...) { table.rows.append(cells.map { [Span($0)] }) }
        add("coins", "expected", "counted", "differs")
        for value in Set((expected?.values ?? []) + (counted?.values ?? [])).sorted() {
            let count = expected?.count(of: value) ?? 0
            let found = counted?.count(of: value)
            add("of \(value)", "\(count)", found.text, found.map { $0 - count }.difference)
            let rows = expected?.rows.filter { $0.value == value } ?? []
            for row in rows where rows.count > 1 || row.acceptor != .first {
                add("  acceptor \(row.acceptor.rawValue)", "\(row.count)")
            }
        }
        let (due, found) = (signed.checkpoint.occasion.expected, counted?.amount)
        if let expected, let due, expected.total != due {
            add("meanwhile", "\(due - expected.total)")
        }
        add("in all", due.text, found.text, found.map { $0 - (due ?? 0) }.difference)
        return table.lines.map { $0.map(\.text).joined() }
    }
}

extension Checkpoint.Occasion {
    var collection: Int64? { kind.collection }

    var expected: Int64? {
        switch self {
        case .collection(_, let expected): expected
        case .counted(_, let count): count.expected
        case .begun, .day, .interval, .stop, .gap, .key: nil
        }
    }

    var counted: Int64? {
        switch self {
        case .counted(_, let count): count.counted
        case .collection, .begun, .day, .interval, .stop, .gap, .key: nil
        }
    }
}

extension Int64? {
    fileprivate var text: String { map { "\($0)" } ?? "" }

    /// The number with its sign, or nothing where it is 0.
    fileprivate var difference: String {
        guard let self, self != 0 else { return "" }
        return self > 0 ? "+\(self)" : "\(self)"
    }
}

extension Duration {
    /// A time since 1970, UTC, as the clock on the wall showed it here: `2026-11-22 06:12:09`.
    var localDate: String {
        let time = LocalTime(at: self)
        let date = [time.month, time.day].map(twoDigits)
        let clock = [time.hour, time.minute, time.second].map(twoDigits)
        return "\(time.year)-\(date.joined(separator: "-")) \(clock.joined(separator: ":"))"
    }
}
