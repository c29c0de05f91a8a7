import StateMachines

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

/// What a sender would like a ``RouteMachine`` to do, with a message for its observers.
public enum Attempt<State, Event, Message> {
    /// To enter this state by a direct route.
    case state(State, message: Message? = nil)
    /// To enter this state by any route that leads there, an event's as well, without that event's
    /// happening: the transition then has no event.
    case anyRoute(to: State, message: Message? = nil)
    /// To go where this event leads.
    case event(Event, message: Message? = nil)

    /// What goes with it.
    public var message: Message? {
        switch self {
        case .state(_, let message), .anyRoute(to: _, let message), .event(_, let message): message
        }
    }
}

extension Attempt: CustomStringConvertible {
    /// The event, or `to` the state, with the message in parentheses if there is one.
    public var description: String {
        let aim =
            switch self {
            case .state(let state, message: _): "to \(name(of: state))"
            case .anyRoute(to: let state, message: _): "to \(name(of: state)) by any route"
            case .event(let event, message: _): name(of: event)
            }
        return message.map { "\(aim) (\(name(of: $0)))" } ?? aim
    }
}

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

extension RouteTransition: CustomStringConvertible {
    /// Such as `ready to busy`.
    public var description: String { "\(name(of: from)) to \(name(of: to))" }
}

extension RouteTransition: Equatable where State: Equatable, Event: Equatable, Message: Equatable {}
extension RouteTransition: Hashable where State: Hashable, Event: Hashable, Message: Hashable {}
extension RouteTransition: Sendable where State: Sendable, Event: Sendable, Message: Sendable {}
