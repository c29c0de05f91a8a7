import Seeds
import StateMachines
import Testing

@Suite enum TableTests: TurnstileTable {
    @Test static func `two states, four rows`() throws {
        let table = try Table<Self>(initial: .locked, tolerating: .undefinedStates) {
            define(.locked) {
                when(.coin).then(.unlocked).commands(.unlock)
                when(.pass).then(.locked).commands(.alarm)
                when(.reset).ignored("nothing to reset")
            }
            define(.unlocked) {
                when(.coin).then(.unlocked).commands(.thankYou)
                when(.pass).then(.locked).commands(.lock)
                when(.reset).ignored("nothing to reset")
            }
        }
        var machine = TableMachine(table)
        #expect(machine.handle(.coin) == .handled(.unlock))
        #expect(machine.handle(.coin) == .handled(.thankYou))
        #expect(machine.handle(.pass) == .handled(.lock))
        #expect(machine.handle(.pass) == .handled(.alarm))
        #expect(machine.handle(.reset) == .ignored("nothing to reset"))
        #expect(machine.state == .locked)
        #expect(machine.listens == [.coin, .pass])
    }

    /// The alarm must be reset: once written out, once with a super state.
    static func alarming() throws -> [TableMachine<Self>] {
        let written = try Table<Self>(initial: .locked) {
            define(.locked) {
                when(.coin).then(.unlocked).commands(.unlock)
                when(.pass).then(.alarming).commands(.alarmOn)
                when(.reset).then().commands(.alarmOff, .lock)
            }
            define(.unlocked) {
                when(.reset).then(.locked).commands(.alarmOff, .lock)
                when(.coin).then(.unlocked).commands(.thankYou)
                when(.pass).then(.locked).commands(.lock)
            }
            define(.alarming) {
                when(.coin).then()
                when(.pass).then()
                when(.reset).then(.locked).commands(.alarmOff, .lock)
            }
        }
        let adopted = try Table<Self>(initial: .locked) {
            let resettable = superState {
                when(.reset).then(.locked).commands(.alarmOff, .lock)
            }
            define(.locked, adopts: resettable) {
                when(.coin).then(.unlocked).commands(.unlock)
                when(.pass).then(.alarming).commands(.alarmOn)
            }
            define(.unlocked, adopts: resettable) {
                when(.coin).then(.unlocked).commands(.thankYou)
                when(.pass).then(.locked).commands(.lock)
            }
            define(.alarming, adopts: resettable) { when(.coin, or: .pass).then() }
        }
        return [TableMachine(written), TableMachine(adopted)]
    }

    @Test static func `a super state says the same once`() throws {
        var random = SeededGenerator()
        var machines = try alarming()
        for _ in 0..<500 {
            let event = TableEvent.allCases.randomElement(using: &random) ?? .coin
            let first = machines[0].handle(event)
            #expect(first == machines[1].handle(event), "\(random)")
            #expect(machines[0].state == machines[1].state, "\(random)")
        }
        #expect(machines[0].handle(.reset) == .handled([.alarmOff, .lock]))
    }

    @Test static func `super states join, adopt and bring entry commands`() throws {
        let s1 = superState(onEntry: [.unlock]) { when(.coin).then(.unlocked) }
        let s2 = superState(onEntry: [.alarmOn]) { when(.pass).then(.alarming) }
        let s3 = superState(adopts: s1, s2)
        var machine = try sketch(initial: .unlocked) {
            define(.locked, adopts: s3)
            define(.unlocked) { when(.pass).then(.locked) }
        }
        #expect(machine.handle(.pass) == .handled([.unlock, .alarmOn]))
        #expect(machine.handle(.coin) == .handled)
        #expect(machine.state == .unlocked)
    }

    @Test static func `super states are entered first and left last, the innermost before`()
        throws
    {
        let outer = superState(onEntry: [.a1], onExit: [.a2])
        let inner = superState(adopts: outer, onEntry: [.a3], onExit: [.a4])
        var machine = try sketch(initial: .locked) {
            define(.locked) { when(.coin).then(.unlocked) }
            define(.unlocked, adopts: inner, onEntry: [.lock], onExit: [.unlock]) {
                when(.pass).then(.locked)
            }
        }
        #expect(machine.handle(.coin) == .handled([.a1, .a3, .lock]))
        #expect(machine.exitCommands == [.unlock, .a4, .a2])
        #expect(machine.handle(.pass) == .handled([.unlock, .a4, .a2]))
    }

    static func entryAndExit(_ policy: EntryExitPolicy) throws -> TableMachine<Self> {
        let resettable = superState { when(.reset).then(.locked) }
        return try sketch(initial: .locked, entryAndExit: policy) {
            define(.locked, adopts: resettable, onEntry: [.lock]) {
                when(.coin).then(.unlocked)
                when(.pass).then(.alarming)
            }
            define(.unlocked, adopts: resettable, onEntry: [.unlock]) {
                when(.coin).then(.unlocked).commands(.thankYou)
                when(.pass).then(.locked)
            }
            define(.alarming, adopts: resettable, onEntry: [.alarmOn], onExit: [.alarmOff]) {
                when(.coin).then(.unlocked).commands(.smile)
            }
        }
    }

    @Test static func `exit, transition, entry; and nothing of it while the state stays`() throws {
        var machine = try entryAndExit(.onChange)
        #expect(machine.handle(.coin) == .handled(.unlock))
        #expect(machine.handle(.coin) == .handled(.thankYou))
        #expect(machine.handle(.pass) == .handled(.lock))
        #expect(machine.handle(.pass) == .handled(.alarmOn))
        #expect(machine.handle(.pass) == .unhandled)
        #expect(machine.handle(.coin) == .handled([.alarmOff, .smile, .unlock]))
    }

