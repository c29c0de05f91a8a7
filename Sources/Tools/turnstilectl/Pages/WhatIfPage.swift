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

    /// How many records are compared at a time: what that takes grows with their square.
    private static let comparedAtOnce = 1_024

    /// Which records are gone, and which are new, by their places.
    ///
    /// Two lists are compared part by part, each up to the same time. What is recorded so much
    /// later that it is in another part is gone there and new here.
    private var changes: (gone: Set<Int>, new: Set<Int>) {
        var (gone, new): (Set<Int>, Set<Int>) = ([], [])
        var (old, fresh) = (outcome.recorded[...], outcome.replayed[...])
        while !old.isEmpty || !fresh.isEmpty {
            // Up to where the one that is ahead ends its part.
            let ends = [old, fresh].compactMap { $0.dropFirst(Self.comparedAtOnce).first?.utc }
            let end = ends.min()
            var (was, now) = (old.part(before: end), fresh.part(before: end))
            if was.isEmpty, now.isEmpty {
                // All at one time, or on a clock that was set back.
                (was, now) = (old.prefix(Self.comparedAtOnce), fresh.prefix(Self.comparedAtOnce))
            }
            for change in now.map(\.record).difference(from: was.map(\.record)) {
                switch change {
                case .remove(let offset, _, _): gone.insert(was.startIndex + offset)
                case .insert(let offset, _, _): new.insert(now.startIndex + offset)
                }
            }
            (old, fresh) = (old[was.endIndex...], fresh[now.endIndex...])
        }
        return (gone, new)
    }

    /// The page.
    var lines: [[Span]] {
        let (gone, new) = changes
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

extension ArraySlice<WhatIf.Entry> {
    /// Those before a time; all where there is none.
    fileprivate func part(before end: Duration?) -> Self {
        guard let end else { return self }
        return prefix { $0.utc < end }
    }
}
