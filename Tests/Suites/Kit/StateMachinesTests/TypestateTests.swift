import StateMachines
import Testing

// The code of the tutorial's part on states that the compiler knows.

extension Tutorial {
    protocol Phase { static var state: Rows.State { get } }
    enum Locked: Phase { static var state: Rows.State { .locked } }
    enum Unlocked: Phase { static var state: Rows.State { .unlocked } }
    enum Alarming: Phase { static var state: Rows.State { .alarming } }

    struct Known<Now: Phase>: ~Copyable {
        private let table: Table<Rows>

        init(_ table: Table<Rows>) { self.table = table }

        consuming func take<Next: Phase>(
            _ event: Rows.Event, _ perform: (Rows.Command) -> Void
        ) -> Known<Next> {
            var machine = TableMachine(table, state: Now.state, predicates: .strong)
            _ = machine.handle(event, perform: perform)
            precondition(machine.state == Next.state, "the table leads elsewhere")
            return Known<Next>(table)
        }

        typealias Do = (Rows.Command) -> Void
        consuming func coin(_ perform: Do) -> Known<Unlocked> where Now == Locked {
            take(.coin, perform)
        }
        consuming func pass(_ perform: Do) -> Known<Alarming> where Now == Locked {
            take(.pass, perform)
        }
        consuming func coin(_ perform: Do) -> Known<Unlocked> where Now == Unlocked {
            take(.coin, perform)
        }
        consuming func pass(_ perform: Do) -> Known<Locked> where Now == Unlocked {
            take(.pass, perform)
        }
        consuming func reset(_ perform: Do) -> Known<Locked> { take(.reset, perform) }
    }
}

@Suite struct TypestateTests {
    typealias Rows = Tutorial.Rows
    typealias Known = Tutorial.Known
    typealias Locked = Tutorial.Locked
    typealias Unlocked = Tutorial.Unlocked
    typealias Alarming = Tutorial.Alarming

    @Test func `a gate whose state the compiler knows`() throws {
        var bolt: [Rows.Command] = []
        let gate = Known<Locked>(try Rows.table())
        let open = gate.coin { bolt.append($0) }
        let shut = open.pass { bolt.append($0) }
        let alarming = shut.pass { bolt.append($0) }
        _ = alarming.reset { bolt.append($0) }
        #expect(bolt == [.unlock, .lock, .alarmOn, .alarmOff, .lock])
    }

    @Test func `there is a method for each row that leads somewhere, and it leads there`() throws {
        let table = try Rows.table()
        let methods: [(state: Rows.State, event: Rows.Event, take: () -> Void)] = [
            (.locked, .coin, { _ = Known<Locked>(table).coin { _ in } }),
            (.locked, .pass, { _ = Known<Locked>(table).pass { _ in } }),
            (.locked, .reset, { _ = Known<Locked>(table).reset { _ in } }),
            (.unlocked, .coin, { _ = Known<Unlocked>(table).coin { _ in } }),
            (.unlocked, .pass, { _ = Known<Unlocked>(table).pass { _ in } }),
            (.unlocked, .reset, { _ = Known<Unlocked>(table).reset { _ in } }),
            (.alarming, .reset, { _ = Known<Alarming>(table).reset { _ in } }),
        ]
        for method in methods { method.take() }
        for state in Rows.State.allCases {
            let machine = TableMachine(table, state: state, predicates: .strong)
            let events = methods.filter { $0.state == state }.map(\.event)
            #expect(machine.listens.kinds == events)
        }
    }
}
