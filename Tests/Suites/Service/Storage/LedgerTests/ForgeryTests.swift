import Foundation
import Keeping
import System
import Testing
import Turnstile

@testable import Ledger

/// Whoever knows how the service writes a ledger, and makes all of it agree, lacks the gate's key.
@Suite struct ForgeryTests {
    let folder: Folder
    let forger: Forger
    /// What was signed, as somebody has kept it elsewhere.
    let slips: [SignedCheckpoint]
    private let key = SigningKey(name: "turnstiled", [UInt8](repeating: 8, count: 32))

    init() throws {
        folder = try Folder()
        try folder.makeSigned()
        forger = Forger(folder: folder)
        slips = try forger.checkpoints.map(\.signed)
    }

    /// Has nobody have paid the last coin, nor lost it.
    private func takeOutACoin() throws {
        try forger.execute(
            """
            UPDATE records SET kind = 'stop_began', details = '' WHERE sequence = 9;
            UPDATE records SET details = replace(details, '150', '100') WHERE sequence = 10;
            DELETE FROM registers WHERE name = 'accepted_coin_pulse' AND value = 50;
            UPDATE registers SET since_init = 100, since_collection = 100
                WHERE name = 'credit_expired';
            """)
        try forger.reseal()
        try forger.rechain()
    }

