import StateMachines

extension ChartCompiler {
    /// Looks for what is wrong with the chart as a whole.
    mutating func checkWhole(_ location: SourceLocation, _ tolerance: ChartTolerance) {
        if !tolerance.contains(.undeclaredStates) {
            for state in Syntax.State.allCases where places[state.ordinal] < 0 {
                problems.append(
                    ChartProblem(
                        .undeclaredState, "the chart has no state \(name(of: state))",
                        at: location))
            }
        }
        if !tolerance.contains(.outwardInternals) { checkInternals() }
        if !tolerance.contains(.rowsNeverTaken) { checkRowsNeverTaken() }
        let reached = reachedStates()
        if !tolerance.contains(.unreachableStates) {
            for node in tree.nodes.indices where !reached.contains(node) {
                report(.unreachableState, "nothing leads to it", node)
            }
        }
        if !tolerance.contains(.undecidedPairs) {
            for event in Syntax.Event.Kind.allCases where event != clock?.timePassed {
                reportUndecided(event, in: 0, among: reached)
            }
        }
    }

    private mutating func report(_ kind: ChartProblem.Kind, _ message: String, _ node: Int) {
        problems.append(
            ChartProblem(kind, "\(title(node)): \(message)", at: tree.nodes[node].location))
    }

    private mutating func report(
        _ kind: ChartProblem.Kind, _ message: String, _ row: ChartRowPlace<Syntax>
    ) {
        problems.append(
            ChartProblem(kind, "\(title(row.node)): \(message)", at: row.location))
    }

    private mutating func checkInternals() {
        for row in rows where row.isInternal {
            let node = tree.nodes[row.node]
            let leadsInwards =
                row.entrance.states.isWithin(node.below)
                && row.entrance.histories.allSatisfy {
                    (node.below | .bit(row.node)).contains(tree.histories[$0].node)
                }
            if row.entrance.isEmpty || !leadsInwards || node.shape != .composite {
                report(
                    .outwardInternal,
                    "internally needs a state that one at a time is active in, and a target inside",
                    row)
            }
        }
    }

    private mutating func checkRowsNeverTaken() {
        let finals = places { $0.shape == .final }
        for node in tree.nodes {
            var before: [ChartRowPlace<Syntax>] = []
            for row in node.rows.map({ rows[$0] }) {
                if case .done(let place) = row.cue,
                    tree.nodes[place].shape != .parallel && tree.nodes[place].children & finals == 0
                        || tree.nodes[place].shape == .final
                {
                    report(.rowNeverTaken, "\(title(place)) is never done", row)
                }
                let covering = before.filter { $0.conditions.isEmpty }
                if occurrences(of: row.cue).allSatisfy({ occurrence in
                    covering.contains { $0.answers(occurrence) }
                }) {
                    report(.rowNeverTaken, "a row before leaves nothing to this one", row)
                }
                before.append(row)
            }
        }
    }

    /// All that a row may be taken for; of states that are done, one stands for all.
    private func occurrences(of cue: ChartRowPlace<Syntax>.Cue) -> [ChartOccurrence] {
        switch cue {
        case .events(let kinds): kinds.map { .event($0) }
        case .any: (0..<Syntax.Event.Kind.count).map { .event($0) } + [.done(-1)]
        case .done(let place): [.done(place)]
        case .timeout(let timer): [.timeout(timer)]
        case .always: [.nothing]
        }
    }

    /// The states that the initial ones and rows from reached states lead to.
    private func reachedStates() -> UInt64 {
        let forgotten = Array(repeating: 0 as UInt64, count: tree.histories.count)
        var entry = ChartEntry(into: tree, forgotten)
        entry.add(.bit(0))
        var reached: UInt64
        repeat {
            reached = entry.states
            for row in rows where reached.contains(row.node) {
                // Each by itself, since a region that is reached already would pass for entered.
                var own = ChartEntry(into: tree, forgotten)
                own.add(row.entrance, inside: tree.domain(of: row, forgotten) ?? row.node)
                entry.merge(own)
            }
        } while entry.states != reached
        return reached
    }

    private mutating func reportUndecided(
        _ event: Syntax.Event.Kind, in place: Int, among reached: UInt64
    ) {
        let node = tree.nodes[place]
        guard reached.contains(place), !isDecided(event, in: place, among: reached) else { return }
        guard node.shape == .composite else {
            report(.undecidedPair, "\(name(of: event)) is undecided", place)
            return
        }
        var children = node.children
        while let child = children.removeFirstPlace() {
            reportUndecided(event, in: child, among: reached)
        }
    }

    /// Whether there is a row for the event in the state, in all states inside it, or in one of
    /// its regions.
    private func isDecided(
        _ event: Syntax.Event.Kind, in place: Int, among reached: UInt64
    ) -> Bool {
        let node = tree.nodes[place]
        if node.rows.contains(where: { rows[$0].answers(.event(event.ordinal)) }) { return true }
        var children = node.children & reached
        switch node.shape {
        case .leaf: return false
        case .final: return true
        case .composite:
            while let child = children.removeFirstPlace() {
                if !isDecided(event, in: child, among: reached) { return false }
            }
            return true
        case .parallel:
            while let child = children.removeFirstPlace() {
                if isDecided(event, in: child, among: reached) { return true }
            }
            return false
        }
    }
}
