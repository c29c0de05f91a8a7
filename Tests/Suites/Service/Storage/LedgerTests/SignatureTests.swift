import StateMachines
import Testing
import Turnstile

@testable import Ledger

/// Checkpoints are signed notes, which other programs read and verify.
@Suite struct SignatureTests {
    /// The note that Python's `cryptography` signs with the same seed; the key's id is the
    /// beginning of `sha256(b"turnstiled\n\x01" + PUBLIC)`.
    private static let note = """
        turnstiled/000102030405060708090a0b0c0d0e0f
        3
        c2oUtBTBdIEG9ejh5ro9Kk2AIM8MNKvXEf8zuu2xT4Q=
        gate Nord – Süd

        — turnstiled 3YyHPi402udwaoqvMNcXA6MDV7BZI6trrMRKljuf+2Ean++tGuQ2M5JgtmxOUi1XwwqesZKliFnn\
        RRFc+waGVljKsgI=

        """
    /// The key that it is verified with: `openssl pkey` finds the same for the seed.
    private static let key = "turnstiled+dd8c873e+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs"
    private static let secret =
        "PRIVATE+KEY+turnstiled+dd8c873e+AQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"

    @Test func `a note is what another implementation signs`() throws {
        let text = Self.note.prefix { _ in true }.split(separator: "\n\n")[0] + "\n"
        let note = SignedNote(String(text), by: Folder.key)
        #expect(note.description == Self.note)
        #expect(Folder.key.verificationKey.description == Self.key)
        #expect(Folder.key.text == Self.secret + "\n")
    }

    @Test func `a note of another implementation is verified, and no other`() throws {
        let key = try #require(VerificationKey(Self.key))
        let note = try #require(SignedNote(Self.note))
        #expect(note.isSigned(by: key))
        #expect(note.description == Self.note)
        for (from, to) in [("\n3\n", "\n4\n"), ("gate N", "gate S"), ("Ean++", "Ean+/")] {
            let altered = try #require(SignedNote(Self.note.replacing(from, with: to)))
            #expect(altered != note && !altered.isSigned(by: key))
        }
        let seed = [UInt8](repeating: 7, count: 32)
        #expect(!note.isSigned(by: SigningKey(name: "other", seed).verificationKey))
        #expect(!note.isSigned(by: SigningKey().verificationKey))
    }

    @Test(arguments: [
        "", "\n", "text\n", "text\n\n", "text\n\n— turnstiled\n", "text\n— turnstiled 3YyH\n",
        "text\n\n- turnstiled 3YyH\n", "text\n\n— turnstiled 3YyH\n", "text\n\n—  3YyH\n",
        "text\n\n— turnstiled !!!!\n",
    ]) func `no other text is a note`(text: String) {
        #expect(SignedNote(text) == nil)
    }

    @Test func `a note without its end is none`() {
        #expect(SignedNote(Self.note.dropLast()) == nil)
        #expect(SignedNote(Self.note + "\n") == nil)
        #expect(SignedNote(Self.note + "more\n") == nil)
    }

    @Test func `a key is read as it was written`() throws {
        #expect(VerificationKey(Self.key) == Folder.key.verificationKey)
        #expect(SigningKey(Self.secret) == Folder.key)
        #expect(SigningKey(Self.secret + "\n") == Folder.key)
        let new = SigningKey()
        #expect(SigningKey(new.text) == new && new != SigningKey())
        #expect(VerificationKey(new.verificationKey.description) == new.verificationKey)
    }

    @Test(arguments: [
        "", "turnstiled", "turnstiled+dd8c873e", "turnstiled+dd8c873e+",
        "turnstiled+dd8c873f+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs",
        "other+dd8c873e+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs",
        "+dd8c873e+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs",
        "turn stiled+dd8c873e+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs",
        "turnstiled+dd8c873e+AupKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs",
        "turnstiled+dd8c873e+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURt",
        "turnstiled+DD8C873E+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs",
        "turnstiled+dd8c873e+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs\n",
    ]) func `no other text is a key`(text: String) {
        #expect(VerificationKey(text) == nil)
    }

