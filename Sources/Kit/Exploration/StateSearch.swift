public import StateMachines

/// A search through all states that a machine can reach for a step that must not be.
///
/// It does what ``StateGraph/violation(ofStep:)`` does, but keeps no edges and stops at the first
/// violation: for machines of millions of states.
///
///     let search = StateSearch(from: gate, events: { $0.possibleEvents }) { step in
///         !step.after.isEmergency || step.after.isReleased
///     }
///     #expect(search.violation == nil)
public struct StateSearch<Machine: StateMachine & Hashable> {
    /// The shortest story that ends with a step for which the invariant is false, or nil when it
    /// holds for all that were looked at.
    public private(set) var violation: [Step<Machine>]?
    /// How many states were found.
    public private(set) var stateCount = 1
    /// How many steps were taken.
    public private(set) var stepCount = 0
    /// Whether all states were found: false when there are more than were allowed. A search that
    /// ends with a violation does not look further.
    public private(set) var isComplete = true

    /// Searches, breadth first.
    ///
    /// - Parameters:
    ///   - start: the machine to start with.
    ///   - limit: how many states to find at most.
    ///   - events: the events to try in a state.
    ///   - invariant: what must be true of every step, and so of every state but the first.
    public init(
        from start: Machine, limit: Int = 10_000_000, events: (Machine) -> [Machine.Event],
        invariant: (Step<Machine>) -> Bool
    ) {
        var states = [start]
        var found: Set<Machine> = [start]
        // For each state but the first where it was found from, and by which event.
        var discoveries: [(from: Int, event: Machine.Event)?] = [nil]
        var next = 0
        while next < states.count {
            for event in events(states[next]) {
                var after = states[next]
                let step = after.step(event)
                stepCount += 1
                guard invariant(step) else {
                    violation = Self.story(of: next, discoveries, from: start) + [step]
                    return
                }
                if found.contains(after) { continue }
                guard states.count < limit else {
                    isComplete = false
                    continue
                }
                found.insert(after)
                states.append(after)
                discoveries.append((next, event))
                stateCount += 1
            }
            next += 1
        }
    }

    /// The steps that lead to a state, taken once more: the machine is pure, so they are the same.
    private static func story(
        of place: Int, _ discoveries: [(from: Int, event: Machine.Event)?], from start: Machine
    ) -> [Step<Machine>] {
        var events: [Machine.Event] = []
        var place = place
        while let discovery = discoveries[place] {
            events.append(discovery.event)
            place = discovery.from
        }
        var machine = start
        return events.reversed().map { machine.step($0) }
    }
}

extension StateSearch: Sendable
where Machine: Sendable, Machine.Event: Sendable, Machine.Command: Sendable {}
