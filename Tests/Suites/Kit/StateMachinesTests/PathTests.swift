import Exploration
import Seeds
import StateMachines
import Testing

@Suite struct PathTests {
    static func graph(_ edges: [[Int]]) -> StateGraph<ExplorationTests.Listed> {
        StateGraph(from: ExplorationTests.Listed(edges: edges), events: [0, 1, 2])
    }

    @Test func `simple paths come by no state twice`() {
        // A diamond with a ring behind it, and two edges between the last two states.
        let graph = Self.graph([[1, 2], [3], [3, 0], [4, 4, 1], [3]])
        let found = graph.simplePaths(to: { $0.state == 4 })
        #expect(found.isComplete)
        #expect(
            found.paths.map { $0.map(\.event) } == [
                [0, 0, 0], [0, 0, 1], [1, 0, 0], [1, 0, 1],
            ])
        #expect(found.paths.allSatisfy { $0.last?.after.state == 4 })
    }

    @Test func `a path may end where it begins, or come by another end`() {
        let graph = Self.graph([[1], [2], [0]])
        #expect(graph.simplePaths(to: { $0.state == 0 }).paths.map(\.count) == [0])
        #expect(graph.simplePaths(to: { $0.state > 0 }).paths.map(\.count) == [1, 2])
        #expect(graph.simplePaths(to: { _ in false }).paths.isEmpty)
    }

    @Test func `a limit of paths is kept and told of`() {
        // Twenty diamonds in a row have a million paths.
        var edges: [[Int]] = []
        for first in stride(from: 0, to: 60, by: 3) {
            edges += [[first + 1, first + 2], [first + 3], [first + 3]]
        }
        edges.append([])
        let graph = Self.graph(edges)
        let found = graph.simplePaths(to: { $0.state == 60 }, limit: 100)
        #expect(found.paths.count == 100)
        #expect(!found.isComplete)
        #expect(graph.simplePaths(to: { $0.state == 6 }, limit: 4).isComplete)
        #expect(graph.simplePaths(to: { $0.state == 4 }, limit: 2).paths.count == 2)
        let cut = StateGraph(
            from: ExplorationTests.Listed(edges: edges), limit: 3, events: [0, 1, 2])
        #expect(!cut.simplePaths(to: { $0.state == 1 }).isComplete)
    }

    @Test func `ways that lead nowhere take no time`() {
        // From each state to each other one but the first, and from the last alone to the goal:
        // beside the goal's side door there are more ways round than could be tried.
        let others = Array(1...24)
        var edges = [[1, 25], [25] + others]
        edges += others.dropFirst().map { _ in others }
        edges += [[]]
        let graph = StateGraph(
            from: ExplorationTests.Listed(edges: edges), events: Array(0..<edges.count))
        #expect(graph.simplePaths(to: { $0.state == 25 }).paths.count == 2)
    }

    @Test func `the shortest paths are one to each state, the nearest first`() {
        let graph = Self.graph([[1, 2], [3], [3, 0], [4, 4, 1], [3]])
        let all = graph.shortestPaths().map { $0.map(\.event) }
        #expect(all == [[], [0], [1], [0, 0], [0, 0, 0]])
        #expect(graph.shortestPaths(to: { $0.state > 2 }).map(\.count) == [2, 3])
    }

    @Test func `a cover of states comes by each`() {
        let graph = Self.graph([[1, 2], [3], [3, 0], [4, 4, 1], [3]])
        #expect(graph.stateCover() == [[1], [0, 0, 0]])
        #expect(Self.graph([[]]).stateCover() == [[]])
        let hierarchical = ExplorationTests.hierarchical
        let visited = hierarchical.stateCover().flatMap { events in
            hierarchical.story(of: events).flatMap { [$0.before, $0.after] }
        }
        #expect(Set(visited) == Set(hierarchical.states))
    }

    @Test func `simple paths of random graphs are those that a plain search finds`() {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let count = Int.random(in: 1...6, using: &random)
            let edges = (0..<count).map { _ in
                (0..<Int.random(in: 0...3, using: &random)).map { _ in
                    Int.random(in: 0..<count, using: &random)
                }
            }
            let goals = Set((0..<count).filter { _ in Bool.random(using: &random) })
            func paths(from state: Int, after visited: [Int], by events: [Int]) -> [[Int]] {
                let here = goals.contains(state) ? [events] : []
                return here
                    + edges[state].enumerated().flatMap { event, next -> [[Int]] in
                        guard !visited.contains(next), next != state else { return [] }
                        return paths(
                            from: next, after: visited + [state], by: events + [event])
                    }
            }
            let found = Self.graph(edges).simplePaths(to: { goals.contains($0.state) })
            let expected = paths(from: 0, after: [], by: [])
            #expect(found.paths.map { $0.map(\.event) } == expected, "\(random)")
        }
    }
}
