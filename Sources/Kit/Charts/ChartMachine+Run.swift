import StateMachines

/// What is known while one event from outside is handled.
struct ChartRun<Syntax: ChartSyntax> {
    /// What the chart has to handle by itself.
    enum Pending {
        case raised(Syntax.Event)
        case done(Int)
    }

    var event: Syntax.Event?
    var now = Instant.zero
    /// The chart's own queue; those before `next` are handled.
    var queue = Commands<Pending>()
    var next = 0
    var steps = 0
    var isCutShort = false
}

// The W3C's algorithm for SCXML: https://www.w3.org/TR/scxml/#AlgorithmforSCXMLInterpretation
extension ChartMachine {
    typealias Run = ChartRun<Syntax>
    typealias Perform = (Syntax.Command) -> Void

    /// Enters the initial states.
    mutating func begin(at now: Instant, _ perform: Perform) {
        var run = Run(now: now)
        var entry = ChartEntry(into: chart.tree, histories)
        entry.add(.bit(0))
        enter(entry, &run, perform)
        settle(&run, perform)
    }

    func situation(_ run: Run) -> Situation<Syntax> {
        Situation(
            context: context, event: run.event, instant: run.now, configuration: configuration,
            chart: chart)
    }

    // MARK: - Which rows

    /// The rows that are taken together, in document order of the states that they are chosen for.
    func chosenRows(for occurrence: ChartOccurrence, _ run: Run) -> Commands<Int> {
        var rows = Commands<Int>()
        if case .nothing = occurrence, configuration & chart.eager == 0 { return rows }
        let situation = situation(run)
        var leaves = configuration & chart.leaves
        while let leaf = leaves.removeFirstPlace() {
            if let row = row(for: occurrence, from: leaf, situation), !rows.contains(row) {
                rows.append(row)
            }
        }
        return rows.count < 2 ? rows : withoutConflicts(rows)
    }

    /// The first row that holds, of this state or else of the states round it.
    func row(
        for occurrence: ChartOccurrence, from leaf: Int, _ situation: Situation<Syntax>
    ) -> Int? {
        var place = leaf
        while place >= 0 {
            for row in chart.tree.nodes[place].rows
            where chart.rows[row].answers(occurrence)
                && chart.rows[row].conditions.allSatisfy({ $0(situation) })
            {
                return row
            }
            place = chart.tree.nodes[place].parent
        }
        return nil
    }

    /// Of rows that would leave the same state the one from farther inside, else the first.
    private func withoutConflicts(_ rows: Commands<Int>) -> Commands<Int> {
        var kept: UInt64 = 0
        for (number, row) in rows.enumerated() {
            let exits = exits(of: row)
            var replaced: UInt64 = 0
            var isPreempted = false
            var others = kept
            while let other = others.removeFirstPlace() {
                if exits & self.exits(of: rows[other]) == 0 { continue }
                isPreempted = !chart.tree.isBelow(
                    chart.rows[row].node, chart.rows[rows[other]].node)
                if isPreempted { break }
                replaced |= .bit(other)
            }
            if !isPreempted { kept = kept & ~replaced | .bit(number) }
        }
        var result = Commands<Int>()
        while let number = kept.removeFirstPlace() { result.append(rows[number]) }
        return result
    }

    /// The active states that the row leaves.
    private func exits(of row: Int) -> UInt64 {
        guard let domain = chart.tree.domain(of: chart.rows[row], histories) else { return 0 }
        return configuration & chart.tree.nodes[domain].below
    }

    // MARK: - One step

    /// Leaves states, does the rows' commands and enters states.
    mutating func take(_ rows: Commands<Int>, _ run: inout Run, _ perform: Perform) {
        let exits = rows.reduce(0) { $0 | self.exits(of: $1) }
        remember(exits)
        leave(exits, &run, perform)
        for row in rows { act(chart.rows[row].entrance.actions, &run, perform) }
        var entry = ChartEntry(into: chart.tree, histories)
        for row in rows {
            // Anew, since a history may just have changed.
            guard let domain = chart.tree.domain(of: chart.rows[row], histories) else { continue }
            entry.add(chart.rows[row].entrance, inside: domain)
        }
        enter(entry, &run, perform)
    }

    private mutating func remember(_ exits: UInt64) {
        for (number, history) in chart.tree.histories.enumerated()
        where exits.contains(history.node) {
            let node = chart.tree.nodes[history.node]
            switch history.depth {
            case .shallow: histories[number] = configuration & node.children
            case .deep: histories[number] = configuration & node.below & chart.leaves
            }
        }
    }

