import Foundation
import StateMachines
import Testing
import Turnstile

@testable import Ledger

/// The hashes of records are what the documents say, so that anybody can reckon them anew.
@Suite struct ChainTests {
    private static let ledger = "000102030405060708090a0b0c0d0e0f"

    /// What Python makes of the same, with `hashlib.blake2b(BYTES, digest_size=32)`: of
    /// `b"turnstiled/" + LEDGER`, and then of the digest before with the columns behind it, joined
    /// by line feeds.
    @Test func `hashes are those of another implementation`() {
        var chain = Chain(after: Chain.beginning(of: Self.ledger))
        #expect(chain.head.description == "rm5WyYtl+5qT8VSzUwlLRrTSMBkrKEmj4H5iQjP6Bz8=")
        let details = "TURNSTILE_GATE=Nord – Süd\nTURNSTILE_LEDGER=\(Self.ledger)"
        let first = chain.add(
            ChainedRow(
                sequence: 1, life: 1, monotonic: 0, wall: 1_795_327_929_000_000_000, vocabulary: 2,
                bootID: Array("b".utf8), kind: Array("ledger_begun".utf8),
                details: Array(details.utf8)))
        #expect(first.description == "QTCDGtSK4q2Bvm7rEtL7jue5HQkE2G0P1iUrRS0mcTc=")
        let second = chain.add(
            ChainedRow(
                sequence: 2, life: 1, monotonic: -5, wall: -1, vocabulary: 1,
                kind: Array("coin_accepted".utf8)))
        #expect(second.description == "c2oUtBTBdIEG9ejh5ro9Kk2AIM8MNKvXEf8zuu2xT4Q=")
        #expect(chain.head == second)
    }

    /// Reads a ledger as anybody could who has the documents and no program of this project.
    private static let reader = """
        import base64, hashlib, sqlite3, sys
        base = lambda bytes: base64.b64encode(bytes).decode()
        hash = lambda bytes: hashlib.blake2b(bytes, digest_size=32).digest()
        db = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
        rows = db.execute("SELECT note FROM checkpoints ORDER BY number")
        notes = [note.split("\\n") for note, in rows]
        heads = {int(n[1]): n[2] for n in notes}
        ledger, = db.execute("SELECT value FROM identity WHERE name = 'ledger'").fetchone()
        head = hash(("turnstiled/" + ledger).encode())
        assert heads.pop(0) == base(head)
        for *columns, kept in db.execute("SELECT sequence, life, monotonic_ns, wall_ns, "
                "vocabulary, boot_id, kind, details, hash FROM records ORDER BY sequence"):
            head = hash(head + "\\n".join(map(str, columns)).encode())
            assert head == kept
            if columns[0] in heads: assert heads.pop(columns[0]) == base(head)
        assert not heads
        lists = db.execute("SELECT registers, note FROM checkpoints")
        assert all("registers " + base(hash(r.encode())) in n.split("\\n") for r, n in lists)
        print("all agree, to", columns[0])
        """

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/python3"), "no Python"))
    func `a whole ledger is read by another program`() throws {
        let folder = try Folder()
        try folder.makeSigned()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", Self.reader, folder["ledger.db"]]
        let said = Pipe()
        process.standardOutput = said
        try process.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text == "all agree, to 10\n")
    }

    // Texts.

    @Test func `a day is written as others write it, to the end of 2199`() throws {
        var (year, month, day) = (1970, 1, 1)
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var number = 0
        var wrong: [String] = []
        while year < 2200 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let time = Duration.seconds(number * 86_400 + 86_399)
            let date = [month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }
            let text = "\(year)-\(date[0])-\(date[1])T23:59:59Z"
            if time.utcText != text || Duration(utcText: text[...]) != time { wrong.append(text) }
            number += 1
            day += 1
            let length = lengths[month - 1] + (month == 2 && isLeap ? 1 : 0)
            if day > length { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(number == 84_006 && wrong == [])
        #expect(Duration.seconds(1_795_327_929).utcText == "2026-11-22T06:12:09Z")
    }

    @Test(arguments: [
        "", "now", "2026-11-22", "2026-11-22T06:12:09", "2026-11-22 06:12:09Z",
        "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-01-32T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:60Z", "2026-1-1T0:0:0Z", "1969-12-31T23:59:59Z",
        "2026-01-01T00:00:00ZZ", "2026-01-01T9223372036854775807:00:00Z",
        "9223372036854775807-01-01T00:00:00Z", "-2026-01-01T00:00:00Z",
    ]) func `no other text is a time`(text: String) {
        #expect(Duration(utcText: text[...]) == nil)
    }

    @Test func `a list of registers is read as it was written`() throws {
        var values = RegisterValues()
        for record in Record.forms { values.count(record) }
        let list = RegisterList(values)
        #expect(list.counts.count > 40)
        #expect(RegisterList(list.text) == list)
        let lines = list.text.split(separator: "\n")
        #expect(lines.count == list.counts.count)
        #expect(lines == lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        let coin = RegisterList(Contents([.started, .coin(250)]).registers.sinceInit)
        #expect(coin.text.hasPrefix("accepted_coin_pulse 5 250 1\ncredit_at_beginning 0\n"))
    }

    @Test(arguments: [
        "starts", "starts one", "starts 1 2", "stars 1", "starts 1\n\nfares_used 2",
        "starts 2\nfares_used 1", "starts 01", "starts +1", " starts 1", "starts  1",
        "starts 1\nstarts 1", "accepted_coin_pulse 1", "accepted_coin_pulse 1 50",
        "accepted_coin_pulse 1 50 1 1", "accepted_coin_pulse 99999999999999999999 50 1",
    ]) func `no other text is a list of registers`(text: String) {
        #expect(RegisterList(text + "\n") == nil)
    }
}
