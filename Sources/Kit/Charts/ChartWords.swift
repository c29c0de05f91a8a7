public import StateMachines

/// A state of a chart with all that is inside it, or a line.
public struct ChartPart<Syntax: ChartSyntax>: Sendable {
    enum Content: Sendable {
        case emptyBlock
        case state(ChartDeclaration<Syntax>)
        case line(ChartText<Syntax>)
    }

    let content: Content

    init(_ content: Content) {
        self.content = content
    }

    init(
        _ state: Syntax.State, as shape: ChartShape, _ parts: [ChartPart],
        at location: SourceLocation
    ) {
        content = .state(
            ChartDeclaration(state: state, shape: shape, parts: parts, location: location))
    }
}

/// A state as it was written; without a state of its own it is the chart.
struct ChartDeclaration<Syntax: ChartSyntax>: Sendable {
    let state: Syntax.State?
    let shape: ChartShape
    let parts: [ChartPart<Syntax>]
    let location: SourceLocation
}

/// Collects the parts of a chart or of a state.
@resultBuilder
public enum ChartBuilder<Syntax: ChartSyntax> {
    /// A state.
    public static func buildExpression(_ part: ChartPart<Syntax>) -> [ChartPart<Syntax>] { [part] }
    /// States and lines that were made elsewhere.
    public static func buildExpression(_ parts: [ChartPart<Syntax>]) -> [ChartPart<Syntax>] {
        parts
    }
    /// A line.
    public static func buildExpression<Role>(
        _ line: ChartLine<Syntax, Role>
    ) -> [ChartPart<Syntax>] {
        [ChartPart(.line(line.text))]
    }
    /// Lines that were made elsewhere.
    public static func buildExpression<Role>(
        _ lines: [ChartLine<Syntax, Role>]
    ) -> [ChartPart<Syntax>] {
        lines.map { ChartPart(.line($0.text)) }
    }
    /// Nothing, which is a mistake: what was made elsewhere may be nothing.
    public static func buildBlock() -> [ChartPart<Syntax>] { [ChartPart(.emptyBlock)] }
    /// One part after the other.
    public static func buildBlock(_ parts: [ChartPart<Syntax>]...) -> [ChartPart<Syntax>] {
        parts.flatMap { $0 }
    }
    /// The parts of a loop.
    public static func buildArray(_ parts: [[ChartPart<Syntax>]]) -> [ChartPart<Syntax>] {
        parts.flatMap { $0 }
    }
    /// Parts under a condition.
    public static func buildOptional(_ parts: [ChartPart<Syntax>]?) -> [ChartPart<Syntax>] {
        parts ?? []
    }
    /// Parts if a condition holds.
    public static func buildEither(first parts: [ChartPart<Syntax>]) -> [ChartPart<Syntax>] {
        parts
    }
    /// Parts if it does not.
    public static func buildEither(second parts: [ChartPart<Syntax>]) -> [ChartPart<Syntax>] {
        parts
    }
}

extension ChartSyntax {
    /// A state without states inside it, and without rows of its own.
    public static func state(
        _ state: State, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> ChartPart<Self> {
        ChartPart(state, as: .leaf, [], at: SourceLocation(file, line, column))
    }

    /// A state with its lines, and with the states inside it, of which one at a time is active.
    public static func state(
        _ state: State, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        @ChartBuilder<Self> _ parts: () -> [ChartPart<Self>]
    ) -> ChartPart<Self> {
        ChartPart(state, as: .leaf, parts(), at: SourceLocation(file, line, column))
    }

    /// A state whose states are active side by side, as regions.
    public static func parallel(
        _ state: State, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        @ChartBuilder<Self> _ parts: () -> [ChartPart<Self>]
    ) -> ChartPart<Self> {
        ChartPart(state, as: .parallel, parts(), at: SourceLocation(file, line, column))
    }

    /// A state that ends the one round it, or at the top the chart.
    public static func final(
        _ state: State, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> ChartPart<Self> {
        ChartPart(state, as: .final, [], at: SourceLocation(file, line, column))
    }

    /// A state that ends the one round it, or at the top the chart, with its `onEntry`.
    public static func final(
        _ state: State, file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        @ChartBuilder<Self> _ parts: () -> [ChartPart<Self>]
    ) -> ChartPart<Self> {
        ChartPart(state, as: .final, parts(), at: SourceLocation(file, line, column))
    }

    /// What is entered with the state round this line unless a row says otherwise, and what is to
    /// be done on the way.
    public static func initial(
        _ state: State, _ others: State..., file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) -> ChartHandler<Self> {
        ChartLine(.initial, to: [state] + others, at: SourceLocation(file, line, column))
    }

    /// The state round this line is entered with what was active in this one when it was last
    /// left, unless a row says otherwise.
    public static func initial(
        history state: State, _ depth: ChartHistory = .shallow, file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column
    ) -> ChartHandler<Self> {
        ChartLine(.initial, at: SourceLocation(file, line, column))
            .with { $0.goals = [ChartGoal(state: state, history: depth)] }
    }

    /// Where the history of the state round this line leads before the state was left for the
    /// first time; without this line to its `initial`.
    public static func history(
        _ depth: ChartHistory = .shallow, initially state: State, _ others: State...,
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> ChartHandler<Self> {
        ChartLine(.history(depth), to: [state] + others, at: SourceLocation(file, line, column))
    }

    /// What is to be done when the state is entered, before the states inside it are.
    public static func onEntry(
        _ commands: Command..., file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) -> ChartHandler<Self> {
        ChartLine(.entry, at: SourceLocation(file, line, column))
            .with { $0.actions = commands.map { .perform($0) } }
    }

    /// What is to be done when the state is left, after the states inside it were.
    public static func onExit(
        _ commands: Command..., file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) -> ChartHandler<Self> {
        ChartLine(.exit, at: SourceLocation(file, line, column))
            .with { $0.actions = commands.map { .perform($0) } }
    }
}

extension ChartSyntax {
    /// A row for these events.
    public static func when(
        _ event: Event.Kind, or others: Event.Kind..., file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column
    ) -> ChartRow<Self> {
        ChartLine(.events([event] + others), at: SourceLocation(file, line, column))
    }

    /// A row for every event, and for every state that is done.
    public static func whenAny(
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> ChartRow<Self> {
        ChartLine(.any, at: SourceLocation(file, line, column))
    }

    /// A row for when a final state inside this state was entered; of a parallel one, in all of its
    /// regions.
    public static func when(
        done state: State, file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) -> ChartRow<Self> {
        ChartLine(.done(state), at: SourceLocation(file, line, column))
    }

    /// A row that needs no event: it is taken as soon as its conditions hold, before any event.
    public static func always(
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) -> ChartRow<Self> {
        ChartLine(.always, at: SourceLocation(file, line, column))
    }
}

extension ChartSyntax where Event: TimedEvent {
    /// A row that is taken when the state has been active for so long.
    public static func after(
        _ delay: Duration, file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) -> ChartRow<Self> {
        timeout(.fixed(delay), at: SourceLocation(file, line, column))
    }

    /// A row that is taken when the state has been active for so long as is worked out when it is
    /// entered, after its `onEntry`.
    public static func after(
        by delay: @escaping @Sendable (Situation<Self>) -> Duration, file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column
    ) -> ChartRow<Self> {
        timeout(.computed(delay), at: SourceLocation(file, line, column))
    }

    private static func timeout(
        _ delay: ChartDelay<Self>, at location: SourceLocation
    ) -> ChartRow<Self> {
        ChartLine(.after(delay), at: location)
    }
}
