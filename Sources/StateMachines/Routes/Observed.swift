/// Any machine, with observers who are told of each of its steps.
///
/// This is shell, and therefore no machine itself: observers are closures that may do what they
/// like. They cannot change what the machine decides, and they hear of it when it is decided.
public struct Observed<Machine: StateMachine> {
    /// Names an observer for its removal.
    public struct ID: Hashable, Sendable {
        let number: Int
    }

    private struct Observer {
        let id: ID
        let order: UInt8
        let hear: (Step<Machine>) -> Void
        let isMeantFor: (Step<Machine>) -> Bool
    }

    private var observers: [Observer] = []
    private var added = 0
    /// The machine that is observed.
    public private(set) var machine: Machine

    /// The machine, with nobody observing it yet.
    public init(_ machine: Machine) {
        self.machine = machine
    }

    /// Adds an observer of the steps in which the event was handled.
    ///
    /// - Parameters:
    ///   - order: observers of a lower order hear first; of the same order, who came first.
    ///   - isMeantFor: which steps the observer wants to hear of; all, unless stated.
    ///   - hear: called with each of these.
    @discardableResult
    public mutating func observe(
        order: UInt8 = 100, where isMeantFor: @escaping (Step<Machine>) -> Bool = { _ in true },
        _ hear: @escaping (Step<Machine>) -> Void
    ) -> ID {
        add(order, hear) { $0.outcome.isHandled && isMeantFor($0) }
    }

    /// Adds an observer of what was refused: events that were ignored or unhandled, each with the
    /// state that it met.
    @discardableResult
    public mutating func observeRefusals(
        order: UInt8 = 100, _ hear: @escaping (Step<Machine>) -> Void
    ) -> ID {
        add(order, hear) { !$0.outcome.isHandled }
    }

    private mutating func add(
        _ order: UInt8, _ hear: @escaping (Step<Machine>) -> Void,
        isMeantFor: @escaping (Step<Machine>) -> Bool
    ) -> ID {
        added += 1
        let observer = Observer(
            id: ID(number: added), order: order, hear: hear, isMeantFor: isMeantFor)
        let place = observers.firstIndex { $0.order > order } ?? observers.endIndex
        observers.insert(observer, at: place)
        return observer.id
    }

    /// Removes an observer. Removing it twice does nothing.
    public mutating func remove(_ id: ID) {
        observers.removeAll { $0.id == id }
    }

    /// Lets the machine handle the event, then tells the observers.
    @discardableResult
    public mutating func handle(_ event: Machine.Event) -> Outcome<Machine.Command> {
        let step = machine.step(event)
        for observer in observers where observer.isMeantFor(step) { observer.hear(step) }
        return step.outcome
    }
}
