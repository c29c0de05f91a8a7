import Checkout
import Foundation
import Keeping
import Ledger
import StateMachines
import Testing
import Turnstile

@testable import Audit

/// What no register counts, and what is wrong.
@Suite struct DetailsTests {
    private static let day = Period.times(from: .at(2001, 11, 22), to: .at(2001, 11, 23))

    @Test func `the time out of service`() throws {
        let keeper = try BookKeeper()
        try keeper.record(.started, at: .at(2001, 11, 22, 6))
        try keeper.record(.outOfService(.external), at: .at(2001, 11, 22, 8))
        try keeper.record(.inService, at: .at(2001, 11, 22, 8, 30))
        // It is still out of service as it starts anew, and says so.
        try keeper.record(.outOfService(.external), at: .at(2001, 11, 22, 20))
        try keeper.record(.started, at: .at(2001, 11, 22, 21))
        try keeper.record(.outOfService(.external), at: .at(2001, 11, 22, 21))
        try keeper.record(.inService, at: .at(2001, 11, 23, 2))
        try keeper.record(.outOfService(.external), at: .at(2001, 11, 23, 4))
        try keeper.record(.coin(50), at: .at(2001, 11, 23, 5))
        let first = try keeper.report(Self.day).details.outages
        #expect(first.count == 3 && first.duration == .seconds(1_800 + 4 * 3_600))
        #expect(first.openSince == nil, "it is over, though later")
        let second = try keeper.report(.times(from: .at(2001, 11, 23), to: nil)).details.outages
        #expect(second.count == 2 && second.duration == .seconds(3 * 3_600))
        #expect(second.openSince == .at(2001, 11, 23, 4))
        // Without reading the others.
        let quick = try keeper.report(Self.day, readAtMost: 0)
        #expect(quick.details.outages == first && !quick.records.areRead)
        #expect(quick.remarks.contains { $0.hasPrefix("the records were too many to check") })
    }

    @Test func `refusals, and what was in doubt after a loss of power`() throws {
        let keeper = try BookKeeper()
        try keeper.record(
            [
                .started, .coinsRefused(.storeFull), .coinsRefused(.storeFull),
                .coinsRefused(.entryLocked), .coin(250), .creditUsed(value: 250), .started,
                .creditRecovered(value: 250), .passageRecovered(.entry, .paid),
                .passageLost(.exit, .free),
            ], at: .at(2001, 11, 22, 8))
        let report = try keeper.report(Self.day)
        #expect(report.details.refusals == ["store_full": 2, "entry_locked": 1])
        let doubts = RecordDetails.doubts.compactMap { kind in
            report.details.kinds[kind].map { "\(kind) \($0.count) \($0.value ?? 0)" }
        }
        #expect(doubts == ["passage_recovered 1 0", "passage_lost 1 0"])
        #expect(report.registers.passagesMade == 2 && report.isAccountedFor)
    }

