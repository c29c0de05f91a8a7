import Foundation
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// What a ledger does about a disk that takes nothing, and about files that are none of its own.
@Suite struct TroubleTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func error(opening name: String) throws -> LedgerError {
        try #require(throws: LedgerError.self) {
            try Ledger(path: folder[name], bootID: "boot")
        }
    }

    @Test func `a folder that is not there is named, and may yet come`() throws {
        let error = try error(opening: "missing/ledger.db")
        #expect(error.description.hasPrefix("the ledger \(folder["missing/ledger.db"]): "))
        #expect(error.description.hasSuffix("No such file or directory"))
        #expect(error.remedy == .time)
    }

    @Test func `a file that is no database is left as it is`() throws {
        let text = Data(String(repeating: "not a ledger\n", count: 200).utf8)
        try folder.write(text, to: "ledger.db")
        let error = try error(opening: "ledger.db")
        #expect(error.description.contains("file is not a database (26)"))
        #expect(error.remedy == .person)
        #expect(try folder.bytes(of: "ledger.db") == text)
    }

    @Test(arguments: [
        ("CREATE TABLE coins (value)", "it is a database of another program"),
        ("PRAGMA application_id = 1", "it is a database of another program"),
        (
            "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 2",
            "it is of version 2, and this service knows version 1"
        ),
    ]) func `another program's or a later version's is left as it is`(
        sql: String, why: String
    ) throws {
        try Database(path: folder["ledger.db"]).execute(sql)
        let before = try folder.bytes(of: "ledger.db")
        let error = try error(opening: "ledger.db")
        #expect(error.description == "the ledger \(folder["ledger.db"]): \(why)")
        #expect(error.remedy == .person)
        #expect(try folder.bytes(of: "ledger.db") == before)
    }

    @Test func `a damaged file is found out and left as it is`() throws {
        do {
            let ledger = try Ledger(path: folder["ledger.db"], bootID: "boot")
            ledger.write([.started, .coin(100)], at: .zero, confirms: false)
        }
        var bytes = try folder.bytes(of: "ledger.db")
        let root = try #require(
            rows(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'registers'",
                of: folder["ledger.db"], columns: 1
            ).first?.first??.number)
        let page = 4_096 * Int(root - 1)
        bytes.replaceSubrange(page..<page + 64, with: Data(repeating: 0xFF, count: 64))
        try folder.write(bytes, to: "ledger.db")
        let error = try error(opening: "ledger.db")
        #expect(error.remedy == .person)
        #expect(error.description.contains("damaged") || error.description.contains("malformed"))
        #expect(try folder.bytes(of: "ledger.db") == bytes)
    }

    @Test(arguments: [
        ("UPDATE registers SET since_init = -1", "what should be a number is none, or negative"),
        (
            "UPDATE registers SET name = 'stars' WHERE name = 'starts'",
            "the register 'stars' is unknown"
        ),
    ]) func `numbers that cannot be are found out`(sql: String, why: String) throws {
        do {
            let ledger = try Ledger(path: folder["ledger.db"], bootID: "boot")
            ledger.write([.started, .coin(100)], at: .zero, confirms: false)
        }
        try Database(path: folder["ledger.db"]).execute(sql)
        let error = try error(opening: "ledger.db")
        #expect(error.description == "the ledger \(folder["ledger.db"]): it is damaged: \(why)")
        #expect(error.remedy == .person)
    }

    @Test func `what a full disk did not take is told, kept, and written once there is room`()
        async throws
    {
        let path = folder["ledger.db"]
        await #expect(processExitsWith: .success) { [path = path as String] in
            let ledger = try Ledger(path: path, bootID: "boot")
            try ledger.store([.coin(50)])
            try limitFiles(to: 0)
            ledger.write([.coin(100)], at: .zero, confirms: true)
            let answers = try ledger.nextAnswers()
            guard case .failed(let why) = answers.first, answers.count == 1 else {
                Issue.record("not a failure: \(answers)")
                return
            }
            #expect(why.hasPrefix("the ledger \(path): COMMIT: disk I/O error"))
            let excess = Array(repeating: Record.coin(50), count: Writer.waitingAtMost + 10)
            ledger.write(excess, at: .zero, confirms: false)
            try limitFiles(to: .max)
            #expect(try ledger.nextAnswers() == [.stored])
        }
        let ledger = try Ledger(path: path, bootID: "boot")
        #expect(ledger.holdings.credit == 150 + 50 * (Writer.waitingAtMost + 10))
        let kinds = try rows(
            "SELECT kind, details FROM records ORDER BY sequence LIMIT 3", of: path, columns: 2)
        #expect(kinds[1] == [.text("records_missing"), .text("11")])
        let count = try rows("SELECT count(*) FROM records", of: path, columns: 1)
        #expect(count == [[.number(Int64(Writer.waitingAtMost) + 2)]])
    }
}

/// Lets no file of this process grow beyond so many bytes.
private func limitFiles(to bytes: rlim_t) throws {
    var limit = rlimit(rlim_cur: bytes, rlim_max: .max)
    // Sound: the call reads one structure.
    try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
}
