import Turnstile

/// A repaired line, in place of one with a typo.
struct MendedLine {
    /// The line's number and new text.
    let number: Int, text: String
    /// The column from which positions are shifted, and by how much.
    let column: Int, shift: Int

    /// The original position of what is at `position` now.
    func original(_ position: Position) -> Position {
        guard position.line == number, position.column >= column else { return position }
        return Position(line: number, column: position.column - shift)
    }
}

extension YAMLFailure {
    /// The failure, in words for the author of a file.
    func problems(in text: SourceText) -> [SettingsProblem] {
        if let offset {
            return [
                SettingsProblem(
                    "a control character, which no YAML text may hold",
                    at: text.position(ofOffset: offset))
            ]
        }
        let tabs = text.tabsInIndentation
        guard !tabs.contains(where: { $0.line == position.line }) else {
            return tabs.map {
                SettingsProblem("a tab in the indentation: YAML allows only spaces", at: $0)
            }
        }
        let typo = typo(in: text).map { ($0.message, $0.place) }
        let (message, place) = typo ?? explanation(in: text)
        return [SettingsProblem(message, at: min(place, text.end))]
    }

    /// The repaired line with the typo that caused this; nil for none.
    func mendedLine(in text: SourceText) -> MendedLine? {
        let isTab = text.tabsInIndentation.contains { $0.line == position.line }
        return offset == nil && !isTab ? typo(in: text)?.mended : nil
    }

    /// A typo after a key (no colon, '=', no space, a lookalike), on this line or just above; or in
    /// braces.
    private func typo(
        in text: SourceText
    ) -> (message: String, place: Position, mended: MendedLine)? {
        let above: Int?
        switch (context, problem) {
        case (_, "found unexpected ':'"): return typoInBraces(text)
        case ("while scanning a simple key", _): above = contextPosition.line
        case (_, "mapping values are not allowed in this context"):
            above = stride(from: position.line - 1, to: 0, by: -1).first { number in
                let first = text.line(number).first { !$0.isWhitespace }
                return first != nil && first != "#"
            }
        default: return nil
        }
        for number in [position.line, above].compactMap({ $0 }) {
            let line = text.line(number)
            let start = line.drop { " -".contains($0) }
            guard let typo = Self.typo(in: start), let intended = typo.value else { continue }
            let indentation = line.unicodeScalars.count - start.unicodeScalars.count
            let meant = "\(line.dropLast(start.count))\(typo.key): \(intended)"
            let (length, value) = (meant.unicodeScalars.count, intended.unicodeScalars.count)
            let mended = MendedLine(
                number: number, text: meant, column: length - value + 1,
                shift: length - line.unicodeScalars.count)
            return (typo.mistake, Position(line: number, column: indentation + 1), mended)
        }
        return nil
    }

    /// The typo after a key at the beginning of a line. A misspelt key is reported when the
    /// repaired line is read.
    private static func typo(in line: Substring) -> Typo.Found? {
        let typo = Typo.behindKey(in: line) { !Schema.places(of: $0).isEmpty }
        return typo
            ?? Typo.behindKey(in: line) { name in
                let mark = line.dropFirst(name.count).first
                return (mark == ":" || mark == "=")
                    && Spelling.nearest(to: name, among: Schema.names) != nil
            }
    }

    /// A colon in braces or brackets without a value, or several of them.
    private func typoInBraces(
        _ text: SourceText
    ) -> (message: String, place: Position, mended: MendedLine)? {
        let line = text.line(position.line).unicodeScalars
        let (before, behind) = (line.prefix(position.column), line.dropFirst(position.column))
        guard before.count == position.column, before.last == ":" else { return nil }
        let mended = MendedLine(
            number: position.line, text: "\(String(before)) \(String(behind))",
            column: position.column + 2, shift: 1)
        return ("a space is missing after this ':'", position, mended)
    }

    /// The mistake, and its best position.
    private func explanation(in text: SourceText) -> (String, Position) {
        switch (context, problem) {
        case ("while scanning a simple key", _):
            return ("a key without ':' after it", contextPosition)
        case ("while scanning a quoted scalar", "found unexpected end of stream"):
            return ("this quotation mark is never closed", contextPosition)
        case ("while parsing a flow sequence", _), ("while parsing a flow mapping", _):
            let isList = context.hasSuffix("sequence")
            let closing = isList ? "]" : "}"
            return (
                "expected ',' or '\(closing)' for the \(isList ? "list" : "braces") "
                    + "that opened at \(contextPosition)", position
            )
        case ("while parsing a block mapping", "did not find expected key"):
            return ("this is indented like no key above it", position)
        case (_, "mapping values are not allowed in this context"):
            return (
                "a ':' where no key can be: a second one on the line, or a line that is indented "
                    + "too far", position
            )
        case (_, "found character that cannot start any token"):
            let character = text.scalars(from: position).first.map { quoted(String($0)) } ?? "this"
            return ("\(character) cannot start a value: put the value in quotes", position)
        default:
            let during = context.isEmpty ? "" : " (\(context), from \(contextPosition))"
            return ("not YAML: \(problem)\(during)", position)
        }
    }
}
