public import StateMachines

extension StateGraph {
    /// The steps that these events lead to from the first state: what a test that takes a sequence
    /// of a cover has to expect.
    public func story(of events: [Machine.Event]) -> [Step<Machine>] {
        var machine = states[0]
        return events.map { machine.step($0) }
    }

    /// The shortest story to each state for which `isGoal` is true, the nearest state first.
    public func shortestPaths(
        to isGoal: (Machine) -> Bool = { _ in true }
    ) -> [[Step<Machine>]] {
        states.indices.filter { isGoal(states[$0]) }.map(story(to:))
    }

    /// Every story that comes by no state twice and ends in one for which `isGoal` is true; it may
    /// come by another such state.
    ///
    /// Their number can grow exponentially with the number of states. The time for each is at most
    /// that for a look at all edges per step of it.
    ///
    /// - Parameters:
    ///   - isGoal: whether a story may end in a state.
    ///   - limit: how many stories to find at most.
    /// - Returns: the stories, and whether these are all: not if there are more than `limit`, nor
    ///   if the graph is incomplete.
    public func simplePaths(
        to isGoal: (Machine) -> Bool, limit: Int = 10_000
    ) -> (paths: [[Step<Machine>]], isComplete: Bool) {
        var walker = SimplePathWalker(self, goals: states.indices.filter { isGoal(states[$0]) })
        let isComplete = walker.walk(limit: limit) && self.isComplete
        return (walker.paths.map { $0.map { step(edges[$0]) } }, isComplete)
    }

    /// Sequences of events that, each from the first state, together come by every state.
    ///
    /// Each leads to a state by a shortest way, and none is the beginning of another.
    public func stateCover() -> [[Machine.Event]] {
        let passed = Set(discoveries.compactMap { $0.map { edges[$0].from } })
        return states.indices.filter { !passed.contains($0) }.map { place in
            story(to: place).map { $0.event }
        }
    }
}

/// Finds all ways from the first state to a goal that come by no state twice.
private struct SimplePathWalker<Machine: StateMachine & Hashable> {
    private let edges: [StateGraph<Machine>.Edge]
    private let goals: Set<Int>
    private var outgoing: [[Int]]
    private var sources: [[Int]]
    private var visited: Set<Int> = [0]
    /// The edges of each path.
    private(set) var paths: [[Int]] = []

    init(_ graph: StateGraph<Machine>, goals: [Int]) {
        edges = graph.edges
        self.goals = Set(goals)
        outgoing = Array(repeating: [], count: graph.states.count)
        sources = outgoing
        for (place, edge) in edges.enumerated() where edge.from != edge.to {
            outgoing[edge.from].append(place)
            sources[edge.to].append(edge.from)
        }
    }

    /// Whether these were all.
    mutating func walk(limit: Int) -> Bool {
        if goals.contains(0) { paths.append([]) }
        var path: [Int] = []
        // For each state on the path the edges that are still to be taken, the next one last.
        var pending = [promising(from: 0)]
        while !pending.isEmpty {
            guard let edge = pending[pending.count - 1].popLast() else {
                pending.removeLast()
                if let last = path.popLast() { visited.remove(edges[last].to) }
                continue
            }
            path.append(edge)
            visited.insert(edges[edge].to)
            if goals.contains(edges[edge].to) {
                guard paths.count < limit else { return false }
                paths.append(path)
            }
            pending.append(promising(from: edges[edge].to))
        }
        return true
    }

    /// The edges by which a goal can still be reached without a state that was visited, the first
    /// one last.
    private func promising(from state: Int) -> [Int] {
        var found = goals.subtracting(visited)
        var waiting = Array(found)
        while let next = waiting.popLast() {
            for source in sources[next] where !visited.contains(source) {
                if found.insert(source).inserted { waiting.append(source) }
            }
        }
        return outgoing[state].reversed().filter { found.contains(edges[$0].to) }
    }
}
