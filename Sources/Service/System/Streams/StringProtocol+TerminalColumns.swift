// How wide a terminal shows a text. The C library knows it only where the locale is set.

extension StringProtocol {
    /// How many columns of a terminal the text takes, which must not steer it.
    public var terminalColumns: Int {
        // As most texts are: a byte is a column.
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.terminalColumns }
    }

    /// As much of the beginning as so many columns show.
    public func prefix(terminalColumns columns: Int) -> SubSequence {
        var room = columns
        return prefix { character in
            room -= character.terminalColumns
            return room >= 0
        }
    }

    /// As much of the end as so many columns show.
    public func suffix(terminalColumns columns: Int) -> SubSequence {
        var (start, room) = (endIndex, columns)
        while start > startIndex {
            let before = index(before: start)
            room -= self[before].terminalColumns
            guard room >= 0 else { break }
            start = before
        }
        return self[start...]
    }
}

extension Character {
    /// How many columns of a terminal the character takes.
    fileprivate var terminalColumns: Int {
        unicodeScalars.contains { $0.isWide } ? 2 : 1
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is two columns wide, or makes the one before it so.
    fileprivate var isWide: Bool {
        guard value >= 0x1100 else { return false }
        return value == 0xFE0F || properties.isEmojiPresentation
            || wideScalars.contains { $0.contains(value) }
    }
}

/// The blocks that Unicode calls wide or full width (EastAsianWidth.txt), without the emoji.
private let wideScalars: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF,
    0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF,
    0x20000...0x3FFFD,
]
