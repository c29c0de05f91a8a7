import Foundation
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// A copy takes the place of a ledger.
@Suite struct RestoreTests {
    let folder: Folder

    /// A ledger of two coins, and a copy from before the second.
    init() throws {
        folder = try Folder()
        try folder.make([.started, .coin(100)])
        _ = try LedgerReader(path: folder["ledger.db"]).backUp(to: folder["copy.db"])
        try folder.make([.coin(50)])
    }

    private func restore(
        _ copy: String = "copy.db", gate: String = "gate",
        verifiedBy verification: LedgerVerification = LedgerVerification(),
        takesOtherGates: Bool = false, timeout: Duration = .seconds(60)
    ) throws -> LedgerKeeper.Restoration {
        var keeper = LedgerKeeper(path: folder["ledger.db"], gate: gate, bootID: "boot")
        keeper.timeout = timeout
        return try keeper.restore(
            folder[copy], verifiedBy: verification, takesOtherGates: takesOtherGates)
    }

    private func failure(_ body: () throws -> LedgerKeeper.Restoration) throws -> String {
        let before = try folder.bytes(of: "ledger.db")
        let error = try #require(throws: LedgerError.self) { try body() }
        #expect(try folder.bytes(of: "ledger.db") == before)
        #expect(!folder.exists("ledger.db.partial") && !folder.exists("ledger.db.new"))
        return error.problem
    }

