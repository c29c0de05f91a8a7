/// Checkpoints in a text: a slip, what the journal has of them, what a reader of QR codes has read.
public enum SlipReading: Hashable, Sendable {
    /// These, in the order of the text. What stands around them is no matter.
    case found([SignedCheckpoint])
    /// On the lines of these numbers some begin, or end, that are not whole or were altered.
    case damaged(lines: [Int])

    /// Reads a text. Line feeds may be those of other systems, the last one missing, a byte order
    /// mark before it, and blanks at the ends of its lines.
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
            // The next line that is an edge has to be the note's last one.
            let end = lines[(index + 1)...].firstIndex(where: Self.isEdge)
            let isNote = end.map { Self.isFirst(lines[index]) && !Self.isFirst(lines[$0]) } ?? false
            if isNote, let end, let checkpoint = Self.checkpoint(of: lines[index...end]) {
                found.append(checkpoint)
            } else {
                damaged.append(index + 1)
            }
            // Where the end of this one is missing, or its beginning, that edge is another's.
            index = end.map { isNote ? $0 + 1 : $0 } ?? lines.count
        }
        self = damaged.isEmpty ? .found(found) : .damaged(lines: damaged)
    }

    /// The checkpoint that these lines are. A gate's name may end with a blank, which stays.
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

    /// Whether it is the first one.
    private static func isFirst(_ line: Substring) -> Bool { Checkpoint.isBeginning(trimmed(line)) }
}
