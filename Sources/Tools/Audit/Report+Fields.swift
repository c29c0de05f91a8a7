import System
public import Turnstile

// A report under the names of the vocabulary.
extension RegisterValues {
    /// A period's registers, in an order that never changes: first those of every gate, with zeros,
    /// then those of coins, alarms and faults that occurred.
    public var periodTotals: [(name: String, value: Int64)] {
        var told = [
            (Register.creditAtBeginning.name, self[.creditAtBeginning]),
            (Register.passagesMade.name, passagesMade),
        ]
        told += totals.map { ($0.total.name, $0.value) }
        return told
    }
}

extension Report {
    /// CSV (RFC 4180), with a line for each row, or one for the whole period. The columns' names
    /// are the vocabulary's, and never change; coins, alarms and faults have one if they occurred.
    /// Times are local.
    public func csv(clock: LocalClock = .system) -> String {
        if grouping == .kind { return kindsCSV }
        var columns = registers.periodTotals.map(\.name)
        let known = Set(columns)
        var more: Set<String> = []
        for row in rows { more.formUnion(row.registers.periodTotals.map(\.name)) }
        columns += more.subtracting(known).sorted()
        var lines = [["since", "until", "remark"] + columns]
        func add(_ from: Duration?, _ to: Duration?, _ told: RegisterValues, _ doubt: Row.Doubt?) {
            let values = Dictionary(
                told.periodTotals.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
            lines.append(
                [from, to].map { $0.map(clock.timestamp) ?? "" }
                    + [doubt?.rawValue ?? (isTrial ? "trial" : "")]
                    + columns.map { "\(values[$0] ?? 0)" })
        }
        if grouping == nil { add(from, to, registers, nil) }
        for row in rows { add(row.from, row.to, row.registers, row.doubt) }
        return Self.csv(lines)
    }

    private var kindsCSV: String {
        let rows = details.kinds.sorted { $0.key < $1.key }.map { kind, count in
            [kind.onOneLine, "\(count.count)", count.value.map { "\($0)" } ?? ""]
        }
        return Self.csv([["kind", "count", "value"]] + rows)
    }

    private static func csv(_ lines: [[String]]) -> String {
        lines.map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        // A carriage return and a line feed are one character.
        guard text.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) })
        else { return text }
        return "\""
            + text.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }
}