    @Test func `a record that was altered is told, and between which checkpoints`() throws {
        let keeper = try BookKeeper()
        for day in 21...23 {
            try keeper.record(Record.paidPassage, at: .at(2001, 11, day, 8))
        }
        try keeper.execute(
            "DELETE FROM records WHERE kind = 'coin_accepted' AND sequence BETWEEN 8 AND 9")
        let report = try keeper.report(.times(from: nil, to: nil))
        #expect(!report.isAccountedFor)
        #expect(
            report.reconciliations.filter { $0.difference != 0 }.map(\.words) == [
                "1 missing: the register accepted_coin_pulse (50) went up by 1, but the records "
                    + "come to 0; it begins between checkpoint 2 (day 2001-11-21) and checkpoint "
                    + "3 (day 2001-11-22)"
            ])
        #expect(try keeper.report(Self.day).isAccountedFor == false)
        let other = Period.times(from: .at(2001, 11, 23), to: .at(2001, 11, 24))
        #expect(try keeper.report(other).isAccountedFor)
    }

    @Test func `registers of a checkpoint that were altered are told, and where`() throws {
        let keeper = try BookKeeper()
        for day in 21...23 {
            try keeper.record(Record.paidPassage, at: .at(2001, 11, day, 8))
        }
        let change = { (old: String, new: String) in
            """
            UPDATE checkpoints SET registers = replace(registers, '\(old)', '\(new)')
            WHERE number = 3
            """
        }
        try keeper.execute(change("fares_used 500", "fares_used 400"))
        try keeper.execute(change("passages 2", "passages 5"))
        let report = try keeper.report(Self.day)
        let place =
            "it begins between checkpoint 2 (day 2001-11-21) and checkpoint 3 (day 2001-11-22)"
        #expect(report.reconciliations.map(\.difference).prefix(2) == [100, 3])
        #expect(report.reconciliations.prefix(2).allSatisfy { $0.words.hasSuffix(place) })
        #expect(report.reconciliations[0].words.hasPrefix("100 missing: 0 held"))
    }

    @Test func `a record that cannot be read is said`() throws {
        let keeper = try BookKeeper()
        try keeper.record([.started, .stopped], at: .at(2001, 11, 22, 8))
        try keeper.execute("UPDATE records SET kind = 'sneeze' WHERE kind = 'stopped'")
        let report = try keeper.report(Self.day)
        #expect(report.details.unreadable == 1)
        #expect(report.remarks == ["1 records cannot be read by this version"])
    }

    @Test func `a ledger of another time zone says so`() throws {
        let keeper = try BookKeeper(clock: .berlin)
        for day in 21...23 {
            for hour in [0, 6, 23] {
                try keeper.record(Record.paidPassage, at: .at(2001, 11, day, hour, 30))
            }
        }
        let period = Period.times(from: .at(2001, 11, 22), to: .at(2001, 11, 23))
        let report = try Report(of: keeper.snapshot(), period, by: .hour, clock: .utc)
        #expect(report.remarks.contains { $0.contains("another time zone") }, "\(report.remarks)")
        #expect(report.registers.passagesMade == 3 && report.isAccountedFor)
        #expect(report.rows.map(\.registers.passagesMade).reduce(0, +) == 3)
    }

    @Test(arguments: [(31, 3, 23), (27, 10, 25)])
    func `a day of 23 hours and one of 25`(day: Int, month: Int, hours: Int) throws {
        let keeper = try BookKeeper(clock: .berlin)
        let date = try #require(CalendarDay(2002, month, day))
        var time = LocalClock.berlin.beginning(of: date) - .seconds(1_800)
        for _ in 0..<(hours + 2) {
            try keeper.record(Record.paidPassage, at: time)
            time += .seconds(3_600)
        }
        let period = Period.times(
            from: LocalClock.berlin.beginning(of: date), to: LocalClock.berlin.end(of: date))
        let report = try keeper.report(period, by: .hour)
        #expect(report.rows.count == hours)
        #expect(report.rows.map(\.registers.passagesMade) == Array(repeating: 1, count: hours))
        #expect(report.registers.passagesMade == Int64(hours) && report.remarks == [])
        let names = Set(report.rows.map { LocalClock.berlin.text(of: $0.from) })
        #expect(names.count == hours)
        #expect(names.contains("2002-10-27 02:00+01:00") == (hours == 25))
        #expect(!names.contains("2002-10-27 03:00+01:00"), "that comes once")
    }

    @Test func `the report of a trial says that it is one`() throws {
        let keeper = try BookKeeper(isTrial: true)
        try keeper.record(.coin(50), at: .at(2001, 11, 22, 6))
        let report = try keeper.report(Self.day)
        #expect(report.remarks == ["it is the ledger of a trial: no gate has taken this money"])
        #expect(report.csv().contains(",trial,"))
    }

    // The clock.

    /// A board without a clock takes 100, is told the time, and takes 50 more.
    private static func boardWithoutClock() throws -> BookKeeper {
        let keeper = try BookKeeper()
        let (old, new) = (Duration.at(2000, 1, 1, 0, 5), Duration.at(2001, 11, 22, 6, 12))
        try keeper.record([.started, .coin(100)], at: old)
        try keeper.record(.clockAdjusted(by: new - old - .seconds(60)), at: new)
        try keeper.record(.coin(50), at: new + .seconds(60))
        return keeper
    }

    private static let setting =
        "the clock was set from 2000-01-01 00:06 to 2001-11-22 06:12: earlier records stand under "
        + "2000-01-01"

    @Test(arguments: [Int64.max, 0]) func `a day in which the clock was set says so`(
        readAtMost: Int64
    ) throws {
        let report = try Self.boardWithoutClock().report(Self.day, readAtMost: readAtMost)
        #expect(report.registers.valueIn == 50)
        #expect(report.remarks.first == Self.setting)
    }

    @Test func `so does the day from which it was set, and no other`() throws {
        let keeper = try Self.boardWithoutClock()
        try keeper.record(.coin(50), at: .at(2001, 11, 23))
        func remarks(from: Duration, to: Duration) throws -> [String] {
            try keeper.report(.times(from: from, to: to)).remarks
        }
        #expect(try remarks(from: .at(2000, 1, 1), to: .at(2000, 1, 2)) == [Self.setting])
        #expect(try remarks(from: .at(2001, 11, 23), to: .at(2001, 11, 24)) == [])
        #expect(
            try remarks(from: .at(2001, 11, 22, 7), to: .at(2001, 11, 22, 8))
                .allSatisfy { !$0.contains("the clock was set") })
    }

    @Test(arguments: [Int64.max, 0]) func `a clock that went back between two starts is told`(
        readAtMost: Int64
    ) throws {
        let keeper = try BookKeeper()
        try keeper.record([.started, .coin(100), .stopped], at: .at(2001, 11, 22, 18))
        // As long as it is one that runs on, nothing is told.
        try keeper.record([.started, .coin(50), .stopped], at: .at(2001, 11, 22, 18, 1))
        try keeper.record([.started, .coin(50), .stopped], at: .at(2001, 11, 22, 6))
        let remarks = try keeper.report(Self.day, readAtMost: readAtMost).remarks
        let words =
            "the clock went back before a start of the service, from 2001-11-22 18:01:02 to "
        #expect(
            remarks.filter { $0.contains("clock") } == [
                words + "2001-11-22 06:00: later records stand under the hours that it showed then"
            ])
        try keeper.record([.started, .coin(50)], at: .at(2000, 1, 1))
        let other = "from 2001-11-22 06:00:02 to 2000-01-01 00:00: later records "
        for from in [Duration.at(2001, 11, 22), .at(2000, 1, 1)] {
            let period = Period.times(from: from, to: from + .seconds(86_400))
            let told = try keeper.report(period, readAtMost: readAtMost).remarks
            #expect(told.contains { $0.hasSuffix(other + "stand under 2000-01-01") }, "\(told)")
        }
    }

    @Test func `a clock that is set again and again is not all that is told`() throws {
        let keeper = try BookKeeper()
        for minute in 0..<7 {
            try keeper.record(
                .clockAdjusted(by: .seconds(-30)), at: .at(2001, 11, 22, 6, minute))
        }
        let remarks = try keeper.report(Self.day).remarks
        #expect(remarks.count == 6)
        #expect(
            remarks[0].hasSuffix(
                "earlier records stand under the hours that it showed then"))
        #expect(remarks[5] == "the clock was set 2 more times")
    }
}

