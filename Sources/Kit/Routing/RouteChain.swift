public import StateMachines

/// States that a ``RouteMachine`` may go through one after the other, followed along its passages.
///
/// The chain begins wherever the machine stands in its first state, however it came there. Each
/// passage has to lead to the next state: with the last one the chain is complete, and with any
/// other state it is broken. It may begin anew at once. Refused attempts make no passage and do not
/// break it.
///
/// It is a machine itself, whose events are the passages. `Holder.observe(_:when:order:_:)` of the
/// machine that makes them delivers them.
public struct RouteChain<
    State: Hashable & Sendable, Event: Hashable & Sendable, Message: Sendable
>: StateMachine, Hashable, Sendable {
    /// What may become of a chain.
    public enum Result: Hashable, Sendable {
        /// The machine has gone through all of its states.
        case complete
        /// The machine has left one of its states for another than the next.
        case broken
    }

    /// The states, at least two.
    public let states: [State]
    /// How many of them the machine has gone through, the one in which it stands included.
    public private(set) var reached = 0

    /// A chain of these states.
    public init(_ first: State, _ second: State, _ more: State...) {
        states = [first, second] + more
    }

    /// Follows a passage.
    public mutating func handle(
        _ passage: RouteTransition<State, Event, Message>
    ) -> Outcome<Result> {
        let before = reached
        if reached == 0 || passage.from != states[reached - 1] {
            reached = passage.from == states[0] ? 1 : 0
        }
        if reached > 0, passage.to == states[reached] {
            reached += 1
            guard reached == states.count else { return .handled }
            reached = passage.to == states[0] ? 1 : 0
            return .handled(.complete)
        }
        let wasUnderWay = reached > 0
        reached = beginning(of: states.prefix(reached) + [passage.to])
        if wasUnderWay { return .handled(.broken) }
        return reached == before ? .ignored("the chain has not begun") : .handled
    }

    /// How many of the last states gone through are the beginning of the chain all the same.
    private func beginning(of path: ArraySlice<State>) -> Int {
        (1...path.count).last { path.suffix($0).elementsEqual(states.prefix($0)) } ?? 0
    }
}
