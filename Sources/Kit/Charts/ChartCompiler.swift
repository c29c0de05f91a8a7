import StateMachines

/// Puts the parts of a chart in their places, and finds what is wrong with them.
struct ChartCompiler<Syntax: ChartSyntax> {
    private(set) var tree = ChartTree()
    /// The state at each place, and where it was written.
    private(set) var states: [Syntax.State?] = []
    private(set) var locations: [SourceLocation] = []
    /// The place of each state; below 0 for those that the chart does not have.
    private(set) var places: [Int]
    /// The rows of the tree as they were written.
    private(set) var rows: [ChartText<Syntax>] = []
    private(set) var actions: [[ChartAction<Syntax>]] = [[]]
    private(set) var delays: [ChartDelay<Syntax>] = []
    let clock = Syntax.clock
    var problems: [ChartProblem] = []
    /// The lines, each with the place of its state.
    private var lines: [(node: Int, text: ChartText<Syntax>)] = []

    init(
        _ chart: ChartDeclaration<Syntax>, tolerating tolerance: ChartTolerance
    ) throws(ChartError) {
        places = Array(repeating: -1, count: Syntax.State.count)
        checkTypes(chart.location)
        guard problems.isEmpty else { throw ChartError(problems) }
        add(chart, below: -1)
        for line in lines { placeHandler(line.text, in: line.node) }
        for node in tree.nodes.indices {
            checkInitial(of: node)
            let first = (row: rows.count, timer: delays.count)
            for line in lines where line.node == node { placeRow(line.text, in: node) }
            tree.nodes[node].rows = first.row..<rows.count
            tree.nodes[node].timers = first.timer..<delays.count
        }
        completeHistories()
        if tree.histories.count > 64 { refuse("a chart has at most 64 histories", chart.location) }
        // What follows goes through the states, which have to be sound.
        if problems.isEmpty { checkWhole(chart.location, tolerance) }
        guard problems.isEmpty else { throw ChartError(problems) }
    }

    private mutating func refuse(_ message: String, _ location: SourceLocation) {
        problems.append(ChartProblem(.unsuitableType, message, at: location))
    }

    private mutating func checkTypes(_ location: SourceLocation) {
        if Syntax.State.count > 63 { refuse("a chart has at most 63 states", location) }
        if Syntax.Event.Kind.count > 64 {
            refuse("a chart has at most 64 kinds of event", location)
        }
        if !countsFromZero(Syntax.State.self) {
            refuse("the states' raw values do not count from 0", location)
        }
        if !countsFromZero(Syntax.Event.Kind.self) {
            refuse("the events' raw values do not count from 0", location)
        }
    }

    /// What to call the state at a place.
    func title(_ node: Int) -> String {
        states[node].map { name(of: $0) } ?? "the chart"
    }

    // MARK: - States

    private mutating func add(_ declaration: ChartDeclaration<Syntax>, below parent: Int) {
        let place = tree.nodes.count
        if let state = declaration.state {
            let known = places[state.ordinal]
            guard known < 0 else {
                problems.append(
                    ChartProblem(
                        .repeatedState, "\(name(of: state)): declared twice",
                        at: locations[known], declaration.location))
                return
            }
            places[state.ordinal] = place
        }
        states.append(declaration.state)
        locations.append(declaration.location)
        tree.nodes.append(ChartNode(parent: parent, shape: declaration.shape))
        for part in declaration.parts {
            switch part.content {
            case .emptyBlock:
                switch declaration.shape {
                case .leaf, .final: report(.emptyBlock, "an empty block", place)
                case .composite, .parallel: break  // which is said below
                }
            case .state(let inner): add(inner, below: place)
            case .line(let text): lines.append((place, text))
            }
        }
        let count = tree.nodes.count
        for inner in place + 1..<count {
            tree.nodes[place].below |= .bit(inner)
            if tree.nodes[inner].parent == place { tree.nodes[place].children |= .bit(inner) }
        }
        if count == place + 1 { tree.leaves |= .bit(place) }
        checkContents(of: place)
    }

