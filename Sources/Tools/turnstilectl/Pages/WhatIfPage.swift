import Console
import StateMachines
import System
import Trace
import Turnstile

/// The recorded events compared with the hypothetical ones: removed, added, moved in time,
/// unchanged.
struct WhatIfPage {
    let outcome: WhatIf.Outcome
    let appearance: Appearance

    /// How many records are compared at a time: the cost grows with their square.
    private static let comparedAtOnce = 1_024

    /// Times that differ less count as equal, since timeouts may be noticed a little later; a
    /// record farther away than ``nearby`` is another one.
    private static let (sameTime, nearby): (Duration, Duration) = (.milliseconds(10), .seconds(60))

    /// The indices of removed and added records; a moved one is both.
    ///
    /// Two lists are compared part by part, each up to the same time. A record that moved into
    /// another part is removed there and added here.
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
            for change in now.difference(from: was, by: Self.isSame) {
                switch change {
                case .remove(let offset, _, _): gone.insert(was.startIndex + offset)
                case .insert(let offset, _, _): new.insert(now.startIndex + offset)
                }
            }
            (old, fresh) = (old[was.endIndex...], fresh[now.endIndex...])
        }
        return (gone, new)
    }

    private static func isSame(_ one: WhatIf.Entry, _ other: WhatIf.Entry) -> Bool {
        let between = one.utc - other.utc
        return one.record == other.record && between <= sameTime && .zero - between <= sameTime
    }

    /// The new ones that are gone from another time, each with the place where it was.
    private func moved(_ gone: Set<Int>, _ new: Set<Int>) -> [Int: Int] {
        var places = Dictionary(grouping: gone.sorted()) { outcome.recorded[$0].record }
            .mapValues { $0[...] }
        var moved: [Int: Int] = [:]
        for place in new.sorted() {
            let entry = outcome.replayed[place]
            let candidates = (places[entry.record] ?? []).drop {
                outcome.recorded[$0].utc < entry.utc - Self.nearby
            }
            places[entry.record] = candidates
            guard let first = candidates.first,
                outcome.recorded[first].utc <= entry.utc + Self.nearby
            else { continue }
            moved[place] = first
            places[entry.record] = candidates.dropFirst()
        }
        return moved
    }

    var lines: [[Span]] {
        let (gone, new) = changes
        let moved = moved(gone, new)
        let left = Set(moved.values)
        var lines: [[Span]] = []
        var (old, fresh) = (0, 0)
        while old < outcome.recorded.count || fresh < outcome.replayed.count {
            if gone.contains(old),
                !new.contains(fresh)
                    || outcome.recorded[old].utc <= outcome.replayed[fresh].utc
            {
                if !left.contains(old) { lines.append(line("-", outcome.recorded[old], .red)) }
                old += 1
            } else if new.contains(fresh) {
                let earlier = moved[fresh].map { outcome.recorded[$0] }
                lines.append(
                    line(earlier == nil ? "+" : "~", outcome.replayed[fresh], .green)
                        + (earlier.map { [Span(", not at \(Self.time(of: $0))", .green)] } ?? []))
                fresh += 1
            } else {
                lines.append(line(" ", outcome.replayed[fresh], .faint))
                old += 1
                fresh += 1
            }
        }
        let (lost, made) = (gone.count - moved.count, new.count - moved.count)
        let sum =
            lost == 0 && made == 0
            ? "the same would have been recorded"
            : "\(counted(lost, "record")) fewer, \(counted(made, "new one"))"
        let others = moved.isEmpty ? "" : ", \(counted(moved.count, "record")) at another time"
        lines.append([Span(sum + others, .bold)])
        return lines
    }

    private static func time(of entry: WhatIf.Entry) -> String {
        timeOfDay(entry.utc, entry.utcOffset)
    }

    private func line(_ mark: String, _ entry: WhatIf.Entry, _ style: Style) -> [Span] {
        [
            Span("\(mark) \(Self.time(of: entry))  ", style),
            Span(appearance.printable(entry.record.entry.sentence), style),
        ]
    }
}

extension ArraySlice<WhatIf.Entry> {
    /// Those before a time; all if it is nil.
    fileprivate func part(before end: Duration?) -> Self {
        guard let end else { return self }
        return prefix { $0.utc < end }
    }
}
