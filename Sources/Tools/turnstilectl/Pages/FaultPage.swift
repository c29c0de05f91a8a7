import Console
import GateClient
import Journal
import Keeping
import StateMachines
import Turnstile

struct FaultPage {
    let state: GateState

    var lines: [[Span]] {
        let faults = state.report.faults.map { raised in
            block(.faultRaised(raised.value), .red, since: raised.since, end: raised.end)
        }
        let alarms = state.report.alarms.map { raised in
            block(.alarmRaised(raised.value), .yellow, since: raised.since, end: raised.end)
        }
        let blocks = faults + alarms
        if blocks.isEmpty { return [[Span("no fault and no alarm is up", .green)]] }
        return Array(blocks.joined(separator: [[]]))
    }

    private func block(
        _ record: Record, _ style: Style, since: Instant?, end: StatusReport.End
    ) -> [[Span]] {
        let entry = JournalEntry(record, state: "", credit: 0)
        let known = since.map { "for \((state.now - $0).rounded)" } ?? "since before the start"
        var lines = [
            [Span(entry.message, style)],
            [.blank(4), Span("up \(known); \(end.words(at: state.now))")],
        ]
        lines.append([])
        lines += record.entry.kind.advice(of: entry).map { [.blank($0.isEmpty ? 0 : 4), Span($0)] }
        return lines
    }
}

extension StatusReport.End {
    func words(at now: Instant) -> String {
        switch self {
        case .cause: "ends with its cause"
        case .causeThenKey: "waits for the end of its cause, and then for the mechanic's key"
        case .key: "waits for the mechanic's key"
        case .at(let time): "ends in \((time - now).rounded)"
        }
    }
}

extension EntryKind {
    /// The entry's explanation, line by line.
    fileprivate func advice(of entry: JournalEntry) -> [String] {
        var text = explanation
        for field in entry.fields {
            text = text.split(
                separator: "@\(field.name.journalName)@", omittingEmptySubsequences: false
            )
            .joined(separator: field.value)
        }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
