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

    private mutating func checkInternals() {
        let forgotten = forgotten
        for (number, row) in tree.rows.enumerated() where row.isInternal {
            let domain = tree.domain(of: number, forgotten)
            if domain != row.node || tree.nodes[row.node].shape != .composite {
                report(
                    .outwardInternal, "internally needs a target inside, and no regions",
                    rows[number], in: row.node)
            }
        }
    }

    private mutating func checkRowsNeverTaken() {
        let finals = tree.places { $0.shape == .final }
        for (place, node) in tree.nodes.enumerated() {
            for number in node.rows {
                if case .done(let done) = tree.rows[number].cue,
                    tree.nodes[done].shape != .parallel, tree.nodes[done].children & finals == 0
                {
                    report(
                        .rowNeverTaken, "\(title(done)) is never done", rows[number], in: place)
                }
                let before = tree.rows[node.rows.lowerBound..<number].filter { !$0.hasConditions }
                if occurrences(of: tree.rows[number].cue).allSatisfy({ occurrence in
                    before.contains { $0.answers(occurrence) }
                }) {
                    report(
                        .rowNeverTaken, "a row before leaves nothing to this one", rows[number],
                        in: place)
                }
            }
        }
    }

    /// All that a row may be taken for; of states that are done, one stands for all.
    private func occurrences(of cue: ChartRowPlace.Cue) -> [ChartOccurrence] {
        switch cue {
        case .events(let kinds):
            (0..<Syntax.Event.Kind.count).filter(kinds.contains).map { .event($0) }
        case .any: (0..<Syntax.Event.Kind.count).map { .event($0) } + [.done(-1)]
        case .done(let place): [.done(place)]
        case .timeout(let timer): [.timeout(timer)]
        case .always: [.nothing]
        }
    }

    /// Histories of a machine that has just started.
    private var forgotten: [ChartPlaces] { Array(repeating: 0, count: tree.histories.count) }

    /// The states that the initial ones and rows from reached states lead to.
    private func reachedStates() -> ChartPlaces {
        let forgotten = forgotten
        var reached = tree.initialEntry(forgotten).states
        var before: ChartPlaces
        repeat {
            before = reached
            for (number, row) in tree.rows.enumerated() where reached.contains(row.node) {
                var rows = ChartRows()
                rows.insert(number)
                reached |= tree.entry(by: rows, forgotten).states
            }
        } while reached != before
        return reached
    }

    private mutating func reportUndecided(
        _ event: Syntax.Event.Kind, in place: Int, among reached: ChartPlaces
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
        _ event: Syntax.Event.Kind, in place: Int, among reached: ChartPlaces
    ) -> Bool {
        let node = tree.nodes[place]
        if tree.rows[node.rows].contains(where: { $0.answers(.event(event.ordinal)) }) {
            return true
        }
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
