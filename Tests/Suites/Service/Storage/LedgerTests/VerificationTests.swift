import Foundation
import StateMachines
import Testing
import Turnstile

@testable import Ledger

/// A ledger that the service wrote is verified, and whatever somebody else has changed is found.
@Suite struct VerificationTests {
    private static let otherKey =
        SigningKey(name: "turnstiled", [UInt8](repeating: 8, count: 32)).verificationKey

    let folder: Folder
    let forger: Forger

    init() throws {
        folder = try Folder()
        forger = Forger(folder: folder)
        try folder.makeSigned()
    }

    @Test func `what the service wrote is as it should be`() throws {
        let slips = try forger.checkpoints.map(\.signed)
        let verdict = try folder.verify(slips: slips, keys: [Folder.key.verificationKey])
        #expect(verdict.flaw == nil)
        #expect(verdict.records == 1...10)
        #expect(verdict.checkpoints == 5)
        #expect(verdict.key == Folder.key.verificationKey)
        #expect(verdict.reservations == [])
    }

    @Test func `verifying changes nothing`() throws {
        let before = try folder.bytes(of: "ledger.db")
        _ = try folder.verify()
        #expect(try folder.bytes(of: "ledger.db") == before)
    }

    // Somebody with an editor.

    /// A change of the records, and what is said of it.
    private static let records: [(sql: String, flaw: String)] = [
        (
            "UPDATE records SET details = replace(details, '250', '200') WHERE sequence = 3",
            "the record 3 (coin_accepted) was altered, or one before it"
        ),
        (
            "UPDATE records SET kind = 'coin_late' WHERE sequence = 3",
            "the record 3 (coin_late) was altered, or one before it"
        ),
        (
            "UPDATE records SET wall_ns = wall_ns + 1 WHERE sequence = 5",
            "the record 5 (passage_started) was altered, or one before it"
        ),
        (
            "UPDATE records SET monotonic_ns = monotonic_ns - 1 WHERE sequence = 2",
            "the record 2 (started) was altered, or one before it"
        ),
        (
            "UPDATE records SET life = life + 1 WHERE sequence = 10",
            "the record 10 (credit_expired) was altered, or one before it"
        ),
        (
            "UPDATE records SET boot_id = 'other' WHERE sequence = 1",
            "the record 1 (ledger_begun) was altered, or one before it"
        ),
        (
            "UPDATE records SET vocabulary = 1 WHERE sequence = 7",
            "the record 7 (coins_collected) was altered, or one before it"
        ),
        (
            "UPDATE records SET hash = (SELECT hash FROM records WHERE sequence = 5) "
                + "WHERE sequence = 6",
            "the record 6 (passage_completed) was altered, or one before it"
        ),
        (
            "UPDATE records SET hash = x'' WHERE sequence = 6",
            "the record 6 (passage_completed) was altered, or one before it"
        ),
        // What no program shows is a change all the same.
        (
            "UPDATE records SET details = details || char(0) || '!' WHERE sequence = 3",
            "the record 3 (coin_accepted) was altered, or one before it"
        ),
        // The same bytes, in other columns.
        (
            "UPDATE records SET kind = kind || char(10) || 'TURNSTILE_VALUE=250', "
                + "details = substr(details, 21) WHERE sequence = 3",
            "the record 3 (coin_accepted\\nTURNSTILE_VALUE=250) was altered, or one before it"
        ),
        ("DELETE FROM records WHERE sequence = 5", "the record 5 is gone"),
        ("DELETE FROM records WHERE sequence = 1", "the record 1 is gone"),
        (
            "DELETE FROM records WHERE sequence = 10",
            "it ends with the record 9, and 10 were written: the last ones are gone"
        ),
        (
            "UPDATE records SET sequence = 0 WHERE sequence = 8; "
                + "UPDATE records SET sequence = 8 WHERE sequence = 9; "
                + "UPDATE records SET sequence = 9 WHERE sequence = 0",
            "the record 8 (coin_accepted) was altered, or one before it"
        ),
        (
            "INSERT INTO records SELECT 11, boot_id, life, monotonic_ns, wall_ns, kind, details, "
                + "vocabulary, hash FROM records WHERE sequence = 10",
            "the record 11 (credit_expired) was altered, or one before it"
        ),
        (
            "UPDATE records SET sequence = -sequence WHERE sequence > 3; "
                + "UPDATE records SET sequence = 1 - sequence WHERE sequence < 0; "
                + "INSERT INTO records SELECT 4, boot_id, life, monotonic_ns, wall_ns, kind, "
                + "details, vocabulary, hash FROM records WHERE sequence = 3",
            "the record 4 (coin_accepted) was altered, or one before it"
        ),
    ]

    @Test(arguments: records.indices) func `a record that was altered is found`(
        index: Int
    ) throws {
        try forger.execute(Self.records[index].sql)
        #expect(try folder.verify().flaw == Self.records[index].flaw)
    }

