/// Rows that say everything: event and target.
public enum Complete {}
/// Rows inside `when`, which give the target alone.
public enum Eventless {}
/// Rows inside `then`, which give the event alone.
public enum Targetless {}
/// Rows inside both `when` and `then`, which give predicates, conditions or commands alone.
public enum Bare {}

/// What a row does when it is taken.
@usableFromInline
enum Target<State: Sendable & Kinded, Event: Sendable>: Sendable {
    case stay
    case enter(State)
    case compute([State.Kind], @Sendable (State, Event) -> State)
    case ignore(Reason)
}

/// A command of a row: fixed, or worked out from state and event.
@usableFromInline
enum RowCommand<State: Sendable, Event: Sendable, Command: Sendable>: Sendable {
    case fixed(Command)
    case computed(@Sendable (State, Event) -> Commands<Command>)
}

/// One row of a table as it was written, or an empty block.
public struct RowNode<Syntax: TableSyntax>: Sendable {
    let location: SourceLocation
    var clauses: [Clause]
    @usableFromInline var conditions: [@Sendable (Syntax.State, Syntax.Event) -> Bool]
    var events: [Named<Syntax.Event>]
    @usableFromInline var target: Target<Syntax.State, Syntax.Event>?
    @usableFromInline var commands: [RowCommand<Syntax.State, Syntax.Event, Syntax.Command>] = []
    /// The state and the event whose payloads the row works with, if it does.
    var worksWith: (state: Syntax.State.Kind, event: Syntax.Event.Kind)?
    /// Whether a transition to the same state leaves and enters it, whatever the table's policy.
    @usableFromInline var reenters = false
    var isOverride = false
    var isEmptyBlock = false

    init(
        at location: SourceLocation, clauses: [Clause] = [],
        conditions: [@Sendable (Syntax.State, Syntax.Event) -> Bool] = [],
        events: [Named<Syntax.Event>] = []
    ) {
        self.location = location
        self.clauses = clauses
        self.conditions = conditions
        self.events = events
    }

    /// The kinds of state that the row names as its targets.
    var targets: [Syntax.State.Kind] {
        switch target {
        case .enter(let state): [state.kind]
        case .compute(let kinds, _): kinds
        case .stay, .ignore, nil: []
        }
    }

    /// What stands for a block without rows.
    static func emptyBlock(at location: SourceLocation) -> RowNode {
        var node = RowNode(at: location)
        node.isEmptyBlock = true
        return node
    }

    /// The row inside a block: what the block's head says goes before what the row says itself.
    ///
    /// Shapes see to it that not both name events or a target.
    func placed(under head: RowNode) -> RowNode {
        var row = self
        row.clauses = head.clauses + clauses
        row.conditions = head.conditions + conditions
        row.events = head.events + events
        row.target = target ?? head.target
        row.commands = head.commands + commands
        row.reenters = reenters || head.reenters
        row.isOverride = isOverride || head.isOverride
        return row
    }
}

/// A row that goes as far as its predicates and conditions.
public struct Matching<Syntax: TableSyntax>: Sendable {
    private(set) var node: RowNode<Syntax>

    init(_ node: RowNode<Syntax>) {
        self.node = node
    }

    /// A row that holds only while a function of state and event says so; what `condition` makes.
    public init(
        _ holds: @escaping @Sendable (Syntax.State, Syntax.Event) -> Bool,
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) {
        node = RowNode(at: SourceLocation(file, line, column), conditions: [holds])
    }

    private static func clause<P: Predicate>(_ values: [P], at location: SourceLocation) -> Clause {
        let type = PredicateType(P.self, place: Syntax.Predicates.place(of: P.self))
        return Clause(values, of: type, at: location)
    }

    init<P: Predicate>(_ values: [P], at location: SourceLocation) {
        node = RowNode(at: location, clauses: [Self.clause(values, at: location)])
    }

    init<P: Predicate, Q: Predicate>(
        _ values: [P], and second: Q, at location: SourceLocation
    ) {
        self.init(values, at: location)
        node.clauses.append(Self.clause([second], at: location))
    }

    /// A row that asks for one of these values of a predicate; what `matching` makes.
    public init<P: Predicate>(
        _ value: P, or others: P..., file: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) {
        self.init([value] + others, at: SourceLocation(file, line, column))
    }

    /// A row that asks for values of two predicates at once; what `matching` makes.
    public init<P: Predicate, Q: Predicate>(
        _ value: P, or others: P..., and second: Q, file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column
    ) {
        self.init([value] + others, and: second, at: SourceLocation(file, line, column))
    }

    #if !hasFeature(Embedded)
        init<P: Predicate, Q: Predicate, R: Predicate, each S: Predicate>(
            _ values: [P], and second: Q, _ third: R, _ more: repeat each S,
            at location: SourceLocation
        ) {
            self.init(values, and: second, at: location)
            node.clauses.append(Self.clause([third], at: location))
            for other in repeat each more {
                node.clauses.append(Self.clause([other], at: location))
            }
        }

        /// A row that asks for values of three predicates or more at once; what `matching` makes.
        public init<P: Predicate, Q: Predicate, R: Predicate, each S: Predicate>(
            _ value: P, or others: P..., and second: Q, _ third: R, _ more: repeat each S,
            file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
        ) {
            self.init(
                [value] + others, and: second, third, repeat each more,
                at: SourceLocation(file, line, column))
        }
    #endif

    /// The same, asking for a further condition.
    public func condition(
        _ holds: @escaping @Sendable (Syntax.State, Syntax.Event) -> Bool
    ) -> Matching {
        var node = node
        node.conditions.append(holds)
        return Matching(node)
    }

