import Console
import System
import Turnstile

/// Asks somebody at a terminal what was counted.
struct CountQuestion {
    private let books: CollectionBooks

    /// What was answered.
    struct Answer: Hashable {
        /// What was counted; nil where nobody did.
        var counted: CountedCoins?
    }

    /// A question about the coins of these books.
    init(_ books: CollectionBooks) { self.books = books }

    /// Shows what should be there and asks; nil where whoever is asked wants nothing recorded.
    func ask() -> Answer? {
        for line in expectation { say(line.map(\.text).joined()) }
        var answer = Answer()
        let coins = books.expected?.values ?? []
        if coins.isEmpty {
            guard let total = askForTotal() else { return nil }
            answer = total
        } else {
            guard let counted = askForCoins(coins) else { return nil }
            answer.counted = counted
        }
        if let counted = answer.counted { say(result(of: counted)) }
        let consent = askFor(books.hasSwitch ? "record it? [y/N] " : "close the books? [y/N] ")
        return ["y", "yes"].contains(consent?.lowercased()) ? answer : nil
    }

    // Standard output is for the slip.

    private func say(_ line: String) { printError(line) }

    /// The next line that somebody types; nil for no more.
    private func askFor(_ question: String) -> String? {
        printQuestion(question)
        return readLine()
    }

    /// What should be in the vault.
    private var expectation: [[Span]] {
        guard let expected = books.expected, !expected.rows.isEmpty else {
            let total = books.expectedTotal.map { "\($0)" } ?? "nobody knows how much"
            return [[Span("in the vault should be: \(total)")]]
        }
        var table = Table(columns: [.left, .left, .right])
        for row in expected.rows {
            table.rows.append([
                [Span("of \(row.value)")], [Span(row.acceptor.line.name)], [Span("\(row.count)")],
            ])
        }
        table.rows.append([[Span("in all")], [], [Span("\(expected.total)")]])
        return [[Span("in the vault should be:")]] + table.lines
    }

    private func result(of counted: CountedCoins) -> String {
        let amount = "\(counted.amount) counted"
        guard let expected = books.expectedTotal else { return amount }
        let difference = counted.amount - expected
        if difference == 0 { return "\(amount), as expected" }
        return "\(amount), \(abs(difference)) \(difference < 0 ? "too little" : "too much")"
    }

    private func askForTotal() -> Answer? {
        while true {
            guard let line = askFor("how much was counted (Enter: nobody counted): ") else {
                return nil
            }
            if line.isEmpty { return Answer() }
            if let amount = Int64(line), amount >= 0 { return Answer(counted: .total(amount)) }
            complain("'\(line)' is no amount in minor units of the currency")
        }
    }

    private func askForCoins(_ values: [Int64]) -> CountedCoins? {
        say("how many were counted (Enter: as many as expected, =AMOUNT: all coins)")
        var counts: [Int64: Int64] = [:]
        for value in values {
            let expected = books.expected?.count(of: value) ?? 0
            while counts[value] == nil {
                guard let line = askFor("of \(value) [\(expected)]: ") else { return nil }
                if line.isEmpty {
                    counts[value] = expected
                } else if line.hasPrefix("="), let total = Int64(line.dropFirst()), total >= 0 {
                    return .total(total)
                } else if let count = Int64(line), (0...CountedCoins.most).contains(count) {
                    counts[value] = count
                } else {
                    complain("'\(line)' is no number of coins")
                }
            }
        }
        return .coins(counts)
    }
}
