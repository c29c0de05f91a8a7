// Some words of a table begin a row or a block. Each of them is a type as well, which a type alias
// can name anew: see `TableSyntax`. A block is opened by calling the value that its word made.

extension When {
    /// Rows that are all about these events.
    public func callAsFunction(
        @RowsBuilder<Syntax, Eventless> rows: () -> [RowNode<Syntax>]
    ) -> Block<Syntax, Complete> {
        Block(rows(), under: node)
    }

    /// Rows that are all about these events, inside a block that gives the target.
    public func callAsFunction(
        @RowsBuilder<Syntax, Bare> rows: () -> [RowNode<Syntax>]
    ) -> Block<Syntax, Targetless> {
        Block(rows(), under: node)
    }
}

extension Matching {
    /// Rows that all ask for these predicates and conditions.
    public func callAsFunction<Shape>(
        @RowsBuilder<Syntax, Shape> rows: () -> [RowNode<Syntax>]
    ) -> Block<Syntax, Shape> {
        Block(rows(), under: node)
    }
}

/// The state that a block of rows leads to.
public struct Then<Syntax: TableSyntax>: Sendable {
    let node: RowNode<Syntax>

    init(_ state: Syntax.State, at location: SourceLocation) {
        var node = RowNode<Syntax>(at: location)
        node.target = .enter(state)
        self.node = node
    }

    /// A block that leads to this state; what `then` makes.
    public init(
        _ state: Syntax.State, file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(state, at: SourceLocation(file, line, column))
    }

    /// Rows that all lead there.
    public func callAsFunction(
        @RowsBuilder<Syntax, Targetless> rows: () -> [RowNode<Syntax>]
    ) -> Block<Syntax, Complete> {
        Block(rows(), under: node)
    }

    /// Rows that all lead there, inside a block that gives the event.
    public func callAsFunction(
        @RowsBuilder<Syntax, Bare> rows: () -> [RowNode<Syntax>]
    ) -> Block<Syntax, Eventless> {
        Block(rows(), under: node)
    }
}

/// What a block of rows has to do.
public struct Commanding<Syntax: TableSyntax>: Sendable {
    let node: RowNode<Syntax>

    init(_ commands: [Syntax.Command], at location: SourceLocation) {
        var node = RowNode<Syntax>(at: location)
        node.commands = commands.map { .fixed($0) }
        self.node = node
    }

    /// A block with these commands; what `commands` makes.
    public init(
        _ commands: Syntax.Command..., file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(commands, at: SourceLocation(file, line, column))
    }

    /// Rows that all have these commands, before their own.
    public func callAsFunction<Shape>(
        @RowsBuilder<Syntax, Shape> rows: () -> [RowNode<Syntax>]
    ) -> Block<Syntax, Shape> {
        Block(rows(), under: node)
    }
}

/// That a block of rows replaces what was inherited.
public struct Override<Syntax: TableSyntax>: Sendable {
    let node: RowNode<Syntax>

    /// A block that overrides; what `override` makes.
    public init(file: StaticString = #fileID, line: UInt = #line, column: UInt = #column) {
        var node = RowNode<Syntax>(at: SourceLocation(file, line, column))
        node.isOverride = true
        self.node = node
    }

    /// Rows that replace inherited ones for the same event and the same predicates.
    public func callAsFunction(
        @RowsBuilder<Syntax, Complete> rows: () -> [RowNode<Syntax>]
    ) -> Block<Syntax, Complete> {
        Block(rows(), under: node)
    }
}
