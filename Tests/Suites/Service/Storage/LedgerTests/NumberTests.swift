import Testing
import Turnstile

@testable import Ledger

/// Every number of a ledger's file: it is signed, follows from what is signed, or cannot matter.
@Suite struct NumberTests {
    /// Those that cannot matter, and why: docs/proof.md has them.
    private static let without = [
        // It tells starts apart, and goes up with each.
        "state.value WHERE name = 'life'",
        // What is below a second: nothing is told of it, and no limit is as short.
        "checkpoints.wall_ns",
    ]
    /// This follows from all others, and is made right again.
    private static let seal = "name = 'seal'"

    /// All numbers of a ledger, by the words with which SQL finds them.
    private func numbers(of folder: Folder) throws -> [(table: String, column: String, row: String)]
    {
        try folder.rows(
            """
            SELECT t.name, c.name,
                (SELECT group_concat(k.name) FROM pragma_table_info(t.name) k WHERE k.pk > 0)
            FROM pragma_table_list t, pragma_table_info(t.name) c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND c.type = 'INTEGER'
            """, columns: 3
        ).flatMap { row in
            let words = try row.map { try #require($0?.text) }
            let keys = words[2].split(separator: ",")
            let columns = keys.map { "quote(\($0))" }.joined(separator: ", ")
            return try folder.rows("SELECT \(columns) FROM \(words[0])", columns: CInt(keys.count))
                .map { found in
                    let values = try found.map { try #require($0?.text) }
                    let row = zip(keys, values).map { "\($0) = \($1)" }
                    return (words[0], words[1], row.joined(separator: " AND "))
                }
        }
    }

    @Test func `each is signed, follows from what is signed, or cannot matter`() throws {
        let sound = try Folder()
        try sound.makeSigned()
        let all = try numbers(of: sound).filter { $0.row != Self.seal }
        #expect(Set(all.map(\.table)) == ["records", "registers", "state", "checkpoints"])
        var unfound: Set<String> = []
        for (table, column, row) in all {
            let folder = try Folder()
            try folder.write(sound.bytes(of: "ledger.db"), to: "ledger.db")
            let forger = Forger(folder: folder)
            do {
                try forger.execute("UPDATE \(table) SET \(column) = \(column) + 1 WHERE \(row)")
            } catch is LedgerError {
                // Another row has that key.
                try forger.execute("UPDATE \(table) SET \(column) = 1000 WHERE \(row)")
            }
            try forger.reseal()
            try forger.rechain()
            let verdict = try folder.verify(keys: [Folder.key.verificationKey])
            guard verdict.flaw == nil else { continue }
            let name = "\(table).\(column)"
            unfound.insert(table == "state" ? "\(name) WHERE \(row)" : name)
        }
        #expect(unfound == Set(Self.without))
    }
}
