import Foundation
import Keeping
import Ledger
import StateMachines
import Testing
import Turnstile

@testable import Audit

/// What is just within a period and just beyond it, and what is of one hour and of the next.
@Suite struct BoundsTests {
    private static let day = Period.times(from: .at(2001, 11, 22), to: .at(2001, 11, 23))

    /// Three days with a passage each, at half past eight.
    private static func threeDays(_ limits: RecordLimits = RecordLimits()) throws -> BookKeeper {
        let keeper = try BookKeeper(limits: limits)
        for day in 21...23 {
            try keeper.record(Record.paidPassage, at: .at(2001, 11, day, 8, 30))
            try keeper.sign()
        }
        return keeper
    }

    // Times.

    @Test func `a period begins with its first moment and ends before its last`() throws {
        let keeper = try Self.threeDays()
        let before = try keeper.report(
            .times(from: .at(2001, 11, 22, 8), to: .at(2001, 11, 22, 8, 30)))
        #expect(before.registers.valueIn == 0 && before.records.count == 0)
        let after = try keeper.report(
            .times(from: .at(2001, 11, 22, 8, 30), to: .at(2001, 11, 22, 9)))
        #expect(after.registers.valueIn == 250 && after.records.count == 6)
    }

    @Test func `a day beside the period is none of it, though its records are gone`() throws {
        var limits = RecordLimits()
        limits.count = 6
        let keeper = try Self.threeDays(limits)
        for day in 21...22 {
            let report = try keeper.report(
                .times(from: .at(2001, 11, day), to: .at(2001, 11, day + 1)))
            #expect(report.registers.valueIn == 250)
            #expect(!report.records.areComplete)
            #expect(report.remarks.allSatisfy { !$0.contains("no part is told") })
        }
    }

    @Test func `what was written down just after a day is in its last hour`() throws {
        // The ledger's clock is a second behind: to it the day is not over yet.
        let keeper = try BookKeeper(clock: LocalClock { _ in -1 })
        try keeper.record(Record.paidPassage, at: .at(2001, 11, 22, 8))
        try keeper.record(.coin(50), at: .at(2001, 11, 23))
        try keeper.record(Record.paidPassage, at: .at(2001, 11, 23, 8))
        let report = try Report(of: keeper.snapshot(), Self.day, by: .hour, clock: .utc)
        #expect(report.registers.valueIn == 300)
        let rows = report.rows.filter { $0.registers.valueIn > 0 }
        #expect(rows.map(\.from) == [.at(2001, 11, 22, 8), .at(2001, 11, 22, 23)])
        #expect(rows.map(\.registers.valueIn) == [250, 50])
    }

    @Test func `there is no hour behind the last record`() throws {
        let period = Period.times(from: .at(2001, 11, 23), to: .at(2001, 11, 24))
        let report = try Self.threeDays().report(period, by: .hour)
        #expect(report.rows.last?.from == .at(2001, 11, 23, 8))
    }

    @Test func `the first collection began with the ledger`() throws {
        let keeper = try BookKeeper()
        try keeper.record([.coin(50), .coinsCollected], at: .at(2001, 11, 22, 8))
        let report = try keeper.report(.collection(.number(1)))
        #expect(report.from == (try keeper.snapshot().marks().first?.time))
        #expect(report.from != nil)
    }

