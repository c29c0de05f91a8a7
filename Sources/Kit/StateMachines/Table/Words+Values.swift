// The words that name a value, instead of all values of a kind: see `Valued`. They are words of
// their own, since overloads of the others would make the compiler's errors about those worse.

extension TableSyntax where State: Valued {
    /// The transitions of one value of a state.
    ///
    /// What ``define(_:adopts:onEntry:onExit:file:line:column:_:)`` says of the value's kind holds
    /// for the value as well, as if it adopted it; its own rows are the more specific ones.
    public static func defineValue(
        _ state: State, adopts: SuperState<Self>..., onEntry: [Command] = [],
        onExit: [Command] = [], file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column,
        @RowsBuilder<Self, Complete> _ rows: () -> [RowNode<Self>]
    ) -> Define<Self> {
        Define(
            state: .value(state), adopts: adopts, onEntry: onEntry, onExit: onExit, rows: rows(),
            isFinal: false, at: SourceLocation(file, line, column))
    }

    /// A value of a state that has no transitions but those it adopts.
    public static func defineValue(
        _ state: State, adopts: SuperState<Self>..., onEntry: [Command] = [],
        onExit: [Command] = [], file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) -> Define<Self> {
        Define(
            state: .value(state), adopts: adopts, onEntry: onEntry, onExit: onExit, rows: nil,
            isFinal: false, at: SourceLocation(file, line, column))
    }

    /// A value of a state that is an end.
    public static func finalValue(
        _ state: State, onEntry: [Command] = [], file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) -> Define<Self> {
        Define(
            state: .value(state), adopts: [], onEntry: onEntry, onExit: [], rows: nil,
            isFinal: true, at: SourceLocation(file, line, column))
    }
}

extension TableSyntax where Event: Valued {
    /// The start of a row: the values of events that it is about.
    ///
    /// It goes before a row about the kind of these events, as if it asked for one predicate more.
    public static func whenValue(
        _ event: Event, or others: Event..., file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) -> When<Self> {
        When(values: [event] + others, at: SourceLocation(file, line, column))
    }

    /// Rows that are all about these values of events.
    public static func whenValue(
        _ event: Event, or others: Event..., file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column, @RowsBuilder<Self, Eventless> rows: () -> [RowNode<Self>]
    ) -> Block<Self, Complete> {
        When<Self>(values: [event] + others, at: SourceLocation(file, line, column))(rows: rows)
    }

    /// Rows that are all about these values of events, inside a block that gives the target.
    public static func whenValue(
        _ event: Event, or others: Event..., file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column, @RowsBuilder<Self, Bare> rows: () -> [RowNode<Self>]
    ) -> Block<Self, Targetless> {
        When<Self>(values: [event] + others, at: SourceLocation(file, line, column))(rows: rows)
    }
}

extension When where Syntax.Event: Valued {
    init(values: [Syntax.Event], at location: SourceLocation) {
        self.init(RowNode(at: location, events: values.map { .value($0) }))
    }
}

extension Matching where Syntax.Event: Valued {
    /// The values of events that the row is about.
    public func whenValue(_ event: Syntax.Event, or others: Syntax.Event...) -> When<Syntax> {
        about(([event] + others).map { .value($0) })
    }
}
