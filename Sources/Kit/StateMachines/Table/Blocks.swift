/// Rows with something in common, said once round them.
public struct Block<Syntax: TableSyntax, Shape>: Sendable {
    let nodes: [RowNode<Syntax>]

    /// The rows, each with what `head` says put before what it says itself.
    init(_ rows: [RowNode<Syntax>], under head: RowNode<Syntax>) {
        nodes =
            rows.isEmpty ? [.emptyBlock(at: head.location)] : rows.map { $0.placed(under: head) }
    }
}

/// Collects the rows of a block. Each shape of block takes its own rows, so that two events for one
/// row, or two targets, do not compile.
@resultBuilder
public enum RowsBuilder<Syntax: TableSyntax, Shape> {
    /// A row of the right shape.
    public static func buildExpression(_ row: Row<Syntax, Shape>) -> [RowNode<Syntax>] {
        [row.node]
    }
    /// A block of rows of the right shape.
    public static func buildExpression(_ block: Block<Syntax, Shape>) -> [RowNode<Syntax>] {
        block.nodes
    }
    /// Rows that were made elsewhere.
    public static func buildExpression(_ rows: [Row<Syntax, Shape>]) -> [RowNode<Syntax>] {
        rows.map { $0.node }
    }
    /// Blocks that were made elsewhere.
    public static func buildExpression(_ blocks: [Block<Syntax, Shape>]) -> [RowNode<Syntax>] {
        blocks.flatMap { $0.nodes }
    }
    /// One row after the other.
    public static func buildBlock(_ rows: [RowNode<Syntax>]...) -> [RowNode<Syntax>] {
        rows.flatMap { $0 }
    }
}

extension RowsBuilder where Shape == Targetless {
    /// An event alone, inside a block that gives the target.
    public static func buildExpression(_ row: When<Syntax>) -> [RowNode<Syntax>] { [row.node] }
}

extension RowsBuilder where Shape == Bare {
    /// Predicates and conditions alone, inside blocks that give event and target.
    public static func buildExpression(_ row: Matching<Syntax>) -> [RowNode<Syntax>] { [row.node] }
}

extension TableSyntax {
    /// Rows that are all about these events.
    public static func when(
        _ event: Event.Kind, or others: Event.Kind..., file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column,
        @RowsBuilder<Self, Eventless> rows: () -> [RowNode<Self>]
    ) -> Block<Self, Complete> {
        let head = When<Self>([event] + others, at: SourceLocation(file, line, column))
        return head(rows: rows)
    }

    /// Rows that are all about these events, inside a block that gives the target.
    public static func when(
        _ event: Event.Kind, or others: Event.Kind..., file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column,
        @RowsBuilder<Self, Bare> rows: () -> [RowNode<Self>]
    ) -> Block<Self, Targetless> {
        let head = When<Self>([event] + others, at: SourceLocation(file, line, column))
        return head(rows: rows)
    }

    /// Rows that all lead to this state.
    public static func then(
        _ state: State, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        @RowsBuilder<Self, Targetless> rows: () -> [RowNode<Self>]
    ) -> Block<Self, Complete> {
        Then(state, at: SourceLocation(file, line, column))(rows: rows)
    }

    /// Rows that all lead to this state, inside a block that gives the event.
    public static func then(
        _ state: State, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        @RowsBuilder<Self, Bare> rows: () -> [RowNode<Self>]
    ) -> Block<Self, Eventless> {
        Then(state, at: SourceLocation(file, line, column))(rows: rows)
    }

    /// Rows that all have these commands, before their own.
    public static func commands<Shape>(
        _ commands: Command..., file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column, @RowsBuilder<Self, Shape> rows: () -> [RowNode<Self>]
    ) -> Block<Self, Shape> {
        Commanding(commands, at: SourceLocation(file, line, column))(rows: rows)
    }

    /// Rows that all hold only while a function of state and event says so.
    public static func condition<Shape>(
        _ holds: @escaping @Sendable (State, Event) -> Bool, file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column,
        @RowsBuilder<Self, Shape> rows: () -> [RowNode<Self>]
    ) -> Block<Self, Shape> {
        Matching(holds, file: file, line: line, column: column)(rows: rows)
    }
}

extension TableSyntax {
    /// Rows that all ask for a value of one predicate.
    public static func matching<P: Predicate, Shape>(
        _ value: P, or others: P..., file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column, @RowsBuilder<Self, Shape> rows: () -> [RowNode<Self>]
    ) -> Block<Self, Shape> {
        Matching([value] + others, at: SourceLocation(file, line, column))(rows: rows)
    }

    /// Rows that all ask for values of two predicates at once.
    public static func matching<P: Predicate, Q: Predicate, Shape>(
        _ value: P, or others: P..., and second: Q, file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column,
        @RowsBuilder<Self, Shape> rows: () -> [RowNode<Self>]
    ) -> Block<Self, Shape> {
        Matching([value] + others, and: second, at: SourceLocation(file, line, column))(rows: rows)
    }

    #if !hasFeature(Embedded)
        /// Rows that all ask for values of three predicates or more at once.
        public static func matching<
            P: Predicate, Q: Predicate, R: Predicate, each S: Predicate, Shape
        >(
            _ value: P, or others: P..., and second: Q, _ third: R, _ more: repeat each S,
            file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
            @RowsBuilder<Self, Shape> rows: () -> [RowNode<Self>]
        ) -> Block<Self, Shape> {
            let head = Matching<Self>(
                [value] + others, and: second, third, repeat each more,
                at: SourceLocation(file, line, column))
            return head(rows: rows)
        }
    #endif
}