    private mutating func checkContents(of place: Int) {
        let node = tree.nodes[place]
        func report(_ kind: ChartProblem.Kind, _ message: String) {
            self.report(kind, message, place)
        }
        switch node.shape {
        case .leaf where node.children != 0: tree.nodes[place].shape = .composite
        case .leaf: break
        case .composite: if node.children == 0 { report(.emptyBlock, "no states") }
        case .parallel:
            if node.children == 0 { report(.emptyBlock, "no regions") }
            if !(tree.places { $0.shape == .final } & node.children).isWithin(0) {
                report(.misplacedLine, "a final state is no region")
            }
        case .final:
            if node.children != 0 { report(.misplacedLine, "states in a final state") }
        }
    }

    // MARK: - Lines

    private mutating func placeHandler(_ text: ChartText<Syntax>, in node: Int) {
        let isInFinal = tree.nodes[node].shape == .final
        switch text.cue {
        case .entry: tree.nodes[node].entry = list(of: text.actions, after: tree.nodes[node].entry)
        case .exit where !isInFinal:
            tree.nodes[node].exit = list(of: text.actions, after: tree.nodes[node].exit)
        case .initial where tree.nodes[node].shape == .composite:
            if !tree.nodes[node].initial.isEmpty {
                report(.repeatedLine, "a second initial", text, in: node)
            }
            tree.nodes[node].initial = entrance(of: text, from: node, inside: true)
        case .history(let depth) where tree.nodes[node].children != 0:
            let history = history(of: node, depth)
            if !tree.histories[history].initially.isEmpty {
                report(.repeatedLine, "a second history of one depth", text, in: node)
            }
            tree.histories[history].initially = entrance(of: text, from: node, inside: true)
        case .exit, .initial, .history:
            report(.misplacedLine, "a line that does not apply here", text, in: node)
        case .events, .any, .done, .always, .after:
            if isInFinal { report(.misplacedLine, "a row in a final state", text, in: node) }
        }
    }

    private mutating func checkInitial(of place: Int) {
        let node = tree.nodes[place]
        guard node.shape == .composite, node.initial.isEmpty else { return }
        if node.children.nonzeroBitCount == 1 {
            tree.nodes[place].initial.states = node.children
        } else if node.children != 0 {
            report(.missingInitial, "several states, and no initial", place)
        }
    }

    private mutating func placeRow(_ text: ChartText<Syntax>, in node: Int) {
        let cue: ChartRowPlace.Cue
        switch text.cue {
        case .events(let kinds):
            cue = .events(kinds.reduce(0) { $0 | .bit($1.ordinal) })
            if let clock, kinds.contains(clock.timePassed) {
                report(.timeAsEvent, "time is waited for with after", text, in: node)
            }
        case .any: cue = .any
        case .done(let state):
            guard let place = place(of: state, text, in: node) else { return }
            cue = .done(place)
        case .always: cue = .always
        case .after(let delay): cue = .timeout(timer(of: node, delay))
        case .entry, .exit, .initial, .history: return
        }
        tree.rows.append(
            ChartRowPlace(
                cue: cue, node: node, entrance: entrance(of: text, from: node, inside: false),
                isInternal: text.isInternal, hasConditions: !text.conditions.isEmpty))
        rows.append(text)
        checkSense(of: text, in: node)
    }

    private mutating func checkSense(of text: ChartText<Syntax>, in node: Int) {
        let saysNothing = text.goals.isEmpty && text.actions.isEmpty
        if text.reason != nil, !saysNothing {
            report(.contradictoryRow, "ignored, and yet to be handled", text, in: node)
        }
        if case .always = text.cue, text.goals.isEmpty, text.conditions.isEmpty || saysNothing {
            report(.endlessRow, "always, and it leads nowhere", text, in: node)
        } else if text.reason == nil, saysNothing {
            report(.emptyRow, "a row that says nothing", text, in: node)
        }
    }

