/// A table and a state: a machine like any other.
///
/// The predicates that hold are part of the machine's value. The shell sets them when the world
/// changes; a table that has predicates cannot be handled without them.
///
/// Inside a state of another machine it is left and entered by its ``exitCommands`` and
/// ``entryCommands``, which the ``Statechart`` round it joins to its own; a state that remembers it
/// is its history.
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

    /// A machine in this state.
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

    /// The same, with each command handed over as it comes.
    @inlinable
    @inline(__always)
    public mutating func handle(
        _ event: Syntax.Event, perform: (Syntax.Command) -> Void
    ) -> Verdict {
        table.handle(event, predicates, in: &state, perform: perform)
    }
}

extension TableMachine: EntryExitMachine {
    /// What the table says that the present state is entered with.
    @inlinable public var entryCommands: Commands<Syntax.Command> {
        table.onEntry[table.states.place(of: state)]
    }

    /// What the table says that the present state is left with.
    @inlinable public var exitCommands: Commands<Syntax.Command> {
        table.onExit[table.states.place(of: state)]
    }
}

extension TableMachine: TimedMachine where Syntax: TimedSyntax {
    /// The state's: see ``TimedSyntax/deadline(of:)``.
    @inlinable public var deadline: Instant? { Syntax.deadline(of: state) }
}

/// A vocabulary with one table, which all its machines share: then a machine is made, and put away,
/// without it. Where the table is made anew it is the state that is put away:
/// `Snapshot(of: machine.state, at: now)`.
///
///     enum Door: SharedTable {
///         …
///         static let table = …
///     }
///     enum Gate: Statechart, Codable {
///         case functioning(TableMachine<Door>)
///         …
public protocol SharedTable: TableSyntax {
    /// The table.
    static var table: Table<Self> { get }
}

extension TableMachine where Syntax: SharedTable {
    /// A machine in the initial state of the table that all share.
    @inlinable
    public init(predicates: Syntax.Predicates) {
        self.init(Syntax.table, predicates: predicates)
    }
}

extension TableMachine where Syntax: SharedTable, Syntax.Predicates == NoPredicates {
    /// A machine in the initial state of the table that all share.
    @inlinable
    public init() {
        self.init(Syntax.table)
    }
}

#if !hasFeature(Embedded)
    private enum TableMachineKeys: CodingKey { case state, predicates }

    extension TableMachine: Encodable
    where Syntax: SharedTable, Syntax.State: Encodable, Syntax.Predicates: Encodable {
        /// Writes state and predicates.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: TableMachineKeys.self)
            try container.encode(state, forKey: .state)
            try container.encode(predicates, forKey: .predicates)
        }
    }

    extension TableMachine: Decodable
    where Syntax: SharedTable, Syntax.State: Decodable, Syntax.Predicates: Decodable {
        /// Reads state and predicates; the table is the one that all share.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: TableMachineKeys.self)
            self.init(
                Syntax.table, state: try container.decode(Syntax.State.self, forKey: .state),
                predicates: try container.decode(Syntax.Predicates.self, forKey: .predicates))
        }
    }
#endif

extension TableMachine: Restorable where Syntax.State: Restorable {
    /// The state's.
    @inlinable public static var snapshotVersion: Int { Syntax.State.snapshotVersion }

    /// Moves the instants of the state.
    @inlinable
    public mutating func shiftInstants(by duration: Duration) {
        state.shiftInstants(by: duration)
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
    public var listens: KindSet<Syntax.Event.Kind> {
        table.listens(at: table.states.place(of: state))
    }
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
