import Testing
import Turnstile

@testable import Ledger

/// Whatever number a file tells: it is refused, or gone on with, and nothing traps.
@Suite struct ExtremeNumberTests {
    private static let columns = [
        "state": ["value"],
        "records": ["sequence", "life", "monotonic_ns", "wall_ns", "vocabulary"],
        "registers": ["pulses", "value", "since_init", "since_collection"],
        "checkpoints": ["number", "sequence", "wall_ns", "kept"],
    ]

    /// The rows of a table, each by what tells it from the others.
    private func rows(of table: String, in folder: Folder) throws -> [String] {
        switch table {
        case "state":
            try folder.rows("SELECT name FROM state WHERE name <> 'seal'", columns: 1)
                .compactMap { $0[0]?.text }.map { "name = '\($0)'" }
        case "registers": ["name = 'starts'", "name = 'accepted_coin_pulse' AND value = 50"]
        default:
            [
                "rowid = (SELECT min(rowid) FROM \(table))",
                "rowid = (SELECT max(rowid) FROM \(table))",
            ]
        }
    }

    @Test(arguments: ["state", "records", "registers", "checkpoints"])
    func `no number of a file traps, though all else agrees with it`(table: String) throws {
        let sound = try Folder()
        try sound.makeSigned()
        for row in try rows(of: table, in: sound) {
            for column in try #require(Self.columns[table]) {
                for number in [Int64.min, .mostKept, .max] {
                    let folder = try Folder()
                    try folder.write(sound.bytes(of: "ledger.db"), to: "ledger.db")
                    let forger = Forger(folder: folder)
                    try forger.execute("UPDATE \(table) SET \(column) = \(number) WHERE \(row)")
                    try? forger.reseal()
                    try? forger.rechain()
                    _ = try? folder.verify()
                    _ = try? LedgerKeeper(path: folder["ledger.db"], gate: "gate", bootID: "boot")
                        .check()
                    for _ in 0..<3 { try? folder.make([.started, .coin(50)]) }
                }
            }
        }
    }

    @Test func `a number of starts that no service counts ends no start`() throws {
        let folder = try Folder()
        try folder.makeSigned()
        let forger = Forger(folder: folder)
        try forger.execute("UPDATE state SET value = \(Int64.max) WHERE name = 'life'")
        try forger.reseal()
        let words = "expected a number from 0 to \(Int64.mostKept), got \(Int64.max)"
        #expect(try folder.verify().flaw == words)
        #expect(try folder.error().problem == "it is damaged: \(words)")
        try forger.execute("UPDATE state SET value = \(Int64.mostKept) WHERE name = 'life'")
        try forger.reseal()
        for _ in 0..<2 { try folder.opening().open().file.write([.started]) }
        #expect(try folder.verify().flaw == nil)
    }
}
