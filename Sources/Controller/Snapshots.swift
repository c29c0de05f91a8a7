import StateMachines
import System
public import Turnstile

/// The books of the gate, and when they are next written down.
struct Snapshots {
    /// What was counted.
    var books: Books
    /// The time between two entries of the registers.
    var interval: Duration
    /// When the next one is due.
    var due = Instant.zero

    /// Books that go on from these.
    init(_ books: Books, interval: Duration) {
        self.books = books
        self.interval = interval
    }
}

// The registers.
extension Controller {
    /// What the gate has counted.
    public var books: Books { snapshots.books }

    /// The time between two entries of the registers.
    public var registerSnapshot: Duration {
        get { snapshots.interval }
        set {
            snapshots.interval = newValue
            snapshots.due = min(snapshots.due, loop.now + newValue)
        }
    }

    /// Counts what was recorded. A vault that was replaced closes the books of the one before.
    func count(_ record: Record) {
        if record == .vaultReplaced { writeRegisters(.collection) }
        snapshots.books.count(record)
    }

    /// Writes the registers down when it is time to.
    func writeRegistersWhenDue(at now: Instant) {
        guard snapshots.due <= now else { return }
        snapshots.due = now + snapshots.interval
        writeRegisters(.interval)
    }

    /// Writes the registers down.
    func writeRegisters(_ occasion: SnapshotOccasion) {
        journal.write(JournalEntry(.registers(snapshots.books, occasion)))
    }
}
