import Keeping
import System
import Testing
import Turnstile

@testable import Ledger

/// `--check-ledger` and `verify` find the same. A start looks at the last checkpoint, what was
/// written behind it, and the money; whatever it finds there, both find as well.
@Suite struct JudgementTests {
    let folder: Folder
    let forger: Forger

    init() throws {
        folder = try Folder()
        try folder.makeSigned()
        forger = Forger(folder: folder)
    }

    private func checkFails() throws -> String {
        try #require(throws: LedgerError.self) {
            try LedgerKeeper(path: folder["ledger.db"], gate: "gate", bootID: "boot").check()
        }.problem
    }

    @Test(arguments: [
        "DELETE FROM records", "DELETE FROM records WHERE sequence = 10", "DROP TABLE records",
        "DELETE FROM checkpoints", "UPDATE checkpoints SET note = 'what?' WHERE number = 5",
        "UPDATE records SET details = '' WHERE sequence = 10; UPDATE records SET hash = x'00' "
            + "WHERE sequence = 10",
    ])
    func `what is wrong with the last records all find, and a start sets aside`(
        sql: String
    ) throws {
        try forger.execute(sql)
        let words = try #require(try folder.verify().flaw)
        #expect(try checkFails() == "it is damaged: in its records alone: \(words)")
        let notes = try folder.opening().open().notes
        guard case .recordsSetAside(let aside, let reason)? = notes.first, notes.count == 1 else {
            Issue.record("\(notes)")
            return
        }
        #expect(folder.exists("ledger.db.set-aside-1") && aside.hasSuffix("-1") && !reason.isEmpty)
        #expect(try folder.verify().missing?.records == 1...10)
    }

    @Test func `what was altered before the last checkpoint both commands find, and no start`()
        throws
    {
        try forger.execute("UPDATE records SET wall_ns = 7 WHERE sequence = 3")
        let words = try #require(try folder.verify().flaw)
        #expect(try checkFails() == "it is damaged: in its records alone: \(words)")
        _ = try folder.opening().open()
        #expect(!folder.exists("ledger.db.set-aside-1"))
        #expect(try folder.verify().flaw == words)
    }

    /// What is wrong with the money, or with where the books stand.
    @Test(arguments: [
        (
            "UPDATE registers SET since_init = 5, since_collection = 4 WHERE name = 'starts'",
            "the registers show 5 for starts, and the records come to 1"
        ),
        (
            "UPDATE state SET value = 4 WHERE name = 'checkpoint'",
            "its last checkpoint is 5, and 4 were made"
        ),
    ])
    func `money that is not what the records come to a start refuses, and both commands find`(
        sql: String, flaw: String
    ) throws {
        try forger.execute(sql)
        try forger.reseal()
        #expect(try folder.verify().flaw == flaw)
        #expect(try checkFails() == "it is damaged: \(flaw)")
        #expect(try folder.error().problem == "it is damaged: \(flaw)")
        let keeper = LedgerKeeper(path: folder["ledger.db"], gate: "gate", bootID: "boot")
        #expect(try keeper.accept() == .begun(aside: folder["ledger.db.set-aside-1"]))
    }
}
