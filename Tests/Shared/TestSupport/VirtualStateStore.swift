public import Keeping
public import Turnstile

/// A store that keeps every state that it is given, and fails when the test says.
public final class VirtualStateStore: StateStore {
    /// What was given, in order.
    public private(set) var states: [RetainedState] = []
    /// What is wrong.
    public var failure: String?
    /// Told of every state, at the time.
    public var onKeep: (RetainedState) -> Void = { _ in }

    /// A store that is empty.
    public init() {}

    /// Keeps `state`.
    public func keep(_ state: RetainedState) {
        states.append(state)
        onKeep(state)
    }
}
