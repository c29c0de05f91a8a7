public import StateMachines

/// All states that a machine can reach, and all steps between them, found by trying every event in
/// every state.
///
/// It works on any machine whose value is hashable: flat, composed or a table. Bound what is
/// unbounded, credit and time above all, by the events that you let happen.
///
///     let graph = StateGraph(from: turnstile, events: [.coin(10), .coin(50), .pass])
///     #expect(graph.violation(of: { !($0.isAlarming && $0.isUnlocked) }) == nil)
public struct StateGraph<Machine: StateMachine & Hashable> {
    /// One step from one state to another, or to the same.
    ///
    /// Its commands are not kept, since a graph may have millions of edges;
    /// ``StateGraph/step(_:)`` takes the step again.
    public struct Edge {
        /// The place of the state before among ``StateGraph/states``.
        public let from: Int
        /// The event.
        public let event: Machine.Event
        /// Whether the event was handled.
        public let isHandled: Bool
        /// The place of the state after.
        public let to: Int
    }

    /// The states, those that the fewest events lead to first; the one to start with is at 0.
    public private(set) var states: [Machine]
    /// The steps, by the state before, in the order in which the events were tried.
    public private(set) var edges: [Edge] = []
    /// Whether all states were found: false when there are more than were allowed. Steps to states
    /// that were not found are missing, so that a violation may be, too.
    public private(set) var isComplete = true
    /// The places of the states that a step leads out of beyond the limit.
    private var cut: Set<Int> = []
    /// For each state but the first the edge by which it was found: the last of a shortest path.
    private(set) var discoveries: [Int?] = [nil]

    /// Explores the machine, breadth first.
    ///
    /// - Parameters:
    ///   - start: the machine to start with.
    ///   - limit: how many states to find at most.
    ///   - events: the events to try in a state; for time to pass, explore a ``RelativeTime``.
    public init(
        from start: Machine, limit: Int = 1_000_000, events: (Machine) -> [Machine.Event]
    ) {
        states = [start]
        var places = [start: 0]
        var next = 0
        while next < states.count {
            let state = states[next]
            for event in events(state) {
                var after = state
                let isHandled = after.handle(event).isHandled
                guard let place = place(of: after, among: &places, limit: limit) else {
                    isComplete = false
                    cut.insert(next)
                    continue
                }
                edges.append(Edge(from: next, event: event, isHandled: isHandled, to: place))
            }
            next += 1
        }
    }

    /// Explores the machine with the same events in every state.
    public init(from start: Machine, limit: Int = 1_000_000, events: [Machine.Event]) {
        self.init(from: start, limit: limit) { _ in events }
    }

    private mutating func place(
        of state: Machine, among places: inout [Machine: Int], limit: Int
    ) -> Int? {
        if let place = places[state] { return place }
        guard states.count < limit else { return nil }
        places[state] = states.count
        states.append(state)
        discoveries.append(edges.count)
        return states.count - 1
    }

    /// The step that an edge stands for.
    public func step(_ edge: Edge) -> Step<Machine> {
        var machine = states[edge.from]
        return machine.step(edge.event)
    }
}

extension StateGraph where Machine.Event: CaseIterable {
    /// Explores the machine with every event that there is.
    public init(from start: Machine, limit: Int = 1_000_000) {
        self.init(from: start, limit: limit, events: Array(Machine.Event.allCases))
    }
}

extension StateGraph.Edge: Sendable where Machine.Event: Sendable {}
extension StateGraph: Sendable where Machine: Sendable, Machine.Event: Sendable {}

// MARK: - What can be read off

extension StateGraph {
    /// The fewest steps that lead from the first state to the one at `place`.
    public func story(to place: Int) -> [Step<Machine>] {
        var steps: [Step<Machine>] = []
        var place = place
        while let discovery = discoveries[place] {
            let edge = edges[discovery]
            steps.append(step(edge))
            place = edge.from
        }
        return steps.reversed()
    }

    /// The shortest story that ends in a state for which `invariant` is false, or nil when it holds
    /// in all of them. It is empty when the first state violates it already.
    public func violation(of invariant: (Machine) -> Bool) -> [Step<Machine>]? {
        // States are in the order of their distance, so the first is as near as any.
        states.firstIndex { !invariant($0) }.map(story(to:))
    }

    /// The shortest story that ends with a step for which `invariant` is false, or nil when it
    /// holds for all of them.
    public func violation(ofStep invariant: (Step<Machine>) -> Bool) -> [Step<Machine>]? {
        // Edges are in the order of the states that they leave.
        edges.first { !invariant(step($0)) }.map { story(to: $0.from) + [step($0)] }
    }

    /// The states that no event leads out of.
    public var deadEnds: [Machine] {
        let left = cut.union(edges.filter { $0.from != $0.to }.map { $0.from })
        return states.indices.filter { !left.contains($0) }.map { states[$0] }
    }

    /// The steps in which the machine changed, though it said that it ignored the event or left it
    /// unhandled.
    public var unfaithfulSteps: [Step<Machine>] {
        edges.filter { !$0.isHandled && $0.from != $0.to }.map(step)
    }

    /// The steps in which nobody decided what the event means.
    public var undecided: [Step<Machine>] {
        edges.filter { !$0.isHandled }.map(step).filter { step in
            if case .unhandled = step.outcome { true } else { false }
        }
    }
}

extension StateGraph where Machine.Event: Hashable {
    /// The regions that left an event undecided, also where another handled or ignored it: each in
    /// each of its states, for each event, with the first step that shows it.
    public var undecidedRegions: [(region: UndecidedRegion, step: Step<Machine>)] {
        var seen: [UndecidedRegion: Set<Machine.Event>] = [:]
        return edges.flatMap { edge in
            states[edge.from].undecidedRegions(of: edge.event).compactMap { region in
                let isNew = seen[region, default: []].insert(edge.event).inserted
                return isNew ? (region, step(edge)) : nil
            }
        }
    }
}

extension StateGraph
where Machine: SelectiveMachine, Machine.Event: Kinded, Machine.Event.Kind == Machine.Kind {
    /// The shortest story that ends with an event being handled though the state did not listen to
    /// its kind, or nil when the machine keeps its word.
    public func firstDisagreement() -> [Step<Machine>]? {
        violation(ofStep: { !$0.outcome.isHandled || $0.before.listens.contains($0.event.kind) })
    }
}
