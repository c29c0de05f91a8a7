import Keeping
import Ledger
import Turnstile

/// The records between two successive checkpoints of a ledger.
struct Segment {
    /// The checkpoint before; nil at the beginning of the ledger.
    let start: LedgerMark?
    /// The checkpoint at its end; nil for the present.
    let end: LedgerMark?
    /// The numbers of its records, whether they are kept or not.
    let sequences: Range<Int64>
    /// Its local day; nil if unknown.
    let day: CalendarDay?
    /// The number of the collection that it belongs to.
    let collection: Int64
    /// Whether its records are kept, or it has none.
    let isKept: Bool

    /// Whether it has records only, of a version that made no checkpoints.
    var isUnsigned: Bool { start == nil }
}

extension LedgerSnapshot {
    /// The whole ledger, the oldest first.
    func segments(between marks: [LedgerMark]) -> [Segment] {
        var segments: [Segment] = []
        var end: LedgerMark?
        var last = (sequences?.upperBound ?? marks.last?.sequence ?? 0) + 1
        let firstKept = sequences?.lowerBound ?? last
        var day = CalendarDay(number: self.day)
        var collection = self.collection + 1
        for start in marks.reversed().map(Optional.some) + [nil] {
            switch end?.occasion {
            case .day(let ended): day = CalendarDay(number: ended)
            case .collection(let number): collection = number
            case .begun, .counted, .interval, .stop, .gap, .key, nil: break
            }
            let first = min(last, (start?.sequence ?? 0) + 1)
            let isUnsigned = start == nil
            let sequences = (isUnsigned ? max(first, min(firstKept, last)) : first)..<last
            segments.append(
                Segment(
                    start: start, end: end, sequences: sequences, day: isUnsigned ? nil : day,
                    collection: collection,
                    isKept: sequences.isEmpty || firstKept <= sequences.lowerBound))
            (end, last) = (start, first)
        }
        return segments.reversed()
    }
}

extension CalendarDay {
    /// The day of a number such as `20261122`; nil if invalid.
    fileprivate init?(number: Int) {
        self.init(number / 10_000, number / 100 % 100, number % 100)
    }
}
