import StateMachines
import Testing

/// Tables whose rows name values.
@Suite struct ValueTableTests {
    /// States and events are text.
    enum Script: TableSyntax {
        typealias State = String
        typealias Event = String
        typealias Command = String

        static func table() throws -> Table<Self> {
            try Table(initial: "locked", tolerating: .otherValues) {
                defineValue("locked", onEntry: ["lock"]) {
                    whenValue("coin").then("unlocked")
                    whenValue("pass").then().commands("alarm", "count")
                }
                defineValue("unlocked", onEntry: ["unlock"], onExit: ["thank"]) {
                    whenValue("coin").ignored("paid already")
                    whenValue("pass").then("locked")
                }
            }
        }
    }

    @Test func `states and events are text`() throws {
        var machine = TableMachine(try Script.table())
        #expect(machine.entryCommands == ["lock"])
        #expect(machine.handle("pass") == .handled(["alarm", "count"]))
        #expect(machine.handle("coin") == .handled("unlock"))
        #expect(machine.handle("coin") == .ignored("paid already"))
        #expect(machine.handle("push") == .unhandled)
        #expect(machine.state == "unlocked")
        #expect(machine.exitCommands == ["thank"])
        var commands: [String] = []
        #expect(machine.handle("pass") { commands.append($0) } == .handled)
        #expect(commands == ["thank", "lock"])
        #expect(machine.listens == [.any])
        #expect(machine.table.listens(in: .any) == [.any])
    }

    @Test func `a look-up alone says that there is more to be asked`() throws {
        let table = try Script.table()
        var state = "locked"
        #expect(!table.move("coin", in: &state).isComplete)
        #expect(state == "locked")
        #expect(table.handle("coin", in: &state) == .handled("unlock"))
    }

    @Test func `a state that nothing defines is no state of the table`() throws {
        var machine = TableMachine(try Script.table(), state: "broken", predicates: .init())
        #expect(machine.handle("coin") == .unhandled)
        #expect(machine.listens.isEmpty)
        #expect(machine.entryCommands.isEmpty)
        #expect(machine.state == "broken")
    }

    /// Numbers, and rows for all of which no row names.
    enum Floors: TableSyntax {
        typealias State = Int
        typealias Event = Int
        typealias Command = String

        static func table() throws -> Table<Self> {
            try Table(initial: 0) {
                defineValue(0) {
                    whenValue(1, or: 2).then(.any) { $1 }.commands("up")
                    whenValue(0).ignored("here already")
                    when(.any).ignored("no such floor")
                }
                defineValue(1) { whenValue(0).then(0).commands("down") }
                defineValue(2, adopts: superState { whenValue(0).then(1) })
                define(.any) {
                    whenValue(0).then(0)
                    when(.any).then().commands("stay")
                }
            }
        }
    }

    @Test func `what is said of all values holds for those that no row names`() throws {
        var machine = TableMachine(try Floors.table())
        #expect(machine.handle(7) == .ignored("no such floor"))
        #expect(machine.handle(0) == .ignored("here already"))
        #expect(machine.handle(2) == .handled("up"))
        #expect(machine.state == 2)
        #expect(machine.handle(1) == .handled("stay"))
        #expect(machine.handle(0) == .handled)
        #expect(machine.state == 1)
        #expect(machine.handle(0) == .handled("down"))
        machine.state = 40
        #expect(machine.handle(3) == .handled("stay"))
    }

    /// An enum that tells its kinds apart, of which one row names values.
    enum Box: TableSyntax {
        enum State: UInt8, Enumerated { case locked, unlocked }
        enum Event: Valued {
            case coin(Int), pass
            enum Kind: UInt8, Enumerated { case coin, pass }
            var kind: Kind {
                switch self {
                case .coin: .coin
                case .pass: .pass
                }
            }
        }
        enum Command { case thank, giveBack, alarm }
        enum Season: UInt8, Predicate { case summer, winter }
        typealias Predicates = Season

