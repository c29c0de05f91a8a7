public import StateMachines

extension StateGraph {
    /// The fewest sequences of events that, each from the first state, take every step in which an
    /// event is handled.
    ///
    /// A sequence may come by a step more than once, so the parts of the graph in which every state
    /// can be reached from every other need one sequence alone. Between such parts there is no way
    /// back: by Dilworth's theorem the least number of sequences is the number of chains that cover
    /// the order in which parts and the steps between them can follow one another, found as a
    /// largest matching.
    public func transitionCover() -> [[Machine.Event]] {
        var walker = CoverWalker(self)
        return CoverPlan(self).chains.map { walker.walk($0) }
    }

    /// The places of the edges to cover.
    fileprivate var handledEdges: [Int] { edges.indices.filter { edges[$0].isHandled } }
}

/// Which edges each sequence has to take, in which order.
private struct CoverPlan {
    /// Edges that can be taken one group after the other, those of a group in any order.
    typealias Chain = [[Int]]

    private(set) var chains: [Chain] = []

    init<Machine>(_ graph: StateGraph<Machine>) {
        let ends = graph.edges.map { (from: $0.from, to: $0.to) }
        let handled = graph.handledEdges
        let parts = Self.parts(of: graph.states.count, joinedBy: handled.map { ends[$0] })

        // A group is all edges inside one part, or one edge from part to part.
        var inside: [Int: [Int]] = [:]
        var groups: [(edges: [Int], from: Int, to: Int)] = []
        for edge in handled {
            let (from, to) = (parts[ends[edge].from], parts[ends[edge].to])
            if from == to {
                inside[from, default: []].append(edge)
            } else {
                groups.append(([edge], from, to))
            }
        }
        for (part, edges) in inside.sorted(by: { $0.key < $1.key }) {
            groups.append((edges, part, part))
        }

        let count = (parts.max() ?? 0) + 1
        let reachable = Self.reachability(
            among: count, by: handled.map { (parts[ends[$0].from], parts[ends[$0].to]) })
        let followers = groups.indices.map { one in
            groups.indices.filter { other in
                one != other && reachable[groups[one].to].contains(groups[other].from)
            }
        }
        let successors = Self.matching(followers)
        let followed = Set(successors.compactMap { $0 })
        for start in groups.indices where !followed.contains(start) {
            var chain: Chain = []
            var next: Int? = start
            while let group = next {
                chain.append(groups[group].edges)
                next = successors[group]
            }
            chains.append(chain)
        }
    }

    /// The strongly connected part of each state, numbered so that edges lead to lower numbers, by
    /// Tarjan's algorithm, without recursion.
    private static func parts(of count: Int, joinedBy edges: [(from: Int, to: Int)]) -> [Int] {
        var targets = Array(repeating: [Int](), count: count)
        for edge in edges { targets[edge.from].append(edge.to) }
        var parts = Array(repeating: -1, count: count)
        var order = Array(repeating: -1, count: count)
        var low = order
        var (open, path): ([Int], [(state: Int, next: Int)]) = ([], [])
        var (visited, partCount) = (0, 0)
        for root in 0..<count where order[root] < 0 {
            path = [(root, 0)]
            while let (state, next) = path.last {
                if next == 0 {
                    order[state] = visited
                    low[state] = visited
                    visited += 1
                    open.append(state)
                }
                if next < targets[state].count {
                    path[path.count - 1].next += 1
                    let target = targets[state][next]
                    if order[target] < 0 {
                        path.append((target, 0))
                    } else if parts[target] < 0 {
                        low[state] = min(low[state], order[target])
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last { low[parent.state] = min(low[parent.state], low[state]) }
                if low[state] == order[state] {
                    while let member = open.popLast() {
                        parts[member] = partCount
                        if member == state { break }
                    }
                    partCount += 1
                }
            }
        }
        return parts
    }

    /// For each part the parts that can be reached from it, itself included.
    private static func reachability(
        among count: Int, by edges: [(from: Int, to: Int)]
    ) -> [Set<Int>] {
        var reachable = (0..<count).map { Set([$0]) }
        // Edges lead to lower numbers, so what a part leads to is known when it is its turn.
        for edge in edges.sorted(by: { $0.from < $1.from }) where edge.from != edge.to {
            reachable[edge.from].formUnion(reachable[edge.to])
        }
        return reachable
    }

    /// For each group the one that follows it, as many as possible, by Kuhn's algorithm.
    private static func matching(_ followers: [[Int]]) -> [Int?] {
        var predecessors = Array(repeating: Int?.none, count: followers.count)

        func place(_ group: Int, tried: inout Set<Int>) -> Bool {
            for follower in followers[group] where tried.insert(follower).inserted {
                let rival = predecessors[follower]
                if rival == nil || rival.map({ place($0, tried: &tried) }) == true {
                    predecessors[follower] = group
                    return true
                }
            }
            return false
        }

        for group in followers.indices {
            var tried: Set<Int> = []
            _ = place(group, tried: &tried)
        }
        var successors = Array(repeating: Int?.none, count: followers.count)
        for (follower, group) in predecessors.enumerated() {
            if let group { successors[group] = follower }
        }
        return successors
    }
}

/// Walks through a graph so as to take given edges, by the shortest ways between them.
private struct CoverWalker<Machine: StateMachine & Hashable> {
    private let graph: StateGraph<Machine>
    private var outgoing: [[Int]]

    init(_ graph: StateGraph<Machine>) {
        self.graph = graph
        outgoing = Array(repeating: [], count: graph.states.count)
        for edge in graph.handledEdges { outgoing[graph.edges[edge].from].append(edge) }
    }

    mutating func walk(_ chain: CoverPlan.Chain) -> [Machine.Event] {
        var state = 0
        var events: [Machine.Event] = []
        for group in chain {
            var missing = Set(group)
            while !missing.isEmpty {
                for edge in way(from: state, toAnyOf: missing) {
                    missing.remove(edge)
                    events.append(graph.edges[edge].event)
                    state = graph.edges[edge].to
                }
            }
        }
        return events
    }

    /// The shortest way that ends with one of these edges.
    private func way(from start: Int, toAnyOf goals: Set<Int>) -> [Int] {
        var cameBy: [Int: Int] = [:]
        var seen: Set<Int> = [start]
        var waiting = [start]
        var next = 0
        while next < waiting.count {
            let state = waiting[next]
            next += 1
            for edge in outgoing[state] {
                if goals.contains(edge) { return way(to: state, cameBy) + [edge] }
                let target = graph.edges[edge].to
                if seen.insert(target).inserted {
                    cameBy[target] = edge
                    waiting.append(target)
                }
            }
        }
        preconditionFailure("a chain leads where the graph does not")
    }

    private func way(to state: Int, _ cameBy: [Int: Int]) -> [Int] {
        var edges: [Int] = []
        var state = state
        while let edge = cameBy[state] {
            edges.append(edge)
            state = graph.edges[edge].from
        }
        return edges.reversed()
    }
}
