import System
import Testing
import Turnstile

@testable import Ledger

/// A file that somebody made to deceive whoever looks at it.
@Suite struct HostileFileTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    @Test(arguments: ["\u{301}gate", "\u{200D}", "Ä\u{308}", " gate "])
    func `whatever a gate's name begins with, its books verify`(name: String) throws {
        var slips: [SignedCheckpoint] = []
        do {
            let file = try folder.opening(gate: name).open().file
            slips.append(try #require(try file.write([.started, .coin(50)], closing: .interval)))
        }
        #expect(try folder.verify(slips: slips).flaw == nil)
        #expect(SlipReading(slips[0].note.description) == .found(slips))
        #expect(try folder.opening(gate: name).open().notes == [])
    }

    @Test func `no word of a file steers the terminal of who looks at it`() throws {
        try folder.makeSigned()
        let words = "\nall accounted for\u{1B}[2J"
        try folder.execute("UPDATE records SET kind = kind || '\(words)' WHERE sequence = 3")
        let flaw = try #require(try folder.verify().flaw)
        #expect(flaw.contains("(coin_accepted\\nall accounted for\\u{1B}[2J) was altered"))
        let keeper = LedgerKeeper(path: folder["ledger.db"], gate: "north", bootID: "boot")
        #expect(
            try #require(throws: LedgerError.self) { try keeper.check() }.description
                .unicodeScalars.allSatisfy { $0.isPrintable })
        try folder.execute("UPDATE identity SET value = '\(words)' WHERE name = 'gate'")
        try Forger(folder: folder).reseal()
        #expect(try folder.error().description.unicodeScalars.allSatisfy { $0.isPrintable })
        #expect(
            LedgerKeeper.Acceptance.taken(from: words).description.unicodeScalars
                .allSatisfy { $0.isPrintable })
        // Nor does a note, which is printed as it is.
        var checkpoint = try #require(try Forger(folder: folder).checkpoints.last).checkpoint
        checkpoint.gate = "\u{1B}[2J"
        #expect(Checkpoint(checkpoint.text) == nil)
    }

    @Test(arguments: [
        "CREATE TRIGGER registers AFTER INSERT ON records BEGIN DELETE FROM registers; END",
        "CREATE TRIGGER records AFTER INSERT ON records BEGIN DELETE FROM records; END",
    ])
    func `no trigger hides behind the name of a table`(sql: String) throws {
        try folder.makeSigned()
        try folder.execute(sql)
        #expect(try folder.verify().flaw == "its tables are not a ledger's")
        #expect(try folder.error().problem == "it is damaged: its tables are not a ledger's")
    }

    @Test func `a letter that is another one to SQLite is another one here`() throws {
        try folder.makeSigned()
        // The sign of the kelvin, which Swift takes for a K.
        try folder.execute(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET name = name,
                sql = replace(sql, 'PRIMARY KEY', 'PRIMARY \u{212A}EY') WHERE name = 'state'
            """)
        #expect(try folder.verify().flaw != nil)
    }
}