    /// Leaves the states at these places, the innermost first.
    mutating func leave(_ places: UInt64, _ run: inout Run, _ perform: Perform) {
        var rest = places
        while let place = rest.removeLastPlace() {
            act(chart.tree.nodes[place].exit, &run, perform)
            configuration &= ~.bit(place)
            for timer in chart.tree.nodes[place].timers { due[timer] = nil }
        }
    }

    private mutating func enter(
        _ entry: ChartEntry<Syntax>, _ run: inout Run, _ perform: Perform
    ) {
        var rest = entry.states
        while let place = rest.removeFirstPlace() {
            let node = chart.tree.nodes[place]
            configuration |= .bit(place)
            act(node.entry, &run, perform)
            if entry.byInitial.contains(place), let initial = node.initial {
                act(initial.actions, &run, perform)
            }
            if let history = entry.histories.last(where: { chart.tree.histories[$0].node == place })
            {
                act(chart.tree.histories[history].initially.actions, &run, perform)
            }
            arm(node.timers, &run)
            // A final state at the top ends the chart: there is nobody to tell.
            if node.shape == .final, node.parent > 0 { tellDone(node.parent, &run) }
        }
    }

    private mutating func arm(_ timers: [Int], _ run: inout Run) {
        for timer in timers {
            switch chart.timers[timer].delay {
            case .fixed(let delay): due[timer] = run.now + max(delay, .zero)
            case .computed(let delay): due[timer] = run.now + max(delay(situation(run)), .zero)
            }
        }
    }

    private func tellDone(_ place: Int, _ run: inout Run) {
        run.queue.append(.done(place))
        let outer = chart.tree.nodes[place].parent
        if chart.tree.nodes[outer].shape == .parallel, isDone(outer) {
            run.queue.append(.done(outer))
        }
    }

    private func isDone(_ place: Int) -> Bool {
        let node = chart.tree.nodes[place]
        var children = node.children & configuration
        var isDone = node.shape == .parallel
        while let child = children.removeFirstPlace() {
            switch node.shape {
            case .parallel: isDone = isDone && self.isDone(child)
            case .composite: isDone = chart.tree.nodes[child].shape == .final
            case .leaf, .final: break
            }
        }
        return isDone
    }

    /// Does what a line says.
    mutating func act(_ actions: [ChartAction<Syntax>], _ run: inout Run, _ perform: Perform) {
        for action in actions {
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
    mutating func settle(_ run: inout Run, _ perform: Perform) {
        while !hasEnded {
            let rows = chosenRows(for: .nothing, run)
            if rows.isEmpty, run.next == run.queue.count { return }
            guard mayGoOn(&run, perform) else { break }
            if !rows.isEmpty {
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

    private mutating func handle(
        _ pending: Run.Pending, _ run: inout Run, _ perform: Perform
    ) {
        switch pending {
        case .done(let place):
            run.event = nil
            take(chosenRows(for: .done(place), run), &run, perform)
        case .raised(let event):
            run.event = event
            let rows = chosenRows(for: .event(event.kind.ordinal), run)
            if rows.isEmpty { report(.unhandled(event), perform) }
            take(rows, &run, perform)
        }
    }

    /// Fires what is due, each at its own time, so that it does not matter how late it is told.
    ///
    /// - Returns: whether a timeout was due.
    mutating func fireTimeouts(
        until now: Instant, _ run: inout Run, _ perform: Perform
    ) -> Bool {
        var hasFired = false
        while !hasEnded {
            var first: Int?
            for (timer, instant) in due.enumerated() {
                guard let instant, instant <= now else { continue }
                if let other = first.flatMap({ due[$0] }), other <= instant { continue }
                first = timer
            }
            guard let timer = first, mayGoOn(&run, perform) else { break }
            hasFired = true
            run.now = due[timer] ?? now
            due[timer] = nil
            run.event = nil
            take(chosenRows(for: .timeout(timer), run), &run, perform)
            settle(&run, perform)
        }
        return hasFired
    }

    /// Counts a step, and says once when there were too many.
    private func mayGoOn(_ run: inout Run, _ perform: Perform) -> Bool {
        run.steps += 1
        if run.steps <= chart.stepLimit { return true }
        if !run.isCutShort { report(.endless, perform) }
        run.isCutShort = true
        return false
    }

    func report(_ loss: ChartLoss<Syntax.Event>, _ perform: Perform) {
        if let command = Syntax.command(for: loss) { perform(command) }
    }
}