        static func table() throws -> Table<Self> {
            try Table(initial: .locked) {
                define(.locked) {
                    whenValue(.coin(20), or: .coin(50)).then(.unlocked)
                    matching(Season.winter).whenValue(.coin(50)).then(.unlocked).commands(.thank)
                    when(.coin).then().commands(.giveBack)
                    when(.pass).then().commands(.alarm)
                }
                define(.unlocked) {
                    then(.locked) { when(.pass) }
                    when(.coin) { then().commands(.giveBack) }
                }
            }
        }

        static func then() -> Row<Self, Eventless> { Matching<Self> { _, _ in true }.then() }
    }

    @Test func `one row for each payload, and one for the rest`() throws {
        let table = try Box.table()
        func outcome(_ event: Box.Event, _ season: Box.Season) -> Outcome<Box.Command> {
            var state = Box.State.locked
            let outcome = table.handle(event, season, in: &state)
            #expect((state == .unlocked) == [.coin(20), .coin(50)].contains(event))
            return outcome
        }
        #expect(outcome(.coin(20), .winter) == .handled)
        #expect(outcome(.coin(50), .summer) == .handled)
        #expect(outcome(.coin(50), .winter) == .handled(.thank))
        #expect(outcome(.coin(10), .winter) == .handled(.giveBack))
        // The kinds of which no value is named are looked up as ever.
        var state = Box.State.locked
        #expect(table.move(.pass, .summer, in: &state).command == .alarm)
    }

    /// States with payloads, each value with a statement of its own.
    enum Credit: TableSyntax {
        enum State: Valued { case credit(Int), open }
        enum Event: Valued { case coin(Int), pass }
        enum Command { case show, clear, unlock, lock }

        static func table() throws -> Table<Self> {
            try Table(initial: .credit(0), tolerating: [.undecidedPairs]) {
                let paying = superState(onEntry: [.show], onExit: [.clear]) {
                    whenValue(.pass).ignored("not paid")
                }
                defineValue(.credit(0), adopts: paying) {
                    whenValue(.coin(10)).then(.credit(10))
                    then(.open) { whenValue(.coin(20)) }
                }
                defineValue(.credit(10), adopts: paying) {
                    whenValue(.coin(10), or: .coin(20)).then(.open)
                }
                defineValue(.open, onEntry: [.unlock], onExit: [.lock]) {
                    whenValue(.pass) { condition { _, _ in true }.then(.credit(0)) }
                }
            }
        }
    }

    @Test func `another value is another state, which is left and entered`() throws {
        var machine = TableMachine(try Credit.table())
        #expect(machine.handle(.coin(10)) == .handled([.clear, .show]))
        #expect(machine.state == .credit(10))
        #expect(machine.handle(.coin(10)) == .handled([.clear, .unlock]))
        #expect(machine.handle(.coin(10)) == .unhandled)
        #expect(machine.handle(.pass) == .handled([.lock, .show]))
        #expect(machine.handle(.coin(20)) == .handled([.clear, .unlock]))
    }

    /// A kind of state of which one value has more to say.
    enum Tank: TableSyntax {
        enum State: Valued {
            case filled(Int), leaking
            enum Kind: UInt8, Enumerated { case filled, leaking }
            var kind: Kind {
                switch self {
                case .filled: .filled
                case .leaking: .leaking
                }
            }
        }
        enum Event: UInt8, Enumerated { case fill, drain, burst }
        enum Command { case pump, rest, warn, ebb }

        static func table() throws -> Table<Self> {
            try Table(initial: .filled(1)) {
                define(.filled, onEntry: [.pump], onExit: [.rest]) {
                    when(.fill).then(.filled) { state, _ in level(state, 1) }
                    when(.drain).then(.filled) { state, _ in level(state, -1) }
                    when(.burst).then(.leaking)
                }
                defineValue(.filled(0), onEntry: [.warn], onExit: [.ebb]) {
                    when(.drain).ignored("empty")
                }
                final(.leaking)
            }
        }

        @Sendable static func level(_ state: State, _ change: Int) -> State {
            if case .filled(let level) = state { .filled(level + change) } else { state }
        }
    }