    /// The events that the row is about.
    public func when(_ event: Syntax.Event.Kind, or others: Syntax.Event.Kind...) -> When<Syntax> {
        about(([event] + others).map { .kind($0) })
    }

    func about(_ events: [Named<Syntax.Event>]) -> When<Syntax> {
        var node = node
        node.events = events
        return When(node)
    }

    /// The state that the row leads to.
    public func then(_ state: Syntax.State) -> Row<Syntax, Eventless> {
        Row(node, target: .enter(state))
    }

    /// The row leads nowhere else.
    public func then() -> Row<Syntax, Eventless> { Row(node, target: .stay) }

    /// The event is expected and changes nothing.
    public func ignored(_ reason: Reason) -> Row<Syntax, Eventless> {
        Row(node, target: .ignore(reason))
    }

    /// What is to be done.
    public func commands(_ commands: Syntax.Command...) -> Row<Syntax, Bare> {
        Row(node, target: nil).adding(commands)
    }
}

/// A row that goes as far as its events.
public struct When<Syntax: TableSyntax>: Sendable {
    let node: RowNode<Syntax>

    init(_ node: RowNode<Syntax>) {
        self.node = node
    }

    init(_ events: [Syntax.Event.Kind], at location: SourceLocation) {
        node = RowNode(at: location, events: events.map { .kind($0) })
    }

    /// A row about these events; what ``TableSyntax/when(_:or:file:line:column:)`` makes.
    public init(
        _ event: Syntax.Event.Kind, or others: Syntax.Event.Kind..., file: StaticString = #fileID,
        line: UInt = #line, column: UInt = #column
    ) {
        self.init([event] + others, at: SourceLocation(file, line, column))
    }

    /// The state that the row leads to.
    public func then(_ state: Syntax.State) -> Row<Syntax, Complete> {
        Row(node, target: .enter(state))
    }

    /// The row leads nowhere else.
    public func then() -> Row<Syntax, Complete> { Row(node, target: .stay) }

    /// The state that the row leads to, worked out from the present state and the event.
    ///
    /// - Parameters:
    ///   - kind: a kind of state that may come of it.
    ///   - others: all further kinds that may; another one is a programming error.
    ///   - update: the new state.
    public func then(
        _ kind: Syntax.State.Kind, or others: Syntax.State.Kind...,
        by update: @escaping @Sendable (Syntax.State, Syntax.Event) -> Syntax.State
    ) -> Row<Syntax, Complete> {
        Row(node, target: .compute([kind] + others, update))
    }

    /// The state that the row leads to, worked out from the payloads of state and event.
    ///
    ///     when(.coin).then(.locked, or: .unlocked, from: .locked, with: .coin) { credit, value in
    ///         credit + value >= fare ? .unlocked : .locked(credit: credit + value)
    ///     }
    public func then<Held, Brought>(
        _ kind: Syntax.State.Kind, or others: Syntax.State.Kind...,
        from state: Case<Syntax.State, Held>, with event: Case<Syntax.Event, Brought>,
        by update: @escaping @Sendable (Held, Brought) -> Syntax.State
    ) -> Row<Syntax, Complete> {
        var node = node
        node.worksWith = (state.kind, event.kind)
        return Row(
            node,
            target: .compute([kind] + others) {
                update(state.payload(of: $0), event.payload(of: $1))
            })
    }

    /// The event is expected and changes nothing.
    public func ignored(_ reason: Reason) -> Row<Syntax, Complete> {
        Row(node, target: .ignore(reason))
    }

    /// What is to be done.
    public func commands(_ commands: Syntax.Command...) -> Row<Syntax, Targetless> {
        Row(node, target: nil).adding(commands)
    }
}

/// A row that may still be given commands.
public struct Row<Syntax: TableSyntax, Shape>: Sendable {
    var node: RowNode<Syntax>

    init(_ node: RowNode<Syntax>, target: Target<Syntax.State, Syntax.Event>?) {
        self.node = node
        self.node.target = target
    }

    /// What is to be done, after what was said before.
    public func commands(_ commands: Syntax.Command...) -> Row { adding(commands) }

    /// What is to be done, worked out from the state before and the event.
    public func commands(
        by work: @escaping @Sendable (Syntax.State, Syntax.Event) -> Commands<Syntax.Command>
    ) -> Row {
        var row = self
        row.node.commands.append(.computed(work))
        return row
    }

    /// The state is left and entered even if it is the same, and its commands are run: what
    /// ``EntryExitPolicy/always`` says of all rows.
    public func reentering() -> Row {
        var row = self
        row.node.reenters = true
        return row
    }

    func adding(_ commands: [Syntax.Command]) -> Row {
        var row = self
        row.node.commands.append(contentsOf: commands.map { .fixed($0) })
        return row
    }
}

/// A case of an enum with the way to its payload, so that rows can use it without a cast.
///
///     extension Case<Turnstile.State, Int> {
///         static let locked = Case(.locked) {
///             if case .locked(let credit) = $0 { credit } else { nil }
///         }
///     }
public struct Case<Whole: Kinded, Payload>: Sendable {
    /// Which case it is.
    public let kind: Whole.Kind
    private let extract: @Sendable (Whole) -> Payload?

    /// The case of this kind, whose payload `extract` finds; in another case it finds nil.
    public init(_ kind: Whole.Kind, _ extract: @escaping @Sendable (Whole) -> Payload?) {
        self.kind = kind
        self.extract = extract
    }

    /// The payload of `whole`, or nil when it is another case.
    public func value(of whole: Whole) -> Payload? { extract(whole) }

    /// The payload. The table has seen to it that `whole` is this case.
    func payload(of whole: Whole) -> Payload {
        guard let payload = extract(whole) else {
            preconditionFailure("a case does not find its own payload")
        }
        return payload
    }
}
