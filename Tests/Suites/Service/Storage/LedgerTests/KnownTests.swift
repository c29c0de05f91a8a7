import Foundation
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// Beside the ledger stands which one was in use: another one is used once a person has decided so.
@Suite struct KnownTests {
    let folder: Folder
    private let other = SigningKey(name: "turnstiled", [UInt8](repeating: 8, count: 32))

    init() throws {
        folder = try Folder()
        try folder.makeSigned()
    }

    private var known: String { folder["ledger.db.known"] }

    private var keeper: LedgerKeeper {
        LedgerKeeper(path: folder["ledger.db"], gate: "gate", bootID: "boot")
    }

    /// Why start and `--check-ledger` refuse the ledger; both leave what is known as it is.
    private func refusal() throws -> String {
        let before = try folder.bytes(of: "ledger.db.known")
        let error = try folder.error()
        #expect(error.remedy == .decision)
        #expect(try #require(throws: LedgerError.self) { try keeper.check() } == error)
        #expect(try folder.bytes(of: "ledger.db.known") == before)
        return error.problem
    }

    // The key.

    private var otherKey: String {
        "it is signed with another key than the ledger that was in use here: that was "
            + "\(Folder.key.verificationKey), according to \(known)"
    }

    @Test func `a ledger that was signed anew is refused, though its key lies beside it`() throws {
        let forger = Forger(folder: folder)
        try forger.sign(with: other)
        try forger.reseal()
        try folder.write(Data(other.text.utf8), to: "ledger.db.key")
        #expect(try folder.verify().flaw == nil)
        #expect(try refusal() == otherKey)
        // Unless a person decides so.
        #expect(try keeper.accept() == .taken(from: "gate"))
        #expect(try folder.opening().open().notes == [])
    }

    @Test func `a start that ended before it wrote down its new key is resumed, and the key told`()
        throws
    {
        let before = try folder.bytes(of: "ledger.db.known")
        try folder.write(Data(other.text.utf8), to: "ledger.db.key")
        _ = try folder.opening().open()
        try folder.write(before, to: "ledger.db.known")
        try keeper.check()
        let told: [StoreNote] = [.keyChanged(other.verificationKey.description)]
        #expect(try folder.opening().open().notes == told)
        #expect(try folder.opening().open().notes == [])
        #expect(try folder.kinds().count { $0 == "ledger_key_changed" } == 1)
        // A key that only the ledger names would vouch for anything.
        try folder.write(before, to: "ledger.db.known")
        try folder.write(Data(Folder.key.text.utf8), to: "ledger.db.key")
        #expect(try refusal() == otherKey)
    }

    @Test func `a change of keys vouches for no ledger that does not verify`() throws {
        let before = try folder.bytes(of: "ledger.db.known")
        try folder.write(Data(other.text.utf8), to: "ledger.db.key")
        _ = try folder.opening().open()
        try folder.write(before, to: "ledger.db.known")
        // Far before the last checkpoint, from which a start goes on.
        let forger = Forger(folder: folder)
        try forger.execute("UPDATE records SET kind = 'stop_began' WHERE sequence = 2")
        #expect(try folder.error().problem == otherKey)
    }

    // The records.

    @Test(arguments: [false, true])
    func `a copy that went on in another way is not the ledger in use`(changesKey: Bool) throws {
        let folder = try Folder()
        try folder.make([.started, .coin(100)])
        try folder.copy("ledger.db", to: "copy.db")
        do {
            let file = try folder.opening().open().file
            try file.write([.coin(50)], closing: .interval)
            try file.remember()
        }
        try folder.opening("copy.db").open().file.write([.coin(5_000), .coin(50)])
        if changesKey {
            try folder.write(Data(other.text.utf8), to: "copy.db.key")
            _ = try folder.opening("copy.db").open()
        }
        for part in ["", ".key"] { try folder.move("copy.db" + part, to: "ledger.db" + part) }
        #expect(try folder.verify().flaw == nil)
        let error = try folder.error()
        #expect(error.remedy == .decision)
        #expect(
            error.problem
                == "it is not the ledger that was in use here: its record 4 is another, according "
                + "to \(folder["ledger.db.known"])")
    }

    @Test func `a ledger that is written on while it is verified is no older copy`() throws {
        let snapshot = try LedgerReader(path: folder["ledger.db"]).open()
        do {
            let file = try folder.opening().open().file
            try file.write([.coin(50)], closing: .interval)
            try file.remember()
        }
        try folder.opening().check(snapshot)
        try folder.opening().checkEnd(of: snapshot)
    }

    // What was to take its place.

    @Test func `a ledger that lies ready, and was not written down, takes no place`() throws {
        try folder.make([.coin(5_000)], as: "other.db")
        try folder.move("other.db", to: "ledger.db.new")
        try folder.remove("ledger.db")
        let before = try folder.bytes(of: "ledger.db.known")
        let error = try folder.error()
        #expect(
            error.problem
                == "it is gone; there was one, according to \(known), and "
                + "\(folder["ledger.db.new"]) is another")
        #expect(error.remedy == .decision)
        #expect(try folder.bytes(of: "ledger.db.known") == before)
        #expect(try keeper.accept() == .begun(aside: folder["ledger.db.set-aside-1"]))
        #expect(try folder.contents() == Contents())
    }

    // The file itself.

    /// What stands in a line instead, and what is allowed there.
    private static let unreadable: [(index: Int, line: String, expected: String)] = [
        (0, "what", "the ledger's number (32 hexadecimal digits)"),
        (1, "many", "a record's number from 0 to 9007199254740992"),
        (1, "-1", "a record's number from 0 to 9007199254740992"),
        (1, "9007199254740993", "a record's number from 0 to 9007199254740992"),
        (2, "turnstiled+00000000+AAAA", "a public key (NAME+ID+BASE64)"),
        (3, "main", "a branch (32 hexadecimal digits)"),
        (4, "AAAA", "a hash (32 bytes in Base64)"),
        (5, "more", "no more than five lines"),
    ]

    @Test(arguments: unreadable.indices) func `a line that cannot be read is a person's to decide`(
        number: Int
    ) throws {
        let (index, line, expected) = Self.unreadable[number]
        var lines = try lines
        if index < lines.count { lines[index] = line } else { lines.append(line) }
        try write(lines)
        let words = "\(known), line \(index + 1): expected \(expected), got '\(line)'"
        #expect(try refusal() == words)
        #expect(try keeper.accept() == .taken(from: "gate"))
        try keeper.check()
        #expect(try folder.opening().open().notes == [])
    }

    @Test(arguments: [0, 4]) func `so is a line that is missing`(count: Int) throws {
        try write(try lines.prefix(count))
        let words = try refusal()
        #expect(words.hasPrefix("\(known), line \(count + 1): expected "))
        #expect(words.hasSuffix(", got ''"))
    }

    @Test(arguments: 1...3) func `what an earlier version wrote is read, and completed`(
        count: Int
    ) throws {
        let all = try lines
        try write(all.prefix(count))
        try keeper.check()
        #expect(try folder.opening().open().notes == [])
        #expect(try lines == all)
    }

    private var lines: [String] {
        get throws {
            String(decoding: try folder.bytes(of: "ledger.db.known"), as: UTF8.self)
                .split(separator: "\n").map(String.init)
        }
    }

    private func write(_ lines: some Sequence<String>) throws {
        try folder.write(Data(lines.map { $0 + "\n" }.joined().utf8), to: "ledger.db.known")
    }
}
