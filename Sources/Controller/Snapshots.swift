import StateMachines
import System
public import Turnstile

/// The books of the gate, and when they are next written down.
struct Snapshots {
    /// What was counted: since this start, until it is known what was before.
    private(set) var books: Books
    /// What was counted before it is known what was before the start; nil once that is known.
    private var early: [Record]?
    /// The time between two entries of the registers.
    var interval: Duration
    /// When the next one is due.
    var due = Instant.zero

    /// Whether it is not known yet what was before the start.
    var areAwaited: Bool { early != nil }

    /// Books that go on from these; from nil, as long as it is not known what they are.
    init(_ books: Books?, interval: Duration) {
        self.books = books ?? Books()
        early = books == nil ? [] : nil
        self.interval = interval
    }

    /// Counts what was recorded.
    mutating func count(_ record: Record) {
        books.count(record)
        early?.append(record)
    }

    /// What was counted before the start is known: these books.
    mutating func goOn(from earlier: Books) {
        guard let early else { return }
        self.early = nil
        books = earlier
        for record in early { books.count(record) }
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
        snapshots.count(record)
    }

    /// Writes the registers down when it is time to.
    func writeRegistersWhenDue(at now: Instant) {
        guard snapshots.due <= now else { return }
        snapshots.due = now + snapshots.interval
        writeRegisters(.interval)
    }

    /// Writes the registers down, and what is wrong with them. Sums that do not agree are a mistake
    /// of the program or of the memory: nothing that the gate does depends on them, and the ledger
    /// refuses to open with them the next time.
    func writeRegisters(_ occasion: SnapshotOccasion) {
        let found = snapshots.books.check()
        if !found.isEmpty { journal.write(JournalEntry(.booksDisagree(found))) }
        journal.write(JournalEntry(.registers(snapshots.books, occasion)))
    }
}
