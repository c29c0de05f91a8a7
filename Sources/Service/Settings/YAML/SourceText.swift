/// The text of a configuration file as valid UTF-8, with its repairs.
struct SourceText {
    /// With replacement characters for invalid UTF-8.
    let bytes: [UInt8]
    /// The first invalid byte of each line.
    let problems: [SettingsProblem]
    private let lines: [ArraySlice<UInt8>]

    init(_ bytes: [UInt8]) {
        let problems: [SettingsProblem] = SourceText.lines(of: bytes).enumerated().compactMap {
            number, line in
            guard let offset = SourceText.offsetOfError(in: line) else { return nil }
            let byte = String(line[line.startIndex + offset], radix: 16, uppercase: true)
            return SettingsProblem(
                "the byte 0x\(byte) is not UTF-8: save the file in that encoding",
                at: Position(line: number + 1, column: 1 + SourceText.width(line.prefix(offset))))
        }
        self.problems = problems
        self.bytes = problems.isEmpty ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
        lines = SourceText.lines(of: self.bytes)
    }

    /// The first invalid byte of `line`, from its start.
    private static func offsetOfError(in line: ArraySlice<UInt8>) -> Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: line.span)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }

    private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }

    /// The number of scalars.
    private static func width(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.count { !UTF8.isContinuation($0) }
    }

    /// The place of the byte at `offset`.
    func position(ofOffset offset: Int) -> Position {
        let lines = SourceText.lines(of: Array(bytes.prefix(offset)))
        return Position(line: lines.count, column: 1 + SourceText.width(lines[lines.count - 1]))
    }

    /// The place after the last byte.
    var end: Position { position(ofOffset: bytes.count) }

    /// The scalars of the line from `position` on; empty if there is no such line.
    func scalars(from position: Position) -> Substring.UnicodeScalarView {
        line(position.line).unicodeScalars.dropFirst(position.column - 1)
    }

    /// Empty for an invalid number.
    func line(_ number: Int) -> Substring {
        guard (1...lines.count).contains(number) else { return "" }
        return Substring(decoding: lines[number - 1], as: UTF8.self)
    }

    /// The lines of a plain value that begins at `position`, trimmed, with their positions.
    func lines(
        of value: String, from position: Position
    ) -> [(text: String, position: Position)] {
        let isBlank = { (scalar: Unicode.Scalar) in [" ", "\t", "\r", "\n"].contains(scalar) }
        var found: [(text: String, position: Position)] = []
        var (rest, place) = (value.unicodeScalars.drop(while: isBlank), position)
        while !rest.isEmpty, place.line <= lines.count {
            let line = scalars(from: place)
            let content = line.drop(while: isBlank)
            let end = content.lastIndex { !isBlank($0) }.map { content.index(after: $0) }
            let written = content[..<(end ?? content.startIndex)]
            if !written.isEmpty {
                // The last line may have a comment.
                let isWhole = rest.starts(with: written)
                let part = isWhole ? rest.prefix(written.count) : rest
                let column = place.column + line.count - content.count
                found.append((String(part), Position(line: place.line, column: column)))
                rest = rest.dropFirst(part.count).drop(while: isBlank)
            }
            place = Position(line: place.line + 1, column: 1)
        }
        return found
    }

    /// The text with one line replaced.
    func replacing(_ mended: MendedLine) -> SourceText {
        var lines = lines
        lines[mended.number - 1] = Array(mended.text.utf8)[...]
        return SourceText(Array(lines.joined(separator: [UInt8(ascii: "\n")])))
    }

    /// The first tab in each line's indentation, except in empty lines and comments.
    var tabsInIndentation: [Position] {
        lines.enumerated().compactMap { number, line in
            let indentation = line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let content = line.dropFirst(indentation.count).first { $0 != UInt8(ascii: "\r") }
            guard let content, content != UInt8(ascii: "#") else { return nil }
            let spaces = indentation.prefix { $0 == UInt8(ascii: " ") }.count
            guard spaces < indentation.count else { return nil }
            return Position(line: number + 1, column: spaces + 1)
        }
    }
}