    @Test func `the copy is in its place, and what is lost is said and recorded`() throws {
        let before = try folder.bytes(of: "ledger.db")
        let aside = folder["ledger.db.set-aside-1"]
        #expect(
            try restore()
                == LedgerKeeper.Restoration(
                    lost: 1, wasAnother: false, aside: aside, keepsKey: true))
        #expect(try folder.bytes(of: "ledger.db.set-aside-1") == before)
        let verdict = try LedgerVerification().verify(LedgerReader(path: folder["ledger.db"]))
        #expect(verdict.flaw == nil)
        #expect(try folder.contents().balances.credit == 100)
        let details = try folder.rows(
            "SELECT kind, details FROM records ORDER BY sequence DESC LIMIT 1", columns: 2)
        #expect(details[0][0]?.text == "ledger_restored")
        #expect(details[0][1]?.text?.hasSuffix("TURNSTILE_COUNT=1") == true)
        #expect(folder.exists("copy.db"))
    }

    @Test func `its records are of another branch, since their numbers come a second time`() throws
    {
        let before = try LedgerReader(path: folder["ledger.db"]).open().branch
        _ = try restore()
        let after = try LedgerReader(path: folder["ledger.db"]).open().branch
        #expect(after != nil && after != before)
        // The service signs that it is that one, and goes on with it.
        for _ in 0..<2 {
            let file = try folder.opening().open().file
            let signed = try file.write([.coin(50)], closing: .interval)
            #expect(signed?.checkpoint.branch == after)
        }
        let verdict = try folder.verify()
        #expect(verdict.flaw == nil)
        let pages = try LedgerReader(path: folder["ledger.db"]).open().checkpoints()
        #expect(pages.map { $0.checkpoint.branch == before } == [true, false, false, false])
        _ = try LedgerKeeper(path: folder["ledger.db"], gate: "north", bootID: "boot").accept()
        #expect(try LedgerReader(path: folder["ledger.db"]).open().branch != after)
    }

    @Test func `whoever goes on reading the one that was there is told`() throws {
        let snapshot = try LedgerReader(path: folder["ledger.db"]).open()
        _ = try restore()
        let error = #expect(throws: LedgerError.self) { try snapshot.forEach { _ in } }
        #expect(error?.problem == "it is gone, or another file has its name")
    }

    @Test func `the service goes on with it, and nothing is told of its key`() throws {
        _ = try restore()
        let opened = try folder.opening().open()
        #expect(opened.notes == [])
        #expect(opened.file.contents.balances.credit == 100)
    }

    @Test func `another key beside it is said, and signs from then on`() throws {
        let other = SigningKey(name: "turnstiled", Array(repeating: 9, count: 32))
        try folder.write(Data(other.text.utf8), to: "ledger.db.key")
        #expect(try restore().keepsKey == false)
        let opened = try folder.opening().open()
        #expect(opened.notes == [.keyChanged(other.verificationKey.description)])
    }

    @Test func `no key is made for it`() throws {
        try folder.remove("ledger.db.key")
        #expect(try restore().keepsKey == nil)
        #expect(!folder.exists("ledger.db.key"))
    }

    @Test func `the ledger that was set aside is not the one in use, if it is put back`() throws {
        func branch() throws -> String {
            try #require(try LedgerReader(path: folder["ledger.db"]).open().branch)
        }
        let before = try branch()
        _ = try restore()
        let after = try branch()
        _ = try folder.opening().open()
        try folder.move("ledger.db.set-aside-1", to: "ledger.db")
        let error = try folder.error()
        #expect(error.remedy == .decision)
        #expect(
            error.problem
                == "it is the branch \(before) of the ledger that was in use here: that was "
                + "\(after), according to \(folder["ledger.db.known"])")
        let keeper = LedgerKeeper(path: folder["ledger.db"], gate: "gate", bootID: "boot")
        #expect(try keeper.accept() == .taken(from: "gate"))
        #expect(try folder.contents().balances.credit == 150)
    }

    @Test func `it is put back as well where nobody can read which one was in use`() throws {
        try folder.write(Data("no ledger".utf8), to: "ledger.db")
        try folder.write(Data("what\n".utf8), to: "ledger.db.known")
        #expect(try restore().lost == nil)
        #expect(try folder.contents().balances.credit == 100)
    }

    @Test func `on a new board there is nothing to lose`() throws {
        for name in try folder.names where name.hasPrefix("ledger.db") { try folder.remove(name) }
        let done = try restore()
        #expect(done.lost == nil && done.aside == nil)
        #expect(try folder.contents().balances.credit == 100)
    }

    @Test func `what is gone or damaged is known to have been longer`() throws {
        try folder.write(Data("no ledger".utf8), to: "ledger.db")
        // The file beside it knows the number of a record that was in it.
        try folder.write(
            Data("\(LedgerReader(path: folder["copy.db"]).open().number)\n9\n".utf8),
            to: "ledger.db.known")
        #expect(try restore().lost == 6)
        #expect(try folder.bytes(of: "ledger.db.set-aside-1") == Data("no ledger".utf8))
    }

    @Test func `another ledger of the gate is lost as a whole`() throws {
        try folder.make([.coin(5_000)], as: "other.db")
        let done = try restore("other.db")
        #expect(done.wasAnother && done.lost == 4)
        #expect(try folder.contents().balances.credit == 5_000)
    }

    @Test func `nothing is put back while the service has the ledger open`() throws {
        let ledger = try Ledger(folder.opening())
        try ledger.opened()
        let error = try #require(throws: LedgerError.self) {
            try restore(timeout: .milliseconds(1))
        }
        #expect(error.isInUse && error.remedy == .time)
        #expect(ledger.close())
        #expect(try folder.contents().balances.credit == 150)
    }

    @Test func `a copy that somebody has altered is not put back`() throws {
        try folder.execute(
            "UPDATE records SET details = replace(details, '100', '900') WHERE sequence = 3",
            on: "copy.db")
        let words = try failure { try restore() }
        #expect(words.hasPrefix("it is not put back, since the record 3 (coin_accepted) was alter"))
    }

    @Test func `a slip that the copy lacks, and another key, keep it out`() throws {
        let slip = try signStop()
        #expect(
            try failure { try restore(verifiedBy: LedgerVerification(slips: [slip])) }
                .contains("covers 4 records, and the ledger ends with 3"))
        let other = SigningKey(name: "turnstiled", Array(repeating: 9, count: 32)).verificationKey
        #expect(
            try failure { try restore(verifiedBy: LedgerVerification(keys: [other])) }
                .contains("is signed with another key than the given one"))
    }

    @Test func `a slip of what was lost is told to be one, as the ledger says so`() throws {
        let slip = try signStop()
        _ = try restore()
        let said =
            "the ledger's record 4 (ledger_restored) says that an older copy was put back there; "
            + "everything written after that copy is lost"
        #expect(try folder.verify(slips: [slip]).flaw?.hasSuffix(": \(said)") == true)
        // As many records later, and with a checkpoint of its number.
        try folder.make([.coin(50), .coin(50)])
        _ = try signStop()
        #expect(try folder.verify(slips: [slip]).flaw?.hasSuffix(": \(said)") == true)
        // What was signed later is no matter of that.
        try folder.copy("ledger.db", to: "earlier.db")
        let file = try folder.opening().open().file
        try file.write([.started])
        let later = try file.write(
            [], missing: 0, contents: file.state.contents,
            wallOffset: SystemWallClock.offset + .seconds(60), closing: .stop)
        let verification = LedgerVerification(slips: [try #require(later)])
        #expect(try verification.verify(LedgerReader(path: folder["ledger.db"])).flaw == nil)
        let flaw = try verification.verify(LedgerReader(path: folder["earlier.db"])).flaw
        #expect(flaw?.hasSuffix(" the last ones are gone, or an older copy was put back") == true)
        // Where the ledger says no such thing, nor does this.
        try folder.execute("DELETE FROM records WHERE kind = 'ledger_restored'")
        #expect(try folder.verify(slips: [slip]).flaw?.contains("ledger_restored") == false)
    }

    /// Signs what the ledger holds now.
    private func signStop() throws -> SignedCheckpoint {
        let file = try folder.opening().open().file
        let signed = try file.write(
            [], missing: 0, contents: file.contents, wallOffset: .zero, closing: .stop)
        return try #require(signed)
    }

    @Test func `a copy of another gate is taken where it is said that the name changed`() throws {
        #expect(
            try failure { try restore(gate: "north") }
                == "it is the ledger of the gate 'gate', not of 'north'")
        _ = try restore(gate: "north", takesOtherGates: true)
        // A record says so until the service signs as that gate.
        #expect(try folder.verify().flaw == nil)
        #expect(try folder.opening(gate: "north").open().file.contents.balances.credit == 100)
    }

    @Test(arguments: ["ledger.db", "ledger.db.link"])
    func `the ledger is no copy of itself`(name: String) throws {
        // Sound: Swift lends the call both paths.
        try #require(unsafe link(folder["ledger.db"], folder["ledger.db.link"]) == 0)
        #expect(
            try failure { try restore(name) }.hasPrefix("this is no copy, but the ledger's own"))
    }

    @Test(arguments: ["ledger.db.partial", "ledger.db.new"])
    func `a copy that lies where another one is made stays where it is`(name: String) throws {
        try folder.move("copy.db", to: name)
        let copy = try folder.bytes(of: name)
        let error = try #require(throws: LedgerError.self) { try restore(name) }
        #expect(error.problem.hasPrefix("this is no copy, but the ledger's own"))
        #expect(try folder.bytes(of: name) == copy)
    }

    @Test func `what is no ledger, or not there, is not put back`() throws {
        try folder.write(Data("a text that is no database at all".utf8), to: "text")
        #expect(try failure { try restore("text") }.contains("file is not a database"))
        #expect(try failure { try restore("nothing") }.contains("there is no such file"))
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `it belongs to the folder's owner, and its group may read it`() throws {
        // Sound: Swift lends the call the path.
        try #require(unsafe chown(folder[""], 1, 1) == 0)
        try Folder.withUmask(0o077) { _ = try restore() }
        let status = try #require(Files.status(of: folder["ledger.db"]))
        #expect(status.st_uid == 1 && status.st_gid == 1 && status.st_mode & 0o7777 == 0o640)
        let known = try #require(Files.status(of: folder["ledger.db.known"]))
        #expect(known.st_uid == 1)
    }

    // A loss of power in between.

    @Test(arguments: 1...5)
    func `wherever it is cut short, one of the two ledgers is whole`(step: Int) throws {
        // What comes to lie ready is made at another place, from the same copy.
        let other = LedgerKeeper(path: folder["other.db"], gate: "gate", bootID: "boot")
        _ = try other.restore(folder["copy.db"])
        // What is there after each step that changes a name, in the order of `DurabilityTests`; a
        // service that was killed has left a log.
        let names = [1: "ledger.db.partial", 2: "ledger.db.new"]
        try folder.move("other.db", to: names[step] ?? "ledger.db.new")
        if step >= 3 { try folder.move("other.db.known", to: "ledger.db.known") }
        if step >= 4 { try folder.move("ledger.db", to: "ledger.db.set-aside-1") }
        if step == 4 { try folder.write(Data("a log".utf8), to: "ledger.db-wal") }
        #expect(try folder.contents().balances.credit == (step < 3 ? 150 : 100))
        #expect(!folder.exists("ledger.db.new"))
        try LedgerKeeper(path: folder["ledger.db"], gate: "gate", bootID: "boot").check()
    }
}
