internal import Console
internal import Turnstile

/// The counts since the view was opened.
struct Chronicle: Hashable, Sendable {
    private(set) var registers = RegisterValues()
    private(set) var lastCoin: LastCoin?

    mutating func count(_ record: Record) {
        registers.count(record)
        switch record.coinTold {
        case let (coin, fate)?: lastCoin = LastCoin(value: coin.value, fate: fate)
        case nil: break
        }
    }

    /// A line each, for the terminal after the view is closed, with where more is kept.
    func summary(gate: String, kept: String) -> [String] {
        let told = registers.totals.filter { $0.value != 0 }
        func list(_ text: (Register.Total) -> String?) -> String {
            let items = told.compactMap { total, value in text(total).map { "\(value) \($0)" } }
            return items.isEmpty ? "none" : items.joined(separator: ", ")
        }
        func passages(_ direction: Direction) -> String {
            list { total in
                guard case .register(.passages(let passage)) = total,
                    passage.direction == direction
                else { return nil }
                return passage.kind.name
            }
        }
        return [
            "\(gate), while you looked:",
            "  in      \(passages(.entry))",
            "  out     \(passages(.exit))",
            "  coins   "
                + list { total in
                    guard case .coins(let fate, _, let value) = total else { return nil }
                    return "x \(value) \(fate.rawValue)"
                },
            "  alarms  "
                + list { total in
                    guard case .register(.alarms(let alarm)) = total else { return nil }
                    return "x \(alarm.caption)"
                },
            "  faults  "
                + list { total in
                    guard case .faults(let code) = total else { return nil }
                    return "x \(code)"
                },
            "  kept    \(kept)",
        ]
    }
}

extension Record {
    /// The record's coin and its fate, if it has one.
    fileprivate var coinTold: (Coin, CoinFate)? {
        if case .coinAccepted(let coin) = self { return (coin, .accepted) }
        if case .coinLate(let coin) = self { return (coin, .late) }
        if case .coinInhibited(let coin) = self { return (coin, .inhibited) }
        if case .coinRejected(let coin) = self { return (coin, .rejected) }
        return nil
    }

    /// The sentence of a refusal; nil for other records.
    var objection: String? {
        guard case .refused = self else { return nil }
        return entry.sentence
    }
}
