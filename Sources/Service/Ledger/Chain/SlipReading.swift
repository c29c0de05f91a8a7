/// Checkpoints in a text: a slip, what the journal has of them, what a reader of QR codes has read.
public enum SlipReading: Hashable, Sendable {
    /// These, in the order of the text. What stands around them is no matter.
    case found([SignedCheckpoint])
    /// On the line of this number one begins, or ends, that is not whole or was altered.
    case damaged(line: Int)

    /// Reads a text. Line feeds may be those of other systems, the last one missing, a byte order
    /// mark before it, and blanks at the ends of its lines.
    public init(_ text: String) {
        let mark = text.unicodeScalars.first == "\u{FEFF}" ? 1 : 0
        let scalars = text.unicodeScalars.dropFirst(mark).filter { $0 != "\r" }
        let lines = String(String.UnicodeScalarView(scalars)).lines
        var found: [SignedCheckpoint] = []
        var index = 0
        while index < lines.count {
            guard Self.isEdge(lines[index]) else {
                index += 1
                continue
            }
            // The next line that is an edge has to be the note's last one.
            guard let end = lines[(index + 1)...].firstIndex(where: Self.isEdge),
                let checkpoint = Self.checkpoint(of: lines[index...end])
            else {
                self = .damaged(line: index + 1)
                return
            }
            found.append(checkpoint)
            index = end + 1
        }
        self = .found(found)
    }

    /// The checkpoint that these lines are. A gate's name may end with a blank: none is taken away
    /// that has to be there.
    private static func checkpoint(of lines: ArraySlice<Substring>) -> SignedCheckpoint? {
        let asTheyAre = SignedCheckpoint(lines.map { $0 + "\n" }.joined())
        return asTheyAre ?? SignedCheckpoint(lines.map { trimmed($0) + "\n" }.joined())
    }

    private static func trimmed(_ line: Substring) -> Substring {
        line.dropLast(line.reversed().prefix { $0 == " " || $0 == "\t" }.count)
    }

    /// Whether the line is the first or the last one of a note; a gate's name may begin like one.
    private static func isEdge(_ line: Substring) -> Bool {
        let line = trimmed(line)
        return Checkpoint.isBeginning(line) || SignedNote.signature(in: line) != nil
    }
}
