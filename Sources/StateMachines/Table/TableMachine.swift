/// A table and a state: a machine like any other.
///
/// The predicates that hold are part of the machine's value. The shell sets them when the world
/// changes; a table that has predicates cannot be handled without them.
@frozen
public struct TableMachine<Syntax: TableSyntax>: StateMachine {
    /// The table, which any number of machines share.
    public let table: Table<Syntax>
    /// The present state.
    public var state: Syntax.State
    /// What holds at present.
    public var predicates: Syntax.Predicates

    /// A machine in the table's initial state.
    @inlinable
    public init(_ table: Table<Syntax>, predicates: Syntax.Predicates) {
        self.init(table, state: table.initial, predicates: predicates)
    }

    /// A machine in this state: one that was put away and is taken up again, say.
    ///
    /// What is worth keeping of a machine is state and predicates; the table is made anew.
    @inlinable
    public init(_ table: Table<Syntax>, state: Syntax.State, predicates: Syntax.Predicates) {
        self.table = table
        self.state = state
        self.predicates = predicates
    }

    /// Looks up what the event means now.
    @inlinable
    @inline(__always)
    public mutating func handle(_ event: Syntax.Event) -> Outcome<Syntax.Command> {
        table.handle(event, predicates, in: &state)
    }
}

extension TableMachine where Syntax.Predicates == NoPredicates {
    /// A machine in the table's initial state.
    @inlinable
    public init(_ table: Table<Syntax>) {
        self.init(table, predicates: NoPredicates())
    }
}

extension TableMachine: SelectiveMachine {
    /// The kinds of event that some row takes up in the present state.
    public var listens: KindSet<Syntax.Event.Kind> { table.listens(in: state.kind) }
}

extension TableMachine: Equatable where Syntax.State: Equatable, Syntax.Predicates: Equatable {
    /// Equal when the same table is in the same state under the same predicates.
    @inlinable
    public static func == (a: TableMachine, b: TableMachine) -> Bool {
        a.table === b.table && a.state == b.state && a.predicates == b.predicates
    }
}

extension TableMachine: Hashable where Syntax.State: Hashable, Syntax.Predicates: Hashable {
    /// Feeds state and predicates; the table is the same for all machines worth comparing.
    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(state)
        hasher.combine(predicates)
    }
}

extension TableMachine: Sendable {}

extension TableMachine: CustomStringConvertible {
    /// The state's.
    public var description: String { name(of: state) }
}
