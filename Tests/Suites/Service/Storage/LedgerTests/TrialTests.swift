import Foundation
import System
import Testing
import Turnstile

@testable import Ledger

/// A ledger of a trial, whose time is not ours: it is no gate's, whatever is done to it.
@Suite struct TrialTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    /// How it comes to be open, a hundred days from now.
    private var trial: Opening {
        var opening = folder.opening()
        opening.trial = SystemWallClock(ahead: .seconds(100 * 86_400))
        return opening
    }

    private var keeper: LedgerKeeper {
        LedgerKeeper(path: folder["ledger.db"], gate: "gate", bootID: "boot")
    }

    private func error(of body: () throws -> Void) throws -> String {
        try #require(throws: LedgerError.self) { try body() }.description
    }

    @Test func `it says so, and goes by its own clock`() throws {
        let file = try trial.open().file
        let signed = try #require(
            try file.write(
                [], missing: 0, contents: file.contents, wallOffset: trial.clock.wallOffset,
                closing: .stop))
        #expect(signed.checkpoint.isTrial && signed.checkpoint.ledger.hasPrefix("trial-"))
        let later = signed.checkpoint.time - SystemWallClock.utc
        #expect(later > .seconds(99 * 86_400) && later < .seconds(101 * 86_400))
        let snapshot = try LedgerReader(path: folder["ledger.db"]).open()
        #expect(snapshot.isTrial)
        try snapshot.forEach { #expect($0.wallTime > SystemWallClock.utc) }
        let read = try #require(SignedCheckpoint(signed.note.description))
        #expect(read.checkpoint.isTrial)
    }

    @Test func `it is whole, and verifies as no gate's`() throws {
        _ = try trial.open()
        let verdict = try LedgerVerification().verify(LedgerReader(path: folder["ledger.db"]))
        #expect(verdict.flaw == "it is the ledger of a trial, and of no gate")
        #expect(verdict.checkpoints > 0 && verdict.records != nil)
    }

    @Test func `nobody makes it a gate's`() throws {
        _ = try trial.open()
        let words = "it is the ledger of a trial (--speed, --at), and of no gate"
        #expect(try error { _ = try folder.opening().open() }.contains(words))
        #expect(try error { try keeper.check() }.contains(words))
        #expect(try error { _ = try keeper.accept() }.contains(words))
        try LedgerReader(path: folder["ledger.db"]).copy(to: folder["copy.db"])
        #expect(
            try error { _ = try keeper.restore(folder["copy.db"]) }
                .contains("it is not put back, since it is the ledger of a trial"))
        _ = try trial.open()
    }

    @Test(arguments: [nil, "no ledger"] as [String?])
    func `one that is gone or damaged is not begun anew as a gate's`(content: String?) throws {
        _ = try trial.open()
        for name in ["ledger.db", "ledger.db-wal", "ledger.db-shm"] {
            try? FileManager.default.removeItem(atPath: folder[name])
        }
        if let content { try Data(content.utf8).write(to: URL(filePath: folder["ledger.db"])) }
        let ledger = try Ledger(trial)
        #expect(
            try ledger.nextAnswers().contains {
                "\($0)".contains("start the trial in an empty folder")
            })
        ledger.close()
        let words = "it is the ledger of a trial (--speed, --at), and of no gate"
        #expect(try error { _ = try keeper.accept() }.contains(words))
        #expect(FileManager.default.fileExists(atPath: folder["ledger.db"]) == (content != nil))
    }

    @Test func `a gate's is not gone on with in a trial`() throws {
        try folder.make([.started])
        #expect(try error { _ = try trial.open() }.contains("a trial (--speed, --at) takes a"))
        #expect(try folder.opening().open().file.lastSequence > 0)
    }
}
