import Journal
import Keeping
import StateMachines
import System
package import Turnstile

/// The registers of the gate, also until the ledger supplies those from before the start.
struct Tally {
    /// Only those since the start, while ``isAwaited``.
    private(set) var registers: Registers
    /// The records counted while ``isAwaited``; nil afterwards.
    private var early: [Record]?

    var isAwaited: Bool { early != nil }

    /// `registers` are those from before the start; nil if the ledger supplies them later.
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

    /// Works on a local copy, which needs no access check at run time.
    @inline(__always) private func answer(_ event: Snapshots.Event) -> Outcome<Snapshots.Command> {
        var snapshots = snapshots
        defer { self.snapshots = snapshots }
        return snapshots.handle(event)
    }

    /// Writes the registers to the journal, and any disagreement of their sums: a defect of program
    /// or memory. The gate goes on, since nothing depends on them; the ledger will refuse to open.
    private func writeRegisters(_ occasion: SnapshotOccasion) {
        let found = tally.registers.check()
        if !found.isEmpty { journal.write(JournalEntry(.booksDisagree(found))) }
        journal.write(JournalEntry(.registers(tally.registers, occasion)))
        // At a collection and at the end the store signs by itself.
        if occasion == .interval { store?.sign() }
    }
}
