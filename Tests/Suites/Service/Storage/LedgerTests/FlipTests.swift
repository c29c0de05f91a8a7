import Foundation
import StateMachines
import Testing
import Turnstile

@testable import Ledger

/// Whatever byte of a ledger is damaged: the money is as it was, or the ledger is refused.
@Suite struct FlipTests {
    private static let story: [Record] = [
        .started, .coin(300), .creditUsed(value: 250), .passageStarted(.entry),
        .passageCompleted(.entry, .paid), .vaultReplaced, .coin(500),
        .coinRejected(Coin(.third, pulses: 2, value: 100)), .creditExpired(value: 100),
        .alarmRaised(.forcedPassage), .creditUsed(value: 250), .passageStarted(.entry),
    ]

    /// What came of it.
    private enum Outcome { case same, withoutRecords, refused }

    /// Opens a ledger that is damaged in this way, and writes to it, if it can be opened.
    private func open(_ bytes: Data, _ known: Data, in folder: Folder) throws -> Outcome {
        let disk = try FaultyDisk()
        try folder.write(bytes, to: "ledger.db")
        try folder.write(known, to: "ledger.db.known")
        var opening = folder.opening()
        opening.place.vfs = disk.vfs
        let opened: Opening.Opened
        do {
            opened = try opening.open()
        } catch {
            #expect(error.remedy == .decision, "\(error)")
            #expect(try folder.bytes(of: "ledger.db") == bytes, "\(error)")
            return .refused
        }
        var contents = opened.file.contents
        #expect(contents == Contents(Self.story))
        contents.count(.coin(50))
        try opened.file.write(
            [Entry(record: .coin(50), time: .zero)], missing: 0, contents: contents,
            wallOffset: .zero)
        guard !opened.notes.isEmpty else { return .same }
        #expect(try folder.bytes(of: "ledger.db.set-aside-1") == bytes)
        return .withoutRecords
    }

    @Test func `a byte that is damaged changes no money, and loses no file`() throws {
        let sound = try Folder()
        // Enough records that most of the file is theirs, and some were deleted.
        try sound.make(Self.story)
        do {
            var opening = sound.opening()
            opening.limits.count = 150
            let file = try opening.open().file
            let entries = (0..<200).map {
                Entry(record: .waitTimedOut(.entry), time: .zero + .seconds($0))
            }
            for part in [entries.prefix(120), entries.suffix(80)] {
                try file.write(
                    Array(part), missing: 0, contents: file.contents, wallOffset: .zero,
                    closing: .interval)
            }
        }
        let bytes = try sound.bytes(of: "ledger.db")
        let known = try sound.bytes(of: "ledger.db.known")
        var outcomes: [Outcome: Int] = [:]
        // Every byte of the header, and some of all others, the same in every run.
        let places = Array(0..<100) + stride(from: 100, to: bytes.count, by: 37)
        for (number, place) in places.enumerated() {
            var damaged = bytes
            damaged[place] ^= number.isMultiple(of: 2) ? 1 << UInt8(number / 2 % 8) : 0xFF
            let folder = try Folder()
            let outcome = try open(damaged, known, in: folder)
            outcomes[outcome, default: 0] += 1
        }
        for outcome in [Outcome.same, .withoutRecords, .refused] {
            #expect(outcomes[outcome, default: 0] > 10, "\(outcomes)")
        }
    }
}
