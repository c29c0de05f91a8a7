import Exploration
import Seeds
import StateMachines
import Testing

@Suite struct ExplorationTests {
    static let coins: [TurnstileEvent] = [
        .coinInserted(value: 20), .coinInserted(value: 50), .personPassed, .machineFailed,
        .repairCompleted,
    ]
    static let hierarchical = StateGraph(
        from: HierarchicalTurnstile.functioning(.locked(credit: 0)), events: coins)

    @Test func `every state is found, by the shortest way`() {
        let graph = Self.hierarchical
        // Credit is 0, 20 or 40, or the turnstile is unlocked; and each of these may be broken.
        #expect(graph.states.count == 8)
        #expect(graph.edges.count == 8 * Self.coins.count)
        #expect(graph.isComplete)
        #expect(graph.deadEnds.isEmpty)
        // A repair when nothing is broken; anything but a repair when something is.
        #expect(graph.undecided.count == 4 * 1 + 4 * 4)
        #expect(graph.firstDisagreement() == nil)
    }

    @Test func `flat and hierarchical have the same graph`() {
        let flat = StateGraph(from: FlatTurnstile(repairResumes: true), events: Self.coins)
        #expect(flat.states.count == Self.hierarchical.states.count)
        for (one, other) in zip(flat.edges, Self.hierarchical.edges) {
            #expect(one.from == other.from && one.to == other.to && one.event == other.event)
            #expect(flat.step(one).outcome == Self.hierarchical.step(other).outcome)
        }
    }

