import Foundation
import Keeping
import Ledger
import StateMachines
import Testing
import Turnstile

@testable import Audit

/// A clock that is set back shows a time again: the records of that time are in several stretches
/// of the ledger, and those between them are of another time.
@Suite struct ClockSetBackTests {
    private static func day(_ first: Int, to last: Int? = nil) -> Period {
        .times(from: .at(2001, 11, first), to: .at(2001, 11, (last ?? first) + 1))
    }

    private static func words(
        held: Int, in valueIn: Int, between: Int? = nil, used: Int = 0, atEnd: Int, expired: Int
    ) -> String {
        let others = between.map { ", \(valueIn) put in and \($0) by records between" }
        return "all accounted for: \(held) held at the beginning"
            + (others ?? " and \(valueIn) put in")
            + " are \(used) of fares used, 0 of a fare in use, \(atEnd) held, \(expired) expired, "
            + "0 forfeited and 0 given back"
    }

    /// Sets the clock from what it shows to another time, and says so.
    private static func setClock(of keeper: BookKeeper, to wall: Duration) throws {
        try keeper.record(.clockAdjusted(by: wall - keeper.wall), at: wall)
    }

    /// A day, the next one and the first one once more: what the first holds expires in the second.
    private static func dayTwice() throws -> BookKeeper {
        let keeper = try BookKeeper()
        try keeper.record(.coin(100), at: .at(2001, 11, 22, 10))
        try keeper.record(.creditExpired(value: 100), at: .at(2001, 11, 23, 10))
        try setClock(of: keeper, to: .at(2001, 11, 22, 12))
        try keeper.record(.coin(50), at: .at(2001, 11, 22, 12, 1))
        try keeper.record(.creditExpired(value: 50), at: .at(2001, 11, 22, 13))
        return keeper
    }

