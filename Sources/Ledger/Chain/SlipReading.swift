/// Checkpoints in a text: a slip, what the journal has of them, what a reader of QR codes has read.
public enum SlipReading: Hashable, Sendable {
    /// These, in the order of the text. What stands around them is no matter.
    case found([SignedCheckpoint])
    /// On the line of this number one begins, or ends, that is not whole or was altered.
    case damaged(line: Int)

    /// Reads a text. Line feeds may be those of other systems, and the last one missing.
    public init(_ text: String) {
        let scalars = text.unicodeScalars.filter { $0 != "\r" }
        let lines = String(String.UnicodeScalarView(scalars))
            .split(separator: "\n", omittingEmptySubsequences: false)
        var found: [SignedCheckpoint] = []
        var index = 0
        while index < lines.count {
            guard Self.isEdge(lines[index]) else {
                index += 1
                continue
            }
            // The next line that is an edge has to be the note's last one.
            guard let end = lines[(index + 1)...].firstIndex(where: Self.isEdge),
                let checkpoint = SignedCheckpoint(
                    lines[index...end].map { $0 + "\n" }.joined())
            else {
                self = .damaged(line: index + 1)
                return
            }
            found.append(checkpoint)
            index = end + 1
        }
        self = .found(found)
    }

    /// Whether the line is the first or the last one of a note.
    private static func isEdge(_ line: Substring) -> Bool {
        line.hasPrefix(Checkpoint.origin) || line.hasPrefix("— ")
    }
}
