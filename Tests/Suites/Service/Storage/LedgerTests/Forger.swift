import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// Whoever may write a ledger's file, and knows how the service does it, but not the gate's key.
struct Forger {
    let folder: Folder
    var name = "ledger.db"

    /// Changes rows.
    func execute(_ sql: String) throws { try folder.execute(sql, on: name) }

    /// Has the seal agree with what stands in the file.
    func reseal() throws {
        var registers: [Register: Register.Value] = [:]
        let sql = "SELECT name, pulses, value, since_init, since_collection FROM registers"
        for row in try folder.rows(sql, of: name, columns: 5) {
            let numbers = try row[1...].map { try #require($0?.number) }
            let name = try #require(row[0]?.text)
            let found = Register(name: name, pulses: Int(numbers[0]), value: Int(numbers[1]))
            registers[try #require(found)] = Register.Value(
                sinceInit: numbers[2], sinceCollection: numbers[3])
        }
        var state = LedgerState(try identity)
        state.values = registers
        state.numbers = try texts("state").mapValues { try #require($0.number) }
        state.numbers["seal"] = nil
        try execute("UPDATE state SET value = \(state.seal.number) WHERE name = 'seal'")
    }

    /// Has the hashes of all records agree with what stands in them.
    func rechain() throws {
        let base = try texts("state")["base"]?.number ?? 0
        var chain = Chain(after: Chain.beginning(of: try identity.number))
        let sql = """
            SELECT sequence, life, monotonic_ns, wall_ns, vocabulary, boot_id, kind, details
            FROM records WHERE sequence > \(base) ORDER BY sequence
            """
        let rows = try folder.rows(sql, of: name, columns: 8)
        let database = try Database(path: folder[name], .create)
        let update = try database.prepare("UPDATE records SET hash = ? WHERE sequence = ?")
        for row in rows {
            let numbers = try row[..<5].map { try #require($0?.number) }
            let texts = try row[5...].map { Array(try #require($0?.text).utf8) }
            let hash = chain.add(
                ChainedRow(
                    sequence: numbers[0], life: numbers[1], monotonic: numbers[2],
                    wall: numbers[3], vocabulary: numbers[4], bootID: texts[0], kind: texts[1],
                    details: texts[2]))
            try update.run(.bytes(hash.bytes), .number(numbers[0]))
        }
    }

    /// Has all checkpoints agree with the records, signed with a key of the forger's own.
    func sign(with key: SigningKey) throws {
        for kept in try checkpoints {
            var checkpoint = kept.checkpoint
            let sql = "SELECT hash FROM records WHERE sequence = \(checkpoint.sequence)"
            let hash = try folder.rows(sql, of: name, columns: 1).first?[0]?.bytes
            checkpoint.hash = hash.flatMap { Digest($0) } ?? checkpoint.hash
            let note = SignedNote(checkpoint.text, by: key).description
            try execute("UPDATE checkpoints SET note = '\(note)' WHERE number = \(kept.row)")
        }
        try execute("UPDATE identity SET value = '\(key.verificationKey)' WHERE name = 'key'")
    }

    /// The checkpoints, as they stand in the file.
    var checkpoints: [StoredCheckpoint] {
        get throws {
            var found: [StoredCheckpoint] = []
            let database = try Database(path: folder[name], .create)
            try database.prepare(StoredCheckpoint.all).run(.number(.max)) {
                row throws(LedgerError) in found.append(try StoredCheckpoint(row))
            }
            return found
        }
    }

    private var identity: Identity {
        get throws {
            let texts = try texts("identity").compactMapValues { $0.text }
            return try #require(Identity(texts))
        }
    }

    private func texts(_ table: String) throws -> [String: Value] {
        var values: [String: Value] = [:]
        for row in try folder.rows("SELECT name, value FROM \(table)", of: name, columns: 2) {
            values[try #require(row[0]?.text)] = row[1]
        }
        return values
    }
}

extension Folder {
    /// Makes a ledger of ten records and five checkpoints, the last of which covers all.
    func makeSigned() throws {
        let file = try opening().open().file
        try file.write([.started, .coin(250), .creditUsed(value: 250)], closing: .interval)
        try file.write(
            [.passageStarted(.entry), .passageCompleted(.entry, .paid), .coinsCollected],
            closing: .collection(0, expected: 250))
        try file.write([.coin(100), .coin(50)], day: 20_261_123, closing: .day(20_261_122))
        try file.write([.creditExpired(value: 150)], closing: .stop)
        try file.remember()
    }

    /// What verifying the ledger `name` in it finds.
    func verify(
        _ name: String = "ledger.db", slips: [SignedCheckpoint] = [],
        keys: [VerificationKey] = []
    ) throws -> LedgerVerification.Verdict {
        try LedgerVerification(slips: slips, keys: keys).verify(LedgerReader(path: self[name]))
    }
}

extension LedgerFile {
    /// Writes these records, and what they come to.
    @discardableResult
    func write(
        _ records: [Record], day: Int64? = nil, closing occasion: Checkpoint.Occasion? = nil
    ) throws -> SignedCheckpoint? {
        var contents = state.contents
        for record in records { contents.count(record) }
        // At noon of the day that they are of.
        var today = day ?? state.books[.day]
        if case .day(let ended) = occasion { today = Int64(ended) }
        let date = CalendarDay(Int(today / 10_000), Int(today / 100 % 100), Int(today % 100))
        return try write(
            records.map { Entry(record: $0, time: .zero) }, missing: 0, contents: contents,
            wallOffset: .seconds(date.map { $0.number * 86_400 + 43_200 } ?? 0), day: day,
            closing: occasion)
    }
}
