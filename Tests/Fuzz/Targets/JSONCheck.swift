/// Reads JSON as RFC 8259 has it, and nothing beside it: what is printed as JSON has to be some.
struct JSONCheck {
    private var rest: Substring.UnicodeScalarView

    /// How deep values may lie in one another here.
    private static let deepest = 512

    /// Ends the process where `text` is no value of JSON, or has a line break where it stands in
    /// a stream of lines.
    static func check(_ text: String, isLine: Bool = true) {
        var check = JSONCheck(rest: Substring(text).unicodeScalars)
        guard check.value(depth: 0), check.rest.allSatisfy({ $0 == "\n" }) else {
            fail("no JSON: \(text.debugDescription)")
        }
        if isLine, text.unicodeScalars.dropLast().contains("\n") {
            fail("more than a line: \(text.debugDescription)")
        }
    }

    private mutating func value(depth: Int) -> Bool {
        guard depth < Self.deepest else { return false }
        skipSpace()
        switch rest.first {
        case "{": return items(until: "}") { $0.pair(depth: depth) }
        case "[": return items(until: "]") { $0.value(depth: depth + 1) }
        case "\"": return string()
        case "t": return word("true")
        case "f": return word("false")
        case "n": return word("null")
        default: return number()
        }
    }

    private mutating func pair(depth: Int) -> Bool {
        skipSpace()
        guard string() else { return false }
        skipSpace()
        return take(":") && value(depth: depth + 1)
    }

    /// Items with commas between them, in brackets.
    private mutating func items(
        until end: Unicode.Scalar, _ item: (inout JSONCheck) -> Bool
    ) -> Bool {
        rest.removeFirst()
        skipSpace()
        if take(end) { return true }
        while item(&self) {
            skipSpace()
            if take(end) { return true }
            guard take(",") else { return false }
        }
        return false
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": return true
            case "\\": guard escape() else { return false }
            case _ where scalar.value < 0x20: return false
            default: break
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        switch rest.popFirst() {
        case "\"", "\\", "/", "b", "f", "n", "r", "t": return true
        case "u":
            let digits = rest.prefix(4)
            rest = rest.dropFirst(4)
            return digits.count == 4 && digits.allSatisfy { $0.properties.isASCIIHexDigit }
        default: return false
        }
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0") { guard digits() else { return false } }
        if take(".") { guard digits() else { return false } }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty
    }

    private mutating func word(_ word: String) -> Bool {
        guard rest.starts(with: word.unicodeScalars) else { return false }
        rest = rest.dropFirst(word.unicodeScalars.count)
        return true
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" }
    }
}
