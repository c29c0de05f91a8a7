import Ledger
import StateMachines
import System
import Testing
import Turnstile

@testable import Audit

/// What a report says of ledgers that were written as the service writes them.
@Suite struct ReportTests {
    private static let day = Period.times(from: .at(2001, 11, 22), to: .at(2001, 11, 23))

    /// Three days, with a collection in the second one.
    private static func threeDays(_ limits: RecordLimits = RecordLimits()) throws -> BookKeeper {
        let keeper = try BookKeeper(limits: limits)
        for day in 21...23 {
            try keeper.record(.started, at: .at(2001, 11, day, 6))
            for hour in 8..<(8 + day - 20) {
                try keeper.record(Record.paidPassage, at: .at(2001, 11, day, hour, 30))
            }
            if day == 22 {
                try keeper.record(.coinsCollected, at: .at(2001, 11, day, 12))
                try keeper.record(.collectionCounted(value: 700), at: .at(2001, 11, day, 12, 5))
                try keeper.record(.coin(100), at: .at(2001, 11, day, 13))
                try keeper.record(.creditExpired(value: 100), at: .at(2001, 11, day, 14))
            }
            try keeper.sign()
        }
        return keeper
    }

    @Test func `a day is what its registers went up by`() throws {
        let report = try Self.threeDays().report(Self.day)
        #expect(report.registers.valueIn == 600)
        #expect(report.registers.faresUsed == 500 && report.registers.expired == 100)
        #expect(report.registers.passagesMade == 2)
        #expect(report.records.count == 17 && report.records.areComplete)
        #expect(report.isAccountedFor)
        #expect(report.remarks == [])
        #expect(
            report.reconciliations.map(\.words) == [
                "all accounted for: 0 held at the beginning and 600 put in are 500 of fares used, "
                    + "0 of a fare in use, 0 held, 100 expired, 0 forfeited and 0 given back",
                "all accounted for: 2 made are 2 paid, 0 free, 0 service, 0 emergency and 0 "
                    + "unauthorised",
                "all accounted for: 17 come to what the registers show",
            ])
    }

    @Test func `a part of a day is what its records come to`() throws {
        let keeper = try Self.threeDays()
        let report = try keeper.report(
            .times(from: .at(2001, 11, 22, 9), to: .at(2001, 11, 23, 9)))
        #expect(report.registers.valueIn == 250 + 100 + 250)
        #expect(report.registers.passagesMade == 2)
        #expect(report.isAccountedFor)
    }

    @Test func `what is held when a period begins is told`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.coin(100), at: .at(2001, 11, 21, 23))
        try keeper.record(.creditExpired(value: 100), at: .at(2001, 11, 22, 1))
        let report = try keeper.report(Self.day)
        #expect(report.registers[.creditAtBeginning] == 100)
        #expect(report.registers.expired == 100 && report.registers.creditHeld == 0)
        let evening = try keeper.report(
            .times(from: .at(2001, 11, 21, 23, 30), to: .at(2001, 11, 22, 0, 30)))
        #expect(evening.registers[.creditAtBeginning] == 100)
        #expect(evening.registers.creditHeld == 100)
        #expect(evening.isAccountedFor)
        #expect(evening.remarks.count == 1)
    }

    @Test func `a collection is told with its vault`() throws {
        let keeper = try Self.threeDays()
        let first = try keeper.report(.collection(.last))
        #expect(first.vault == Report.Vault(collection: 1, expected: 750, counted: 700))
        #expect(first.registers.valueInVault == 750)
        #expect(
            first.reconciliations.last?.words
                == "50 missing: 750 should have been in it, but 700 were counted")
        #expect(!first.isAccountedFor)
        let open = try keeper.report(.collection(.open))
        #expect(open.vault == Report.Vault(collection: 2))
        #expect(open.registers.valueInVault == 100 + 3 * 250)
        #expect(open.registers == (try keeper.snapshot().registers.sinceCollection))
        #expect(open.isAccountedFor)
        #expect(open.to == nil && open.from.map { $0 >= .at(2001, 11, 22, 12) } == true)
    }

    @Test(arguments: [0, 3, 17]) func `a collection that there is not is refused`(
        number: Int64
    ) throws {
        let keeper = try Self.threeDays()
        #expect(throws: ReportError.noCollection(number, last: 1)) {
            try keeper.report(.collection(.number(number)))
        }
        #expect(throws: ReportError.noCollection(nil, last: 0)) {
            try BookKeeper().report(.collection(.last))
        }
    }

    @Test func `rows come to what the whole comes to`() throws {
        let keeper = try Self.threeDays()
        let hours = try keeper.report(Self.day, by: .hour)
        #expect(hours.rows.map(\.from) == (0..<24).map { .at(2001, 11, 22, $0) })
        #expect(hours.rows.map(\.registers.valueIn).filter { $0 > 0 } == [250, 250, 100])
        let all = Period.times(from: nil, to: nil)
        let days = try keeper.report(all, by: .day)
        #expect(days.rows.map(\.registers.valueIn) == [250, 600, 750])
        #expect(days.rows.map(\.from) == (21...23).map { .at(2001, 11, $0) })
        let kinds = try keeper.report(all, by: .kind)
        #expect(kinds.details.kinds["coin_accepted"] == .init(count: 13, value: 1_600))
        #expect(kinds.details.kinds["started"] == .init(count: 3))
    }

    @Test func `an empty ledger, and a period without anything`() throws {
        let keeper = try BookKeeper()
        let empty = try keeper.report(Self.day, by: .hour)
        #expect(empty.rows.isEmpty && empty.isAccountedFor)
        #expect(empty.registers.counted.allSatisfy { empty.registers[$0] == 0 })
        let quiet = try Self.threeDays().report(
            .times(from: .at(2001, 12, 24), to: .at(2001, 12, 25)), by: .day)
        #expect(quiet.registers.passagesMade == 0 && quiet.isAccountedFor)
        #expect(
            quiet.remarks.contains { $0.hasPrefix("nothing was recorded then") },
            "\(quiet.remarks)")
    }

    @Test func `what is kept no longer is said, and whole days are known all the same`() throws {
        var limits = RecordLimits()
        limits.count = 14
        let keeper = try Self.threeDays(limits)
        let report = try keeper.report(Self.day, by: .hour)
        #expect(report.registers.valueIn == 600 && report.registers.passagesMade == 2)
        #expect(!report.records.areComplete)
        #expect(report.isAccountedFor)
        let hidden = report.rows.filter { $0.doubt == .recordsPruned }
        #expect(!hidden.isEmpty)
        #expect(report.rows.reduce(0) { $0 + $1.registers.valueIn } == 600)
        #expect(
            report.remarks.first?.hasPrefix("records are kept from 2001-11-2") == true,
            "\(report.remarks)")
        let part = try keeper.report(
            .times(from: .at(2001, 11, 21, 9), to: .at(2001, 11, 22)))
        #expect(part.remarks.contains { $0.hasPrefix("a part of 2001-11-21 is not available") })
        let first = try keeper.report(.collection(.number(1)))
        #expect(first.registers.valueInVault == 750)
    }

    @Test func `a day whose half is kept has the hours of that half`() throws {
        var limits = RecordLimits()
        limits.count = 13
        let keeper = try BookKeeper(limits: limits)
        for hour in 8..<12 {
            try keeper.record(Record.paidPassage, at: .at(2001, 11, 22, hour))
            try keeper.sign()
        }
        let report = try keeper.report(Self.day, by: .hour)
        #expect(report.registers.valueIn == 1_000)
        let known = report.rows.filter { $0.doubt == nil && $0.registers.valueIn > 0 }
        #expect(known.map(\.from) == (9...11).map { .at(2001, 11, 22, $0) })
        let hidden = report.rows.filter { $0.doubt != nil }
        #expect(hidden.map(\.registers.valueIn).reduce(0, +) == 250)
        #expect(report.isAccountedFor)
    }

    @Test func `a clock that is set goes to the days that it shows`() throws {
        let keeper = try BookKeeper()
        try keeper.record(Record.paidPassage, at: .at(2001, 11, 22, 8))
        // It shows another year for a while, and then an hour that it had shown before.
        try keeper.record(Record.paidPassage, at: .at(2010, 1, 1, 8))
        try keeper.record(Record.paidPassage, at: .at(2001, 11, 22, 8))
        try keeper.record(Record.paidPassage, at: .at(2001, 11, 23, 8))
        let report = try keeper.report(Self.day, by: .hour)
        #expect(report.registers.passagesMade == 2 && report.registers.valueIn == 500)
        #expect(report.rows.map(\.registers.passagesMade).reduce(0, +) == 2)
        #expect(report.isAccountedFor)
        let all = try keeper.report(.times(from: nil, to: nil), by: .day)
        #expect(all.rows.map(\.registers.passagesMade) == [2, 1, 1])
        #expect(all.registers == (try keeper.snapshot().registers.sinceInit))
    }

    @Test func `records that could not be kept are in the sums, and in no hour`() throws {
        let keeper = try BookKeeper()
        try keeper.record(Record.paidPassage, at: .at(2001, 11, 22, 8))
        try keeper.lose(Record.paidPassage + Record.paidPassage)
        try keeper.record(Record.paidPassage, at: .at(2001, 11, 22, 9))
        let report = try keeper.report(Self.day, by: .hour)
        #expect(report.registers.passagesMade == 4 && report.isAccountedFor)
        #expect(report.details.missing == 12)
        let missing = report.rows.filter { $0.doubt == .recordsMissing }
        #expect(missing.map(\.registers.passagesMade) == [2])
        #expect(report.remarks.contains { $0.hasPrefix("12 records could not be kept") })
    }
}
