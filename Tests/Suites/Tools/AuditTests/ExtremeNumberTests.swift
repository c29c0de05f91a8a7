import Audit
import Testing
import Turnstile

@testable import Ledger

/// Whatever a ledger tells, a report or an export of it ends, if it is with an error.
@Suite struct ExtremeNumberTests {
    @Test(arguments: [
        "UPDATE records SET sequence = \(Int64.max) WHERE sequence = (SELECT max(sequence) "
            + "FROM records)",
        "UPDATE records SET wall_ns = \(Int64.max)", "UPDATE records SET monotonic_ns = -1",
        "UPDATE records SET life = \(Int64.max)",
        "UPDATE records SET kind = 'records_missing', details = '\(Int64.max)'",
        "UPDATE records SET details = 'TURNSTILE_VALUE=\(Int64.max)'",
        "UPDATE checkpoints SET sequence = \(Int64.max) WHERE number = 2",
        "UPDATE checkpoints SET wall_ns = \(Int64.max)",
        "UPDATE checkpoints SET number = \(Int64.max) WHERE number = 2",
        "UPDATE checkpoints SET registers = replace(registers, ' 1', ' \(Int64.max)')",
        "UPDATE checkpoints SET registers = replace(registers, ' 1', ' \(Int64.min)')",
        "UPDATE checkpoints SET note = replace(note, 'for day 2001', 'for day \(Int64.max)')",
        "UPDATE checkpoints SET note = replace(note, 'expected ', 'expected \(Int64.max / 100)')",
    ])
    func `no number of a file ends a report but with an error`(sql: String) throws {
        let keeper = try BookKeeper()
        for day in 21...23 {
            try keeper.record(
                Record.paidPassage + [.coinsCollected], at: .at(2001, 11, day, 8, 30))
        }
        try keeper.lose([.coin(50)])
        try keeper.execute(sql)
        guard let snapshot = try? LedgerReader(path: keeper.path).open() else { return }
        for period in [Period.times(from: nil, to: nil), .collection(.last), .collection(.open)] {
            for grouping in [nil] + Report.Grouping.allCases.map(Optional.some) {
                let report = try? Report(of: snapshot, period, by: grouping, clock: .utc)
                #expect(report?.json(clock: .utc).isEmpty != true)
            }
        }
        try? JSONLinesExport(snapshot).write { #expect(!$0.isEmpty) }
        #expect(try EVADTSReportText(of: snapshot) != "")
    }

    private func EVADTSReportText(of snapshot: LedgerSnapshot) throws -> String? {
        (try? EVADTSReport(snapshot, at: .at(2001, 11, 24)))?.text
    }
}