    @Test func `a violation comes with the shortest story`() throws {
        let story = try #require(
            Self.hierarchical.violation(of: { $0 != .broken(was: .locked(credit: 40)) }))
        #expect(
            story.map(\.event) == [
                .coinInserted(value: 20), .coinInserted(value: 20), .machineFailed,
            ])
        #expect(story.last?.after == .broken(was: .locked(credit: 40)))
        #expect(Self.hierarchical.violation(of: { _ in true }) == nil)
        #expect(Self.hierarchical.violation(of: { _ in false })?.isEmpty == true)
        let alarm = Self.hierarchical.violation(ofStep: { $0.outcome != .handled(.soundAlarm) })
        #expect(alarm?.map(\.event) == [.personPassed])
    }

    @Test func `a state that leads beyond the limit is no dead end`() {
        let start = HierarchicalTurnstile.functioning(.locked(credit: 0))
        for limit in 1...7 {
            let graph = StateGraph(from: start, limit: limit, events: Self.coins)
            #expect(!graph.isComplete)
            #expect(graph.deadEnds.isEmpty, "\(limit)")
        }
    }

    @Test func `a limit is kept and told of`() {
        let graph = StateGraph(
            from: HierarchicalTurnstile.functioning(.locked(credit: 0)), limit: 5,
            events: Self.coins)
        #expect(graph.states.count == 5)
        #expect(!graph.isComplete)
    }

    @Test func `tables are explored like any machine`() throws {
        let graph = StateGraph(from: try TableTests.alarming()[0])
        #expect(graph.states.map(\.state) == [.locked, .unlocked, .alarming])
        #expect(graph.firstDisagreement() == nil)
        let product = StateGraph(
            from: Regions(try TableTests.alarming()[0], try TableTests.alarming()[1]))
        #expect(product.states.count == 3)
    }

    @Test func `time passes when the deadline is among the events`() {
        let graph = StateGraph(from: SnapshotTests.Hatch.shut) { hatch in
            [.pressed(at: .zero)] + (hatch.deadline.map { [.timePassed($0)] } ?? [])
        }
        #expect(graph.states == [.shut, .open(until: .zero + .seconds(5))])
    }

    @Test func `a search finds the same story without keeping the graph`() throws {
        let start = HierarchicalTurnstile.functioning(.locked(credit: 0))
        let found = StateSearch(from: start, events: { _ in Self.coins }) { step in
            step.after != .broken(was: .locked(credit: 40))
        }
        let story = try #require(found.violation)
        #expect(
            story.map(\.event) == [
                .coinInserted(value: 20), .coinInserted(value: 20), .machineFailed,
            ])
        #expect(story.map(\.after).last == .broken(was: .locked(credit: 40)))
        let all = StateSearch(from: start, events: { _ in Self.coins }) { _ in true }
        #expect(all.violation == nil)
        #expect(all.isComplete)
        #expect(all.stateCount == Self.hierarchical.states.count)
        #expect(all.stepCount == Self.hierarchical.edges.count)
        let bounded = StateSearch(from: start, limit: 3, events: { _ in Self.coins }) { _ in true }
        #expect(!bounded.isComplete)
        #expect(bounded.stateCount == 3)
    }

    /// A machine that is nothing but a list of edges.
    struct Listed: StateMachine, Hashable {
        let edges: [[Int]]
        var state = 0
        mutating func handle(_ event: Int) -> Outcome<Int> {
            guard edges[state].indices.contains(event) else { return .unhandled }
            state = edges[state][event]
            return .handled
        }
    }

    @Test func `dead ends are found, and states that nothing leads to are not among the states`() {
        let graph = StateGraph(from: Listed(edges: [[1, 2], [1], [0], [0]]), events: [0, 1])
        #expect(graph.deadEnds.map(\.state) == [1])
        #expect(graph.states.map(\.state) == [0, 1, 2])
    }

    /// Changes without a word by its second event.
    struct Unfaithful: StateMachine, Hashable {
        var count = 0
        mutating func handle(_ event: Bool) -> Outcome<Int> {
            guard count < 2 else { return .ignored("full") }
            count += 1
            return event ? .handled : count == 1 ? .unhandled : .ignored("changed all the same")
        }
    }

    @Test func `a machine that changes and says that it did not is found out`() {
        let graph = StateGraph(from: Unfaithful(), events: [true, false])
        let steps = graph.unfaithfulSteps
        #expect(steps.map(\.before.count) == [0, 1])
        #expect(steps.map(\.outcome) == [.unhandled, .ignored("changed all the same")])
        #expect(Self.hierarchical.unfaithfulSteps.isEmpty)
    }

    /// Takes up what it does not listen to, once it is open.
    struct Eavesdropper: SelectiveMachine, Hashable {
        enum Kind: UInt8, Enumerated { case opened, heard }
        var isOpen = false
        var listens: KindSet<Kind> { [.opened] }
        mutating func handle(_ event: Kind) -> Outcome<Int> {
            guard event == .opened || isOpen else { return .ignored("shut") }
            isOpen = true
            return .handled
        }
    }

    @Test func `a machine that does not keep its word is found out`() {
        let graph = StateGraph(from: Eavesdropper())
        #expect(graph.firstDisagreement()?.map(\.event) == [.opened, .heard])
    }

    /// How many sequences cover the graph of these edges, and which edges they leave out.
    static func cover(_ edges: [[Int]]) -> (count: Int, missing: Set<[Int]>) {
        let graph = StateGraph(from: Listed(edges: edges), events: [0, 1, 2])
        let cover = graph.transitionCover()
        var missing = Set(edges.indices.flatMap { from in edges[from].indices.map { [from, $0] } })
        for sequence in cover {
            var state = 0
            for event in sequence {
                missing.remove([state, event])
                state = edges[state][event]
            }
        }
        return (cover.count, missing)
    }

    @Test func `as few sequences as can be take every transition`() {
        let graphs: [(edges: [[Int]], count: Int)] = [
            // A ring needs one; a fork with dead ends one each; a diamond two.
            ([[1, 0], [2], [0, 1]], 1), ([[1, 2, 3], [], [], []], 3), ([[1, 2], [3], [3], []], 2),
            // Two diamonds in a row still need two, not four.
            ([[1, 2], [3], [3], [4, 5], [6], [6], []], 2),
            // Three edges need three, and so do three more behind single ones that all come by.
            ([[1, 1, 1], [2], [3], [4], [5, 5, 5], []], 3),
            // A way out of a ring is taken at the end, after a second round if need be.
            ([[1], [0, 2], [3, 3], [2]], 1),
        ]
        for graph in graphs {
            let cover = Self.cover(graph.edges)
            #expect(cover.count == graph.count)
            #expect(cover.missing.isEmpty)
        }
        #expect(Self.hierarchical.transitionCover().count == 1)
    }

    @Test func `a cover of a random graph leaves nothing out`() {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let count = Int.random(in: 1...8, using: &random)
            var edges: [[Int]] = []
            for place in 0..<count {
                // Mostly onward, so that many parts have no way back; always reachable.
                let onward = place + 1 < count ? [place + 1] : []
                edges.append(
                    onward
                        + (0..<Int.random(in: 0...2, using: &random)).map { _ in
                            Int.random(in: max(0, place - 1)..<count, using: &random)
                        })
            }
            #expect(Self.cover(edges).missing.isEmpty, "\(random)")
        }
    }
}
