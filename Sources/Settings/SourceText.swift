/// The text of a configuration file: valid UTF-8, with what was mended to make it so.
struct SourceText {
    /// The text, with a replacement character for each sequence that is not UTF-8.
    let bytes: [UInt8]
    /// What is not UTF-8.
    let problems: [SettingsProblem]

    /// The text in `bytes`.
    init(_ bytes: [UInt8]) {
        var mended: [UInt8] = []
        var problems: [SettingsProblem] = []
        var rest = bytes.span
        while let error = SourceText.error(in: rest) {
            let range = error.byteOffsets
            let byte = String(rest[range.lowerBound], radix: 16, uppercase: true)
            for index in 0..<range.lowerBound { mended.append(rest[index]) }
            problems.append(
                SettingsProblem(
                    "the byte 0x\(byte) is not UTF-8: save the file in that encoding",
                    at: SourceText.position(ofOffset: mended.count, in: mended)))
            mended.append(contentsOf: "\u{FFFD}".utf8)
            rest = rest.extracting(range.upperBound...)
        }
        for index in rest.indices { mended.append(rest[index]) }
        self.bytes = mended
        self.problems = problems
    }

    /// The first mistake in the encoding of `bytes`.
    private static func error(in bytes: Span<UInt8>) -> UTF8.ValidationError? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes)
            return nil
        } catch {
            return error
        }
    }

    /// The place of the byte at `offset`.
    func position(ofOffset offset: Int) -> Position {
        SourceText.position(ofOffset: offset, in: bytes)
    }

    /// The place of the byte at `offset` of `bytes`.
    private static func position(ofOffset offset: Int, in bytes: [UInt8]) -> Position {
        let before = bytes.prefix(offset)
        let line = before.lastIndex(of: UInt8(ascii: "\n")).map { before[($0 + 1)...] } ?? before
        return Position(
            line: 1 + before.count { $0 == UInt8(ascii: "\n") },
            column: 1 + line.count { !UTF8.isContinuation($0) })
    }

    /// The place after the last byte.
    var end: Position { position(ofOffset: bytes.count) }

    /// The scalar at `position`, or nil where the text has none.
    func scalar(at position: Position) -> Unicode.Scalar? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.indices.contains(position.line - 1) else { return nil }
        let scalars = String(decoding: lines[position.line - 1], as: UTF8.self).unicodeScalars
        return scalars.dropFirst(position.column - 1).first
    }

    /// Where a tab stands in the indentation of a line that is neither empty nor a comment: the
    /// first one of each line.
    var tabsInIndentation: [Position] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { number, line in
            let indentation = line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let content = line.dropFirst(indentation.count).first { $0 != UInt8(ascii: "\r") }
            guard let content, content != UInt8(ascii: "#") else { return nil }
            let spaces = indentation.prefix { $0 == UInt8(ascii: " ") }.count
            guard spaces < indentation.count else { return nil }
            return Position(line: number + 1, column: spaces + 1)
        }
    }
}
