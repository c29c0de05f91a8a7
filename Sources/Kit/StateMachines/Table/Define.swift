/// The statement about one state of a table.
public struct Define<Syntax: TableSyntax>: Sendable {
    let state: Named<Syntax.State>
    let adopts: [SuperState<Syntax>]
    let onEntry: [Syntax.Command]
    let onExit: [Syntax.Command]
    let rows: [RowNode<Syntax>]
    let isFinal: Bool
    let location: SourceLocation

    init(
        state: Named<Syntax.State>, adopts: [SuperState<Syntax>], onEntry: [Syntax.Command],
        onExit: [Syntax.Command], rows: [RowNode<Syntax>]?, isFinal: Bool,
        at location: SourceLocation
    ) {
        self.state = state
        self.adopts = adopts
        self.onEntry = onEntry
        self.onExit = onExit
        self.rows = written(
            rows, isEnough: !(adopts.isEmpty && onEntry.isEmpty && onExit.isEmpty) || isFinal,
            at: location)
        self.isFinal = isFinal
        self.location = location
    }

    /// The transitions of one state; what `define` makes.
    public init(
        _ state: Syntax.State.Kind, adopts: SuperState<Syntax>..., onEntry: [Syntax.Command] = [],
        onExit: [Syntax.Command] = [], file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column,
        @RowsBuilder<Syntax, Complete> _ rows: () -> [RowNode<Syntax>]
    ) {
        self.init(
            state: .kind(state), adopts: adopts, onEntry: onEntry, onExit: onExit, rows: rows(),
            isFinal: false, at: SourceLocation(file, line, column))
    }

    /// A state that has no transitions but those it adopts; what `define` makes.
    public init(
        _ state: Syntax.State.Kind, adopts: SuperState<Syntax>..., onEntry: [Syntax.Command] = [],
        onExit: [Syntax.Command] = [], file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            state: .kind(state), adopts: adopts, onEntry: onEntry, onExit: onExit, rows: nil,
            isFinal: false, at: SourceLocation(file, line, column))
    }
}

/// Rows and commands that states adopt.
public struct SuperState<Syntax: TableSyntax>: Sendable {
    /// Tells the super state from every other one, so that it can be adopted by two ways.
    final class Identity: Sendable {}

    let identity = Identity()
    let adopts: [SuperState<Syntax>]
    let onEntry: [Syntax.Command]
    let onExit: [Syntax.Command]
    let rows: [RowNode<Syntax>]
    let location: SourceLocation

    init(
        adopts: [SuperState<Syntax>], onEntry: [Syntax.Command], onExit: [Syntax.Command],
        rows: [RowNode<Syntax>]?, at location: SourceLocation
    ) {
        self.adopts = adopts
        self.onEntry = onEntry
        self.onExit = onExit
        self.rows = written(
            rows, isEnough: !(adopts.isEmpty && onEntry.isEmpty && onExit.isEmpty), at: location)
        self.location = location
    }

    /// Rows and commands to adopt; what `superState` makes.
    public init(
        adopts: SuperState<Syntax>..., onEntry: [Syntax.Command] = [],
        onExit: [Syntax.Command] = [], file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column,
        @RowsBuilder<Syntax, Complete> _ rows: () -> [RowNode<Syntax>]
    ) {
        self.init(
            adopts: adopts, onEntry: onEntry, onExit: onExit, rows: rows(),
            at: SourceLocation(file, line, column))
    }

    /// A super state of commands alone, or one that brings others together; what `superState`
    /// makes.
    public init(
        adopts: SuperState<Syntax>..., onEntry: [Syntax.Command] = [],
        onExit: [Syntax.Command] = [], file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) {
        self.init(
            adopts: adopts, onEntry: onEntry, onExit: onExit, rows: nil,
            at: SourceLocation(file, line, column))
    }
}

extension SuperState {
    var id: ObjectIdentifier { ObjectIdentifier(identity) }

    /// The super states adopted, each once, however many ways lead to it, but for those known.
    ///
    /// What a super state adopts itself comes before it. Those found are known afterwards.
    static func adopted(
        by first: [SuperState], but known: inout Set<ObjectIdentifier>
    ) -> [SuperState] {
        var all: [SuperState] = []
        func add(_ superStates: [SuperState]) {
            for superState in superStates where !known.contains(superState.id) {
                add(superState.adopts)
                known.insert(superState.id)
                all.append(superState)
            }
        }
        add(first)
        return all
    }
}

/// The rows, or an empty block where there ought to be some: braces with nothing in them always
/// are one; no braces at all only where nothing is adopted and there are no commands either.
private func written<Syntax: TableSyntax>(
    _ rows: [RowNode<Syntax>]?, isEnough: Bool, at location: SourceLocation
) -> [RowNode<Syntax>] {
    if let rows, !rows.isEmpty { return rows }
    if rows == nil, isEnough { return [] }
    return [.emptyBlock(at: location)]
}

/// Collects the statements of a table.
@resultBuilder
public enum TableBuilder<Syntax: TableSyntax> {
    /// A statement about a state.
    public static func buildExpression(_ define: Define<Syntax>) -> [Define<Syntax>] { [define] }
    /// Statements that were made elsewhere.
    public static func buildExpression(_ defines: [Define<Syntax>]) -> [Define<Syntax>] { defines }
    /// One statement after the other.
    public static func buildBlock(_ defines: [Define<Syntax>]...) -> [Define<Syntax>] {
        defines.flatMap { $0 }
    }
}
