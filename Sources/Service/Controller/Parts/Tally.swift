import Journal
import Keeping
import StateMachines
import System
package import Turnstile

/// The registers of the gate, also while it is not known yet what was before the start.
struct Tally {
    /// What was counted: since this start, until it is known what was before.
    private(set) var registers: Registers
    /// What was counted before it is known what was before the start; nil once that is known.
    private var early: [Record]?

    var isAwaited: Bool { early != nil }

    /// Registers that go on from these; from nil, as long as it is not known what they are.
    init(_ registers: Registers?) {
        self.registers = registers ?? Registers()
        early = registers == nil ? [] : nil
    }

    mutating func count(_ record: Record) {
        registers.count(record)
        early?.append(record)
    }

    mutating func add(earlier: Registers) {
        guard let early else { return }
        self.early = nil
        registers = earlier
        for record in early { registers.count(record) }
    }
}

// The registers.
extension Controller {
    package var registers: Registers { tally.registers }

    package var registerSnapshot: Duration { snapshots.interval }

    func count(_ record: Record) {
        answer(.recorded(record)).commands.forEach { command in
            switch command {
            case .write(let occasion): writeRegisters(occasion)
            case .count: tally.count(record)
            }
        }
    }

    func processRegisters(_ event: Snapshots.Event) {
        recorded(
            answer(event), of: .registers(event), at: loop.now, as: ShellCommand.registers
        ).forEach { command in
            switch command {
            case .write(let occasion): writeRegisters(occasion)
            case .count: break
            }
        }
    }

    /// What the machine says; not in place, so that its memory needs no check at run time.
    @inline(__always) private func answer(_ event: Snapshots.Event) -> Outcome<Snapshots.Command> {
        var snapshots = snapshots
        defer { self.snapshots = snapshots }
        return snapshots.handle(event)
    }

    /// Writes the registers down, and what is wrong with them. Sums that do not agree are a mistake
    /// of the program or of the memory: nothing that the gate does depends on them, and the ledger
    /// refuses to open with them the next time.
    private func writeRegisters(_ occasion: SnapshotOccasion) {
        let found = tally.registers.check()
        if !found.isEmpty { journal.write(JournalEntry(.booksDisagree(found))) }
        journal.write(JournalEntry(.registers(tally.registers, occasion)))
        // At a collection and at the end it signs by itself.
        if occasion == .interval { store?.sign() }
    }
}
