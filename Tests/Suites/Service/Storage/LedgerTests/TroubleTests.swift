import Foundation
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// What a ledger does about a disk that takes nothing, and about files that are none of its own.
@Suite struct TroubleTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `a folder that is not there is named, and may yet come`() throws {
        let error = try folder.error(opening: "missing/ledger.db")
        #expect(
            error.description == """
                the ledger \(folder["missing/ledger.db"]): there is no folder \
                \(folder["missing"]): make it, or mount its disk
                """)
        #expect(error.remedy == .time)
    }

    @Test func `a file that is no database is left as it is`() throws {
        let text = Data(String(repeating: "not a ledger\n", count: 200).utf8)
        try folder.write(text, to: "ledger.db")
        let error = try folder.error()
        #expect(error.problem == "it is damaged: open: file is not a database (26)")
        #expect(error.remedy == .decision)
        #expect(try folder.bytes(of: "ledger.db") == text)
    }

    @Test(arguments: [
        ("CREATE TABLE coins (value)", "it is a database of another program"),
        ("PRAGMA user_version = 1", "it is damaged: it has no tables"),
        (
            "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 6",
            "it is of version 6, and this service knows version 5"
        ),
        (
            "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 2",
            "it is damaged: its tables are not a ledger's"
        ),
    ]) func `another program's or a later version's is left as it is`(
        sql: String, why: String
    ) throws {
        try folder.execute(sql)
        let before = try folder.bytes(of: "ledger.db")
        let error = try folder.error()
        #expect(error.problem == why)
        #expect(error.remedy == .decision)
        #expect(try folder.bytes(of: "ledger.db") == before)
    }

    @Test func `an empty file is no new ledger`() throws {
        try folder.write(Data(), to: "ledger.db")
        #expect(try folder.error().problem == "it is damaged: it is empty")
        #expect(try folder.bytes(of: "ledger.db").isEmpty)
    }

    @Test func `a ledger that is gone is no new one`() throws {
        try folder.make([.coin(100)])
        try folder.remove("ledger.db")
        let error = try folder.error()
        #expect(
            error.problem
                == "it is gone; there was one, according to \(folder["ledger.db.known"])")
        #expect(error.remedy == .decision)
        #expect(!folder.exists("ledger.db"))
    }

    @Test func `what may not be looked at is not gone`() throws {
        // The name of what says which ledger was in use is too long, and no other is.
        let name = String(repeating: "l", count: 250)
        let place = Place(path: folder[name])
        #expect(throws: LedgerError.self) { try place.remembered() }
        #expect(throws: LedgerError.self) { try Place(path: folder["\(name)-and-more"]).find() }
    }

    @Test func `another ledger in the place of this one is not taken for it`() throws {
        try folder.make([.coin(100)])
        try folder.make([.coin(5_000)], as: "other.db")
        try folder.remove("ledger.db")
        try folder.copy("other.db", to: "ledger.db")
        let error = try folder.error()
        #expect(error.problem.hasPrefix("it is not the ledger that was in use here: that was "))
        #expect(error.remedy == .decision)
    }

    @Test func `the ledger of another gate is not taken`() throws {
        try folder.make([.coin(100)])
        let error = try folder.error(gate: "north")
        #expect(error.problem == "it is the ledger of the gate 'gate', not of 'north'")
        #expect(error.remedy == .decision)
        #expect(try folder.contents().balances.credit == 100)
    }

    @Test func `a damaged file is found out and left as it is`() throws {
        try folder.make([.started, .coin(100)])
        var bytes = try folder.bytes(of: "ledger.db")
        let root = try #require(
            folder.rows(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'registers'", columns: 1
            ).first?.first??.number)
        let page = 4_096 * Int(root - 1)
        bytes.replaceSubrange(page..<page + 64, with: Data(repeating: 0xFF, count: 64))
        try folder.write(bytes, to: "ledger.db")
        let error = try folder.error()
        #expect(error.remedy == .decision)
        #expect(error.problem.contains("damaged") || error.problem.contains("malformed"))
        #expect(try folder.bytes(of: "ledger.db") == bytes)
    }

    @Test(arguments: [
        (
            "UPDATE registers SET since_init = -1",
            "expected a number from 0 to 9007199254740992, got -1"
        ),
        (
            "UPDATE registers SET name = 'stars' WHERE name = 'starts'",
            "the register 'stars' is unknown"
        ),
        (
            "UPDATE state SET value = 1000000 WHERE name = 'credit'",
            "credit held for people: 1000000, but credit_held: 100"
        ),
        (
            "UPDATE registers SET since_init = 150, since_collection = 150 "
                + "WHERE name = 'credit_held'; "
                + "UPDATE state SET value = 150 WHERE name = 'credit'",
            "credit at the beginning and value in since the collection: 100, but fares used and "
                + "in use, credit held, expired, forfeited and refunded: 150; "
                + "credit at the beginning and value in since the gate was new: 100, but fares "
                + "used and in use, credit held, expired, forfeited and refunded: 150"
        ),
        (
            "UPDATE registers SET since_init = 7 WHERE name = 'passages'",
            "passages since the gate was new: 7, but passages of all kinds: 0"
        ),
        (
            "UPDATE registers SET since_init = 5 WHERE name = 'starts'",
            "another program has changed it"
        ),
        ("DELETE FROM state", "its value of 'base' is missing"),
        ("DELETE FROM registers WHERE name = 'starts'", "the register starts is missing"),
        ("DELETE FROM identity", "it does not say which ledger it is"),
        (
            "UPDATE identity SET value = 'south' WHERE name = 'gate'",
            "another program has changed it"
        ),
        ("DROP TABLE state", "its tables are not a ledger's"),
    ]) func `numbers that cannot be are found out`(sql: String, why: String) throws {
        try folder.make([.started, .coin(100)])
        try folder.execute(sql)
        let error = try folder.error()
        #expect(error.problem == "it is damaged: \(why)")
        #expect(error.remedy == .decision)
    }

    @Test(arguments: ["registers", "state"], [Int64.max, .min, (1 << 53) + 1])
    func `no number stops the service`(table: String, number: Int64) throws {
        try folder.make([.started, .coin(100), .creditUsed(value: 50), .passageStarted(.entry)])
        let columns = table == "state" ? ["value"] : ["since_init", "since_collection", "value"]
        let names = try folder.rows("SELECT name FROM \(table)", columns: 1)
        for name in names.compactMap({ $0[0]?.text }) {
            for column in columns {
                let copy = "\(name)-\(column)"
                try folder.copy("ledger.db", to: copy)
                try folder.execute(
                    "UPDATE \(table) SET \(column) = \(number) WHERE name = '\(name)'", on: copy)
                #expect(try folder.error(opening: copy).remedy == .decision)
            }
        }
    }

    @Test func `what a full disk did not take is told, kept, and written once there is room`()
        async throws
    {
        let path = folder["ledger.db"]
        await #expect(processExitsWith: .success) { [path = path as String] in
            let ledger = try Ledger(path: path, gate: "gate", bootID: "boot")
            try ledger.opened()
            try ledger.store([.coin(50)])
            try limitFiles(to: 0)
            // All of one day, however long the machine has been up.
            let now = MonotonicTimer.now
            ledger.write([.coin(100)], at: now, confirms: true)
            let answers = try ledger.nextAnswers()
            guard case .failed(let why) = answers.first, answers.count == 1 else {
                Issue.record("not a failure: \(answers)")
                return
            }
            #expect(why.hasPrefix("the ledger \(path): COMMIT: disk I/O error"))
            let excess = Array(repeating: Record.coin(50), count: Writer.waitingAtMost + 10)
            ledger.write(excess, at: now, confirms: false)
            try limitFiles(to: .max)
            #expect(try ledger.awaitStored().map(\.checkpoint.occasion) == [.gap])
        }
        #expect(try folder.contents().balances.credit == 150 + 50 * (Writer.waitingAtMost + 10))
        let kinds = try folder.rows(
            "SELECT kind, details FROM records ORDER BY sequence LIMIT 3", columns: 2)
        #expect(kinds[2] == [.text("records_missing"), .text("11")])
        #expect(try folder.kinds().count == Writer.waitingAtMost + 3)
    }
}

/// Lets no file of this process grow beyond so many bytes; what would is an error, as it is for the
/// service.
private func limitFiles(to bytes: rlim_t) throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: bytes, rlim_max: .max)
    // Sound: the call reads one structure.
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
}
