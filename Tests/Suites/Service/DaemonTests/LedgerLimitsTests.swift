import Foundation
import Settings
import StateMachines
import System
import Testing
import Turnstile

@testable import Daemon
@testable import Ledger

/// What the settings say of the ledger's records is what the ledger keeps.
@Suite final class LedgerLimitsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: UUID().uuidString)
    private var settings: String { folder.appending(path: "gate.yaml").path }
    private var ledger: String { folder.appending(path: "ledger.db").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The settings with this section of the ledger.
    private func text(_ section: String) throws -> String {
        try "\(DaemonProcess.twoWayGate())\nledger: {\(section)}\n"
    }

    private func write(_ section: String) throws {
        try text(section).write(toFile: settings, atomically: true, encoding: .utf8)
    }

    @Test func `each limit is handed over`() {
        var limits = LedgerLimits()
        #expect(RecordLimits(limits) == RecordLimits())
        (limits.records, limits.age, limits.room) = (10_000, .seconds(30 * 86_400), 16_000_000)
        let handedOver = RecordLimits(limits)
        #expect(handedOver.count == 10_000 && handedOver.room == 16_000_000)
        #expect(handedOver.age == .seconds(30 * 86_400))
    }

    /// Makes a ledger with more than 10,000 records, of which a checkpoint covers the first ones;
    /// returns the number of the last one of these.
    private func makeLedger() throws -> Int64 {
        let file = try Opening(place: Place(path: ledger), gate: "two-way", bootID: "b")
            .open().file
        var contents = file.contents
        for (count, occasion) in [(200, Checkpoint.Occasion.interval), (10_000, nil)] {
            let entry = Entry(record: .rotorNoise, time: .zero)
            for _ in 0..<count { contents.count(entry.record) }
            try file.write(
                Array(repeating: entry, count: count), missing: 0, contents: contents,
                wallOffset: SystemWallClock.offset, closing: occasion)
        }
        return file.lastSequence - 10_000
    }

    @Test func `a simulated gate keeps as many records as the settings say`() throws {
        let covered = try makeLedger()
        try write("records: 10000")
        let daemon = try DaemonProcess("--simulate", "--state-directory", folder.path, settings)
        while try daemon.awaitNotification("STATUS=") != "STATUS=locked" {}
        daemon.send(SIGTERM)
        let end = daemon.end()
        #expect(end.code == 0, "\(end.text)")
        let kept = try #require(LedgerReader(path: ledger).open().sequences)
        #expect(kept.lowerBound == covered + 1)
        #expect(kept.count >= 10_000)
    }

    @Test(arguments: ["records: 20000", "records: 10000, age: 40d", "records: 10000, room: 1GB"])
    func `what a ledger keeps is not changed while it is open`(section: String) throws {
        try write("records: 10000")
        let old = try Array(text("records: 10000").utf8)
        var file = SettingsFile(
            path: settings, try Settings.parse(old, file: settings), text: old)
        guard case .changed(let changes) = file.readAgain(over: file.settings.policy) else {
            Issue.record("the same settings are refused")
            return
        }
        #expect(changes == [])
        // Where an operator's policy is in force, that is what the file takes the place of.
        var another = file.settings.policy
        another.price += 50
        guard case .changed(let changes) = file.readAgain(over: another) else {
            Issue.record("the same settings are refused")
            return
        }
        #expect(changes.map(\.key) == ["fare.price"])
        try write(section)
        guard case .refused(let reasons) = file.readAgain(over: file.settings.policy) else {
            Issue.record("another section is taken")
            return
        }
        #expect(reasons.joined().contains("needs a restart"))
        #expect(file.settings.ledgerLimits.records == 10_000)
    }
}
