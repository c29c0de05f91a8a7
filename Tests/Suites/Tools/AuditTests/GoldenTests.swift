import Audit
import Console
import Drawing
import Foundation
import Ledger
import StateMachines
import System
import Testing
import Turnstile

@testable import turnstilectl

/// What a day's report looks like, in each form.
///
/// `UPDATE_GENERATED=1 swift test --filter AuditTests.GoldenTests` writes the files anew.
@Suite struct GoldenTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "golden")
    private static let day = Period.times(from: .at(2001, 11, 22), to: .at(2001, 11, 23))

    /// Compares with a file beside the tests.
    private func expect(_ text: String, toBe name: String) throws {
        let file = Self.folder.appending(path: name)
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(
            try String(contentsOf: file, encoding: .utf8) == text,
            "\(name) differs: run with UPDATE_GENERATED=1 to write it anew")
    }

    /// The lines of CSV, ended as in all files here: in CSV each of them is ended as RFC 4180 says.
    private func csv(_ report: Report) -> String {
        let text = report.csv(clock: .utc)
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines.last == "" && !lines.joined().utf8.contains { $0 == 10 || $0 == 13 })
        return lines.joined(separator: "\n")
    }

    private func page(_ report: Report) -> String {
        let appearance = Appearance(isColoured: false, isUnicode: true)
        return ReportPage(report: report, clock: .utc).lines
            .map { appearance.text(of: $0) + "\n" }.joined()
    }

    /// Which ledger it is differs from run to run.
    private func json(_ report: Report) -> String {
        report.json(clock: .utc).replacing(report.ledger, with: "LEDGER")
    }

    @Test func `a day as a whole`() throws {
        let report = try BookKeeper.busyDays().report(Self.day)
        try expect(page(report), toBe: "day.txt")
        try expect(csv(report), toBe: "day.csv")
        try expect(json(report), toBe: "day.json")
        _ = try JSONSerialization.jsonObject(with: Data(json(report).utf8))
    }

    @Test func `its hours`() throws {
        let report = try BookKeeper.busyDays().report(Self.day, by: .hour)
        try expect(page(report), toBe: "hours.txt")
        try expect(csv(report), toBe: "hours.csv")
        try expect(json(report), toBe: "hours.json")
        try expect(report.plot(.utc).svg, toBe: "hours.svg")
    }

    @Test func `its kinds of records`() throws {
        let report = try BookKeeper.busyDays().report(Self.day, by: .kind)
        try expect(page(report), toBe: "kinds.txt")
        try expect(csv(report), toBe: "kinds.csv")
    }

    @Test func `a collection by the day, of which records are kept no longer`() throws {
        var limits = RecordLimits()
        limits.count = 300
        let keeper = try BookKeeper.busyDays(limits)
        let report = try keeper.report(.collection(.open), by: .day)
        try expect(page(report), toBe: "collection.txt")
        try expect(report.plot(.utc).svg, toBe: "days.svg")
        let hours = try keeper.report(
            .times(from: .at(2001, 11, 22), to: .at(2001, 11, 24)), by: .hour)
        try expect(page(hours), toBe: "pruned.txt")
        try expect(csv(hours), toBe: "pruned.csv")
    }
}

extension BookKeeper {
    /// Four days at a gate, on the second of which much goes wrong.
    fileprivate static func busyDays(_ limits: RecordLimits = RecordLimits()) throws -> BookKeeper {
        let keeper = try BookKeeper(limits: limits)
        // How many people come in each hour from seven o'clock on, and how many of them go out.
        let people = [3, 9, 14, 8, 5, 6, 11, 7, 6, 9, 15, 12, 4, 1]
        for day in 21...24 {
            try keeper.record(.started, at: .at(2001, 11, day, 6, 50))
            for (index, count) in people.enumerated() {
                if day == 22, index == 4 { try keeper.goWrong() }
                if day == 22, index == 9 { try keeper.empty() }
                let hour = Duration.at(2001, 11, day, 7 + index)
                for person in 0..<(count + day % 3) {
                    let time = hour + .seconds(person * 180)
                    let leaves = person % 5 == 4
                    try keeper.record(leaves ? freeExit : Record.paidPassage, at: time)
                }
            }
            try keeper.sign()
        }
        return keeper
    }

    private static let freeExit: [Record] = [
        .released(.exit, by: .free), .passageStarted(.exit), .passageCompleted(.exit, .free),
    ]

    /// What goes wrong after eleven o'clock.
    private func goWrong() throws {
        let coin = Coin(.second, pulses: 3, value: 100)
        try record(
            [
                .coinLate(coin), .creditExpired(value: 100), .coinRejected(.of(50)),
                .coinInhibited(coin), .coinUnknown(.first, pulses: 9),
                .alarmRaised(.forcedPassage), .passageCompleted(.exit, .unauthorised),
                .alarmCleared(.forcedPassage), .faultRaised(.coinJam),
                .coinsRefused(.fault(.coinJam)), .outOfService(.coinJam),
            ], at: .at(2001, 11, 22, 11, 10))
        try record(
            [.faultCleared(.coinJam), .inService], at: .at(2001, 11, 22, 11, 22))
        try record(
            [
                .coin(200), .coin(50), .creditUsed(value: 250),
                .released(.entry, by: .credit(fare: 250)), .passageStarted(.entry),
            ], at: .at(2001, 11, 22, 11, 30))
        try record(
            [.started, .creditRecovered(value: 250), .passageRecovered(.entry, .paid)],
            at: .at(2001, 11, 22, 11, 40))
    }

    private func empty() throws {
        try record([.coinsCollected], at: .at(2001, 11, 22, 15, 50))
        try record([.collectionCounted(value: 26_300)], at: .at(2001, 11, 22, 15, 55))
    }
}
