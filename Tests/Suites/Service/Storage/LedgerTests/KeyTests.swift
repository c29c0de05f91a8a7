import Foundation
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// The key that a gate signs with: where it comes from, and what becomes of a ledger without it.
@Suite struct KeyTests {
    let folder: Folder
    private let other = SigningKey(name: "turnstiled", [UInt8](repeating: 8, count: 32))

    init() throws { folder = try Folder() }

    /// How a ledger is opened beside which there may be no key.
    private var opening: Opening {
        Opening(place: Place(path: folder["ledger.db"]), gate: "gate", bootID: "boot")
    }

    private func key() throws -> SigningKey {
        try #require(
            SigningKey(String(decoding: folder.bytes(of: "ledger.db.key"), as: UTF8.self)))
    }

    @Test func `a gate without a key makes one, which nobody else may read`() throws {
        // What an attempt that was cut short left.
        try folder.write(Data("PRIVATE".utf8), to: "ledger.db.key.partial")
        try #require(unsafe chmod(folder["ledger.db.key.partial"], 0o644) == 0)
        try opening.open().file.write([.started], closing: .stop)
        let status = try #require(Files.status(of: folder["ledger.db.key"]))
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(!folder.exists("ledger.db.key.partial"))
        let key = try key().verificationKey
        #expect(try folder.verify(keys: [key]).flaw == nil)
        #expect(try LedgerReader(path: folder["ledger.db"]).open().key == key)
        // It is the same at every start.
        #expect(try opening.open().notes == [])
        #expect(try self.key().verificationKey == key)
    }

    @Test func `a key that is gone or another one is told, and signs from there on`() throws {
        try folder.makeSigned()
        try folder.remove("ledger.db.key")
        let notes = try opening.open().notes
        let new = try key().verificationKey
        #expect(notes == [.keyChanged(new.description)])
        try folder.write(Data(other.text.utf8), to: "ledger.db.key")
        #expect(try opening.open().notes == [.keyChanged(other.verificationKey.description)])
        #expect(try opening.open().notes == [])
        #expect(try folder.kinds().suffix(2) == ["ledger_key_changed", "ledger_key_changed"])
        let verdict = try folder.verify()
        #expect(verdict.flaw == nil && verdict.key == other.verificationKey)
        #expect(verdict.checkpoints == 7)
        // The checkpoint tells what those before it are signed with.
        let occasions = try Forger(folder: folder).checkpoints.suffix(2).map(\.checkpoint.occasion)
        #expect(occasions == [.key(after: Folder.key.verificationKey), .key(after: new)])
        for key in [Folder.key.verificationKey, new] {
            let flaw = try folder.verify(keys: [key]).flaw
            #expect(flaw?.contains(" is signed with another key than the given one: ") == true)
        }
        #expect(try folder.verify(keys: [other.verificationKey]).flaw == nil)
    }

    @Test func `what is no key is left as it is, and nothing is signed`() throws {
        try folder.makeSigned()
        let before = try folder.bytes(of: "ledger.db")
        for text in ["", "secret\n", Folder.key.verificationKey.description] {
            try folder.write(Data(text.utf8), to: "ledger.db.key")
            let error = try #require(throws: LedgerError.self) { try opening.open() }
            #expect(
                error.problem
                    == "\(folder["ledger.db.key"]) is not a key: restore the old one, or remove "
                    + "it to have a new one made")
            // Nobody is to accept another ledger for that.
            #expect(error.remedy == .person)
            #expect(try folder.bytes(of: "ledger.db.key") == Data(text.utf8))
        }
        try folder.remove("ledger.db.key")
        try FileManager.default.createDirectory(
            atPath: folder["ledger.db.key"], withIntermediateDirectories: false)
        let error = try #require(throws: LedgerError.self) { try opening.open() }
        #expect(error.remedy == .person && error.problem.contains(".key is not a key: restore"))
        #expect(try folder.bytes(of: "ledger.db") == before)
    }

    @Test(.enabled(if: geteuid() == 0, "needs root"))
    func `a key that the service may not read is told with whose it is`() async throws {
        try folder.makeSigned()
        try #require(unsafe chown(folder[""], 65_534, 65_534) == 0)
        for name in try folder.names where name != "ledger.db.key" {
            try #require(unsafe chown(folder[name], 65_534, 65_534) == 0)
        }
        try #require(unsafe chmod(folder["ledger.db.key"], 0o600) == 0)
        await #expect(processExitsWith: .success) { [path = folder["ledger.db"] as String] in
            try #require(setuid(65_534) == 0)
            let opening = Opening(place: Place(path: path), gate: "gate", bootID: "boot")
            let error = try #require(throws: LedgerError.self) { try opening.open() }
            #expect(
                error.problem == """
                    \(path).key belongs to root (mode 600), and this runs as nobody, who may not \
                    use it: sudo chown nobody:root \(path).key
                    """)
            #expect(error.remedy == .person)
        }
    }

    @Test func `the service's credentials come before the file`() async throws {
        try folder.makeSigned()
        let credentials = folder["credentials"]
        try FileManager.default.createDirectory(
            atPath: credentials, withIntermediateDirectories: false)
        try folder.write(Data(other.text.utf8), to: "credentials/ledger.key")
        await #expect(processExitsWith: .success) {
            [path = folder["ledger.db"] as String, credentials = credentials as String] in
            // Sound: Swift lends the call both texts, and nothing else runs in this process.
            try #require(unsafe setenv("CREDENTIALS_DIRECTORY", credentials, 1) == 0)
            let opening = Opening(place: Place(path: path), gate: "gate", bootID: "boot")
            #expect(try opening.open().notes.count == 1)
            #expect(try opening.open().notes == [])
        }
        #expect(try LedgerReader(path: folder["ledger.db"]).open().key == other.verificationKey)
        // Where the service has other credentials, it is the file again.
        try folder.remove("credentials/ledger.key")
        await #expect(processExitsWith: .success) {
            [path = folder["ledger.db"] as String, credentials = credentials as String] in
            try #require(unsafe setenv("CREDENTIALS_DIRECTORY", credentials, 1) == 0)
            let opening = Opening(place: Place(path: path), gate: "gate", bootID: "boot")
            #expect(try opening.open().notes.count == 1)
        }
        let verdict = try folder.verify(keys: [Folder.key.verificationKey])
        #expect(verdict.flaw == nil && verdict.key == Folder.key.verificationKey)
    }

    @Test func `whoever accepts a new ledger is told of the key that was made for it`() throws {
        try folder.write(Data("no ledger".utf8), to: "ledger.db")
        let keeper = LedgerKeeper(path: folder["ledger.db"], gate: "gate", bootID: "boot")
        let (aside, key) = (folder["ledger.db.set-aside-1"], folder["ledger.db.key"])
        let accepted = try keeper.accept()
        #expect(accepted == .begun(aside: aside, newKey: key))
        #expect(
            "\(accepted)"
                == "the previous ledger is in \(aside) now; a new ledger was begun; its key was "
                + "made in \(key): where the service is given one as a credential, remove that "
                + "file")
        #expect(try folder.opening().open().notes == [])
    }

    @Test func `a ledger that is accepted for another gate is signed as that gate's`() throws {
        try folder.makeSigned()
        let north = LedgerKeeper(path: folder["ledger.db"], gate: "north", bootID: "boot")
        #expect(try north.accept() == .taken(from: "gate"))
        // Whoever accepts it has not the service's key: a record says so until the next start.
        #expect(try folder.verify(keys: [Folder.key.verificationKey]).flaw == nil)
        let opened = try folder.opening(gate: "north").open()
        #expect(opened.notes == [])
        let last = try #require(try Forger(folder: folder).checkpoints.last).checkpoint
        #expect(last.gate == "north" && last.occasion == .key(after: Folder.key.verificationKey))
        #expect(try opened.file.write([.started], closing: .stop)?.checkpoint.gate == "north")
        #expect(try folder.verify(keys: [Folder.key.verificationKey]).flaw == nil)
        #expect(try folder.kinds().contains("ledger_key_changed") == false)
    }
}
