public import StateMachines

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
    @usableFromInline let tree: ChartTree
    /// The state at each place; nil for the chart itself.
    let states: [Syntax.State?]
    /// The place of each state; below 0 for those that the chart does not have.
    let places: [Int]
    /// Lists of actions, conditions of rows, and why rows ignore an event.
    @usableFromInline let actions: [[ChartAction<Syntax>]]
    @usableFromInline let conditions: [[ChartCondition<Syntax>]]
    @usableFromInline let reasons: [Reason?]
    @usableFromInline let delays: [ChartDelay<Syntax>]
    @usableFromInline let clock: ChartClock<Syntax.Event>?
    /// The states that have rows without an event.
    @usableFromInline let eager: ChartPlaces
    /// The final states at the top.
    @usableFromInline let ends: ChartPlaces
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
        states = compiler.states
        places = compiler.places
        actions = compiler.actions
        conditions = compiler.rows.map { $0.conditions }
        reasons = compiler.rows.map { $0.reason }
        delays = compiler.delays
        clock = Syntax.clock
        ends = tree.places { $0.shape == .final && $0.parent == 0 }
        let rows = tree.rows
        eager = tree.places { $0.rows.contains { rows[$0].answers(.nothing) } }
        self.stepLimit = stepLimit
    }

    func isActive(_ state: Syntax.State, in configuration: ChartPlaces) -> Bool {
        let place = places[state.ordinal]
        return place >= 0 && configuration.contains(place)
    }

    /// The states at these places, but for the chart itself.
    func states(at places: ChartPlaces) -> KindSet<Syntax.State> {
        var states = KindSet<Syntax.State>()
        var rest = places
        while let place = rest.removeFirstPlace() {
            if let state = self.states[place] { states.insert(state) }
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
        precondition(delays.isEmpty, "a chart with timeouts starts at an instant")
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
