import Foundation
import StateMachines
import Testing
import Turnstile

@testable import Ledger

/// Copies of a ledger, made while the service has it open.
@Suite struct BackupTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private var reader: LedgerReader { LedgerReader(path: folder["ledger.db"]) }

    /// Tries to make a copy; returns why that cannot be.
    private func failure(_ name: String = "copy.db") throws -> LedgerError {
        try #require(throws: LedgerError.self) { try reader.backUp(to: folder[name]) }
    }

    @Test func `a copy has all that was there, and verifies`() throws {
        let last: SignedCheckpoint
        do {
            let file = try folder.opening().open().file
            try file.write(
                [.started, .coin(100), .coinsCollected], closing: .collection(0, expected: 100))
            last = try #require(try reader.backUp(to: folder["copy.db"]))
            try file.write([.coin(50)])
        }
        #expect(last.checkpoint.occasion == .collection(1, expected: 100))
        let copy = LedgerReader(path: folder["copy.db"])
        #expect(try LedgerVerification(slips: [last]).verify(copy).flaw == nil)
        #expect(try copy.open().sequences == 1...4)
        #expect(try folder.kinds(in: "copy.db") == folder.kinds().dropLast())
        #expect(try folder.names.filter { $0.hasPrefix("copy") } == ["copy.db"])
    }

    @Test func `its group may read it, and the key that signs is not in it`() throws {
        try folder.make([.coin(100)])
        try Folder.withUmask(0o077) { _ = try reader.backUp(to: folder["copy.db"]) }
        let status = try #require(Files.status(of: folder["copy.db"]))
        #expect(status.st_mode & 0o7777 == 0o640)
        let seed = Data(repeating: 7, count: 32)
        let bytes = try folder.bytes(of: "copy.db")
        #expect(bytes.range(of: Data("PRIVATE".utf8)) == nil && bytes.range(of: seed) == nil)
        #expect(bytes.range(of: seed.base64EncodedData().prefix(40)) == nil)
    }

    @Test func `it takes the place of no other file`() throws {
        try folder.make([.coin(100)])
        try folder.write(Data("a text".utf8), to: "copy.db")
        #expect(try failure().problem == "a file of this name exists, and is not overwritten")
        #expect(try folder.bytes(of: "copy.db") == Data("a text".utf8))
        // Not even of one that comes while it is made.
        try folder.write(Data("draft".utf8), to: "draft")
        #expect(throws: LedgerError.self) {
            try Files.renameToNew(folder["draft"], to: folder["copy.db"])
        }
        #expect(try folder.bytes(of: "copy.db") == Data("a text".utf8))
    }

    @Test func `what others have there is filled by no copy, and in nobody's way`() throws {
        try folder.make([.coin(100)])
        for name in ["copy.db.partial", "ledger.db.known.partial"] {
            try folder.write(Data(), to: name)
        }
        let path = folder["ledger.db.known.partial"]
        let descriptor = try Files.open(path, O_RDWR)
        defer { close(descriptor) }
        _ = try reader.backUp(to: folder["copy.db"])
        #expect(try LedgerVerification().verify(LedgerReader(path: folder["copy.db"])).flaw == nil)
        #expect(try folder.bytes(of: "copy.db.partial").isEmpty)
        try folder.opening().open().file.remember()
        #expect(try Files.read(descriptor, of: path, atMost: 16) == "")
    }

    @Test func `it is made where nobody else may look`() throws {
        var path = ""
        try Folder.withUmask(0) { path = try Files.makeFolder(named: folder["copy.db.partial"]) }
        let status = try #require(Files.status(of: path))
        #expect(status.st_mode & 0o7777 == 0o700 && status.st_uid == geteuid())
        #expect(try Files.makeFolder(named: folder["copy.db.partial"]) != path)
    }

    @Test func `what was left of one that was cut short goes, unless it is being made`() throws {
        try folder.make([.coin(100)])
        let places = try (0..<2).map { _ in
            Place(path: try Files.makeFolder(named: folder["copy.db.partial"]) + "/ledger.db")
        }
        for place in places { try reader.copy(to: place.path) }
        let lock = try FileLock(places[1])
        _ = try reader.backUp(to: folder["copy.db"])
        #expect(Files.status(of: places[0].folder) == nil)
        #expect(withExtendedLifetime(lock) { Files.status(of: places[1].path) } != nil)
    }

    @Test func `a ledger that does not verify has no copy`() throws {
        try folder.make([.started, .coin(100)])
        try folder.execute("UPDATE records SET wall_ns = wall_ns + 1 WHERE kind = 'coin_accepted'")
        let words = try failure().problem
        #expect(words.hasPrefix("no copy of it was made, since the record 3 (coin_accepted) was"))
        #expect(try folder.names.filter { $0.hasPrefix("copy") } == [])
    }

    @Test func `where it cannot be, nothing is`() throws {
        try folder.make([.coin(100)])
        let error = try failure("nowhere/copy.db")
        #expect(error.remedy == .time && error.problem.contains("no such file or folder"))
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `a member of the group verifies and copies what the service writes`() async throws {
        var open: Ledger?
        try Folder.withUmask(0o077) {
            let ledger = try Ledger(folder.opening())
            try ledger.opened()
            try ledger.store([.started, .coin(100)])
            open = ledger
        }
        let ledger = try #require(open)
        // Sound, here and below: Swift lends each call the path.
        for name in try folder.names { try #require(unsafe chown(folder[name], 1, 4_711) == 0) }
        try #require(unsafe chmod(folder[""], 0o750) == 0)
        try #require(unsafe chown(folder[""], 1, 4_711) == 0)
        let own = try Folder()
        try #require(unsafe chown(own[""], 65_534, 4_711) == 0)
        await #expect(processExitsWith: .success) {
            [path = folder["ledger.db"] as String, copy = own["copy.db"] as String] in
            try #require(setgroups(0, nil) == 0)
            try #require(setgid(4_711) == 0 && setuid(65_534) == 0)
            let reader = LedgerReader(path: path)
            #expect(try LedgerVerification().verify(reader).flaw == nil)
            _ = try reader.backUp(to: copy)
            #expect(try LedgerReader(path: copy).open().sequences == 1...3)
            #expect(unsafe access(path + ".key", R_OK) != 0)
            let error = #expect(throws: LedgerError.self) { try reader.backUp(to: path + ".copy") }
            #expect(error?.problem.contains("nobody, who may not write there: name") == true)
        }
        #expect(ledger.close())
    }
}