    /// A change of the checkpoints, and what is said of it.
    private static let checkpoints: [(sql: String, flaw: String)] = [
        (
            "UPDATE checkpoints SET registers = replace(registers, 'starts 1', 'starts 2') "
                + "WHERE number = 3",
            "the registers of the checkpoint 3 differ from those that were signed"
        ),
        (
            "UPDATE checkpoints SET registers = 'starts one' WHERE number = 3",
            "the registers of checkpoint 3 are not valid"
        ),
        (
            "UPDATE checkpoints SET note = replace(note, 'value_in 250', 'value_in 200') "
                + "WHERE number = 3",
            "the checkpoint 3 is not signed with the ledger's key"
        ),
        (
            "UPDATE checkpoints SET note = 'value_in 250' WHERE number = 3",
            "checkpoint 3 cannot be parsed"
        ),
        (
            "DELETE FROM checkpoints WHERE number = 4",
            "the checkpoint 5 counts 3 checkpoints that are kept for good, and there are 2: some "
                + "are gone"
        ),
        (
            "DELETE FROM checkpoints WHERE number = 2",
            "checkpoints are gone before the checkpoint 3: 2 should follow"
        ),
        (
            "DELETE FROM checkpoints WHERE number = 3; "
                + "UPDATE checkpoints SET number = number - 1 WHERE number > 3",
            "the checkpoint 3 does not match its row"
        ),
        (
            "DELETE FROM checkpoints WHERE number = 5",
            "its last checkpoint is 4, and 5 were made"
        ),
        ("DELETE FROM checkpoints", "it has no checkpoint"),
        (
            "UPDATE checkpoints SET number = 0 WHERE number = 3; "
                + "UPDATE checkpoints SET number = 3 WHERE number = 4; "
                + "UPDATE checkpoints SET number = 4 WHERE number = 0",
            "the checkpoint 3 does not match its row"
        ),
        (
            "UPDATE checkpoints SET sequence = 6 WHERE number = 3",
            "the checkpoint 3 does not match its row"
        ),
        (
            "UPDATE checkpoints SET wall_ns = 0 WHERE number = 3",
            "the checkpoint 3 does not match its row"
        ),
        (
            "UPDATE checkpoints SET kept = 0 WHERE number = 3",
            "the checkpoint 3 does not match its row"
        ),
    ]

    @Test(arguments: checkpoints.indices) func `a checkpoint that was altered is found`(
        index: Int
    ) throws {
        try forger.execute(Self.checkpoints[index].sql)
        #expect(try folder.verify().flaw == Self.checkpoints[index].flaw)
    }

    /// A change of the money, and what is said of it once the seal agrees with it.
    private static let money: [(sql: String, flaw: String)] = [
        (
            "UPDATE registers SET since_init = 5 WHERE name = 'starts'",
            "the register starts shows 0 since the collection, and it was 4"
        ),
        (
            "UPDATE registers SET since_init = 5, since_collection = 4 WHERE name = 'starts'",
            "the registers show 5 for starts, and the records come to 1"
        ),
        (
            "UPDATE registers SET since_init = since_init + 1, "
                + "since_collection = since_collection + 1 WHERE name = 'accepted_coin_pulse' "
                + "AND value = 50; "
                + "UPDATE registers SET since_init = since_init + 50, "
                + "since_collection = since_collection + 50 WHERE name = 'credit_expired'",
            "the registers show 2 for accepted_coin_pulse, and the records come to 1"
        ),
        // Less in the vault than fell into it, and nobody would have been let through for it.
        (
            "UPDATE registers SET since_collection = 0 WHERE name = 'accepted_coin_pulse' "
                + "AND value = 50; "
                + "UPDATE registers SET since_collection = 100 WHERE name = 'credit_expired'",
            "the register credit_expired shows 100 since the collection, and it was 150"
        ),
        (
            "UPDATE state SET value = 50 WHERE name = 'credit'",
            "credit held for people: 50, but credit_held: 0"
        ),
        (
            "UPDATE state SET value = 50 WHERE name LIKE 'counted_coin_pulse_%'",
            "the counted coin at coin_pulse has no record"
        ),
        (
            "UPDATE state SET value = 200 WHERE name = 'expected'",
            "'expected' is 200, and 250 was signed"
        ),
        (
            "UPDATE state SET value = 6 WHERE name = 'sequence'",
            "it goes on to the record 10, and 6 were written"
        ),
        (
            "UPDATE state SET value = 11 WHERE name = 'pruned'",
            "the numbers of its books contradict each other"
        ),
        (
            "UPDATE state SET value = \(Int64.max) WHERE name IN ('pruned', 'base', 'sequence')",
            "expected a number from 0 to 9007199254740992, got 9223372036854775807"
        ),
        // What is not to be verified could be anything.
        (
            "UPDATE records SET details = replace(details, '250', '200') WHERE sequence = 3; "
                + "UPDATE state SET value = 9 WHERE name = 'base'",
            "'base' is 9, and 0 was signed"
        ),
        (
            "UPDATE state SET value = 8 WHERE name IN ('base', 'pruned')",
            "'base' is 8, and 0 was signed"
        ),
        (
            "UPDATE identity SET value = 'south' WHERE name = 'gate'",
            "it says that it is of the gate 'south', and its last checkpoint is of 'gate'"
        ),
        (
            "UPDATE identity SET value = '00112233445566778899aabbccddeeff' WHERE name = 'ledger'",
            "the checkpoint 1 is of another ledger: LEDGER"
        ),
        (
            "UPDATE identity SET value = "
                + "'\(Self.otherKey)' WHERE name = 'key'",
            "the checkpoint 1 is not signed with the ledger's key"
        ),
        (
            "DELETE FROM identity WHERE name = 'key'",
            "it does not say which ledger it is"
        ),
    ]

    @Test(arguments: money.indices) func `money and books that were altered are found`(
        index: Int
    ) throws {
        let ledger = try LedgerReader(path: folder["ledger.db"]).open().number
        try forger.execute(Self.money[index].sql)
        if !Self.money[index].sql.hasPrefix("DELETE") { try forger.reseal() }
        let flaw = Self.money[index].flaw.replacing("LEDGER", with: ledger)
        #expect(try folder.verify().flaw == flaw)
    }
}
