/// Checkpoints in a text: a slip, an extract of the journal, the output of a QR reader.
public enum SlipReading: Hashable, Sendable {
    /// In the order of the text. Other text around them is ignored.
    case found([SignedCheckpoint])
    /// Incomplete or altered checkpoints begin or end on these lines.
    case damaged(lines: [Int])

    /// Reads a text. Tolerates other systems' line ends, a missing last one, a byte order mark, and
    /// trailing blanks.
    public init(_ text: String) {
        let mark = text.unicodeScalars.first == "\u{FEFF}" ? 1 : 0
        let scalars = text.unicodeScalars.dropFirst(mark).filter { $0 != "\r" }
        let lines = String(String.UnicodeScalarView(scalars)).lines
        var (found, damaged): ([SignedCheckpoint], [Int]) = ([], [])
        var index = 0
        while index < lines.count {
            guard Self.isEdge(lines[index]) else {
                index += 1
                continue
            }
            // The next edge has to be the note's last line.
            let end = lines[(index + 1)...].firstIndex(where: Self.isEdge)
            let isNote = end.map { Self.isFirst(lines[index]) && !Self.isFirst(lines[$0]) } ?? false
            if isNote, let end, let checkpoint = Self.checkpoint(of: lines[index...end]) {
                found.append(checkpoint)
            } else {
                damaged.append(index + 1)
            }
            // If this note's end or beginning is missing, that edge belongs to another note.
            index = end.map { isNote ? $0 + 1 : $0 } ?? lines.count
        }
        self = damaged.isEmpty ? .found(found) : .damaged(lines: damaged)
    }

    /// Parses these lines. A blank at the end of a gate's name stays.
    private static func checkpoint(of lines: ArraySlice<Substring>) -> SignedCheckpoint? {
        let asTheyAre = SignedCheckpoint(lines.map { $0 + "\n" }.joined())
        return asTheyAre ?? SignedCheckpoint(lines.map { trimmed($0) + "\n" }.joined())
    }

    private static func trimmed(_ line: Substring) -> Substring {
        line.dropLast(line.reversed().prefix { $0 == " " || $0 == "\t" }.count)
    }

    /// Whether the line is the first or the last one of a note; a gate's name may begin like one.
    private static func isEdge(_ line: Substring) -> Bool {
        isFirst(line) || SignedNote.signature(in: trimmed(line)) != nil
    }

    private static func isFirst(_ line: Substring) -> Bool { Checkpoint.isBeginning(trimmed(line)) }
}
