public import StateMachines

/// The emergency loop, and what it takes to end an emergency.
///
/// An open loop is an emergency at once. A closed loop does not end it: that takes the configured
/// reset, and nobody in the lane.
public struct Emergency: StateMachine, Hashable, Sendable {
    /// What may happen to it.
    public enum Event: Hashable, Sendable {
        /// The loop opened: a call point, or a broken wire.
        case loopOpened
        /// The loop is closed.
        case loopClosed
        /// The reset key was turned.
        case resetRequested
        /// Nobody is in the lane.
        case laneCleared
    }

    /// What it says.
    public enum Command: Hashable, Sendable {
        /// The gate must stand open.
        case begin
        /// The loop is closed; the gate must still stand open.
        case reportLoopClosed
        /// The emergency is over.
        case end
    }

    /// Where it is.
    public enum State: Hashable, Sendable {
        /// There is none. An open loop follows.
        case none
        /// The loop is open. Its closing follows.
        case loopOpen
        /// The loop is closed. The reset follows.
        case awaitingReset
        /// The reset was given while somebody was in the lane. A clear lane follows.
        case awaitingClearLane
    }

    /// Where it is.
    public private(set) var state = State.none
    private var resetsItself: Bool

    /// No emergency.
    public init(policy: Policy) {
        resetsItself = policy.fireReset == .auto
    }

    /// Whether the gate must stand open.
    public var isActive: Bool { state != .none }

    /// Takes the reset of a new policy.
    mutating func adopt(_ policy: Policy) {
        resetsItself = policy.fireReset == .auto
    }

    /// Decides every pair of state and event.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch (state, event) {
        case (.none, .loopOpened):
            state = .loopOpen
            return .handled(.begin)
        case (.awaitingReset, .loopOpened), (.awaitingClearLane, .loopOpened):
            state = .loopOpen
            return .handled
        case (.loopOpen, .loopOpened):
            return .ignored("the loop is open already")

        case (.loopOpen, .loopClosed):
            state = resetsItself ? .awaitingClearLane : .awaitingReset
            return .handled(.reportLoopClosed)
        case (.none, .loopClosed), (.awaitingReset, .loopClosed), (.awaitingClearLane, .loopClosed):
            return .ignored("the loop is closed already")

        case (.awaitingReset, .resetRequested):
            state = .awaitingClearLane
            return .handled
        case (.loopOpen, .resetRequested):
            return .ignored("an emergency cannot be reset while its loop is open")
        case (.none, .resetRequested):
            return .ignored("there is no emergency")
        case (.awaitingClearLane, .resetRequested):
            return .ignored("the reset waits for a clear lane")

        case (.awaitingClearLane, .laneCleared):
            state = .none
            return .handled(.end)
        case (.none, .laneCleared), (.loopOpen, .laneCleared), (.awaitingReset, .laneCleared):
            return .ignored("no reset waits for a clear lane")
        }
    }
}
