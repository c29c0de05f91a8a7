import StateMachines
import Synchronization
import Testing

/// Tables of all sizes: up to eight states share a word, more do not, and neither do many targets.
@Suite struct TableLayoutTests {
    protocol Bound: Sendable { static var count: Int { get } }
    enum Three: Bound { static var count: Int { 3 } }
    enum Eight: Bound { static var count: Int { 8 } }
    enum Nine: Bound { static var count: Int { 9 } }
    enum Twenty: Bound { static var count: Int { 20 } }
    enum ThreeHundred: Bound { static var count: Int { 300 } }

    struct Number<Limit: Bound>: Enumerated {
        let ordinal: Int
        init(ordinal: Int) { self.ordinal = ordinal }
        static var allCases: [Number] { (0..<Limit.count).map(Number.init) }
    }

    /// Every event leads as many states further as its number says.
    enum Ring<Limit: Bound>: TableSyntax {
        typealias State = Number<Limit>
        typealias Event = Number<Three>
        typealias Command = Int

        static func isRight() throws -> Bool {
            let table = try Table<Self>(initial: State(ordinal: 0)) {
                State.allCases.map { state in
                    define(state) {
                        Event.allCases.map { event in
                            when(event)
                                .then(State(ordinal: (state.ordinal + event.ordinal) % State.count))
                                .commands(state.ordinal)
                        }
                    }
                }
            }
            var machine = TableMachine(table)
            for _ in 0..<3 {
                for event in Event.allCases {
                    let before = machine.state.ordinal
                    guard machine.handle(event) == .handled(before),
                        machine.state.ordinal == (before + event.ordinal) % State.count
                    else { return false }
                }
            }
            return true
        }
    }

    @Test func `a move leads where its row says, however many states there are`() throws {
        #expect(try Ring<Three>.isRight())
        #expect(try Ring<Eight>.isRight())
        #expect(try Ring<Nine>.isRight())
        #expect(try Ring<Twenty>.isRight())
        #expect(try Ring<ThreeHundred>.isRight())
    }

    /// A state of one kind that remembers which event came last.
    struct Last: Kinded, Equatable, Sendable {
        enum Kind: UInt8, Enumerated { case last }
        var event: Int
        var kind: Kind { .last }
    }

    enum Memory: TableSyntax {
        typealias State = Last
        typealias Event = Number<ThreeHundred>
        typealias Command = Int

        static func table() throws -> Table<Self> {
            try Table(initial: Last(event: 0), tolerating: .statesWithoutExit) {
                define(.last) {
                    Event.allCases.map { when($0).then(Last(event: $0.ordinal)) }
                }
            }
        }
    }

    @Test func `one kind of state can have more targets than a byte counts`() throws {
        var machine = TableMachine(try Memory.table())
        for event in Memory.Event.allCases.reversed() {
            #expect(machine.handle(event) == .handled)
            #expect(machine.state.event == event.ordinal)
        }
    }

    /// Counts how often two of its values are compared.
    struct Counted: Enumerated {
        static let comparisons = Atomic(0)
        let ordinal: Int
        init(ordinal: Int) { self.ordinal = ordinal }
        static let allCases = (0..<500).map(Counted.init)
        static func == (a: Counted, b: Counted) -> Bool {
            comparisons.add(1, ordering: .relaxed)
            return a.ordinal == b.ordinal
        }
        func hash(into hasher: inout Hasher) { hasher.combine(ordinal) }
    }

    enum Chain: TableSyntax {
        typealias State = Counted
        typealias Event = Number<Three>
        typealias Command = Int
    }

    @Test func `what a table takes to make grows with its states, not with their square`() throws {
        let states = Counted.allCases
        _ = try Table<Chain>(initial: states[0], tolerating: .undecidedPairs) {
            states.map { state in
                Chain.define(state) {
                    Chain.when(Number(ordinal: 0)).then(states[(state.ordinal + 1) % states.count])
                }
            }
        }
        #expect(Counted.comparisons.load(ordering: .relaxed) < 20 * states.count)
    }
}
