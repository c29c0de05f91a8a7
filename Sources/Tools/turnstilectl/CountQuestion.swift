import Glibc
import System
import Turnstile

/// A question at a terminal, on standard error: standard output is for results.
enum Question {
    static var isPossible: Bool { isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0 }

    /// The next line that is typed; nil at the end of input.
    static func answer(to question: String) -> String? {
        printQuestion(question)
        return readLine()
    }

    static func isAnswered(_ question: String) -> Bool {
        ["y", "yes"].contains(answer(to: question)?.lowercased())
    }
}

/// Asks at a terminal what was counted. No question reveals the expected amount: a collector who
/// knows it need not count.
struct CountQuestion {
    private let books: CollectionBooks

    struct Answer: Hashable {
        /// Nil if not counted.
        var counted: CountedCoins?
    }

    init(_ books: CollectionBooks) { self.books = books }

    /// What was counted; nil if nothing is to be recorded.
    func ask() -> Answer? {
        books.coins.values.isEmpty ? askForTotal() : askForCoins().map { Answer(counted: $0) }
    }

    /// Asks whether to record it, which cannot be undone.
    func confirms(_ counted: CountedCoins?) -> Bool {
        if !books.hasSwitch, let closed = books.lastClosed {
            printError("the books were last closed \(closed.localDate)")
        }
        printError(counted.map { "\($0.amount) counted" } ?? "not counted")
        return Question.isAnswered(
            books.hasSwitch ? "record it? [y/N] " : "close the books? [y/N] ")
    }

    private func askForTotal() -> Answer? {
        while true {
            let question = "amount counted (Enter: not counted): "
            guard let line = Question.answer(to: question) else { return nil }
            if line.isEmpty { return Answer() }
            if let amount = amount(line) { return Answer(counted: .total(amount)) }
        }
    }

    private func askForCoins() -> CountedCoins? {
        printError("how many were counted (Enter: none, =AMOUNT: all coins)")
        var counts: [Int64: Int64] = [:]
        for value in books.coins.values {
            while counts[value] == nil {
                guard let line = Question.answer(to: "of \(value): ") else { return nil }
                if line.isEmpty {
                    counts[value] = 0
                } else if line.hasPrefix("=") {
                    if let total = amount(line.dropFirst()) { return .total(total) }
                } else if let count = Int64(line), (0...CountedCoins.most).contains(count) {
                    counts[value] = count
                } else {
                    complain("'\(line)' is no number of coins")
                }
            }
        }
        return .coins(counts)
    }

    /// The amount in a line; nil, with a complaint, if it is none.
    private func amount(_ line: some StringProtocol) -> Int64? {
        if let amount = Int64(line), CountedCoins.amounts.contains(amount) { return amount }
        complain("'\(line)' is no amount: \(CountedCoins.allowedAmounts)")
        return nil
    }
}
