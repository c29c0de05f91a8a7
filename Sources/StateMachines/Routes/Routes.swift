/// Which of several values a route is about: any at all, or these.
public enum Selection<Value: Hashable & Sendable>: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// Any value.
    case any
    /// These values.
    case these(Set<Value>)

    /// This value alone.
    public static func only(_ value: Value) -> Selection { .these([value]) }

    /// These values.
    public init(arrayLiteral values: Value...) {
        self = .these(Set(values))
    }

    /// Whether the value is one of those selected.
    public func contains(_ value: Value) -> Bool {
        switch self {
        case .any: true
        case .these(let values): values.contains(value)
        }
    }
}

/// What somebody would like a ``RouteMachine`` to do, with a message for whoever observes it.
public struct Attempt<State, Event, Message> {
    /// Where the attempt is aimed.
    public enum Aim {
        /// At this state.
        case state(State)
        /// Wherever this event leads.
        case event(Event)
    }

    /// Where the attempt is aimed.
    public let aim: Aim
    /// What goes with it.
    public let message: Message?

    /// An attempt to enter a state directly.
    public static func state(_ state: State, message: Message? = nil) -> Attempt {
        Attempt(aim: .state(state), message: message)
    }

    /// An attempt to go where an event leads.
    public static func event(_ event: Event, message: Message? = nil) -> Attempt {
        Attempt(aim: .event(event), message: message)
    }
}

extension Attempt.Aim: Equatable where State: Equatable, Event: Equatable {}
extension Attempt.Aim: Hashable where State: Hashable, Event: Hashable {}
extension Attempt.Aim: Sendable where State: Sendable, Event: Sendable {}
extension Attempt: Equatable where State: Equatable, Event: Equatable, Message: Equatable {}
extension Attempt: Hashable where State: Hashable, Event: Hashable, Message: Hashable {}
extension Attempt: Sendable where State: Sendable, Event: Sendable, Message: Sendable {}

/// A transition that a ``RouteMachine`` made: its one kind of command.
public struct RouteTransition<State, Event, Message> {
    /// The state left.
    public let from: State
    /// The state entered.
    public let to: State
    /// The event that led there, or nil when the state was tried directly.
    public let event: Event?
    /// What went with the attempt.
    public let message: Message?

    /// A passage between these states.
    public init(from: State, to: State, event: Event?, message: Message?) {
        self.from = from
        self.to = to
        self.event = event
        self.message = message
    }
}

extension RouteTransition: Equatable where State: Equatable, Event: Equatable, Message: Equatable {}
extension RouteTransition: Sendable where State: Sendable, Event: Sendable, Message: Sendable {}