/// The ledgers that earlier versions wrote, as they are.
@Suite struct EarlierVersionTests {
    @Test(arguments: [2, 3]) func `are told by their records`(version: Int) throws {
        // Of a copy: SQLite makes files beside what it reads.
        let fixtures = Checkout.root.appending(
            path: "Tests/Suites/Service/Storage/LedgerTests/Fixtures")
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appending(path: "ledger.db")
        try FileManager.default.copyItem(
            at: fixtures.appending(path: "version-\(version).db"), to: copy)
        let snapshot = try LedgerReader(path: copy.path).open()

        let all = try Report(of: snapshot, .times(from: nil, to: nil), by: .hour, clock: .utc)
        let registers = snapshot.registers.sinceInit
        #expect(all.registers.valueIn == registers.valueIn && all.registers.valueIn > 0)
        #expect(all.registers.passagesMade == registers.passagesMade)
        #expect(all.rows.reduce(0) { $0 + $1.registers.valueIn } == registers.valueIn)
        #expect(all.isAccountedFor)
        #expect(all.remarks.contains { $0.contains("earlier version") })
        let open = try Report(of: snapshot, .collection(.open), clock: .utc)
        #expect(open.registers == snapshot.registers.sinceCollection && open.isAccountedFor)
        #expect(throws: ReportError.self) { try Report(of: snapshot, .collection(.number(2))) }
    }
}