    @Test func `what is held behind the last record is held in a period after it`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.coin(100), at: .at(2001, 11, 21, 8))
        let report = try keeper.report(Self.day)
        #expect(report.registers[.creditAtBeginning] == 100)
        #expect(report.registers.creditHeld == 100 && report.isAccountedFor)
    }

    @Test func `a fare that is in use over midnight is held once`() throws {
        let keeper = try BookKeeper()
        try keeper.record(
            [.coin(250), .creditUsed(value: 250), .passageStarted(.entry)],
            at: .at(2001, 11, 21, 23, 59))
        try keeper.record(.passageCompleted(.entry, .paid), at: .at(2001, 11, 22, 0, 1))
        let report = try keeper.report(
            .times(from: .at(2001, 11, 21), to: .at(2001, 11, 23)), by: .day)
        #expect(report.registers[.creditAtBeginning] == 0 && report.registers.faresUsed == 250)
        #expect(report.rows.map(\.registers[.creditAtBeginning]) == [0, 250])
        #expect(report.isAccountedFor)
    }

    // Clocks.

    @Test func `hours are those of a clock that is half an hour ahead`() throws {
        let keeper = try BookKeeper(clock: LocalClock { _ in 19_800 })
        try keeper.record(Record.paidPassage, at: .at(2001, 11, 22, 8, 20))
        try keeper.record(Record.paidPassage, at: .at(2001, 11, 22, 8, 40))
        let report = try keeper.report(
            .times(from: .at(2001, 11, 22, 7, 30), to: .at(2001, 11, 22, 9, 30)), by: .hour)
        #expect(
            report.rows.prefix(2).map(\.from) == [
                .at(2001, 11, 22, 7, 30), .at(2001, 11, 22, 8, 30),
            ])
        #expect(report.rows.prefix(2).map(\.registers.passagesMade) == [1, 1])
    }

    @Test func `an hour ends where the clock is put forward by half of one`() throws {
        let change = Duration.at(2001, 11, 22, 8)
        let keeper = try BookKeeper(clock: LocalClock { $0 < change ? 1_800 : 3_600 })
        try keeper.record(Record.paidPassage, at: change - .seconds(600))
        try keeper.record(Record.paidPassage, at: change + .seconds(600))
        let report = try keeper.report(
            .times(from: change - .seconds(1_800), to: change + .seconds(3_600)), by: .hour)
        let rows = report.rows.filter { $0.registers.passagesMade > 0 }
        #expect(rows.map(\.from) == [change - .seconds(1_800), change])
    }

    @Test func `what the clock shows twice is the first time`() throws {
        let day = try #require(CalendarDay(2002, 10, 27))
        // From three it is put back to two.
        let time = LocalClock.berlin.time(of: day, second: 2 * 3_600 + 1_800)
        #expect(time == .at(2002, 10, 27, 0, 30))
    }

    @Test func `the records of a ledger of another time zone are in their own hours`() throws {
        let keeper = try BookKeeper(clock: .berlin)
        for hour in [0, 6, 23] {
            try keeper.record(Record.paidPassage, at: .at(2001, 11, 22, hour, 30))
        }
        try keeper.record(Record.paidPassage, at: .at(2001, 11, 23, 6, 30))
        let report = try Report(of: keeper.snapshot(), Self.day, by: .hour, clock: .utc)
        let rows = report.rows.filter { $0.registers.passagesMade > 0 }
        #expect(rows.map(\.from) == [0, 6, 23].map { .at(2001, 11, 22, $0) })
        #expect(report.registers.passagesMade == 3)
    }

    // The time out of service.

    @Test func `a start ends the time out of service, and the period after it has none`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.outOfService(.external), at: .at(2001, 11, 21, 20))
        try keeper.record(.started, at: .at(2001, 11, 21, 21))
        try keeper.record(.coin(50), at: .at(2001, 11, 22, 8))
        let outages = try keeper.report(Self.day).details.outages
        #expect(outages.count == 0 && outages.duration == .zero)
    }

    @Test func `one that ends as the period begins is none of it`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.outOfService(.external), at: .at(2001, 11, 22, 8))
        try keeper.record(.inService, at: .at(2001, 11, 22, 9))
        let period = Period.times(from: .at(2001, 11, 22, 9), to: .at(2001, 11, 22, 10))
        #expect(try keeper.report(period).details.outages.count == 0)
    }

    @Test func `how long it was over a boot is told by the clock on the wall`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.outOfService(.external), at: .at(2001, 11, 22, 8))
        try keeper.record(.inService, at: .at(2001, 11, 22, 9))
        // The time since a boot begins anew with each.
        try keeper.execute(
            "UPDATE records SET boot_id = 'next', monotonic_ns = 7 WHERE kind = 'in_service'")
        #expect(try keeper.report(Self.day).details.outages.duration == .seconds(3_600))
    }

    @Test func `parts of a second are told to programs`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.outOfService(.external), at: .at(2001, 11, 22, 8))
        try keeper.record(
            .inService, at: .at(2001, 11, 22, 8) + .milliseconds(1_500))
        let json = try keeper.report(Self.day).json(clock: .utc)
        #expect(json.contains("\"duration_usec\": 1500000}"))
    }

    // Where it is missing, and how it is written.

    @Test func `money that is missing twice is missing from where it first was`() throws {
        let keeper = try BookKeeper()
        for day in 20...23 {
            try keeper.record(Record.paidPassage, at: .at(2001, 11, day, 8))
        }
        for (number, old, new) in [(3, 500, 400), (4, 750, 600)] {
            try keeper.execute(
                """
                UPDATE checkpoints
                SET registers = replace(registers, 'fares_used \(old)', 'fares_used \(new)')
                WHERE number = \(number)
                """)
        }
        let report = try keeper.report(
            .times(from: .at(2001, 11, 21), to: .at(2001, 11, 23)))
        let money = try #require(report.reconciliations.first)
        #expect(money.difference == 150)
        #expect(
            money.words.hasSuffix(
                "it begins between checkpoint 2 (day 2001-11-20) and checkpoint 3 (day 2001-11-21)"
            ), "\(money.words)")
    }

    @Test func `a vault that was exchanged divides what has no checkpoints`() throws {
        let keeper = try BookKeeper()
        try keeper.record([.coin(250), .vaultReplaced, .coin(50)], at: .at(2001, 11, 22, 8))
        try keeper.execute("DELETE FROM checkpoints")
        let report = try keeper.report(.collection(.open), by: .hour)
        #expect(report.rows.map(\.registers.valueIn) == [50])
        #expect(report.registers.valueIn == 50)
    }

    @Test func `a quotation mark is doubled in CSV`() throws {
        let keeper = try BookKeeper()
        try keeper.record([.started, .stopped], at: .at(2001, 11, 22, 8))
        try keeper.execute("UPDATE records SET kind = 'a \"sneeze\"' WHERE kind = 'stopped'")
        let csv = try keeper.report(Self.day, by: .kind).csv(clock: .utc)
        #expect(csv.contains("\r\n\"a \"\"sneeze\"\"\",1,\r\n"), "\(csv)")
    }

    @Test func `no name of a record steers the terminal that CSV is shown on`() throws {
        let keeper = try BookKeeper()
        try keeper.record([.started, .stopped], at: .at(2001, 11, 22, 8))
        try keeper.execute("UPDATE records SET kind = 'a\u{1B}[2J\u{202E}' WHERE kind = 'stopped'")
        let csv = try keeper.report(Self.day, by: .kind).csv(clock: .utc)
        #expect(csv.contains("\r\na\\u{1B}[2J\\u{202E},1,\r\n"), "\(csv)")
    }
}