/// The routes between states: which transitions are legal, and where events lead.
///
/// Routes say nothing about behaviour. They are a value: who holds a copy is not affected when
/// routes are added to or removed from another one.
public struct Routes<State: Hashable & Sendable, Event: Hashable & Sendable, Message: Sendable>:
    Sendable
{
    /// Names a route for its removal.
    public struct ID: Hashable, Sendable {
        let number: Int
    }

    /// Says whether a passage that a route allows may be made this time.
    public typealias Condition = @Sendable (RouteTransition<State, Event, Message>) -> Bool

    private enum Rule: Sendable {
        case direct(from: Selection<State>, to: Selection<State>, Condition?)
        case event(Selection<Event>, from: Selection<State>, to: State, Condition?)
        case mapping(@Sendable (Event, State, Message?) -> State?)
        case stateMapping(@Sendable (State, Message?) -> [State])
    }

    private var rules: [(id: ID, rule: Rule)] = []
    private var added = 0

    /// No routes: nothing is legal.
    public init() {}

    /// Lets states of `from` be left for states of `to` directly.
    @discardableResult
    public mutating func add(
        from: Selection<State>, to: Selection<State>, if condition: Condition? = nil
    ) -> ID {
        add(.direct(from: from, to: to, condition))
    }

    /// Lets an event lead from states of `from` to the state `to`.
    @discardableResult
    public mutating func add(
        on event: Selection<Event>, from: Selection<State>, to: State,
        if condition: Condition? = nil
    ) -> ID {
        add(.event(event, from: from, to: to, condition))
    }

    /// Lets each of the states be left for the next one, directly.
    @discardableResult
    public mutating func addChain(_ states: State..., if condition: Condition? = nil) -> [ID] {
        zip(states, states.dropFirst()).map { add(from: .only($0), to: .only($1), if: condition) }
    }

    /// Lets an event lead from each of the states to the next one.
    @discardableResult
    public mutating func addChain(
        on event: Event, _ states: State..., if condition: Condition? = nil
    ) -> [ID] {
        zip(states, states.dropFirst()).map {
            add(on: .only(event), from: .only($0), to: $1, if: condition)
        }
    }

    /// Lets events lead where a function says: for states and events with payloads.
    ///
    /// - Parameter mapping: the state that the event leads to from a state, or nil when nowhere.
    @discardableResult
    public mutating func addMapping(
        _ mapping: @escaping @Sendable (Event, State, Message?) -> State?
    ) -> ID {
        add(.mapping(mapping))
    }

    /// Lets a state be left directly for those that a function names.
    @discardableResult
    public mutating func addStateMapping(
        _ mapping: @escaping @Sendable (State, Message?) -> [State]
    ) -> ID {
        add(.stateMapping(mapping))
    }

    private mutating func add(_ rule: Rule) -> ID {
        added += 1
        let id = ID(number: added)
        rules.append((id, rule))
        return id
    }

    /// Removes a route. Removing it twice does nothing.
    public mutating func remove(_ id: ID) {
        rules.removeAll { $0.id == id }
    }

    /// The passage that an attempt amounts to from `state`, or nil when no route allows it.
    ///
    /// The routes are asked in the order in which they were added.
    public func passage(
        from state: State, for attempt: Attempt<State, Event, Message>
    ) -> RouteTransition<State, Event, Message>? {
        for (_, rule) in rules {
            switch attempt.aim {
            case .state(let target):
                let passage = RouteTransition(
                    from: state, to: target, event: Event?.none, message: attempt.message)
                if allows(rule, passage) { return passage }
            case .event(let event):
                guard let target = target(of: rule, event, state, attempt.message) else { continue }
                let passage = RouteTransition(
                    from: state, to: target, event: event, message: attempt.message)
                if holds(rule, passage) { return passage }
            }
        }
        return nil
    }

    private func allows(_ rule: Rule, _ passage: RouteTransition<State, Event, Message>) -> Bool {
        switch rule {
        case .direct(let from, let to, _):
            from.contains(passage.from) && to.contains(passage.to) && holds(rule, passage)
        case .stateMapping(let mapping):
            mapping(passage.from, passage.message).contains(passage.to)
        case .event, .mapping: false
        }
    }

    private func target(
        of rule: Rule, _ event: Event, _ state: State, _ message: Message?
    ) -> State? {
        switch rule {
        case .event(let events, let from, let to, _):
            events.contains(event) && from.contains(state) ? to : nil
        case .mapping(let mapping): mapping(event, state, message)
        case .direct, .stateMapping: nil
        }
    }

    private func holds(_ rule: Rule, _ passage: RouteTransition<State, Event, Message>) -> Bool {
        switch rule {
        case .direct(_, _, let condition), .event(_, _, _, let condition):
            condition?(passage) ?? true
        case .mapping, .stateMapping: true
        }
    }
}

/// A machine that goes where its routes allow.
///
///     var routes = Routes<State, Event, String>()
///     routes.add(from: [.ready], to: [.busy])
///     routes.add(from: .any, to: [.failed])
///     var machine = RouteMachine(state: .ready, routes: routes)
///     let outcome = machine.handle(.state(.busy, message: "go"))
///
/// An attempt that no route allows is unhandled. Whether it would be allowed is asked with
/// ``StateMachine/permits(_:)``.
public struct RouteMachine<
    State: Hashable & Sendable, Event: Hashable & Sendable, Message: Sendable
>: StateMachine, Sendable {
    /// The present state.
    public private(set) var state: State
    /// The routes, which may be changed at any time.
    public var routes: Routes<State, Event, Message>

    /// A machine in this state.
    public init(state: State, routes: Routes<State, Event, Message>) {
        self.state = state
        self.routes = routes
    }

    /// Goes where the attempt leads; the command is the passage made.
    public mutating func handle(
        _ attempt: Attempt<State, Event, Message>
    ) -> Outcome<RouteTransition<State, Event, Message>> {
        guard let passage = routes.passage(from: state, for: attempt) else { return .unhandled }
        state = passage.to
        return .handled(passage)
    }
}
