public import StateMachines

/// A chart and the states that are active: a machine like any other, which ``Chart`` starts.
///
/// Its commands on the way in are those of all active states, from the outside in, those on the way
/// out the opposite: a machine round it joins them to its own, or a shell that takes up a snapshot
/// runs the first. Events that they raise are left out.
public struct ChartMachine<Syntax: ChartSyntax>: StateMachine {
    /// The chart, which any number of machines share.
    public let chart: Chart<Syntax>
    /// What the machine remembers beside its states.
    public var context: Syntax.Context
    /// The active states by their places, the chart itself among them.
    @usableFromInline var configuration: ChartPlaces = 0
    /// What each history remembers.
    @usableFromInline var histories: [ChartPlaces]
    /// When each timeout is due.
    @usableFromInline var due: [Instant?]

    init(_ chart: Chart<Syntax>, _ context: Syntax.Context) {
        self.chart = chart
        self.context = context
        histories = Array(repeating: 0, count: chart.tree.histories.count)
        due = Array(repeating: nil, count: chart.delays.count)
    }

    /// All active states, those round others too.
    public var active: KindSet<Syntax.State> { chart.states(at: configuration) }

    /// Whether the state is active.
    public func isIn(_ state: Syntax.State) -> Bool { chart.isActive(state, in: configuration) }

    /// Whether a final state at the top is active: then every event is ignored.
    @inlinable public var hasEnded: Bool { configuration & chart.ends != 0 }

    /// Handles the event, and all that the chart then does for itself.
    @inlinable
    public mutating func handle(_ event: Syntax.Event) -> Outcome<Syntax.Command> {
        var commands = Commands<Syntax.Command>()
        let verdict = handle(event) { commands.append($0) }
        return Outcome(verdict, commands)
    }

    /// The same, with each command handed over as it comes.
    @inlinable
    public mutating func handle(
        _ event: Syntax.Event, perform: (Syntax.Command) -> Void
    ) -> Verdict {
        if hasEnded { return .ignored("the chart has ended") }
        var run = ChartRun<Syntax>()
        var hasFired = false
        if let clock = chart.clock {
            let now = clock.instant(event)
            hasFired = fireTimeouts(until: now, &run, perform)
            if event.kind == clock.timePassed {
                return hasFired ? .handled : .ignored("no timeout is due")
            }
            if hasEnded {
                report(.dropped(event), perform)
                return .handled
            }
            run.now = now
        }
        run.event = event
        let rows = chosenRows(for: .event(event.kind.ordinal), run)
        let verdict = verdict(of: rows)
        if case .handled = verdict {
            take(rows, &run, perform)
            settle(&run, perform)
        }
        if !hasFired { return verdict }
        if case .unhandled = verdict { report(.unhandled(event), perform) }
        return .handled
    }

    @inlinable
    func verdict(of rows: ChartRows) -> Verdict {
        var verdict = Verdict.unhandled
        for number in 0..<rows.count {
            guard let reason = chart.reasons[rows[number]] else { return .handled }
            verdict = verdict.joined(with: .ignored(reason))
        }
        return verdict
    }

    /// The regions in which neither the active state nor one round it has a row for the event.
    public func undecidedRegions(of event: Syntax.Event) -> [UndecidedRegion] {
        if hasEnded { return [] }
        var run = ChartRun<Syntax>(event: event)
        if let clock = chart.clock {
            if event.kind == clock.timePassed { return [] }
            run.now = clock.instant(event)
        }
        let nodes = chart.tree.nodes
        var leaves = configuration & chart.tree.leaves
        var undecided: [UndecidedRegion] = []
        while let leaf = leaves.removeFirstPlace() {
            let row = chart.tree.row(for: .event(event.kind.ordinal), from: leaf) { holds($0, run) }
            if row != nil { continue }
            var region = UndecidedRegion(state: name(of: leaf))
            var place = leaf
            while place > 0 {
                let outer = nodes[place].parent
                if nodes[outer].shape == .parallel { region = region.inside(name(of: place)) }
                place = outer
            }
            undecided.append(region)
        }
        return undecided
    }

    private func name(of place: Int) -> String {
        chart.states[place].map { StateMachines.name(of: $0) } ?? ""
    }
}

extension ChartMachine: TimedMachine where Syntax.Event: TimedEvent {
    /// When the next timeout is due; nil for a chart that has ended.
    public var deadline: Instant? {
        hasEnded ? nil : due.reduce(nil) { Instant.earliest($0, $1) }
    }
}

extension ChartMachine: EntryExitMachine {
    /// What is done to enter the active states, without events that are raised.
    public var entryCommands: Commands<Syntax.Command> {
        var copy = self
        var run = ChartRun<Syntax>()
        var commands = Commands<Syntax.Command>()
        copy.configuration = 0
        var rest = configuration
        while let place = rest.removeFirstPlace() {
            copy.configuration |= .bit(place)
            copy.act(chart.tree.nodes[place].entry, &run) { commands.append($0) }
        }
        return commands
    }

    /// What is done to leave all active states, without events that are raised.
    public var exitCommands: Commands<Syntax.Command> {
        var copy = self
        var run = ChartRun<Syntax>()
        var commands = Commands<Syntax.Command>()
        copy.leave(configuration, &run) { commands.append($0) }
        return commands
    }
}

extension ChartMachine: SelectiveMachine {
    /// The kinds of event that some active state has a row for.
    public var listens: KindSet<Syntax.Event.Kind> {
        if hasEnded { return [] }
        var kinds = KindSet<Syntax.Event.Kind>()
        var rest = configuration
        while let place = rest.removeFirstPlace() {
            for row in chart.tree.nodes[place].rows {
                switch chart.tree.rows[row].cue {
                case .events(var ordinals):
                    while let ordinal = ordinals.removeFirstPlace() {
                        kinds.insert(Syntax.Event.Kind(ordinal: ordinal))
                    }
                case .any: return .all
                case .done, .timeout, .always: break
                }
            }
        }
        if let clock = chart.clock, due.contains(where: { $0 != nil }) {
            kinds.insert(clock.timePassed)
        }
        return kinds
    }
}

extension ChartMachine: Equatable where Syntax.Context: Equatable {
    /// Equal when the same chart is in the same states, remembers the same and waits for the same.
    public static func == (a: ChartMachine, b: ChartMachine) -> Bool {
        a.chart === b.chart && a.configuration == b.configuration && a.context == b.context
            && a.histories == b.histories && a.due == b.due
    }
}

extension ChartMachine: Hashable where Syntax.Context: Hashable {
    /// Feeds all but the chart, which is the same for all machines worth comparing.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(configuration)
        hasher.combine(context)
        hasher.combine(histories)
        hasher.combine(due)
    }
}

extension ChartMachine: CustomStringConvertible {
    /// The innermost active states, such as `track + muted`.
    public var description: String {
        chart.states(at: configuration & chart.tree.leaves).kinds.map { StateMachines.name(of: $0) }
            .joined(separator: " + ")
    }
}