    /// The list of these actions after those of another list.
    private mutating func list(of more: [ChartAction<Syntax>], after list: Int) -> Int {
        if more.isEmpty { return list }
        actions.append(actions[list] + more)
        return actions.count - 1
    }

    /// The timer of a state for this delay; one serves all rows that wait equally long.
    private mutating func timer(of node: Int, _ delay: ChartDelay<Syntax>) -> Int {
        if case .fixed(let duration) = delay {
            for (row, text) in zip(tree.rows, rows) where row.node == node {
                if case .after(.fixed(duration)) = text.cue, case .timeout(let timer) = row.cue {
                    return timer
                }
            }
        }
        delays.append(delay)
        return delays.count - 1
    }

    // MARK: - Where lines lead

    private mutating func entrance(
        of text: ChartText<Syntax>, from node: Int, inside: Bool
    ) -> ChartEntrance {
        var entrance = ChartEntrance(actions: list(of: text.actions, after: 0))
        var targets: [Int] = []
        for goal in text.goals {
            guard let place = place(of: goal.state, text, in: node) else { continue }
            if let depth = goal.history {
                guard tree.nodes[place].children != 0 else {
                    report(.noHistory, "\(title(place)) has no states inside it", text, in: node)
                    continue
                }
                entrance.histories |= .bit(history(of: place, depth))
            } else {
                entrance.states |= .bit(place)
            }
            let isInside =
                tree.nodes[node].below.contains(place) || goal.history != nil && place == node
            if inside, !isInside {
                report(.misplacedLine, "\(title(place)) is not inside", text, in: node)
            }
            if targets.contains(where: { !areCompatible($0, place) }) {
                report(
                    .conflictingTargets, "\(title(place)) cannot be active with the others", text,
                    in: node)
            }
            targets.append(place)
        }
        return entrance
    }

    /// Whether two states lie in different regions of a parallel state.
    private func areCompatible(_ one: Int, _ other: Int) -> Bool {
        var place = one
        while place >= 0, place != other, !tree.nodes[place].below.contains(other) {
            place = tree.nodes[place].parent
        }
        return place >= 0 && place != one && place != other && tree.nodes[place].shape == .parallel
    }

    private mutating func place(
        of state: Syntax.State, _ text: ChartText<Syntax>, in node: Int
    ) -> Int? {
        let place = places[state.ordinal]
        if place >= 0 { return place }
        report(.undeclaredState, "the chart has no state \(name(of: state))", text, in: node)
        return nil
    }

    private mutating func history(of node: Int, _ depth: ChartHistory) -> Int {
        let known = tree.histories.firstIndex { $0.node == node && $0.depth == depth }
        if let known { return known }
        tree.histories.append(ChartHistoryPlace(node: node, depth: depth))
        return tree.histories.count - 1
    }

    /// Lets histories without a line of their own lead where their state's `initial` does.
    private mutating func completeHistories() {
        for (number, history) in tree.histories.enumerated() where history.initially.isEmpty {
            let node = tree.nodes[history.node]
            let initially =
                node.shape == .parallel ? ChartEntrance(states: node.children) : node.initial
            tree.histories[number].initially = initially
            let isOwn = tree.histories.indices.contains {
                initially.histories.contains($0) && tree.histories[$0].node == history.node
            }
            if isOwn {
                report(
                    .noHistory, "initial leads to a history that needs initially", history.node)
            }
        }
    }

    mutating func report(_ kind: ChartProblem.Kind, _ message: String, _ node: Int) {
        problems.append(
            ChartProblem(kind, "\(title(node)): \(message)", at: locations[node]))
    }

    mutating func report(
        _ kind: ChartProblem.Kind, _ message: String, _ text: ChartText<Syntax>, in node: Int
    ) {
        problems.append(ChartProblem(kind, "\(title(node)): \(message)", at: text.location))
    }
}
