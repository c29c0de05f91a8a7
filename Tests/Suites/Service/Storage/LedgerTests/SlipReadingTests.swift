import Testing

@testable import Ledger

/// Checkpoints are found in whatever they were written down in.
@Suite struct SlipReadingTests {
    /// A checkpoint of this number.
    private static func signed(_ number: Int64) -> SignedCheckpoint {
        let checkpoint = Checkpoint(
            ledger: String(repeating: "5f", count: 16), sequence: 12, hash: Digest(of: "hash"),
            gate: "north gate", time: .seconds(1_795_328_000),
            occasion: .collection(3, expected: 3_200), number: number, page: 2,
            registers: Digest(of: "registers"), valueIn: 48_150, held: 50, passages: 320)
        return SignedCheckpoint(
            checkpoint: checkpoint, note: SignedNote(checkpoint.text, by: Folder.key))
    }

    private static let first = signed(1)
    private static let second = signed(2)
    private static let note = first.note.description

    @Test func `a note alone is one`() {
        #expect(SlipReading(Self.note) == .found([Self.first]))
    }

    @Test(arguments: [
        String(note.dropLast()),
        note.split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\r\n"), "\n\n\(note)\n\n", "north gate\ncollection 3\n\n\(note)",
        "\u{FEFF}\(note)", note.replacing("\n", with: "  \t\n"),
        "\u{FEFF}\(note.replacing("\n", with: " \r\n"))",
        "— North —\ncollection 3\n\n\(note)", "— gate abc\n\(note)", "turnstiled/abc\n\(note)",
    ]) func `what a reader or a printer makes of it is forgiven`(text: String) {
        #expect(SlipReading(text) == .found([Self.first]))
    }

    @Test func `several one after the other are several`() {
        let text = "\(Self.note)\n\(Self.second.note.description)"
        #expect(SlipReading(text) == .found([Self.first, Self.second]))
        #expect(
            SlipReading("\(Self.note)ledger \(Self.second.note.description)")
                == .damaged(lines: [30]), "what is signed with its last line does not begin a line")
    }

    @Test func `there may be none`() {
        #expect(SlipReading("") == .found([]))
        #expect(SlipReading("north gate\ncollection 3\n") == .found([]))
    }

    @Test(
        arguments: 0..<Self.note.split(separator: "\n", omittingEmptySubsequences: false).count - 1)
    func `one that lacks a line is told from none`(line: Int) {
        var lines = Self.note.split(separator: "\n", omittingEmptySubsequences: false)
        lines.remove(at: line)
        let text = "head\n" + lines.joined(separator: "\n")
        guard case .damaged(let places) = SlipReading(text) else {
            Issue.record("it is taken for whole without line \(line)")
            return
        }
        #expect(places == [line == 0 ? lines.count : 2])
    }

    @Test func `one that is damaged hides no other one`() {
        let lines = Self.note.split(separator: "\n", omittingEmptySubsequences: false)
        let altered = Self.note.replacing("held 50", with: "held none")
        let (torn, headless) = (lines.prefix(5).joined(separator: "\n"), lines.dropFirst())
        let length = lines.count - 1
        #expect(
            SlipReading("\(torn)\n\(Self.note)\(altered)")
                == .damaged(lines: [1, 6 + length]), "the second is whole")
        #expect(
            SlipReading(headless.joined(separator: "\n") + altered)
                == .damaged(lines: [length - 1, length]))
    }
}
