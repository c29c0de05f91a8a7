public import StateMachines

/// Lines that are taken when something happens, and may lead elsewhere.
public enum Leading {}
/// Lines that say what is to be done on the way in or out, or what is entered first.
public enum Accompanying {}

/// A row: what begins with `when`, `whenAny`, `always` or `after`.
public typealias ChartRow<Syntax: ChartSyntax> = ChartLine<Syntax, Leading>
/// A line that begins with `onEntry`, `onExit`, `initial` or `history`.
public typealias ChartHandler<Syntax: ChartSyntax> = ChartLine<Syntax, Accompanying>

/// When a line applies.
enum ChartCue<Syntax: ChartSyntax>: Sendable {
    case events([Syntax.Event.Kind])
    case any
    case done(Syntax.State)
    case always
    case after(ChartDelay<Syntax>)
    case entry, exit, initial
    case history(ChartHistory)
}

/// How long a timeout waits.
@usableFromInline
enum ChartDelay<Syntax: ChartSyntax>: Sendable {
    case fixed(Duration)
    case computed(@Sendable (Situation<Syntax>) -> Duration)

    @usableFromInline
    func duration(_ situation: Situation<Syntax>) -> Duration {
        switch self {
        case .fixed(let duration): duration
        case .computed(let work): work(situation)
        }
    }
}

/// How to read the times of events: the kit's, for ``ChartSyntax/clock``.
public struct ChartClock<Event: Kinded>: Sendable {
    @usableFromInline let instant: @Sendable (Event) -> Instant
    @usableFromInline let timePassed: Event.Kind
}

/// A state that a line leads to, or the history of a state.
struct ChartGoal<State: Enumerated>: Hashable, Sendable {
    let state: State
    let history: ChartHistory?
}

/// One thing to do.
@usableFromInline
enum ChartAction<Syntax: ChartSyntax>: Sendable {
    case perform(Syntax.Command)
    case work(@Sendable (Situation<Syntax>) -> Commands<Syntax.Command>)
    case raise(Syntax.Event)
    case raiseWork(@Sendable (Situation<Syntax>) -> Syntax.Event?)
    case update(@Sendable (inout Syntax.Context, Syntax.Event?) -> Void)
}

@usableFromInline typealias ChartCondition<Syntax: ChartSyntax> =
    @Sendable (Situation<Syntax>) -> Bool

/// What a line says.
struct ChartText<Syntax: ChartSyntax>: Sendable {
    let cue: ChartCue<Syntax>
    let location: SourceLocation
    var conditions: [ChartCondition<Syntax>] = []
    var goals: [ChartGoal<Syntax.State>] = []
    var isInternal = false
    var reason: Reason?
    var actions: [ChartAction<Syntax>] = []
}

/// One line of a chart: see ``ChartRow`` and ``ChartHandler``.
public struct ChartLine<Syntax: ChartSyntax, Role>: Sendable {
    var text: ChartText<Syntax>

    init(_ cue: ChartCue<Syntax>, to states: [Syntax.State] = [], at location: SourceLocation) {
        text = ChartText(cue: cue, location: location)
        text.goals = states.map { ChartGoal(state: $0, history: nil) }
    }

    /// The same line with this changed.
    func with(_ change: (inout ChartText<Syntax>) -> Void) -> ChartLine {
        var line = self
        change(&line.text)
        return line
    }

    /// What is to be done, after what was said before.
    public func commands(_ commands: Syntax.Command...) -> ChartLine {
        with { $0.actions += commands.map { .perform($0) } }
    }

    /// What is to be done, worked out at that moment.
    public func commands(
        by work: @escaping @Sendable (Situation<Syntax>) -> Commands<Syntax.Command>
    ) -> ChartLine {
        with { $0.actions.append(.work(work)) }
    }

    /// Lets this event happen before any from outside, after those raised already.
    public func raise(_ event: Syntax.Event) -> ChartLine {
        with { $0.actions.append(.raise(event)) }
    }

    /// Lets an event happen that is worked out at that moment; nil raises none.
    public func raise(
        by work: @escaping @Sendable (Situation<Syntax>) -> Syntax.Event?
    ) -> ChartLine {
        with { $0.actions.append(.raiseWork(work)) }
    }

    /// Changes what the machine remembers.
    ///
    /// - Parameter change: gets what is remembered, and the event as ``Situation/event`` has it.
    public func update(
        _ change: @escaping @Sendable (inout Syntax.Context, Syntax.Event?) -> Void
    ) -> ChartLine {
        with { $0.actions.append(.update(change)) }
    }
}

extension ChartLine where Role == Leading {
    /// The row holds only while a function says so; all of several have to. Otherwise the next row
    /// is looked at.
    public func condition(
        _ holds: @escaping @Sendable (Situation<Syntax>) -> Bool
    ) -> ChartLine {
        with { $0.conditions.append(holds) }
    }

    /// The state that the row leads to; several lie in different regions of one parallel state.
    ///
    /// A row that leads nowhere neither leaves nor enters a state. One that leads somewhere leaves
    /// and enters anew all up to the innermost composite state that has its own state and its
    /// target inside.
    public func then(_ state: Syntax.State, _ others: Syntax.State...) -> ChartLine {
        with { $0.goals += ([state] + others).map { ChartGoal(state: $0, history: nil) } }
    }

    /// The row leads to what was active in this state when it was last left.
    public func then(
        history state: Syntax.State, _ depth: ChartHistory = .shallow
    ) -> ChartLine {
        with { $0.goals.append(ChartGoal(state: state, history: depth)) }
    }

    /// The row, which leads to a state inside its own, does not leave its own.
    public func internally() -> ChartLine { with { $0.isInternal = true } }

    /// The event is expected and changes nothing; rows of the states round it do not hear of it.
    public func ignored(_ reason: Reason) -> ChartLine { with { $0.reason = reason } }
}