    @Test(arguments: [
        "", "secret", "PRIVATE+KEY+", "PRIVATE+KEY+turnstiled+dd8c873e+",
        "PRIVATE+KEY+turnstiled+dd8c873f+AQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH",
        "PRIVATE+KEY+turnstiled+dd8c873e+AgcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH",
        "PRIVATE+KEY+turnstiled+dd8c873e+AQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
        "turnstiled+dd8c873e+AQcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH",
    ]) func `no other text is what a gate signs with`(text: String) {
        #expect(SigningKey(text) == nil)
    }

    // Checkpoints.

    private static let count = Checkpoint.Count(expected: 250, counted: 240)

    /// One for every occasion.
    private static let occasions: [Checkpoint.Occasion] = [
        .begun, .day(20_261_122), .collection(3, expected: 250), .counted(3, count), .interval,
        .stop, .gap, .key(after: Folder.key.verificationKey),
    ]

    private static func checkpoint(_ occasion: Checkpoint.Occasion) -> Checkpoint {
        Checkpoint(
            ledger: "000102030405060708090a0b0c0d0e0f", sequence: 12, hash: Digest(of: "a"),
            gate: "Nord – Süd", time: .seconds(1_795_327_929), occasion: occasion, number: 7,
            page: 4, registers: Digest(of: "b"), valueIn: 1_250, held: 50, passages: 4)
    }

    @Test(arguments: occasions) func `a checkpoint is read as it was written`(
        occasion: Checkpoint.Occasion
    ) throws {
        let checkpoint = Self.checkpoint(occasion)
        let note = SignedNote(checkpoint.text, by: Folder.key)
        let read = try #require(SignedCheckpoint(note.description))
        #expect(read.checkpoint == checkpoint && read.note == note)
    }

    @Test func `it is a few lines, which fit on a slip and into a code`() {
        let checkpoint = Self.checkpoint(.counted(3, Self.count))
        #expect(
            checkpoint.text == """
                turnstiled/000102030405060708090a0b0c0d0e0f
                12
                \(Digest(of: "a"))
                gate Nord – Süd
                time 2026-11-22T06:12:09Z
                for count of collection 3
                expected 250
                counted 240
                difference -10
                number 7
                page 4
                registers \(Digest(of: "b"))
                value_in 1250
                held 50
                passages 4

                """)
        for occasion in Self.occasions {
            let note = SignedNote(Self.checkpoint(occasion).text, by: Folder.key).description
            // As much as a code of 101 modules a side has at level M.
            #expect(note.utf8.count < 1_000)
            #expect(note.split(separator: "\n").count <= 18)
        }
    }

    /// Whatever is changed of a checkpoint's text, it is another one, or none.
    @Test func `one value is written in one way`() {
        let text = Self.checkpoint(.counted(3, Self.count)).text
        let changes = [
            ("\n12\n", "\n012\n"), ("\n12\n", "\n+12\n"), ("\n12\n", "\n\n"),
            ("difference -10", "difference 10"), ("difference -10", "difference"),
            ("counted 240\n", ""), ("for count of collection 3", "for count of collection"),
            ("for count of collection 3", "for supper"), ("page 4\n", "page 4 \n"),
            ("passages 4\n", "passages 4\nmore\n"), ("passages 4\n", "passages 4"),
            ("number 7\npage 4\n", "page 4\nnumber 7\n"), ("turnstiled/", "turnstile/"),
            ("2026-11-22T06:12:09Z", "2026-11-22T06:12:61Z"), ("for count", "For count"),
            ("registers ", "registers ="), ("held 50", "held fifty"),
        ]
        for (old, new) in changes {
            #expect(
                text.contains(old) && Checkpoint(text.replacing(old, with: new)) == nil, "\(new)")
        }
        #expect(Checkpoint("") == nil)
        for line in ["for day 2026-1-22", "for day", "for day -5", "for key", "for key\nafter x"] {
            let other = Self.checkpoint(.stop).text.replacing("for stop", with: line)
            #expect(Checkpoint(other) == nil, "\(line)")
        }
    }
}