    @Test static func `the other policy runs entry and exit on every transition`() throws {
        var machine = try entryAndExit(.always)
        #expect(machine.handle(.reset) == .handled(.lock))
        #expect(machine.handle(.coin) == .handled(.unlock))
        #expect(machine.handle(.coin) == .handled([.thankYou, .unlock]))
    }

    @Test(arguments: [EntryExitPolicy.onChange, .always])
    static func `rows that are worked out keep to the policy as well`(
        policy: EntryExitPolicy
    )
        throws
    {
        var machine = try sketch(initial: .locked, entryAndExit: policy) {
            define(.locked, onEntry: [.a1], onExit: [.a2]) {
                condition { _, _ in true }.when(.reset).then().commands(.a3)
                when(.coin).then(.unlocked) { _, _ in .unlocked }
            }
            define(.unlocked, onEntry: [.a4], onExit: [.a5]) { when(.pass).then(.locked) }
        }
        let stays: Commands<TableCommand> = policy == .always ? [.a2, .a3, .a1] : [.a3]
        #expect(machine.handle(.reset) == .handled(stays))
        #expect(machine.handle(.coin) == .handled([.a2, .a4]))
    }

    @Test static func `an override replaces what is inherited, the last one wins`() throws {
        let s1 = superState { when(.coin).then(.unlocked).commands(.a1) }
        let s2 = superState(adopts: s1) { override { when(.coin).then(.unlocked).commands(.a2) } }
        let s3 = superState(adopts: s2) { override { when(.coin).then(.unlocked).commands(.a3) } }
        let s4 = superState(adopts: s3) { override { when(.coin).then(.unlocked).commands(.a4) } }
        var machine = try sketch(initial: .locked) {
            define(.locked, adopts: s4) { override { when(.coin).then(.alarming).commands(.a5) } }
        }
        #expect(machine.handle(.coin) == .handled(.a5))
        #expect(machine.state == .alarming)
        var third = try sketch(initial: .locked) { define(.locked, adopts: s3) }
        #expect(third.handle(.coin) == .handled(.a3))
    }

    @Test static func `an override replaces everything inherited at once`() throws {
        let s1 = superState { when(.coin).then(.unlocked).commands(.a1) }
        let s2 = superState { when(.coin).then(.unlocked).commands(.a2) }
        var machine = try sketch(initial: .locked) {
            define(.locked, adopts: s1, s2) { override { when(.coin).then().commands(.a3) } }
        }
        #expect(machine.handle(.coin) == .handled(.a3))
    }

    @Test static func `a super state that is adopted by two ways is adopted once`() throws {
        let root = superState { when(.reset).then(.locked).commands(.a1) }
        let left = superState(adopts: root) { when(.coin).then(.unlocked) }
        let right = superState(adopts: root) { when(.pass).then(.alarming) }
        var machine = try sketch(initial: .locked) { define(.locked, adopts: left, right) }
        #expect(machine.handle(.reset) == .handled(.a1))
    }

    @Test static func `a second define of a state loses nothing`() throws {
        var machine = try sketch(initial: .locked) {
            define(.locked, onExit: [.a1]) { when(.coin).then(.unlocked) }
            define(.unlocked) { when(.reset).then(.locked) }
            define(.locked, onExit: [.a2]) { when(.pass).then(.alarming) }
        }
        #expect(machine.handle(.coin) == .handled([.a1, .a2]))
        #expect(machine.handle(.reset) == .handled)
        #expect(machine.handle(.pass) == .handled([.a1, .a2]))
    }

    @Test static func `blocks say once what rows have in common`() throws {
        var machine = try sketch(initial: .locked) {
            define(.locked) {
                commands(.a1) {
                    commands(.a2) {
                        when(.coin).then(.unlocked).commands(.a3)
                        then(.alarming) { when(.pass).commands(.a4) }
                    }
                }
            }
            define(.unlocked) {
                then(.locked) {
                    when(.coin)
                    when(.pass).commands(.a5)
                }
            }
        }
        #expect(machine.handle(.coin) == .handled([.a1, .a2, .a3]))
        #expect(machine.handle(.pass) == .handled(.a5))
        #expect(machine.handle(.pass) == .handled([.a1, .a2, .a4]))
    }

    @Test static func `conditions are joined, and one that fails refuses the event`() throws {
        var machine = try sketch(initial: .locked) {
            define(.locked) {
                condition({ state, _ in state == .locked }) {
                    condition { _, event in event == .coin }.when(.coin, or: .pass).then(.unlocked)
                }
            }
        }
        #expect(machine.handle(.pass) == .ignored("the row's condition does not hold"))
        #expect(machine.handle(.coin) == .handled)
        #expect(machine.state == .unlocked)
    }

    @Test static func `a look-up alone tells whether there is more to say`() throws {
        let table = try alarming()[0].table
        var state = table.initial
        let paid = table.move(.coin, in: &state)
        #expect(paid.isComplete)
        #expect(paid.command == .unlock)
        #expect(state == .unlocked)
        // Two commands are more than a look-up can tell: the state waits for `handle`.
        let reset = table.move(.reset, in: &state)
        #expect(!reset.isComplete)
        #expect(state == .unlocked)
        #expect(table.handle(.reset, in: &state) == .handled([.alarmOff, .lock]))
        #expect(state == .locked)
    }

    @Test static func `one table serves any number of instances, each no more than its state`()
        throws
    {
        let table = try alarming()[0].table
        var gates = Array(repeating: table.initial, count: 100)
        #expect(table.handle(.coin, in: &gates[42]) == .handled(.unlock))
        #expect(gates.filter { $0 == .unlocked }.count == 1)
        #expect(MemoryLayout<TableState>.size == 1)
    }
}