    @Test(arguments: [Int64.max, 0]) func `a day that comes twice begins with its first record`(
        readAtMost: Int64
    ) throws {
        let report = try Self.dayTwice().report(Self.day(22), readAtMost: readAtMost)
        #expect(report.registers[.creditAtBeginning] == 0)
        #expect(report.registers.valueIn == 150 && report.registers.expired == 50)
        #expect(report.sums.between == -100 && report.isAccountedFor)
        #expect(
            report.reconciliations.first?.words
                == Self.words(held: 0, in: 150, between: -100, atEnd: 0, expired: 50))
        #expect(
            report.remarks.prefix(2) == [
                "the clock was set from 2001-11-23 10:00 to 2001-11-22 12:00: earlier records "
                    + "stand under 2001-11-23",
                "its records are in 2 stretches, with records of other times between them: "
                    + "1 to 2, 4 to 6",
            ])
    }

    @Test func `the day between has its own money, and says that the clock was set`() throws {
        let report = try Self.dayTwice().report(Self.day(23))
        #expect(report.registers[.creditAtBeginning] == 100 && report.sums.between == 0)
        #expect(report.registers.expired == 100 && report.isAccountedFor)
        #expect(report.remarks.count == 1 && report.remarks[0].hasPrefix("the clock was set from"))
    }

    @Test func `a day that comes three times is told as well, and so is the one between`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.coin(200), at: .at(2001, 11, 22, 8))
        try keeper.record(.creditExpired(value: 100), at: .at(2001, 11, 23, 8))
        try Self.setClock(of: keeper, to: .at(2001, 11, 22, 9))
        try keeper.record([.coin(50), .creditExpired(value: 100)], at: .at(2001, 11, 22, 10))
        try keeper.record(.coin(200), at: .at(2001, 11, 23, 9))
        try Self.setClock(of: keeper, to: .at(2001, 11, 22, 11))
        try keeper.record(.creditExpired(value: 250), at: .at(2001, 11, 22, 12))
        let first = try keeper.report(Self.day(22))
        #expect(
            first.reconciliations.first?.words
                == Self.words(held: 0, in: 250, between: 100, atEnd: 0, expired: 350))
        #expect(first.remarks.last?.hasSuffix("1 to 2, 4 to 6, 8 to 9") == true)
        let second = try keeper.report(Self.day(23))
        #expect(
            second.reconciliations.first?.words
                == Self.words(held: 200, in: 200, between: -50, atEnd: 250, expired: 100))
        #expect(second.remarks.last?.hasSuffix(": 3, 7") == true)
        let all = try keeper.report(.times(from: nil, to: nil))
        #expect(all.registers == (try keeper.snapshot().registers.sinceInit))
        #expect(all.sums.between == 0 && all.isAccountedFor)
    }

    @Test func `a collection between is no loss, and has the days that it has`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.coin(100), at: .at(2001, 11, 22, 10))
        try keeper.record(
            [.coinsCollected, .collectionCounted(value: 100), .creditExpired(value: 100)],
            at: .at(2001, 11, 23, 10))
        try Self.setClock(of: keeper, to: .at(2001, 11, 22, 12))
        try keeper.record(.coin(50), at: .at(2001, 11, 22, 12, 1))
        let report = try keeper.report(Self.day(22))
        #expect(report.registers.valueInVault == 150)
        #expect(
            report.reconciliations.first?.words
                == Self.words(held: 0, in: 150, between: -100, atEnd: 50, expired: 0))
        let first = try keeper.report(.collection(.number(1)))
        #expect(
            first.reconciliations.first?.words
                == Self.words(held: 0, in: 100, atEnd: 100, expired: 0))
        let open = try keeper.report(.collection(.open), by: .day)
        #expect(
            open.reconciliations.first?.words
                == Self.words(held: 100, in: 50, atEnd: 50, expired: 100))
        #expect(open.rows.map(\.registers[.creditAtBeginning]) == [0, 100])
        #expect(report.isAccountedFor && first.isAccountedFor && open.isAccountedFor)
    }

    @Test func `a period of several days is one stretch, and its days are not`() throws {
        let report = try Self.dayTwice().report(Self.day(21, to: 24), by: .day)
        #expect(
            report.reconciliations.first?.words
                == Self.words(held: 0, in: 150, atEnd: 0, expired: 150))
        #expect(report.remarks.allSatisfy { !$0.contains("stretches") })
        let rows = report.rows.filter { $0.registers.valueIn + $0.registers.expired > 0 }
        #expect(rows.map(\.from) == [.at(2001, 11, 22), .at(2001, 11, 23)])
        #expect(rows.map(\.registers[.creditAtBeginning]) == [0, 100])
        #expect(rows.map(\.sums.between) == [-100, 0])
        #expect(rows.allSatisfy { $0.sums.moneyMissing == 0 })
        #expect(report.json(clock: .utc).contains(#""credit_between": -100}"#))
        let csv = report.csv(clock: .utc).components(separatedBy: "\r\n")
        #expect(csv[0].hasSuffix(",credit_between"))
        #expect(csv.filter { $0.hasSuffix(",-100") }.count == 1)
    }

    @Test(arguments: [nil, Report.Grouping.hour]) func `an hour that the clock shows twice`(
        grouping: Report.Grouping?
    ) throws {
        let keeper = try BookKeeper()
        try keeper.record(.coin(100), at: .at(2001, 11, 22, 10, 30))
        try keeper.record(.creditExpired(value: 100), at: .at(2001, 11, 22, 11, 10))
        try Self.setClock(of: keeper, to: .at(2001, 11, 22, 10, 20))
        try keeper.record(.coin(50), at: .at(2001, 11, 22, 10, 40))
        try keeper.record(.creditExpired(value: 50), at: .at(2001, 11, 22, 11, 20))
        let hour = try keeper.report(
            .times(from: .at(2001, 11, 22, 10), to: .at(2001, 11, 22, 11)), by: grouping)
        #expect(
            hour.reconciliations.first?.words
                == Self.words(held: 0, in: 150, between: -100, atEnd: 50, expired: 0))
        #expect(hour.remarks.contains { $0.hasPrefix("the clock was set from") })
        #expect(hour.remarks.last?.hasSuffix("between them: 2, 4 to 5") == true)
        let day = try keeper.report(Self.day(22), by: .hour)
        #expect(day.isAccountedFor && day.sums.between == 0)
        let rows = day.rows.filter { $0.registers.valueIn + $0.registers.expired > 0 }
        #expect(rows.map(\.from) == [.at(2001, 11, 22, 10), .at(2001, 11, 22, 11)])
        #expect(rows.map(\.registers[.creditAtBeginning]) == [0, 100])
        #expect(rows.map(\.sums.between) == [-100, 50])
    }

    @Test func `the hour that comes twice in autumn is two hours`() throws {
        let keeper = try BookKeeper(clock: .berlin)
        try keeper.record(.coin(100), at: .at(2002, 10, 27, 0, 30))
        try keeper.record(.creditExpired(value: 100), at: .at(2002, 10, 27, 1, 30))
        let report = try keeper.report(
            .times(from: .at(2002, 10, 27, 0), to: .at(2002, 10, 27, 2)), by: .hour)
        #expect(report.rows.map(\.registers[.creditAtBeginning]) == [0, 100])
        #expect(report.rows.map(\.sums.between) == [0, 0])
        #expect(report.isAccountedFor && report.remarks == [])
    }

    @Test func `records that could not be kept between are no money held before`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.coin(100), at: .at(2001, 11, 22, 8))
        try keeper.lose([.creditExpired(value: 100)])
        try keeper.record(.coin(50), at: .at(2001, 11, 22, 9))
        let report = try keeper.report(
            .times(from: .at(2001, 11, 22, 7), to: .at(2001, 11, 22, 10)))
        #expect(
            report.reconciliations.first?.words
                == Self.words(held: 0, in: 150, between: -100, atEnd: 50, expired: 0))
    }

    @Test func `more stretches than are listed are counted`() throws {
        let keeper = try BookKeeper()
        for hour in 8..<15 {
            try keeper.record(.coin(50), at: .at(2001, 11, 22, hour))
            try keeper.record(.coin(50), at: .at(2001, 11, 23, hour))
        }
        let remark = try keeper.report(Self.day(23)).remarks.last
        #expect(remark?.hasPrefix("its records are in 7 stretches") == true)
        #expect(remark?.hasSuffix(": 3, 5, 7, 9, 11, 2 more") == true)
    }

    @Test func `less than nothing is never accounted for`() {
        for register in [Register.creditHeld, .fareInUse] {
            var values = RegisterValues()
            values[register] = -100
            let report = Reconciliation.money(PeriodSums(of: values), at: nil)
            #expect(report.difference == -100)
            #expect(report.words.hasPrefix("100 too much: -100 held at the beginning"))
        }
    }

    @Test func `a gate that is in service again in another day is so`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.outOfService(.external), at: .at(2001, 11, 22, 23, 50))
        try keeper.record(.inService, at: .at(2001, 11, 23, 0, 10))
        try Self.setClock(of: keeper, to: .at(2001, 11, 22, 22))
        try keeper.record(.coin(50), at: .at(2001, 11, 22, 22, 1))
        let outages = try keeper.report(Self.day(22)).details.outages
        #expect(outages.count == 1 && outages.duration == .seconds(600))
        #expect(outages.openSince == nil)
    }

    @Test func `a day without a record between is none of another time zone`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.coin(50), at: .at(2001, 11, 22, 23))
        try keeper.show(.at(2001, 11, 23))
        try Self.setClock(of: keeper, to: .at(2001, 11, 22, 23, 30))
        try keeper.record(.coin(50), at: .at(2001, 11, 24, 8))
        let report = try keeper.report(Self.day(22))
        #expect(report.registers.valueIn == 50 && report.isAccountedFor)
        #expect(report.remarks.allSatisfy { !$0.contains("time zone") }, "\(report.remarks)")
    }
}
