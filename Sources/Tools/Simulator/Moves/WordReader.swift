package import Settings
package import Turnstile

/// Takes a line apart, word by word, and says where something is wrong with it.
package struct WordReader {
    /// A word, and its column in the line, from 1.
    struct Token {
        var text: String
        var column: Int
    }

    private let line: Int
    private var tokens: ArraySlice<Token>
    /// The column behind the last word.
    private let end: Int

    /// The words of this line of a text, up to a `#` that begins one.
    package init(_ text: String, line: Int) {
        self.line = line
        var tokens: [Token] = []
        var isInWord = false
        var column = 0
        for scalar in text.unicodeScalars {
            column += 1
            if scalar == " " || scalar == "\t" || scalar == "\r" {
                isInWord = false
            } else if isInWord {
                tokens[tokens.count - 1].text.unicodeScalars.append(scalar)
            } else if scalar == "#" {
                break
            } else {
                isInWord = true
                tokens.append(Token(text: String(scalar), column: column))
            }
        }
        end = (tokens.last.map { $0.column + $0.text.unicodeScalars.count } ?? 0) + 1
        self.tokens = tokens[...]
    }

    /// The error for the first blank that separates no words, such as a no-break space; nil without
    /// one.
    package var strangeBlank: WordError? {
        for token in tokens {
            for (offset, scalar) in token.text.unicodeScalars.enumerated()
            where scalar.properties.isWhitespace {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let code = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
                return WordError(
                    "U+\(code) is no blank here: write a space",
                    at: Position(line: line, column: token.column + offset))
            }
        }
        return nil
    }

    package var isAtEnd: Bool { tokens.isEmpty }

    /// The next word, which stays the next; nil at the end.
    package var next: String? { tokens.first?.text }

    package var rest: String { tokens.map(\.text).joined(separator: " ") }

    /// Where the next word is, or would be.
    package var position: Position { Position(line: line, column: tokens.first?.column ?? end) }

    package func problem(_ message: String) -> WordError {
        WordError(message, at: position)
    }

    /// Takes the next word; throws if there is none.
    package mutating func take(_ what: String) throws(WordError) -> String {
        guard let token = tokens.first else { throw problem("\(what) is missing") }
        tokens = tokens.dropFirst()
        return token.text
    }

    package mutating func take(ifIs word: String) -> Bool {
        guard next == word else { return false }
        tokens = tokens.dropFirst()
        return true
    }

    /// Takes one of these words; the error for another one suggests the nearest.
    package mutating func take(
        _ what: String, of words: [String]
    ) throws(WordError) -> String {
        let before = self
        let word = try take(what)
        guard words.contains(word) else { throw before.unknown(word, what, among: words) }
        return word
    }

    /// Takes a name of a list of the vocabulary.
    package mutating func take<Name: Word>(_ type: Name.Type) throws(WordError) -> Name {
        let name = try take("a name of \(Name.list)", of: Name.words.map(\.name))
        guard let word = Name.words.first(where: { $0.name == name }) else {
            preconditionFailure("it is one of them")
        }
        return word
    }

    /// Takes a whole number in this range; `advice` goes into the error for any other text.
    package mutating func takeNumber(
        _ what: String, in range: ClosedRange<Int>, advice: (String) -> String = { _ in "" }
    ) throws(WordError) -> Int {
        let before = self
        let word = try take(what)
        guard let number = Int(word), range.contains(number) else {
            let allowed = "allowed is \(range.lowerBound) to \(range.upperBound)"
            throw before.problem("\(quoted(word)) is not \(what): \(allowed)\(advice(word))")
        }
        return number
    }

    /// Takes a duration in this range, as the settings write them.
    package mutating func takeDuration(
        in range: ClosedRange<Duration>
    ) throws(WordError) -> Duration {
        let before = self
        let word = try take("a duration")
        return try Duration(written: word, in: range, failure: before.problem)
    }

    /// Takes the pairs `name=value` that come next.
    package mutating func takePairs(
        names: [String]
    ) throws(WordError) -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        while let word = next, word.contains("=") {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            guard names.contains(name) else { throw unknown(name, "a field", among: names) }
            tokens = tokens.dropFirst()
            pairs.append((name, String(parts[1])))
        }
        return pairs
    }

    /// Throws if words are left over.
    package func expectEnd() throws(WordError) {
        if let next { throw problem("\(quoted(next)) is one word too many") }
    }

    package func unknown(_ word: String, _ what: String, among words: [String]) -> WordError {
        let nearest = Spelling.nearest(to: word, among: words)
        let question = nearest.map { ": did you mean '\($0)'?" } ?? ""
        let shown = words.prefix(30).joined(separator: ", ") + (words.count > 30 ? ", …" : "")
        return problem("\(quoted(word)) is not \(what), which is one of \(shown)\(question)")
    }
}
