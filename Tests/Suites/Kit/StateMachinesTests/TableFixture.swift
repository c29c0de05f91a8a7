import StateMachines
import Testing

/// The words of most tables in these tests.
protocol TurnstileTable: TableSyntax
where State == TableState, Event == TableEvent, Command == TableCommand {}

enum TableState: UInt8, Enumerated { case locked, unlocked, alarming }
enum TableEvent: UInt8, Enumerated { case coin, pass, reset }
enum TableCommand: Sendable {
    case unlock, lock, alarm, thankYou, alarmOn, alarmOff, beGrumpy, smile, defconOne
    case a1, a2, a3, a4, a5
}

extension TableSyntax {
    /// The mistakes that building a sketch of a table brings to light.
    static func mistakes(
        initial: State, tolerating tolerance: TableTolerance = .everything,
        @TableBuilder<Self> _ statements: () -> [Define<Self>]
    ) -> [TableProblem] {
        do throws(TableError) {
            _ = try Table(initial: initial, tolerating: tolerance, statements)
            return []
        } catch {
            return error.problems
        }
    }

    /// A machine of a sketch of a table.
    static func sketch(
        initial: State, entryAndExit policy: EntryExitPolicy = .onChange,
        @TableBuilder<Self> _ statements: () -> [Define<Self>]
    ) throws -> TableMachine<Self> where Predicates == NoPredicates {
        TableMachine(
            try Table(
                initial: initial, entryAndExit: policy, tolerating: .everything, statements))
    }
}

extension [TableProblem] {
    var kinds: [TableProblem.Kind] { map(\.kind) }
    var lines: [[UInt]] { map { $0.locations.map(\.line) } }
}
