import StateMachines
import System
public import Turnstile

/// The registers of the gate, and when they are next written down.
struct Snapshots {
    /// What was counted: since this start, until it is known what was before.
    private(set) var registers: Registers
    /// What was counted before it is known what was before the start; nil once that is known.
    private var early: [Record]?
    /// The time between two entries of the registers.
    var interval: Duration
    /// When the next one is due.
    var due = Instant.zero

    /// Whether it is not known yet what was before the start.
    var areAwaited: Bool { early != nil }

    /// Registers that go on from these; from nil, as long as it is not known what they are.
    init(_ registers: Registers?, interval: Duration) {
        self.registers = registers ?? Registers()
        early = registers == nil ? [] : nil
        self.interval = interval
    }

    /// Counts what was recorded.
    mutating func count(_ record: Record) {
        registers.count(record)
        early?.append(record)
    }

    /// What was counted before the start is known: these registers.
    mutating func goOn(from earlier: Registers) {
        guard let early else { return }
        self.early = nil
        registers = earlier
        for record in early { registers.count(record) }
    }
}

// The registers.
extension Controller {
    /// What the gate has counted.
    public var registers: Registers { snapshots.registers }

    /// The time between two entries of the registers.
    public internal(set) var registerSnapshot: Duration {
        get { snapshots.interval }
        set {
            snapshots.interval = newValue
            snapshots.due = min(snapshots.due, loop.now + newValue)
        }
    }

    /// Counts what was recorded. A vault that was replaced ends the count of the one before.
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
        let found = snapshots.registers.check()
        if !found.isEmpty { journal.write(JournalEntry(.booksDisagree(found))) }
        journal.write(JournalEntry(.registers(snapshots.registers, occasion)))
    }
}
