import Foundation
import Keeping
import Seeds
import StateMachines
import Testing
import Turnstile

@testable import Audit
@testable import Ledger

/// Totals per day and per collection are kept for good: ten years of them, with the coins collected
/// each week, take a few megabytes and still answer.
@Suite struct TenYearsTests {
    private static let first = CalendarDay(2001, 1, 1)!
    /// On every change two years.
    private static let days = SeededGenerator.rounds(3_650).count

    /// What the file takes at most: of ten years it took 4,370,432 bytes.
    private static let mostBytes = 500_000 + 1_300 * days

    /// Somebody who pays with coins of six values at two acceptors, and passes; and one who leaves.
    private static let passages: [Record] = {
        let coins = [10, 20, 50, 100, 200, 500].map { value in
            Record.coinAccepted(
                Coin(value > 100 ? .second : .first, pulses: value / 10, value: value))
        }
        let passage: [Record] = [
            .creditUsed(value: 880), .released(.entry, by: .credit(fare: 880)),
            .passageStarted(.entry), .passageCompleted(.entry, .paid),
            .released(.exit, by: .free), .passageStarted(.exit), .passageCompleted(.exit, .free),
        ]
        return coins + passage
    }()

    @Test func `ten years of days and collections take a few megabytes, and all is told`() throws {
        var limits = RecordLimits()
        limits.count = 1_000
        let keeper = try BookKeeper(limits: limits, inMemory: true)
        for number in 0..<Self.days {
            let morning = Duration.seconds((Self.first.number + number) * 86_400 + 6 * 3_600)
            try keeper.record(Self.passages, at: morning)
            guard number % 7 == 6 else { continue }
            let evening = morning + .seconds(12 * 3_600)
            let value = Int(keeper.contents.registers.sinceCollection.valueInVault)
            try keeper.record([.coinsCollected, .collectionCounted(value: value)], at: evening)
        }
        try keeper.flush()
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: keeper.path)[.size] as? Int)
        #expect(size < Self.mostBytes, "the file takes \(size) bytes")
        try expectAnswers(of: keeper.snapshot())
        let verdict = try LedgerVerification().verify(LedgerReader(path: keeper.path))
        #expect(verdict.flaw == nil && verdict.reservations == [])
        // The beginning, the days but the last, the collections, and what was counted.
        #expect(verdict.checkpoints == 1 + Self.days - 1 + 2 * (Self.days / 7))
    }

    /// Expects that what was in the first year is told, and that in the last.
    private func expectAnswers(of snapshot: LedgerSnapshot) throws {
        func report(_ period: Period, by grouping: Report.Grouping? = nil) throws -> Report {
            let report = try Report(of: snapshot, period, by: grouping, clock: .utc)
            #expect(report.isAccountedFor)
            return report
        }
        func days(_ number: Int, _ count: Int) -> Period {
            let beginning = Duration.seconds((Self.first.number + number) * 86_400)
            return .times(from: beginning, to: beginning + .seconds(count * 86_400))
        }
        let year = try report(days(0, 365), by: .day)
        #expect(year.registers.valueIn == 365 * 880 && year.registers.passagesMade == 365 * 2)
        #expect(year.rows.count == 365)
        #expect(!year.records.areComplete)
        for number in [0, 200, 364, Self.days - 2] {
            #expect(try report(days(number, 1)).registers.valueIn == 880)
        }
        for number in [1, 52, Self.days / 7] {
            let week = try report(.collection(.number(Int64(number))))
            #expect(
                week.vault
                    == Report.Vault(collection: Int64(number), expected: 7 * 880, counted: 7 * 880))
        }
    }
}
