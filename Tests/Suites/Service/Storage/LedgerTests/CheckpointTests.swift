import Foundation
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import Ledger

/// What the service signs, and what it says of it.
@Suite struct CheckpointTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// The checkpoints among these answers.
    private func signed(_ answers: [StoreAnswer]) throws -> [SignedCheckpoint] {
        try answers.compactMap { answer in
            guard case .noted(.checkpoint(let number, let occasion, let note)) = answer else {
                return nil
            }
            let signed = try #require(SignedCheckpoint(note))
            #expect(signed.checkpoint.number == number)
            #expect(signed.checkpoint.occasion.kind == occasion)
            #expect(signed.note.isSigned(by: Folder.key.verificationKey))
            return signed
        }
    }

    /// Waits for so many.
    private func next(_ count: Int, of ledger: Ledger) throws -> [Checkpoint] {
        var found: [Checkpoint] = []
        while found.count < count {
            found += try signed(ledger.nextAnswers()).map(\.checkpoint)
        }
        return found
    }

    @Test func `it is signed when that is asked for, and at the end of the service`() throws {
        let ledger = try Ledger(folder.opening())
        try ledger.opened()
        ledger.write([.started, .coin(250)], at: MonotonicTimer.now, confirms: false)
        ledger.sign()
        let first = try next(1, of: ledger)[0]
        #expect(first.occasion == .interval && first.sequence == 3 && first.gate == "gate")
        #expect(first.valueIn == 250 && first.held == 250 && first.passages == 0)
        ledger.write(
            [.creditUsed(value: 250), .passageCompleted(.entry, .paid)], at: MonotonicTimer.now,
            confirms: false)
        #expect(ledger.close())
        let last = try signed(ledger.takeAnswers()).map(\.checkpoint)
        #expect(last.map(\.occasion) == [.stop])
        #expect(last[0].sequence == 5 && last[0].held == 0 && last[0].passages == 1)
        #expect(last[0].number == first.number + 1)
        #expect(try folder.verify().flaw == nil)
        // The ledger that was in use has it.
        #expect(try Place(path: folder["ledger.db"]).remembered()?.sequence == 5)
    }

    @Test func `a day that is over is signed before what comes after it`() throws {
        try folder.opening().open().file.write([.started], day: 20_000_101)
        let ledger = try Ledger(folder.opening())
        try ledger.opened()
        ledger.write([.coin(250)], at: MonotonicTimer.now, confirms: false)
        ledger.sign()
        let signed = try next(2, of: ledger)
        #expect(signed.map(\.occasion.text) == ["day 2000-01-01", "interval"])
        #expect(signed.map(\.sequence) == [2, 3])
        #expect(ledger.close())
        #expect(try folder.verify().flaw == nil)
    }

    @Test func `a collection, and what was counted in it, are signed unasked`() throws {
        let ledger = try Ledger(folder.opening())
        try ledger.opened()
        ledger.write(
            [
                .coin(250), .coin(50), .coinsCollected, .coin(100), .collectionCounted(value: 290),
                .coinsCollected,
            ], at: MonotonicTimer.now, confirms: true)
        let signed = try ledger.awaitStored()
        #expect(
            signed.map(\.checkpoint.occasion) == [
                .collection(1, expected: 300),
                .counted(1, Checkpoint.Count(expected: 300, counted: 290)),
                .collection(2, expected: 100),
            ])
        #expect(ledger.close())
        #expect(try folder.verify().flaw == nil)
        // The next start knows the last one, whatever was signed since.
        let again = try Ledger(folder.opening())
        var answers: [StoreAnswer] = []
        while answers.count < 3 { answers += try again.nextAnswers() }
        #expect(answers[2] == .collected(note: try #require(signed.last).note.description))
        #expect(again.close())
    }

    // What is not whole.

    @Test func `records that could not be kept are signed as a sum`() throws {
        do {
            let file = try folder.opening().open().file
            try file.write([.coin(50)], closing: .interval)
            let contents = Contents([.coin(50), .coin(100), .coinsCollected, .coin(500)])
            try file.write(
                [], missing: 3, contents: contents, wallOffset: .zero, closing: .gap)
            try file.write([.coin(250), .coinsCollected], closing: .collection(0, expected: 750))
            try file.write([.started], closing: .stop)
        }
        let verdict = try folder.verify()
        #expect(verdict.flaw == nil && verdict.checkpoints == 5)
    }

    @Test func `another ledger that takes the place of a running service's is brought up to it`()
        throws
    {
        let ledger = try Ledger(
            folder.opening(), pace: Pace(first: .milliseconds(1), longest: .milliseconds(5)))
        try ledger.opened()
        try ledger.store([.coin(100), .coin(50), .started])
        for part in ["", "-wal", "-shm"] { try folder.remove("ledger.db" + part) }
        try folder.make([.coin(5_000), .alarmRaised(.forcedPassage)], as: "other.db")
        try folder.move("other.db", to: "ledger.db")
        ledger.write([.coin(50)], at: MonotonicTimer.now, confirms: true)
        let keeper = LedgerKeeper(path: folder["ledger.db"], gate: "gate", bootID: "boot")
        while try keeper.isRefused() {}
        #expect(try next(1, of: ledger).map(\.occasion) == [.gap])
        #expect(ledger.close())
        #expect(try folder.contents() == Contents([.coin(100), .coin(50), .started, .coin(50)]))
        #expect(try folder.verify().flaw == nil)
    }

    @Test func `records that are set aside leave the checkpoints, and a reservation`() throws {
        try folder.makeSigned()
        try folder.execute("DELETE FROM records WHERE sequence = 10")
        let notes = try folder.opening().open().notes
        guard case .recordsSetAside(let aside, let reason)? = notes.first, notes.count == 1 else {
            Issue.record("\(notes)")
            return
        }
        #expect(aside == folder["ledger.db.set-aside-1"])
        #expect(reason == "the record 10 is gone, or was altered")
        try folder.opening().open().file.write(
            [.coin(50), .coinsCollected], closing: .collection(0, expected: 200))
        let verdict = try folder.verify(keys: [Folder.key.verificationKey])
        #expect(verdict.flaw == nil && verdict.records == 11...13 && verdict.checkpoints == 7)
        // How many there are of them, and since when, is told for as long as they would be kept.
        let missing = try #require(verdict.missing)
        #expect(missing.records == 1...10 && missing.since > .seconds(1_500_000_000))
        #expect(
            verdict.reservations == [
                "the records 1 to 10 are missing since \(missing.since.utcText): they were "
                    + "damaged, and the file was set aside"
            ])
        // The money before is signed.
        let kept = try Forger(folder: folder).checkpoints
        #expect(
            kept.map(\.checkpoint.occasion.text) == [
                "begin", "interval", "collection 1", "day 2026-11-22", "stop", "begin",
                "collection 2",
            ])
        #expect(kept[5].registers == kept[4].registers)
        // A row among those that are missing is nobody's.
        try folder.execute(
            "INSERT INTO records SELECT 5, boot_id, life, monotonic_ns, wall_ns, kind, details, "
                + "vocabulary, hash FROM records WHERE sequence = 11")
        #expect(
            try folder.verify().flaw
                == "the record 5 is there, and the records begin with 11")
    }

    @Test func `records that are set aside by a start with another key leave what both signed`()
        throws
    {
        try folder.makeSigned()
        let slips = try Forger(folder: folder).checkpoints.map(\.signed)
        try folder.execute("DELETE FROM records WHERE sequence = 10")
        let key = SigningKey(name: "turnstiled", [UInt8](repeating: 8, count: 32))
        try folder.write(Data(key.text.utf8), to: "ledger.db.key")
        let notes = try folder.opening().open().notes
        #expect(notes.count == 2 && notes.last == .keyChanged(key.verificationKey.description))
        #expect(try folder.kinds() == ["records_set_aside", "ledger_key_changed"])
        let kept = slips.filter { $0.checkpoint.occasion.isKept }
        let verdict = try folder.verify(slips: kept, keys: [key.verificationKey])
        #expect(verdict.flaw == nil && verdict.missing?.records == 1...10)
        #expect(try folder.opening().open().notes == [])
    }

    @Test func `checkpoints that are damaged with the records are missed, and no others`() throws {
        try folder.makeSigned()
        try folder.execute(
            """
            DELETE FROM records WHERE sequence = 10;
            UPDATE checkpoints SET note = 'what?' WHERE number IN (2, 4);
            """)
        #expect(try folder.opening().open().notes.count == 1)
        let verdict = try folder.verify()
        #expect(verdict.flaw == nil && verdict.checkpoints == 4)
        #expect(
            Array(verdict.reservations.prefix(2))
                == [3, 5].map {
                    "checkpoints are gone before the checkpoint \($0): with the checkpoint 6 the "
                        + "records begin anew, since the file was damaged"
                })
        // What is taken away from now on is found.
        try folder.execute("DELETE FROM checkpoints WHERE number = 6")
        #expect(
            try folder.verify().flaw
                == "checkpoints are gone before the checkpoint 3: 2 should follow")
    }
}

extension LedgerKeeper {
    /// Accepts what lies there, as soon as it is refused; returns whether nothing was yet.
    fileprivate func isRefused() throws -> Bool {
        do {
            return try accept() == .nothing
        } catch {
            guard error.isInUse else { throw error }
            return true
        }
    }
}