    @Test func `a value has what its kind says, and goes before it`() throws {
        var machine = TableMachine(try Tank.table())
        #expect(machine.handle(.fill) == .handled)
        #expect(machine.handle(.drain) == .handled)
        #expect(machine.handle(.drain) == .handled([.rest, .pump, .warn]))
        #expect(machine.state == .filled(0))
        #expect(machine.entryCommands == [.pump, .warn])
        #expect(machine.handle(.drain) == .ignored("empty"))
        #expect(machine.listens == [.fill, .burst])
        #expect(machine.table.listens(in: .filled) == [.fill, .drain, .burst])
        #expect(machine.handle(.fill) == .handled([.ebb, .rest, .pump]))
        #expect(machine.handle(.burst) == .handled(.rest))
    }

    // MARK: - Mistakes

    @Test func `what is open is told by value`() {
        let found = Script.mistakes(initial: "locked", tolerating: []) {
            Script.defineValue("locked") { Script.whenValue("coin").then("unlocked") }
            Script.defineValue("unlocked") { Script.whenValue("pass").then("locked") }
        }
        #expect(
            Set(found.map(\.message)) == [
                "locked, any other value: not decided", "locked, pass: not decided",
                "unlocked, any other value: not decided", "unlocked, coin: not decided",
            ])
        let kinds = Box.mistakes(initial: .locked, tolerating: []) {
            Box.define(.locked) {
                Box.matching(Box.Season.winter).whenValue(.coin(20)).then(.unlocked)
                Box.when(.pass).then(.unlocked)
            }
            Box.final(.unlocked)
        }
        #expect(
            Set(kinds.map(\.message)) == [
                "locked, any other coin: not decided",
                "locked, coin(20): not decided when Season.summer",
            ])
    }

    @Test func `a state that is written wrong is found`() {
        let found = Script.mistakes(initial: "lokced", tolerating: .undecidedPairs) {
            Script.defineValue("locked") { Script.whenValue("coin").then("unlokced") }
            Script.defineValue("unlocked") { Script.whenValue("pass").then("locked") }
            Script.finalValue("broken")
        }
        #expect(
            Set(found.map(\.message)) == [
                "the initial state lokced is not defined", "nothing leads to broken",
                "locked, coin: leads to unlokced, which is not defined",
                "nothing leads to locked", "nothing leads to unlocked",
            ])
    }

    @Test func `rows for one value clash as those for one kind do`() {
        let found = Box.mistakes(initial: .locked) {
            Box.define(.locked) {
                Box.whenValue(.coin(20)).then(.unlocked)
                Box.whenValue(.coin(20), or: .coin(50)).then(.locked)
                Box.matching(Box.Season.winter).when(.coin).then(.unlocked)
                Box.whenValue(.coin(5), or: .coin(5)).ignored("worn")
                Box.when(.pass).then(.unlocked)
                Box.when(.pass).then(.locked)
            }
        }
        // A row for a value and one for a predicate: neither is the more specific.
        #expect(
            found.kinds.sorted { "\($0)" < "\($1)" } == [
                .clash, .clash, .duplicateRows,
                // For each value.
                .implicitClash, .implicitClash, .implicitClash, .implicitClash,
            ])
        #expect(
            found.map(\.message).contains(
                "locked, coin(20): one row leads to unlocked, another leads to locked"))
    }

    @Test func `rows for a kind clash once, however many of its values are named`() {
        let found = Box.mistakes(initial: .locked) {
            Box.define(.locked) {
                Box.whenValue(.coin(20), or: .coin(50)).then(.unlocked)
                Box.when(.coin).then(.unlocked)
                Box.when(.coin).then(.locked)
            }
            Box.define(.unlocked) { Box.matching(Box.Season.winter).when(.pass).then(.locked) }
        }
        #expect(found.kinds == [.clash])
    }

    @Test func `a row that every value covers is still taken for the others`() throws {
        let superState = Script.superState { Script.when(.any).ignored("no such word") }
        let table = try Table<Script>(initial: "a") {
            Script.defineValue("a", adopts: superState) { Script.whenValue("go").then("b") }
            Script.defineValue("b", adopts: superState) { Script.whenValue("go").then("a") }
        }
        var machine = TableMachine(table)
        #expect(machine.handle("stop") == .ignored("no such word"))
        #expect(machine.handle("go") == .handled)
        #expect(machine.state == "b")
    }
}
