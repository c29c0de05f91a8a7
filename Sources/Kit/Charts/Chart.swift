public import StateMachines

/// A row in its place.
struct ChartRowPlace<Syntax: ChartSyntax>: Sendable {
    /// What a row is taken for.
    enum Cue: Sendable {
        case events([Int])
        case any
        case done(Int)
        case timeout(Int)
        case always
    }

    let cue: Cue
    /// The state that the row belongs to.
    let node: Int
    let entrance: ChartEntrance<Syntax>
    let isInternal: Bool
    let reason: Reason?
    let conditions: [@Sendable (Situation<Syntax>) -> Bool]
    let location: SourceLocation

    /// Whether the row is about what happens.
    func answers(_ occurrence: ChartOccurrence) -> Bool {
        switch (cue, occurrence) {
        case (.events(let kinds), .event(let kind)): kinds.contains(kind)
        case (.any, .event), (.any, .done), (.always, .nothing): true
        case (.done(let one), .done(let other)), (.timeout(let one), .timeout(let other)):
            one == other
        case (.events, _), (.any, _), (.done, _), (.timeout, _), (.always, _): false
        }
    }
}

/// What rows are looked for: a kind of event, a state that is done, a timeout, or no event.
enum ChartOccurrence {
    case event(Int)
    case done(Int)
    case timeout(Int)
    case nothing
}

/// A checked chart: states inside states and side by side, with rows that lead from one to another.
///
/// A chart never changes and serves any number of machines. A machine of it does what SCXML, the
/// W3C's notation for statecharts, lays down: rows of inner states come first, then the order in
/// which they are written; a row leaves states from the inside out, does its own commands, and
/// enters states from the outside in.
///
///     var (door, first) = try Door.chart.get().start()
///     let outcome = door.handle(.pull)
public final class Chart<Syntax: ChartSyntax>: Sendable {
    let tree: ChartTree<Syntax>
    let rows: [ChartRowPlace<Syntax>]
    let timers: [ChartTimer<Syntax>]
    /// The place of each state; below 0 for those that the chart does not have.
    let places: [Int]
    /// The states without states inside them.
    let leaves: UInt64
    /// The states that have rows without an event.
    let eager: UInt64
    /// The final states at the top.
    let ends: UInt64
    let clock: ChartClock<Syntax.Event>?
    /// How many steps of its own one event from outside may lead to.
    public let stepLimit: Int

    /// Checks the parts and puts each in its place.
    ///
    /// - Parameters:
    ///   - tolerance: what the chart may leave open: nothing, unless stated.
    ///   - stepLimit: how many steps of its own one event from outside may lead to: rows without an
    ///     event, events of its own, timeouts. What is beyond is a ``ChartLoss``.
    /// - Throws: all mistakes at once, each with its places.
    public init(
        tolerating tolerance: ChartTolerance = [], stepLimit: Int = 1_000,
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        @ChartBuilder<Syntax> _ parts: () -> [ChartPart<Syntax>]
    ) throws(ChartError) {
        let whole = ChartDeclaration(
            state: nil, shape: .composite, parts: parts(),
            location: SourceLocation(file, line, column))
        let compiler = try ChartCompiler(whole, tolerating: tolerance)
        tree = compiler.tree
        rows = compiler.rows
        timers = compiler.timers
        places = compiler.places
        clock = compiler.clock
        leaves = compiler.places(where: { $0.children == 0 })
        ends = compiler.places(where: { $0.shape == .final && $0.parent == 0 })
        eager = compiler.rows.reduce(0) {
            $1.answers(.nothing) ? $0 | .bit($1.node) : $0
        }
        self.stepLimit = stepLimit
    }

    func isActive(_ state: Syntax.State, in configuration: UInt64) -> Bool {
        let place = places[state.ordinal]
        return place >= 0 && configuration.contains(place)
    }

    /// The states at these places, but for the chart itself.
    func states(at places: UInt64) -> KindSet<Syntax.State> {
        var states = KindSet<Syntax.State>()
        var rest = places
        while let place = rest.removeFirstPlace() {
            if let state = tree.nodes[place].state { states.insert(state) }
        }
        return states
    }
}

extension Chart {
    /// A machine in the initial states, and what is to be done about them.
    ///
    /// A chart with `after` starts at an instant: see ``start(context:at:)``.
    public func start(
        context: Syntax.Context
    ) -> (machine: ChartMachine<Syntax>, commands: Commands<Syntax.Command>) {
        precondition(timers.isEmpty, "a chart with timeouts starts at an instant")
        return begin(context, at: .zero)
    }

    private func begin(
        _ context: Syntax.Context, at now: Instant
    ) -> (machine: ChartMachine<Syntax>, commands: Commands<Syntax.Command>) {
        var machine = ChartMachine(self, context)
        var commands = Commands<Syntax.Command>()
        machine.begin(at: now) { commands.append($0) }
        return (machine, commands)
    }
}

extension Chart where Syntax.Context == NoContext {
    /// A machine in the initial states, and what is to be done about them.
    public func start() -> (machine: ChartMachine<Syntax>, commands: Commands<Syntax.Command>) {
        start(context: NoContext())
    }
}

extension Chart where Syntax.Event: TimedEvent {
    /// A machine in the initial states, which it has entered at `now`.
    public func start(
        context: Syntax.Context, at now: Instant
    ) -> (machine: ChartMachine<Syntax>, commands: Commands<Syntax.Command>) {
        begin(context, at: now)
    }
}

extension Chart where Syntax.Event: TimedEvent, Syntax.Context == NoContext {
    /// A machine in the initial states, which it has entered at `now`.
    public func start(
        at now: Instant
    ) -> (machine: ChartMachine<Syntax>, commands: Commands<Syntax.Command>) {
        begin(NoContext(), at: now)
    }
}
