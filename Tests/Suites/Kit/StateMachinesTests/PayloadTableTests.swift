import Seeds
import StateMachines
import Testing

extension Case<PayloadTableTests.State, Int> {
    static let locked = Case(.locked) { if case .locked(let credit) = $0 { credit } else { nil } }
}
extension Case<TurnstileEvent, Int> {
    static let coinInserted = Case(.coinInserted) {
        if case .coinInserted(let value) = $0 { value } else { nil }
    }
}

@Suite enum PayloadTableTests: TableSyntax {
    enum State: Kinded, Hashable, Sendable {
        case locked(credit: Int)
        case unlocked
        case broken(credit: Int)
        enum Kind: UInt8, Enumerated { case locked, unlocked, broken }
        var kind: Kind {
            switch self {
            case .locked: .locked
            case .unlocked: .unlocked
            case .broken: .broken
            }
        }
    }
    typealias Event = TurnstileEvent
    enum Command: Hashable, Sendable { case openDoors, closeDoors, soundAlarm, thank(Int) }

    static func table() throws -> Table<Self> {
        try Table(initial: .locked(credit: 0), tolerating: .undecidedPairs) {
            define(.locked) {
                when(.coinInserted)
                    .then(.locked, or: .unlocked, from: .locked, with: .coinInserted) {
                        $0 + $1 >= fare ? .unlocked : .locked(credit: $0 + $1)
                    }
                    .commands { _, event in [.thank(Case.coinInserted.value(of: event) ?? 0)] }
                when(.personPassed).then().commands(.soundAlarm)
                when(.machineFailed).then(.broken) { state, _ in
                    .broken(credit: Case.locked.value(of: state) ?? 0)
                }
            }
            define(.unlocked, onEntry: [.openDoors], onExit: [.closeDoors]) {
                when(.personPassed).then(.locked(credit: 0))
                when(.coinInserted).ignored("paid already")
                when(.machineFailed).then(.broken(credit: 0))
            }
            define(.broken) {
                when(.repairCompleted).then(.locked) { state, _ in
                    if case .broken(let credit) = state { .locked(credit: credit) } else { state }
                }
            }
        }
    }

    @Test static func `credit and coins are payloads`() throws {
        var machine = TableMachine(try table())
        #expect(machine.handle(.coinInserted(value: 20)) == .handled(.thank(20)))
        #expect(machine.handle(.personPassed) == .handled(.soundAlarm))
        #expect(machine.state == .locked(credit: 20))
        #expect(machine.handle(.machineFailed) == .handled)
        #expect(machine.handle(.personPassed) == .unhandled)
        #expect(machine.handle(.repairCompleted) == .handled)
        #expect(machine.state == .locked(credit: 20))
        #expect(machine.handle(.coinInserted(value: 30)) == .handled([.thank(30), .openDoors]))
        #expect(machine.handle(.coinInserted(value: 30)) == .ignored("paid already"))
        #expect(machine.handle(.personPassed) == .handled(.closeDoors))
        #expect(machine.state == .locked(credit: 0))
    }

    /// Equal to itself alone, whatever it holds.
    final class Ticket: Sendable {}

    private enum Barrier: TableSyntax {
        enum State: Kinded, Sendable {
            case down, up(Ticket)
            enum Kind: UInt8, Enumerated { case down, up }
            var kind: Kind { if case .up = self { .up } else { .down } }
        }
        enum Event: Kinded, Sendable {
            case shown(Ticket), passed
            enum Kind: UInt8, Enumerated { case shown, passed }
            var kind: Kind { if case .shown = self { .shown } else { .passed } }
        }
        typealias Command = TableCommand
    }

    @Test static func `payloads need not be equal, nor have a hash, to be found in the table`()
        throws
    {
        let table = try Table<Barrier>(initial: .down, tolerating: .undecidedPairs) {
            Barrier.define(.down) {
                Barrier.when(.shown).then(.up) { state, event in
                    if case .shown(let ticket) = event { .up(ticket) } else { state }
                }
            }
            Barrier.define(.up) { Barrier.when(.passed).then(.down).commands(.lock) }
        }
        for _ in 0..<2 {
            var state = Barrier.State.up(Ticket())
            #expect(table.handle(.passed, in: &state) == .handled(.lock))
            #expect(table.handle(.shown(Ticket()), in: &state) == .handled)
            #expect(state.kind == .up)
        }
    }

    @Test static func `the table agrees with the flat machine`() throws {
        var random = SeededGenerator()
        var machine = TableMachine(try table())
        var flat = FlatTurnstile()
        for _ in 0..<5_000 {
            let event = random.turnstileEvent()
            // The flat one forgets its credit when repaired: the table is asked for another policy.
            guard event.kind != .machineFailed else { continue }
            let outcome = machine.handle(event)
            #expect(outcome.isHandled == flat.handle(event).isHandled, "\(random)")
            let isOpen = flat.state == .unlocked
            #expect((machine.state == .unlocked) == isOpen, "\(random)")
        }
    }
}
