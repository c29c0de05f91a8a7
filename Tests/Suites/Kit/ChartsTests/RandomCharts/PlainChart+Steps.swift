import Charts
import StateMachines

// One step: what is left, done and entered.
extension PlainChart {
    mutating func microstep(_ transitions: [Transition]) {
        exitStates(transitions)
        for transition in transitions { run(row(transition).deeds) }
        enterStates(transitions.map { (row($0).targets, domain(of: $0)) })
    }

    private mutating func exitStates(_ transitions: [Transition]) {
        let leaving = exitSet(transitions).sorted(by: >)
        for node in leaving {
            let inside = configuration.filter { isDescendant($0, of: node) }
            memories[Memory(node: node, depth: .deep)] = inside.filter(isAtomic).sorted()
            memories[Memory(node: node, depth: .shallow)] =
                inside.filter { written.nodes[$0].parent == node }.sorted()
        }
        for node in leaving {
            written.nodes[node].onExit.forEach { run($0) }
            timers.removeAll { $0.node == node }
            configuration.remove(node)
        }
    }

    // MARK: - Entry

    /// What is to be entered, and what is done on the way besides.
    private struct Entry {
        var nodes: Set<Int> = []
        var byDefault: Set<Int> = []
        /// What is done for a history without a memory, by the node that it is of.
        var historyDeeds: [Int: [WrittenChart.Deed]] = [:]
    }

    mutating func enterStates(_ moves: [(targets: [Target], domain: Int?)]) {
        var entry = Entry()
        for move in moves {
            guard let domain = move.domain else { continue }
            for target in move.targets { addDescendants(of: target, &entry) }
            for node in effectiveTargets(move.targets) {
                addAncestors(of: node, below: domain, &entry)
            }
        }
        // What was not left is not entered: the one place where this is not the algorithm, which
        // forgets it where a history of a state round the row's own leads back into it.
        for node in entry.nodes.subtracting(configuration).sorted() {
            configuration.insert(node)
            let it = written.nodes[node]
            it.onEntry.forEach { run($0) }
            if entry.byDefault.contains(node) { run(initial(of: node).deeds) }
            run(entry.historyDeeds[node] ?? [])
            arm(node)
            if it.kind == .final { announceFinal(node) }
        }
    }

    private mutating func announceFinal(_ node: Int) {
        guard let parent = written.nodes[node].parent, parent != 0 else {
            hasEnded = true
            return
        }
        raised.append(.done(parent))
        guard let round = written.nodes[parent].parent, written.nodes[round].kind == .parallel,
            children[round].allSatisfy(isInFinalState)
        else { return }
        raised.append(.done(round))
    }

    private func addDescendants(of target: Target, _ entry: inout Entry) {
        let node = target.node
        if let depth = target.history {
            if let memory = memories[Memory(node: node, depth: depth)] {
                for inner in memory { addDescendants(of: Target(node: inner), &entry) }
                for inner in memory { addAncestors(of: inner, below: node, &entry) }
            } else {
                let instead = historyDefault(node, depth)
                entry.historyDeeds[node] = instead.deeds
                addDefault(instead, of: node, &entry)
            }
            return
        }
        entry.nodes.insert(node)
        if isCompound(node) {
            entry.byDefault.insert(node)
            addDefault(initial(of: node), of: node, &entry)
        } else if written.nodes[node].kind == .parallel {
            addRegions(of: node, &entry)
        }
    }

    private func addDefault(_ instead: Default, of node: Int, _ entry: inout Entry) {
        for target in instead.targets { addDescendants(of: target, &entry) }
        for inner in effectiveTargets(instead.targets) {
            addAncestors(of: inner, below: node, &entry)
        }
    }

    private func addAncestors(of node: Int, below domain: Int, _ entry: inout Entry) {
        for round in ancestors[node] {
            if round == domain { return }
            entry.nodes.insert(round)
            if written.nodes[round].kind == .parallel { addRegions(of: round, &entry) }
        }
    }

    /// The regions in which nothing is entered yet.
    private func addRegions(of node: Int, _ entry: inout Entry) {
        for region in children[node]
        where !entry.nodes.contains(where: { isDescendant($0, of: region) }) {
            addDescendants(of: Target(node: region), &entry)
        }
    }

    // MARK: - Deeds

    func holds(_ conditions: [WrittenChart.Condition]) -> Bool {
        conditions.allSatisfy {
            $0.holds(isIn: isIn, context: context, event: event, now: now)
        }
    }

    func isIn(_ place: Place) -> Bool {
        written.node(of: place).map(configuration.contains) ?? false
    }

    mutating func run(_ deeds: [WrittenChart.Deed]) {
        for deed in deeds {
            switch deed {
            case .say(let number): commands.append(.say(number))
            case .look(let place):
                commands.append(.saw(isIn(place), context: context, event: event, now: now))
            case .raise(let kind): raised.append(.event(Happening(kind: kind, instant: now)))
            case .echo: if let event { raised.append(.event(event)) }
            case .add(let number): context += number
            case .addEvent: context += event.map { $0.kind.ordinal + 1 } ?? 0
            }
        }
    }
}
