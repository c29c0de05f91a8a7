import StateMachines
import Testing
import Turnstile

@testable import Ledger

/// A ledger that the service wrote is verified, and none that somebody else has changed.
@Suite struct VerificationTests {
    let folder: Folder

    init() throws {
        folder = try Folder()
        let file = try folder.opening().open().file
        var contents = file.contents
        func write(_ records: [Record], _ occasion: Checkpoint.Occasion) throws {
            for record in records { contents.count(record) }
            try file.write(
                records.map { Entry(record: $0, time: .zero) }, missing: 0, contents: contents,
                wallOffset: .zero, closing: occasion)
        }
        try write([.started, .coin(250), .creditUsed(value: 250)], .interval)
        try write(
            [.passageStarted(.entry), .passageCompleted(.entry, .paid), .coinsCollected],
            .collection(0, expected: 250))
        try write([.coin(100), .coin(50)], .day(20_261_122))
        try write([.creditExpired(value: 150)], .stop)
    }

    private func verify(
        _ verification: LedgerVerification = LedgerVerification()
    ) throws -> LedgerVerification.Verdict {
        try verification.verify(LedgerReader(path: folder["ledger.db"]))
    }

    @Test func `what the service wrote is as it should be`() throws {
        let verdict = try verify()
        #expect(verdict.flaw == nil)
        #expect(verdict.records == 1...10)
        #expect(verdict.checkpoints == 5)
        #expect(verdict.key == Folder.key.verificationKey)
    }
}
