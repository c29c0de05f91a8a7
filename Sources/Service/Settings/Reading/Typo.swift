import System

/// Typos that make YAML take a key for a part of a word.
enum Typo {
    /// A typo after a key.
    struct Found {
        var key: String
        var mistake: String
        /// The intended value; nil if it is elsewhere.
        var value: String?
    }

    /// The typo after a key, known by `isKey`, at the beginning of `text`, and the intended value;
    /// nil after a colon and a space, or for an unknown typo.
    static func behindKey(
        in text: some StringProtocol, isKey: (String) -> Bool
    ) -> Found? {
        let key = String(text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        guard isKey(key) else { return nil }
        let rest = text.dropFirst(key.count)
        let marked = rest.drop(while: isBlank)
        let value = withoutLookAlikes(String(marked.dropFirst()))
        if marked.first == ":" {
            guard let first = marked.dropFirst().first, !isBlank(first) else { return nil }
            let lookAlike = lookAlike(in: String(first))
            return Found(
                key: key, mistake: lookAlike ?? "a space is missing after '\(key):'", value: value)
        }
        if marked.first == "=" {
            return Found(key: key, mistake: "write ': ' in place of '='", value: value)
        }
        if let lookAlike = marked.first.flatMap({ lookAlike(in: String($0)) }) {
            return Found(key: key, mistake: lookAlike, value: value)
        }
        guard rest.first.map(isBlank) ?? true else { return nil }
        return Found(
            key: key, mistake: "a ':' is missing after '\(key)'", value: String(marked))
    }

    private static func isBlank(_ character: Character) -> Bool {
        [" ", "\t", "\r"].contains(character)
    }

    /// Describes the first lookalike; nil for none.
    static func lookAlike(in text: some StringProtocol) -> String? {
        for (index, scalar) in text.unicodeScalars.enumerated() {
            guard let meant = meaning(of: scalar, isFirst: index == 0) else { continue }
            let code = String(scalar.value, radix: 16, uppercase: true).zeroPadded(to: 4)
            return "the character U+\(code) is \(meant.name)"
        }
        return nil
    }

    /// The text with lookalikes replaced.
    static func withoutLookAlikes(_ text: String) -> String {
        let scalars = text.unicodeScalars.enumerated().map { index, scalar in
            meaning(of: scalar, isFirst: index == 0 || isQuotationMark(scalar))?.text
                ?? String(scalar)
        }
        return trimmed(scalars.joined())
    }

    /// The possible meanings of `text`, each with its typo.
    static func meanings(of text: String) -> [(text: String, mistake: String)] {
        var meanings: [(text: String, mistake: String)] = []
        if let lookAlike = lookAlike(in: text) {
            meanings.append((withoutLookAlikes(text), lookAlike))
        }
        for mark in ["#", "//"] {
            guard let start = text.indices.first(where: { text[$0...].hasPrefix(mark) }) else {
                continue
            }
            let comment = "a comment starts with a space and '#'"
            meanings.append((trimmed(text[..<start]), comment))
        }
        if let last = text.last, [",", ";"].contains(last) {
            meanings.append((trimmed(text.dropLast()), "a line does not end with '\(last)'"))
        }
        return meanings
    }

    /// Whether the text begins with a typographic quotation mark.
    static func isInTypographicQuotes(_ text: String) -> Bool {
        text.unicodeScalars.first.map(isQuotationMark) ?? false
    }

    private static func isQuotationMark(_ scalar: Unicode.Scalar) -> Bool {
        "“”„‟‘’‚‛«»‹›".unicodeScalars.contains(scalar)
    }

    /// The typo of a character, and its replacement; a quotation mark only at the beginning, since
    /// it may be an apostrophe.
    private static func meaning(
        of scalar: Unicode.Scalar, isFirst: Bool
    ) -> (name: String, text: String)? {
        if isQuotationMark(scalar) { return isFirst ? ("no quotation mark of YAML", "") : nil }
        switch scalar.properties.generalCategory {
        case .spaceSeparator where scalar != " ": return ("no ordinary space", " ")
        case .format: return ("invisible", "")
        case .dashPunctuation where scalar != "-": return ("no '-'", "-")
        case _: return scalar == "：" ? ("no ':'", ":") : nil
        }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}
