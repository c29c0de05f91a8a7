/// The vocabulary of a table, and with it the words in which the table is written.
///
///     enum Turnstile: TableSyntax {
///         enum State: UInt8, Enumerated { case locked, unlocked }
///         enum Event: UInt8, Enumerated { case coin, pass }
///         enum Command { case unlock, thank, alarm, lock }
///
///         static let table = Result(catching: {
///             try Table<Turnstile>(initial: .locked) {
///                 define(.locked) {
///                     when(.coin).then(.unlocked).commands(.unlock)
///                     when(.pass).then(.locked).commands(.alarm)
///                 }
///                 define(.unlocked) {
///                     when(.coin).then(.unlocked).commands(.thank)
///                     when(.pass).then(.locked).commands(.lock)
///                 }
///             }
///         })
///     }
///
/// The order of the words in a row is `matching` or `condition`, `when`, `then`, `commands`; what
/// several rows have in common goes round them as a block.
///
/// Every word that can begin a row or a block is a type as well, for which an alias may be as short
/// as one likes: ``Define``, ``SuperState``, ``When``, ``Then``, ``Matching``, which stands for
/// `condition`, too, ``Commanding`` for `commands` and ``Override``.
///
///     typealias d = Define<Turnstile>
///     typealias w = When<Turnstile>
///     typealias t = Then<Turnstile>
///
///     d(.locked) {
///         w(.coin).then(.unlocked).commands(.unlock)
///         t(.locked) { w(.pass).commands(.alarm) }
///     }
///
/// The words that go on with a row are methods, which no alias can name: they become shorter in an
/// extension of one's own. A block for three predicates or more is `matching` as a function, or
/// nests, since the compiler would take the block for one predicate more.
///
/// The compiler's time grows with the square of the rows between the braces of a table: 15 s for a
/// thousand. A table of more than a hundred is best written in pieces, which take it 0.7 s for a
/// thousand, or as an array, `{ [define(.locked) { … }, …] }`, which takes 1.3 s.
///
///     static func table() throws -> Table<Self> {
///         let locked = define(.locked) { … }
///         let unlocked = define(.unlocked) { … }
///         return try Table(initial: .locked) {
///             locked
///             unlocked
///         }
///     }
public protocol TableSyntax {
    /// The states, with payloads or without; text, numbers or the like, see ``Valued``.
    associatedtype State: Kinded, Sendable
    /// The events, likewise.
    associatedtype Event: Kinded, Sendable
    /// The commands.
    associatedtype Command: Sendable
    /// The facts that rows may ask for with `matching`: ``NoPredicates`` unless stated.
    associatedtype Predicates: PredicateSet = NoPredicates
}

/// The vocabulary of a table in whose states a machine waits: its ``TableMachine`` is a
/// ``TimedMachine``.
public protocol TimedSyntax: TableSyntax {
    /// When a machine in this state wants to hear that time has passed, or nil while it waits for
    /// nothing.
    static func deadline(of state: State) -> Instant?
}

extension TableSyntax {
    /// The transitions of one state.
    ///
    /// A state that adopts super states has their rows and commands as well: it is entered after
    /// them and left before them. A second `define` of a state adds to the first.
    public static func define(
        _ state: State.Kind, adopts: SuperState<Self>..., onEntry: [Command] = [],
        onExit: [Command] = [], file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column,
        @RowsBuilder<Self, Complete> _ rows: () -> [RowNode<Self>]
    ) -> Define<Self> {
        Define(
            state: .kind(state), adopts: adopts, onEntry: onEntry, onExit: onExit, rows: rows(),
            isFinal: false, at: SourceLocation(file, line, column))
    }

    /// A state that has no transitions but those it adopts.
    public static func define(
        _ state: State.Kind, adopts: SuperState<Self>..., onEntry: [Command] = [],
        onExit: [Command] = [], file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) -> Define<Self> {
        Define(
            state: .kind(state), adopts: adopts, onEntry: onEntry, onExit: onExit, rows: nil,
            isFinal: false, at: SourceLocation(file, line, column))
    }

    /// A state that is an end: it has no exit, and no event needs to be decided in it.
    public static func final(
        _ state: State.Kind, onEntry: [Command] = [], file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column
    ) -> Define<Self> {
        Define(
            state: .kind(state), adopts: [], onEntry: onEntry, onExit: [], rows: nil, isFinal: true,
            at: SourceLocation(file, line, column))
    }

    /// Rows and commands for states to adopt.
    public static func superState(
        adopts: SuperState<Self>..., onEntry: [Command] = [], onExit: [Command] = [],
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        @RowsBuilder<Self, Complete> _ rows: () -> [RowNode<Self>]
    ) -> SuperState<Self> {
        SuperState(
            adopts: adopts, onEntry: onEntry, onExit: onExit, rows: rows(),
            at: SourceLocation(file, line, column))
    }

    /// A super state of commands alone, or one that brings others together.
    public static func superState(
        adopts: SuperState<Self>..., onEntry: [Command] = [], onExit: [Command] = [],
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> SuperState<Self> {
        SuperState(
            adopts: adopts, onEntry: onEntry, onExit: onExit, rows: nil,
            at: SourceLocation(file, line, column))
    }

    /// The start of a row: the events that it is about.
    public static func when(
        _ event: Event.Kind, or others: Event.Kind..., file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column
    ) -> When<Self> {
        When([event] + others, at: SourceLocation(file, line, column))
    }

    /// The start of a row that holds only while a function of state and event says so.
    ///
    /// The function is opaque: two rows that differ in their conditions alone still clash. When it
    /// says no, the event is ignored.
    public static func condition(
        _ holds: @escaping @Sendable (State, Event) -> Bool, file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column
    ) -> Matching<Self> {
        Matching(holds, file: file, line: line, column: column)
    }

    /// Rows that replace inherited ones for the same event and the same predicates.
    public static func `override`(
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        @RowsBuilder<Self, Complete> _ rows: () -> [RowNode<Self>]
    ) -> Block<Self, Complete> {
        Override(file: file, line: line, column: column)(rows: rows)
    }
}

extension TableSyntax {
    /// The start of a row that asks for one of these values of a predicate.
    public static func matching<P: Predicate>(
        _ value: P, or others: P..., file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) -> Matching<Self> {
        Matching([value] + others, at: SourceLocation(file, line, column))
    }

    /// The start of a row that asks for values of two predicates at once.
    public static func matching<P: Predicate, Q: Predicate>(
        _ value: P, or others: P..., and second: Q, file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column
    ) -> Matching<Self> {
        Matching([value] + others, and: second, at: SourceLocation(file, line, column))
    }

    #if !hasFeature(Embedded)
        /// The start of a row that asks for values of three predicates or more at once.
        public static func matching<P: Predicate, Q: Predicate, R: Predicate, each S: Predicate>(
            _ value: P, or others: P..., and second: Q, _ third: R, _ more: repeat each S,
            file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
        ) -> Matching<Self> {
            Matching(
                [value] + others, and: second, third, repeat each more,
                at: SourceLocation(file, line, column))
        }
    #endif
}
