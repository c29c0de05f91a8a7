import Console
import StateMachines
import System
import Trace
import Turnstile

/// What was recorded beside what would have been: what is gone, what is new, what is the same.
struct WhatIfPage {
    private let outcome: WhatIf.Outcome
    private let appearance: Appearance

    init(_ outcome: WhatIf.Outcome, _ appearance: Appearance) {
        self.outcome = outcome
        self.appearance = appearance
    }

    /// The page.
    var lines: [[Span]] {
        let changes = outcome.replayed.map(\.record).difference(
            from: outcome.recorded.map(\.record))
        var (gone, new): (Set<Int>, Set<Int>) = ([], [])
        for change in changes {
            switch change {
            case .remove(let offset, _, _): gone.insert(offset)
            case .insert(let offset, _, _): new.insert(offset)
            }
        }
        var lines: [[Span]] = []
        var (old, fresh) = (0, 0)
        while old < outcome.recorded.count || fresh < outcome.replayed.count {
            if gone.contains(old),
                !new.contains(fresh)
                    || outcome.recorded[old].utc <= outcome.replayed[fresh].utc
            {
                lines.append(line("-", outcome.recorded[old], .red))
                old += 1
            } else if new.contains(fresh) {
                lines.append(line("+", outcome.replayed[fresh], .green))
                fresh += 1
            } else {
                lines.append(line(" ", outcome.replayed[fresh], .faint))
                old += 1
                fresh += 1
            }
        }
        lines.append([
            Span(
                gone.isEmpty && new.isEmpty
                    ? "the same would have been recorded"
                    : "\(counted(gone.count, "record")) would not have been made, and "
                        + "\(counted(new.count, "other"))",
                .bold)
        ])
        return lines
    }

    private func line(_ mark: String, _ entry: WhatIf.Entry, _ style: Style) -> [Span] {
        let sentence = JournalEntry(entry.record, state: "", credit: 0).message
        return [
            Span("\(mark) \(timeOfDay(entry.utc, entry.utcOffset))  ", style),
            Span(appearance.printable(sentence), style),
        ]
    }
}
