import Foundation
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// Ledgers of the version before this one are carried over, and nothing of them is lost.
@Suite struct VersionTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// A ledger that a service of the first version has written.
    static func first() throws -> Data { try ledger(of: 1) }

    /// A ledger that a service of this version has written: of the second one, with a record of
    /// every kind, and of each fault.
    static func ledger(of version: Int) throws -> Data {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return try Data(contentsOf: folder.appending(path: "Fixtures/version-\(version).db"))
    }

    /// What that service was told.
    private static let story: [Record] = [
        .started, .coinCounted(Coin(.first, pulses: 6, value: 300)), .coin(300),
        .creditUsed(value: 250), .released(.entry, by: .credit(fare: 250)),
        .passageStarted(.entry), .passageCompleted(.entry, .paid), .vaultRemoved, .vaultReplaced,
        .passageCompleted(.exit, .free), .passageCompleted(.entry, .unauthorised),
        .coinLate(Coin(.second, pulses: 1, value: 500)),
        .coinRejected(Coin(.third, pulses: 2, value: 100)),
        .coinInhibited(Coin(.third, pulses: 2, value: 100)), .coinUnknown(.third, pulses: 7),
        .coinNoise(.second, width: .milliseconds(3)), .creditExpired(value: 100),
        .creditForfeited(value: 50), .alarmRaised(.forcedPassage),
        .faultRaised(.line(.output(.alarm), .mismatch)), .creditUsed(value: 250),
        .passageStarted(.entry), .coinCounted(Coin(.first, pulses: 1, value: 50)),
    ]

    private func putFirst() throws { try folder.write(Self.first(), to: "ledger.db") }

    @Test func `a ledger of the first version is carried over whole`() throws {
        try putFirst()
        #expect(try folder.contents() == Contents(Self.story))
        let kinds = try folder.kinds()
        #expect(kinds.count == Self.story.count + 1)
        #expect(kinds.last == "ledger_carried_over")
        // It belongs to this gate from now on, and is one like any other.
        #expect(try folder.contents() == Contents(Self.story))
        #expect(try folder.kinds() == kinds)
        #expect(try folder.error(gate: "north").remedy == .decision)
        #expect(try folder.rows("PRAGMA user_version", columns: 1) == [[.number(Schema.version)]])
    }

    @Test(arguments: [2, 3])
    func `a ledger of a later version is carried over, and none of its rows is touched`(
        version: Int
    ) throws {
        let sql =
            "SELECT sequence, boot_id, life, monotonic_ns, wall_ns, kind, details"
            + (version == 2 ? ", 1" : ", vocabulary") + " FROM records"
        try folder.write(Self.ledger(of: version), to: "ledger.db")
        let identity = "SELECT value FROM identity WHERE name IN ('gate', 'ledger')"
        let (rows, names) = (
            try folder.rows(sql, columns: 8), try folder.rows(identity, columns: 1)
        )
        let (contents, kinds) = (try folder.contents(), try folder.kinds())
        #expect(contents == Contents(try Self.records(of: folder)))
        #expect(contents.balances.credit == 275 && contents.balances.counted[.first]?.value == 100)
        #expect(kinds.last == "ledger_carried_over" && rows.count == 218)
        #expect(try folder.rows(sql, columns: 8).dropLast() == rows[...])
        #expect(try folder.rows(identity, columns: 1) == names)
        #expect(try folder.rows("PRAGMA user_version", columns: 1) == [[.number(Schema.version)]])
        // It is one like any other from now on.
        #expect(try folder.contents() == contents)
        #expect(try folder.kinds() == kinds)
    }

    /// What the records of a ledger tell of the gate.
    private static func records(of folder: Folder) throws -> [Record] {
        var records: [Record] = []
        try LedgerReader(path: folder["ledger.db"]).forEach { record in
            switch record.content {
            case .record(let told): records.append(told)
            case .note: break
            case .unreadable(let error): Issue.record("\(record.name): \(error)")
            }
        }
        return records
    }

    @Test(arguments: [2, 3])
    func `one of a later version is looked at as it is, and accepted for another gate`(
        version: Int
    ) throws {
        let bytes = try Self.ledger(of: version)
        try folder.write(bytes, to: "ledger.db")
        let path = folder["ledger.db"]
        try LedgerKeeper(path: path, gate: "gate", bootID: "boot").check()
        #expect(try folder.bytes(of: "ledger.db") == bytes)
        let south = LedgerKeeper(path: path, gate: "south", bootID: "boot")
        #expect(try south.accept() == .taken(from: "gate", newKey: path + ".key"))
        #expect(try south.accept() == .nothing)
        let contents = try folder.opening(gate: "south").open().file.contents
        #expect(contents.balances.credit == 275)
        #expect(contents == Contents(try Self.records(of: folder)))
        #expect(try folder.kinds().suffix(1) == ["ledger_accepted"])
    }

    @Test(arguments: [1, 2, 3]) func `its records are read before it is carried over, and after`(
        version: Int
    ) throws {
        try folder.write(Self.ledger(of: version), to: "ledger.db")
        let before = try Self.records(of: folder)
        #expect(before.count == (version == 1 ? Self.story.count : 217))
        if version == 1 { #expect(before == Self.story) }
        #expect(Set(before.map(\.name)).count >= 14)
        try folder.make([.coin(50)])
        #expect(try Self.records(of: folder) == before + [.coin(50)])
        let told = try folder.rows("SELECT DISTINCT kind, details FROM records", columns: 2)
        for record in before {
            let lines = version < 3 ? record.linesOfVersion1 : record.fields.journalLines
            #expect(told.contains([.text(record.name), .text(lines)]))
        }
    }

    @Test func `one of the fourth version goes on with its hashes, and signs more`() throws {
        try folder.write(Self.ledger(of: 4), to: "ledger.db")
        let before = try folder.verify()
        #expect(before.flaw == nil && before.records == 1...8)
        #expect(
            before.reservations == [
                "an earlier version signed it, without the pruned records and the day of the books"
            ])
        try LedgerKeeper(path: folder["ledger.db"], gate: "turnstile", bootID: "boot").check()
        let hashes = "SELECT hash FROM records WHERE sequence <= 8 ORDER BY sequence"
        let rows = try folder.rows(hashes, columns: 1)
        for _ in 0..<2 {
            let file = try folder.opening(gate: "turnstile").open().file
            #expect(file.contents.balances.credit == 100)
        }
        #expect(try folder.rows(hashes, columns: 1) == rows)
        #expect(try folder.kinds().suffix(2) == ["ledger_carried_over", "ledger_key_changed"])
        let verdict = try folder.verify(keys: [Folder.key.verificationKey])
        #expect(verdict.flaw == nil && verdict.records == 1...10 && verdict.reservations == [])
        #expect(try folder.rows("PRAGMA user_version", columns: 1) == [[.number(Schema.version)]])
        // The version before would not have read it as its own.
        try folder.execute("PRAGMA user_version = 4")
        #expect(try folder.error().problem.contains("it does not say which ledger it is"))
    }

    @Test func `one that does not add up is left as it is`() throws {
        try putFirst()
        try folder.execute("UPDATE state SET value = 1000000 WHERE name = 'credit'")
        let before = try folder.bytes(of: "ledger.db")
        #expect(
            try folder.error().problem
                == "it is damaged: credit held for people: 1000000, but credit_held: 150")
        #expect(try folder.bytes(of: "ledger.db") == before)
    }

    @Test func `one that never wrote anything is as a new one`() throws {
        try putFirst()
        try folder.execute("DELETE FROM records; DELETE FROM state; DELETE FROM registers")
        #expect(try folder.contents() == Contents())
    }

    @Test func `an old copy is not taken for the ledger that was in use since`() throws {
        try putFirst()
        _ = try folder.contents()
        try putFirst()
        #expect(try folder.error().problem.hasPrefix("it is not the ledger that was in use here"))
    }
}

extension Record {
    /// The lines of a ledger that did not say what was asked for, nor who asked.
    fileprivate var linesOfVersion1: String {
        let isStart = if case .serviceStarted = self { true } else { false }
        let fields = fields.all.filter {
            $0.name != .request && $0.name != .requester && !(isStart && $0.name == .line)
        }
        return Fields(fields).journalLines
    }
}
