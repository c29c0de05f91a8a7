import Foundation
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// What people do with a ledger: look whether all is accounted for, and accept what became of it.
@Suite struct KeeperTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func keeper(gate: String = "gate") -> LedgerKeeper {
        LedgerKeeper(path: folder["ledger.db"], gate: gate, bootID: "boot")
    }

    private func checkFails() throws -> LedgerError {
        try #require(throws: LedgerError.self) { try keeper().check() }
    }

    /// Flips all bits of the byte at this place of the page that the table begins with.
    private func damage(_ table: String, at place: Int) throws {
        let root = try #require(
            folder.rows(
                "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'", columns: 1
            ).first?.first??.number)
        var bytes = try folder.bytes(of: "ledger.db")
        bytes[4_096 * Int(root - 1) + place] ^= 0xFF
        try folder.write(bytes, to: "ledger.db")
    }

    /// Exchanges the first two rows of a table of one page: a row more can be written all the same.
    private func exchangeFirstRows(of table: String) throws {
        let root = try #require(
            folder.rows(
                "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'", columns: 1
            ).first?.first??.number)
        var bytes = try folder.bytes(of: "ledger.db")
        // The header of the page comes first, and then where each row is.
        let first = 4_096 * Int(root - 1) + 8
        bytes.swapAt(first, first + 2)
        bytes.swapAt(first + 1, first + 3)
        try folder.write(bytes, to: "ledger.db")
    }

    // Looking.

    @Test func `a ledger in which all is accounted for is in order, and left as it is`() throws {
        try folder.make([.started, .coin(100)])
        let before = try folder.bytes(of: "ledger.db")
        try keeper().check()
        #expect(try folder.bytes(of: "ledger.db") == before)
    }

    @Test func `it is looked at while the service has it open`() async throws {
        let ledger = try Ledger(folder.opening())
        try ledger.opened()
        try ledger.store([.started, .coin(100)])
        // In a process of its own, as by the command.
        await #expect(processExitsWith: .success) { [path = folder["ledger.db"] as String] in
            try LedgerKeeper(path: path, gate: "gate", bootID: "boot").check()
        }
        try ledger.store([.coin(50)])
        #expect(ledger.close())
        #expect(try folder.contents().balances.credit == 150)
    }

    @Test func `what is wrong is said`() throws {
        #expect(try checkFails().problem == "no such file")
        try folder.make([.started, .coin(100)])
        try folder.execute("UPDATE state SET value = 150 WHERE name = 'credit'")
        #expect(
            try checkFails().problem
                == "it is damaged: credit held for people: 150, but credit_held: 100")
    }

    @Test func `what the service would refuse is no ledger that is in order`() throws {
        try folder.make([.coin(100)])
        try folder.move("ledger.db", to: "elsewhere.db")
        let gone = try checkFails()
        #expect(
            gone.problem == "it is gone; there was one, according to \(folder["ledger.db.known"])")
        try #require(unsafe symlink("elsewhere.db", folder["ledger.db"]) == 0)
        let link = try checkFails()
        #expect(link.problem == "it is a link: have 'ledger.path' name the file itself")
        #expect(try folder.error() == link)
        try folder.remove("ledger.db")
        try folder.write(Data(), to: "ledger.db")
        #expect(try checkFails() == folder.error())
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"), arguments: [0o700, 0o755], [0o600, 0o644])
    func `whoever may not look is told who may`(folderMode: mode_t, mode: mode_t) async throws {
        try folder.make([.coin(100)])
        try #require(unsafe chmod(folder["ledger.db"], mode) == 0)
        try #require(unsafe chmod(folder[""], folderMode) == 0)
        try #require(unsafe chown(folder[""], 1, 1) == 0)
        await #expect(processExitsWith: .success) { [path = folder["ledger.db"] as String] in
            try #require(setuid(65_534) == 0)
            let keeper = LedgerKeeper(path: path, gate: "gate", bootID: "boot")
            let words = "this runs as nobody, who may not use it: run this as root or as daemon"
            #expect(try #require(throws: LedgerError.self) { try keeper.check() }.problem == words)
            let refused = try #require(throws: LedgerError.self) { try keeper.accept() }
            #expect(refused.problem == words && refused.remedy == .person)
        }
    }

    @Test func `damage in the records alone is told from damage in the money`() throws {
        try folder.make([.started, .coin(100)])
        try damage("records", at: 0)
        let words = try checkFails().problem
        #expect(words.hasPrefix("it is damaged: in its records alone: "), "\(words)")
    }

    // Accepting.

    @Test func `there is nothing to accept where all is in order, or nothing was yet`() throws {
        #expect(try keeper().accept() == .nothing)
        try folder.make([.coin(100)])
        #expect(try keeper().accept() == .nothing)
        #expect(try folder.contents().balances.credit == 100)
    }

    @Test func `a damaged ledger is set aside whole, and a new one begun`() throws {
        for number in 1...2 {
            try folder.make([.coin(100)])
            try damage("registers", at: 0)
            let damaged = try folder.bytes(of: "ledger.db")
            let refused = try folder.error()
            #expect(refused.remedy == .decision)
            let aside = "ledger.db.set-aside-\(number)"
            #expect(try keeper().accept() == .begun(aside: folder[aside]))
            #expect(try folder.bytes(of: aside) == damaged)
            #expect(try folder.contents() == Contents())
            #expect(try folder.kinds() == ["ledger_begun"])
        }
    }

    @Test func `its log goes with it`() throws {
        try folder.make([.coin(100)])
        do {
            // A service that was killed leaves its log behind.
            let database = try Database(path: folder["ledger.db"], .write)
            try database.execute("UPDATE state SET value = 7 WHERE name = 'credit'")
        }
        let log = try folder.bytes(of: "ledger.db-wal")
        #expect(!log.isEmpty)
        let refused = try folder.error()
        #expect(refused.remedy == .decision)
        #expect(try folder.bytes(of: "ledger.db-wal") == log)
        _ = try keeper().accept()
        #expect(try folder.bytes(of: "ledger.db.set-aside-1-wal") == log)
        #expect(!folder.exists("ledger.db-wal"))
        let aside = try folder.rows(
            "SELECT value FROM state WHERE name = 'credit'", of: "ledger.db.set-aside-1",
            columns: 1)
        #expect(aside == [[.number(7)]])
    }

    @Test func `what is gone is begun anew`() throws {
        try folder.make([.coin(100)])
        try folder.remove("ledger.db")
        #expect(try keeper().accept() == .begun(aside: nil))
        #expect(try folder.contents() == Contents())
    }

    @Test func `an empty file is set aside`() throws {
        try folder.write(Data(), to: "ledger.db")
        #expect(
            try keeper().accept()
                == .begun(
                    aside: folder["ledger.db.set-aside-1"], newKey: folder["ledger.db.key"]))
        #expect(try folder.contents() == Contents())
    }

    @Test func `what was to take the ledger's place and is damaged is set aside`() throws {
        try folder.make([.coin(100)])
        try damage("registers", at: 0)
        try folder.move("ledger.db", to: "ledger.db.new")
        let damaged = try folder.bytes(of: "ledger.db.new")
        #expect(try folder.error().remedy == .decision)
        #expect(try keeper().accept() == .begun(aside: folder["ledger.db.set-aside-1"]))
        #expect(try folder.bytes(of: "ledger.db.set-aside-1") == damaged)
        #expect(try folder.contents() == Contents())
    }

    @Test func `a FIFO beside the ledger holds nobody up`() throws {
        try folder.make([.started])
        try folder.remove("ledger.db.known")
        // Sound, here and below: Swift lends the call the path as a C string.
        unsafe #expect(mkfifo(folder["ledger.db.known"], 0o600) == 0)
        #expect(try checkFails().problem == "it is no regular file")
        #expect(try folder.error().remedy == .decision)
        #expect(try keeper().accept() == .taken(from: "gate"))
        try keeper().check()
    }

    @Test func `what was to take the ledger's place and is no file is set aside`() throws {
        unsafe #expect(mkfifo(folder["ledger.db.new"], 0o600) == 0)
        let error = try folder.error()
        #expect(error.problem == "it is no regular file")
        #expect(error.remedy == .decision)
        let aside = folder["ledger.db.set-aside-1"]
        #expect(try keeper().accept() == .begun(aside: aside))
        #expect(folder.exists("ledger.db.set-aside-1"))
    }

    @Test func `a sound ledger of another gate is taken as it is`() throws {
        try folder.make([.started, .coin(100)])
        #expect(try keeper(gate: "north").accept() == .taken(from: "gate"))
        #expect(try folder.opening(gate: "north").open().file.contents.balances.credit == 100)
        #expect(try folder.error().remedy == .decision)
        #expect(try folder.kinds().last == "ledger_accepted")
        #expect(try keeper(gate: "north").accept() == .nothing)
    }

    @Test func `a ledger of another gate whose records are damaged is set aside`() throws {
        try folder.make([.started, .coin(100)])
        try exchangeFirstRows(of: "records")
        let aside = folder["ledger.db.set-aside-1"]
        #expect(try keeper(gate: "north").accept() == .begun(aside: aside))
        #expect(try folder.opening(gate: "north").open().file.contents == Contents())
    }

    @Test func `a sound ledger that is another than was there is taken as it is`() throws {
        try folder.make([.coin(100)])
        try folder.make([.coin(5_000)], as: "other.db")
        try folder.remove("ledger.db")
        try folder.copy("other.db", to: "ledger.db")
        #expect(try keeper().accept() == .taken(from: "gate"))
        #expect(try folder.contents().balances.credit == 5_000)
    }

    @Test func `a ledger of the first version is taken where another one was`() throws {
        try folder.make([.coin(100)])
        try folder.write(VersionTests.first(), to: "ledger.db")
        #expect(try keeper().accept() == .taken(from: "gate"))
        #expect(try folder.contents().balances.credit == 150)
    }

    @Test func `nothing is accepted while the service has it open`() throws {
        let ledger = try Ledger(folder.opening())
        try ledger.opened()
        var keeper = keeper()
        keeper.timeout = .milliseconds(1)
        let error = try #require(throws: LedgerError.self) { try keeper.accept() }
        #expect(error.problem == "it is in use by another process (PID \(getpid()))")
    }

    @Test func `a lock that cannot be had is given back once`() async throws {
        let path = folder["ledger.db"]
        let held = try FileLock(Place(path: path))
        // Whoever gives back a descriptor twice gives back what somebody else has by then.
        let lost = await withTaskGroup(of: Int.self) { group in
            group.addTask {
                (1...2_000).count { _ in (try? FileLock(Place(path: path))) != nil }
            }
            group.addTask { (1...50_000).count { _ in close(dup(STDERR_FILENO)) != 0 } }
            return await group.reduce(0, +)
        }
        #expect(lost == 0)
        withExtendedLifetime(held) {}
    }

    @Test func `what cannot be looked at now is not set aside`() throws {
        try folder.make([.coin(100)])
        do {
            let other = try Database(path: folder["ledger.db"], .write)
            try other.execute("BEGIN EXCLUSIVE")
            let error = try #require(throws: LedgerError.self) {
                try keeper(gate: "north").accept()
            }
            #expect(error.remedy == .time)
        }
        #expect(try folder.names.filter { $0.contains("set-aside") } == [])
        #expect(try folder.contents().balances.credit == 100)
    }

    // A loss of power in between.

    @Test(arguments: 1...4)
    func `wherever an exchange is cut short, one of the two ledgers is whole`(step: Int) throws {
        try folder.make([.coin(100)])
        // What is there after each step that changes a name.
        try folder.make([], as: "new.db")
        try folder.move("new.db", to: step == 1 ? "ledger.db.partial" : "ledger.db.new")
        if step >= 3 { try folder.move("new.db.known", to: "ledger.db.known") }
        if step >= 4 { try folder.move("ledger.db", to: "ledger.db.set-aside-1") }
        #expect(try folder.contents().balances.credit == (step < 3 ? 100 : 0))
        #expect(!folder.exists("ledger.db.new"))
    }

    @Test func `an acceptance that was not written down is a person's to repeat`() throws {
        try folder.make([.coin(100)])
        let known = try folder.bytes(of: "ledger.db.known")
        #expect(try keeper(gate: "north").accept() == .taken(from: "gate"))
        try folder.write(known, to: "ledger.db.known")
        let error = try folder.error(gate: "north")
        #expect(error.remedy == .decision && error.problem.hasPrefix("it is the branch "))
        #expect(try keeper(gate: "north").accept() == .taken(from: "north"))
        #expect(try folder.opening(gate: "north").open().file.contents.balances.credit == 100)
    }
}
