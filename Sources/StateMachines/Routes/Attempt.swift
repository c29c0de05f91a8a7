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
        /// At this state, by a direct route.
        case state(State)
        /// At this state by whatever leads there, an event's route among it.
        case anyRoute(to: State)
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

    /// An attempt to enter a state by any route that leads there, an event's as well, without that
    /// event's happening: the transition then has no event.
    public static func anyRoute(to state: State, message: Message? = nil) -> Attempt {
        Attempt(aim: .anyRoute(to: state), message: message)
    }

    /// An attempt to go where an event leads.
    public static func event(_ event: Event, message: Message? = nil) -> Attempt {
        Attempt(aim: .event(event), message: message)
    }
}

extension Attempt: CustomStringConvertible {
    /// The event, or `to` the state, with the message in parentheses if there is one.
    public var description: String {
        let aim =
            switch aim {
            case .state(let state): "to \(name(of: state))"
            case .anyRoute(to: let state): "to \(name(of: state)) by any route"
            case .event(let event): name(of: event)
            }
        return message.map { "\(aim) (\(name(of: $0)))" } ?? aim
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

extension RouteTransition: CustomStringConvertible {
    /// Such as `ready to busy`.
    public var description: String { "\(name(of: from)) to \(name(of: to))" }
}

extension RouteTransition: Equatable where State: Equatable, Event: Equatable, Message: Equatable {}
extension RouteTransition: Hashable where State: Hashable, Event: Hashable, Message: Hashable {}
extension RouteTransition: Sendable where State: Sendable, Event: Sendable, Message: Sendable {}
