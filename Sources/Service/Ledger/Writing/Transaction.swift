import StateMachines
import System
import Turnstile

/// What of the records that wait is written in one transaction, and why it is signed then.
struct Transaction: Hashable {
    /// How many of them: the first ones.
    var count: Int
    var day: Int64
    /// Why a checkpoint is made behind them; nil for none.
    var occasion: Checkpoint.Occasion?

    /// The next transaction of `entries`: a day, and a time between two collections, end with a
    /// checkpoint of their own. `booked` is the day by the books, 0 for none yet; `now` is UTC;
    /// `contents` is what is in the ledger before them; `asked` is why all of it is to be signed,
    /// nil where nobody asked.
    init(
        of entries: [Entry], day booked: Int64, at now: Duration, wallOffset: Duration,
        after contents: Contents, asked: Checkpoint.Occasion?
    ) {
        (count, day, occasion) = (entries.count, booked, asked)
        if entries.isEmpty { begin(Calendar.day(of: now), before: 0) }
        for (index, entry) in entries.enumerated() {
            if begin(Calendar.day(of: entry.time - Instant.zero + wallOffset), before: index) {
                return
            }
            if let occasion = Self.occasion(of: entries, at: index, after: contents) {
                (count, self.occasion) = (index + 1, occasion)
                return
            }
        }
    }

    /// Has the transaction end before this entry where that is of another day; whether it does.
    @discardableResult
    private mutating func begin(_ newDay: Int64, before index: Int) -> Bool {
        guard newDay != day else { return false }
        guard day != 0 else {
            day = newDay
            return false
        }
        (count, occasion) = (index, index == 0 ? .day(Int(day)) : nil)
        if index == 0 { day = newDay }
        return true
    }

    private static func occasion(
        of entries: [Entry], at index: Int, after contents: Contents
    ) -> Checkpoint.Occasion? {
        let record = entries[index].record
        if case .collectionCounted(let value) = record {
            return .counted(0, Checkpoint.Count(expected: 0, counted: Int64(value)))
        }
        guard record.isCollection else { return nil }
        var before = contents
        for entry in entries[..<index] { before.count(entry.record) }
        let vault = before.registers.sinceCollection
        return .collection(0, expected: vault.valueInVault)
    }
}

/// The days where the gate is.
enum Calendar {
    /// The day that a time since 1970, UTC, is of: `20261122`.
    static func day(of wall: Duration) -> Int64 {
        let time = LocalTime(at: wall)
        return Int64(time.year * 10_000 + time.month * 100 + time.day)
    }
}