    @Test func `the checkpoints do not agree with records whose hashes were made anew`() throws {
        try takeOutACoin()
        #expect(
            try folder.verify().flaw == "the checkpoint 4 is of other records than those before it")
    }

    @Test func `a ledger that is signed anew is found by the key alone, or by a slip`() throws {
        try takeOutACoin()
        for number in 4...5 {
            let list = try #require(forger.checkpoints.first { $0.row == number }).registers.text
                .replacing("accepted_coin_pulse 1 50 1\n", with: "")
                .replacing("credit_expired 150", with: "credit_expired 100")
                .replacing("credit_held 150", with: "credit_held 100")
            let note = try #require(forger.checkpoints.first { $0.row == number })
            var checkpoint = note.checkpoint
            checkpoint.registers = try #require(RegisterList(list)).digest
            let numbers = try #require(note.checkpoint.standing).numbers
            checkpoint.standing?.numbers = numbers.mapValues { $0 == 150 ? 100 : $0 }
            try forger.execute(
                """
                UPDATE checkpoints SET registers = '\(list)',
                    note = '\(SignedNote(checkpoint.text, by: key).description)'
                    WHERE number = \(number)
                """)
        }
        try forger.sign(with: key)
        try forger.reseal()
        // Nothing in the file says that it is not what it was.
        #expect(try folder.verify().flaw == nil)
        #expect(
            try folder.verify(keys: [Folder.key.verificationKey]).flaw
                == "the checkpoint 1 is signed with another key than the given one: "
                + "\(key.verificationKey)")
        for slip in slips {
            #expect(
                try folder.verify(slips: [slip]).flaw
                    == "the slip \(slip.checkpoint.number) (\(slip.checkpoint.occasion.text)) is "
                    + "not signed with the ledger's key")
        }
        // The service does not vouch for it either.
        #expect(
            try folder.error().problem
                == "it is signed with another key than the ledger that was in use here: that was "
                + "\(Folder.key.verificationKey), according to \(folder["ledger.db.known"])")
    }

    @Test func `a key that says it came after the gate's is not believed`() throws {
        // The forger's own change of keys, with nothing of the gate's.
        try "\(key.text)".write(
            toFile: folder["ledger.db.key"], atomically: true, encoding: .utf8)
        #expect(
            try folder.opening().open().notes == [.keyChanged(key.verificationKey.description)])
        let verdict = try folder.verify(keys: [Folder.key.verificationKey])
        #expect(
            verdict.flaw == "the checkpoint 6 is signed with another key than the given one: "
                + "\(key.verificationKey)")
        // Whoever trusts the new one trusts what it says of the one before.
        #expect(try folder.verify(keys: [key.verificationKey]).flaw == nil)
        #expect(try folder.verify(slips: slips).flaw == nil)
    }

    // The end.

    /// Has the ledger end with the first collection, as if nothing had come after it.
    private func cutOff() throws {
        try forger.execute(
            """
            DELETE FROM records WHERE sequence > 7;
            DELETE FROM checkpoints WHERE number > 3;
            UPDATE state SET value = 7 WHERE name = 'sequence';
            UPDATE state SET value = 3 WHERE name = 'checkpoint';
            UPDATE state SET value = 2 WHERE name = 'page';
            UPDATE state SET value = 0 WHERE name = 'day';
            DELETE FROM registers WHERE name = 'accepted_coin_pulse' AND value < 250;
            UPDATE registers SET since_init = 0, since_collection = 0
                WHERE name = 'credit_expired';
            """)
        try forger.reseal()
    }

    @Test func `an end that was taken off is found by a slip, and by the service`() throws {
        try cutOff()
        // Nothing in the file says that there was more.
        #expect(try folder.verify().flaw == nil)
        #expect(try folder.verify(slips: [slips[2]]).flaw == nil)
        #expect(
            try folder.verify(slips: slips).flaw
                == "the slip 4 (day 2026-11-22) covers 9 records, and the ledger ends with 7: the "
                + "last ones are gone, or an older copy was put back")
        #expect(
            try folder.error().problem
                == "it is an older copy of the ledger that was in use here: it ends with the "
                + "record 7, and the last one was 10, according to \(folder["ledger.db.known"])")
    }

    @Test func `an older copy that was put back is found by a slip, and by the service`() throws {
        try folder.copy("ledger.db", to: "copy.db")
        var slips: [SignedCheckpoint] = []
        do {
            let file = try folder.opening().open().file
            slips.append(try #require(try file.write([.coin(50)], closing: .interval)))
            try file.remember()
        }
        try folder.move("copy.db", to: "ledger.db")
        #expect(try folder.verify().flaw == nil)
        #expect(
            try folder.verify(slips: slips).flaw
                == "the slip 6 (interval) covers 11 records, and the ledger ends with 10: the "
                + "last ones are gone, or an older copy was put back")
        #expect(try folder.error().problem.hasPrefix("it is an older copy of the ledger that was"))
    }

    @Test func `one that goes on from an older copy has not the checkpoints of the slips`() throws {
        try folder.copy("ledger.db", to: "copy.db")
        try folder.copy("ledger.db", to: "later.db")
        for name in ["copy.db", "later.db"] {
            let file = try folder.opening(name).open().file
            try file.write([.coin(name == "copy.db" ? 50 : 500)], closing: .interval)
        }
        let later = try Forger(folder: folder, name: "later.db").checkpoints.map(\.signed)
        #expect(
            try folder.verify("copy.db", slips: later).flaw
                == "the slip 6 (interval) is not the checkpoint that the ledger has of that number")
        // It has one less, and as many records.
        let file = try folder.opening().open().file
        try file.write([.coin(50), .coin(50)])
        #expect(
            try folder.verify(slips: later).flaw == "the slip 6 (interval) is not in the ledger")
    }

    // What is kept beside records and checkpoints.

    private func expect(_ flaw: String) throws {
        try forger.reseal()
        let verdict = try folder.verify(slips: slips, keys: [Folder.key.verificationKey])
        #expect(verdict.flaw == flaw)
        #expect(try folder.error().problem == "it is damaged: \(flaw)")
    }

    @Test func `records that are said to be kept no longer are missed`() throws {
        try forger.execute(
            """
            DELETE FROM records WHERE sequence <= 9;
            DELETE FROM checkpoints WHERE kept = 0 AND sequence < 9;
            UPDATE state SET value = 9 WHERE name IN ('base', 'pruned');
            """)
        try expect("'base' is 9, and 0 was signed")
    }

    @Test func `a day's takings are moved to no other day`() throws {
        try forger.execute("UPDATE state SET value = 20261001 WHERE name = 'day'")
        try expect("'day' is 20261001, and 20261123 was signed")
    }

    @Test func `nor is the first day of a ledger, which no checkpoint knows yet`() throws {
        let fresh = try Folder()
        try fresh.opening().open().file.write([.started, .coin(50)], day: 20_261_122)
        #expect(try fresh.verify().flaw == nil)
        try fresh.execute("UPDATE state SET value = 20261001 WHERE name = 'day'")
        try Forger(folder: fresh).reseal()
        #expect(
            try fresh.verify().flaw
                == "the books had the day 20261001, and the records say that it was another")
    }

    @Test func `a clock that begins with 1970 is of the day before that in the west`() throws {
        let fresh = try Folder()
        try fresh.opening().open().file.write([.started], day: 19_691_231, closing: .interval)
        #expect(try fresh.verify().flaw == nil)
    }

    @Test func `a coin that was counted before records went is none that nobody signed`() throws {
        var opening = folder.opening()
        opening.limits.count = 1
        try opening.open().file.write([.started, .stopBegan], closing: .interval)
        #expect(try folder.verify().flaw == nil)
        try forger.execute(
            "UPDATE state SET value = 5000 WHERE name LIKE 'counted_coin_pulse_2_%'")
        try expect("the counted coin at coin_pulse_2 has no record")
    }

    @Test func `a ledger whose branch somebody has changed is not the one that was signed`() throws
    {
        try forger.execute("UPDATE identity SET value = 'other' WHERE name = 'branch'")
        try forger.reseal()
        #expect(try folder.verify().flaw?.hasPrefix("it says that it is the branch other") == true)
    }

    // Slips.

    @Test func `a slip of another ledger is named`() throws {
        let other = try Folder()
        try other.makeSigned()
        let slip = try #require(try Forger(folder: other).checkpoints.last).signed
        #expect(
            try folder.verify(slips: [slip]).flaw
                == "the slip 5 (stop) is of another ledger: \(slip.checkpoint.ledger)")
    }

    @Test func `a slip that was altered is not signed`() throws {
        let text = slips[2].note.description.replacing("expected 250", with: "expected 200")
        let slip = try #require(SignedCheckpoint(text))
        #expect(
            try folder.verify(slips: [slip]).flaw
                == "the slip 3 (collection 1) is not signed with the ledger's key")
    }

    @Test func `the ledger of another gate is refused`() throws {
        #expect(
            try folder.error(gate: "north").problem
                == "it is the ledger of the gate 'gate', not of 'north'")
    }
}
