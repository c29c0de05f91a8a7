import StateMachines
import System
import Turnstile

/// Which of the waiting records go into one transaction, and why a checkpoint follows.
struct Transaction: Hashable {
    /// How many of the waiting records.
    var count: Int
    /// The day of the books after it.
    var day: Int64
    /// Why a checkpoint follows; nil if none does.
    var occasion: Checkpoint.Occasion?

    /// The next transaction of `entries`: each day and each collection ends with a checkpoint of
    /// its own. `booked` is the day of the books, 0 for none yet; `now` is UTC; `contents` are the
    /// totals before; `asked` is the occasion of a requested checkpoint.
    init(
        of entries: [Entry], day booked: Int64, at now: Duration, wallOffset: Duration,
        after contents: Contents, asked: Checkpoint.Occasion?
    ) {
        (count, day, occasion) = (entries.count, booked, asked)
        if entries.isEmpty { changeDay(to: Calendar.day(of: now), before: 0) }
        for (index, entry) in entries.enumerated() {
            let entryDay = Calendar.day(of: entry.time - Instant.zero + wallOffset)
            if changeDay(to: entryDay, before: index) { return }
            if let occasion = Self.occasion(of: entries, at: index, after: contents) {
                (count, self.occasion) = (index + 1, occasion)
                return
            }
        }
    }

    /// Ends the transaction before an entry of another day; returns false if the day is the same,
    /// or the first. A new day begins once the checkpoint of the old one is signed.
    @discardableResult
    private mutating func changeDay(to newDay: Int64, before index: Int) -> Bool {
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

/// Days of the local time.
enum Calendar {
    /// The local day of a time since 1970, UTC: `20261122`.
    static func day(of wall: Duration) -> Int64 {
        let time = LocalTime(at: wall)
        return Int64(time.year * 10_000 + time.month * 100 + time.day)
    }
}
