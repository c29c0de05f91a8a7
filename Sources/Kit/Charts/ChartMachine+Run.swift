public import StateMachines

/// What is known while one event from outside is handled.
@usableFromInline
struct ChartRun<Syntax: ChartSyntax> {
    /// What the chart has to handle by itself.
    @usableFromInline
    enum Pending {
        case raised(Syntax.Event)
        case done(Int)
    }

    @usableFromInline var event: Syntax.Event?
    @usableFromInline var now = Instant.zero
    /// The chart's own queue; those before `next` are handled.
    @usableFromInline var queue: [Pending] = []
    @usableFromInline var next = 0
    @usableFromInline var steps = 0
    @usableFromInline var isCutShort = false

    @inlinable
    init(event: Syntax.Event? = nil) {
        self.event = event
    }
}

// The W3C's algorithm for SCXML: https://www.w3.org/TR/scxml/#AlgorithmforSCXMLInterpretation
extension ChartMachine {
    @usableFromInline typealias Run = ChartRun<Syntax>
    @usableFromInline typealias Perform = (Syntax.Command) -> Void

    /// Enters the initial states.
    @inlinable
    mutating func begin(at now: Instant, _ perform: Perform) {
        var run = Run()
        run.now = now
        enter(chart.tree.initialEntry(histories), &run, perform)
        settle(&run, perform)
    }

    @inlinable
    func situation(_ run: Run) -> Situation<Syntax> {
        Situation(context, run.event, run.now, configuration, chart)
    }

    /// Whether the conditions of a row hold.
    @inlinable
    func holds(_ row: Int, _ run: Run) -> Bool {
        let situation = situation(run)
        return chart.conditions[row].allSatisfy { $0(situation) }
    }

    /// The rows that are taken together.
    @inlinable
    func chosenRows(for occurrence: ChartOccurrence, _ run: Run) -> ChartRows {
        chart.tree.chosenRows(for: occurrence, configuration, histories) { holds($0, run) }
    }

    // MARK: - One step

    /// Leaves states, does the rows' commands and enters states.
    @inlinable
    mutating func take(_ rows: ChartRows, _ run: inout Run, _ perform: Perform) {
        let exits = chart.tree.exits(of: rows, configuration, histories)
        if exits != 0 {
            chart.tree.remember(configuration, leaving: exits, in: &histories)
            leave(exits, &run, perform)
        }
        for number in 0..<rows.count {
            act(chart.tree.rows[rows[number]].entrance.actions, &run, perform)
        }
        if exits != 0 { enter(chart.tree.entry(by: rows, histories), &run, perform) }
    }

    /// Leaves the states at these places, the innermost first.
    @inlinable
    mutating func leave(_ places: ChartPlaces, _ run: inout Run, _ perform: Perform) {
        var rest = places
        while let place = rest.removeLastPlace() {
            act(chart.tree.nodes[place].exit, &run, perform)
            configuration &= ~.bit(place)
            for timer in chart.tree.nodes[place].timers { due[timer] = nil }
        }
    }

    @inlinable
    mutating func enter(_ entry: ChartEntry, _ run: inout Run, _ perform: Perform) {
        // The history of a state round a row's own leads through states that were not left.
        var rest = entry.states & ~configuration
        while let place = rest.removeFirstPlace() {
            configuration |= .bit(place)
            act(chart.tree.nodes[place].entry, &run, perform)
            if entry.byInitial.contains(place) {
                act(chart.tree.nodes[place].initial.actions, &run, perform)
            }
            if entry.byHistory.contains(place) {
                act(chart.tree.actions(ofHistoryOf: place, in: entry), &run, perform)
            }
            for timer in chart.tree.nodes[place].timers {
                due[timer] = run.now + max(chart.delays[timer].duration(situation(run)), .zero)
            }
            let done = chart.tree.done(byEntering: place, configuration)
            if let inner = done.inner { run.queue.append(.done(inner)) }
            if let outer = done.outer { run.queue.append(.done(outer)) }
        }
    }

    /// Does what a line says.
    @inlinable
    mutating func act(_ actions: Int, _ run: inout Run, _ perform: Perform) {
        if actions == 0 { return }
        for action in chart.actions[actions] {
            switch action {
            case .perform(let command): perform(command)
            case .work(let work): work(situation(run)).forEach(perform)
            case .raise(let event): run.queue.append(.raised(event))
            case .raiseWork(let work):
                if let event = work(situation(run)) { run.queue.append(.raised(event)) }
            case .update(let change): change(&context, run.event)
            }
        }
    }

    // MARK: - All steps

    /// Takes rows without an event, then handles the chart's own events, until there are none.
    @inlinable
    mutating func settle(_ run: inout Run, _ perform: Perform) {
        while !hasEnded {
            let isEager = configuration & chart.eager != 0
            let rows = isEager ? chosenRows(for: .nothing, run) : ChartRows()
            if rows.count == 0, run.next == run.queue.count { return }
            guard mayGoOn(&run, perform) else { break }
            if rows.count > 0 {
                take(rows, &run, perform)
                continue
            }
            run.next += 1
            handle(run.queue[run.next - 1], &run, perform)
        }
        while run.next < run.queue.count {
            if case .raised(let event) = run.queue[run.next] { report(.dropped(event), perform) }
            run.next += 1
        }
    }

    @inlinable
    mutating func handle(_ pending: Run.Pending, _ run: inout Run, _ perform: Perform) {
        switch pending {
        case .done(let place):
            run.event = nil
            take(chosenRows(for: .done(place), run), &run, perform)
        case .raised(let event):
            run.event = event
            let rows = chosenRows(for: .event(event.kind.ordinal), run)
            if rows.count == 0 { report(.unhandled(event), perform) }
            take(rows, &run, perform)
        }
    }

    /// Fires what is due, each at its own time, so that it does not matter how late it is told.
    ///
    /// - Returns: whether a timeout was due.
    @inlinable
    mutating func fireTimeouts(
        until now: Instant, _ run: inout Run, _ perform: Perform
    ) -> Bool {
        var hasFired = false
        while !hasEnded, let timer = nextTimer(until: now), mayGoOn(&run, perform) {
            hasFired = true
            run.now = due[timer] ?? now
            run.event = nil
            due[timer] = nil
            take(chosenRows(for: .timeout(timer), run), &run, perform)
            settle(&run, perform)
        }
        return hasFired
    }

    /// The timer that is due first, if it is due by then.
    @usableFromInline
    func nextTimer(until now: Instant) -> Int? {
        var first: Int?
        var earliest = now
        for (timer, instant) in due.enumerated() {
            guard let instant, instant <= earliest, first == nil || instant < earliest else {
                continue
            }
            first = timer
            earliest = instant
        }
        return first
    }

    /// Counts a step, and says once when there were too many.
    @inlinable
    func mayGoOn(_ run: inout Run, _ perform: Perform) -> Bool {
        run.steps += 1
        if run.steps <= chart.stepLimit { return true }
        if !run.isCutShort { report(.endless, perform) }
        run.isCutShort = true
        return false
    }

    @inlinable
    func report(_ loss: ChartLoss<Syntax.Event>, _ perform: Perform) {
        if let command = Syntax.command(for: loss) { perform(command) }
    }
}
