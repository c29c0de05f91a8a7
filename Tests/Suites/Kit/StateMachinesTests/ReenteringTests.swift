import StateMachines
import Testing

/// Rows that leave and enter a state though it stays the same, in a table that does so on change.
@Suite struct ReenteringTests: Sendable {
    enum Timer: TableSyntax {
        enum State: UInt8, Enumerated { case idle, running }
        enum Event: UInt8, Enumerated { case start, again, more, stop }
        enum Command { case arm, disarm, log }

        static func table() throws -> Table<Self> {
            try Table(initial: .idle, tolerating: .undecidedPairs) {
                define(.idle) { when(.start).then(.running) }
                define(.running, onEntry: [.arm], onExit: [.disarm]) {
                    when(.start).then(.running)
                    when(.again).then().reentering()
                    then(.running) { when(.more).commands(.log).reentering() }
                    when(.stop).then(.idle)
                }
            }
        }
    }

    @Test func `a row leaves and enters its state anew`() throws {
        var machine = TableMachine(try Timer.table(), state: .running, predicates: .init())
        #expect(machine.handle(.start) == .handled)
        #expect(machine.handle(.again) == .handled([.disarm, .arm]))
        #expect(machine.handle(.more) == .handled([.disarm, .log, .arm]))
        #expect(machine.handle(.stop) == .handled(.disarm))
    }

    @Test func `a row under a condition, or that works its target out, does so as well`() throws {
        let table = try Table<Timer>(initial: .idle, tolerating: .everything) {
            Timer.define(.running, onEntry: [.arm], onExit: [.disarm]) {
                Timer.condition { _, _ in true }.when(.again).then().reentering()
                Timer.when(.more).then(.running) { state, _ in state }.reentering()
                Timer.when(.start).then(.running) { state, _ in state }
            }
        }
        var machine = TableMachine(table, state: .running, predicates: .init())
        #expect(machine.handle(.again) == .handled([.disarm, .arm]))
        #expect(machine.handle(.more) == .handled([.disarm, .arm]))
        #expect(machine.handle(.start) == .handled)
    }

    @Test func `a row that ignores its event enters nothing anew`() {
        let line: UInt = #line + 4
        let found = Timer.mistakes(initial: .idle) {
            Timer.define(.idle) {
                Timer.when(.start).then(.running)
                Timer.when(.again).ignored("idle").reentering()
            }
        }
        #expect(found.kinds == [.ignoredReentry])
        #expect(found.lines == [[line]])
    }
}
