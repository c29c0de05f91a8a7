import Seeds
import StateMachines
import Testing

/// Handing commands over one by one tells the same as the list of them, for every kind of machine.
@Suite struct PerformTests {
    /// Sends a machine events at random, both ways, and compares all that it says and becomes.
    ///
    /// - Returns: whether both ways are one, and some event was handled.
    func agrees<Machine: StateMachine & Equatable>(
        _ start: Machine,
        prepare: (inout Machine, inout SeededGenerator) -> Void = { _, _ in },
        event: (inout SeededGenerator) -> Machine.Event
    ) -> Bool where Machine.Command: Equatable {
        var random = SeededGenerator()
        var listing = start
        var handled = 0
        for _ in 0..<2_000 {
            prepare(&listing, &random)
            var performing = listing
            let event = event(&random)
            let outcome = listing.handle(event)
            var commands = Commands<Machine.Command>()
            let verdict = performing.handle(event) { commands.append($0) }
            let retold = Outcome(verdict, commands)
            guard retold == outcome, commands.count == outcome.commands.count,
                performing == listing
            else {
                Issue.record("\(event): \(outcome) in a list, \(retold) by hand, \(random)")
                return false
            }
            if outcome.isHandled { handled += 1 }
        }
        return handled > 0
    }

    @Test func `flat machines and machines in a state`() {
        #expect(agrees(FlatTurnstile(repairResumes: true)) { $0.turnstileEvent() })
        let hierarchical = HierarchicalTurnstile.functioning(.locked(credit: 0))
        #expect(agrees(hierarchical) { $0.turnstileEvent() })
    }

    @Test func `regions`() {
        let one = FlatTurnstile(repairResumes: true)
        let other = HierarchicalTurnstile.broken(was: .unlocked)
        #expect(agrees(Regions(one, other)) { $0.turnstileEvent() })
        #expect(agrees(Regions(Regions(FlatTurnstile(), other), one)) { $0.turnstileEvent() })
    }

    @Test func `products and adapters`() {
        let keys: [Keyboard.Key] = [
            .alpha("a"), .number(4), .number(5), .numLock, .capsLock, .reset, .power,
        ]
        #expect(agrees(Keyboard()) { keys.randomElement(using: &$0) ?? .reset })
        let events: [Routed<MainKeypad.Event, NumericKeypad.Event>] = [
            .first(.alpha("b")), .second(.number(5)), .both(.capsLock, .numLock),
            .both(.alpha("c"), .number(4)), .second(.numLock), .both(.capsLock, .number(5)),
        ]
        let keypads = Product(MainKeypad.capsLockOff, NumericKeypad.numLockOff)
        #expect(agrees(keypads) { events.randomElement(using: &$0) ?? .second(.numLock) })
    }

    @Test func `statecharts, by external and internal transitions`() {
        let events = Gate.Event.allCases
        #expect(agrees(Gate.closed(.dark)) { events.randomElement(using: &$0) ?? .pulled })
        let others = TransitionTests.Mill.Event.allCases
        let mill = TransitionTests.Mill.working(.still)
        #expect(agrees(mill) { others.randomElement(using: &$0) ?? .switched })
    }

    @Test func `machines that raise events`() {
        let countdown = RunToCompletion(RegionsTests.Countdown())
        let events: [RegionsTests.Countdown.Event] = [
            .noted, .finished, .reached(1), .reached(2), .started(1), .started(2), .started(3),
        ]
        #expect(agrees(countdown) { events.randomElement(using: &$0) ?? .noted })
    }

    @Test func `tables with payloads, computed commands and entry commands`() throws {
        let machine = TableMachine(try PayloadTableTests.table())
        #expect(agrees(machine) { $0.turnstileEvent() })
    }

    @Test func `tables with predicates, alone and as regions`() throws {
        let table = try SnapshotTests.Door.table()
        let door = TableMachine(table, predicates: Both(.day, .present))
        func vary(_ door: inout TableMachine<SnapshotTests.Door>, _ random: inout SeededGenerator) {
            door.predicates.first = Bool.random(using: &random) ? .day : .night
            door.predicates.second = Bool.random(using: &random) ? .present : .absent
        }
        let events = SnapshotTests.Door.Event.allCases
        #expect(agrees(door, prepare: vary) { events.randomElement(using: &$0) ?? .pushed })
        let doors = Regions(door, door)
        let bothWaysAgree = agrees(doors) {
            vary(&$0.second, &$1)
        } event: {
            events.randomElement(using: &$0) ?? .pushed
        }
        #expect(bothWaysAgree)
    }
}
