import Holding
public import StateMachines

/// The routes between states: which transitions are legal, and where events lead.
///
///     var routes = Routes<State, Event, String>()
///     routes.add(from: [.ready], to: [.busy])
///     try routes.add(on: [.finished], from: [.busy], to: .ready)
///     try routes.addFallback(on: .any, from: .any)
///
/// Routes say nothing about behaviour. They are a value: who holds a copy is not affected when
/// routes are added to or removed from another one.
public struct Routes<State: Hashable & Sendable, Event: Hashable & Sendable, Message: Sendable>:
    Sendable
{
    /// Names a route for its removal, and for observers of it alone.
    public struct ID: Hashable, Sendable {
        private let token = Token()
    }

    /// Says whether a passage that a route allows may be made this time.
    public typealias Condition = @Sendable (RouteTransition<State, Event, Message>) -> Bool

    private enum Kind: Sendable {
        case direct(from: Selection<State>, to: Selection<State>)
        case event(EventRoute<State, Event>)
        case mapping(@Sendable (Event?, State, Message?) -> State?)
        case stateMapping(@Sendable (State, Message?) -> [State])
    }

    private struct Route: Sendable {
        let id = ID()
        let kind: Kind
        var condition: Condition?
    }

    private var routes: [Route] = []

    /// No routes: nothing is legal.
    public init() {}

    // MARK: - Direct routes

    /// Lets states of `from` be left for states of `to` directly.
    @discardableResult
    public mutating func add(
        from: Selection<State>, to: Selection<State>, if condition: Condition? = nil
    ) -> ID {
        add(Route(kind: .direct(from: from, to: to), condition: condition))
    }

    /// Lets each of the states be left for the next one, directly.
    @discardableResult
    public mutating func addChain(
        _ first: State, _ second: State, _ more: State..., if condition: Condition? = nil
    ) -> [ID] {
        let states = [first, second] + more
        return zip(states, states.dropFirst()).map {
            add(from: .only($0), to: .only($1), if: condition)
        }
    }

    // MARK: - Routes of events

    /// Lets an event lead from states of `from` to the state `to`, or without one leave them as
    /// they are.
    ///
    /// The routes of an event are asked in the order in which they were added, so of two that lead
    /// to different states the earlier hides the later. That is taken for a mistake, here where the
    /// second is declared, unless this one is added as a fallback:
    /// ``addFallback(on:from:to:if:file:line:column:)``.
    ///
    /// - Throws: ``RouteError`` when an earlier route leads elsewhere for one of these events in
    ///   one of these states, or when there is no such event or state. Nothing is added then.
    @discardableResult
    public mutating func add(
        on event: Selection<Event>, from: Selection<State>, to target: State? = nil,
        if condition: Condition? = nil,
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) throws(RouteError) -> ID {
        let place = SourceLocation(file, line, column)
        let route = EventRoute(events: event, from: from, target: target, location: place)
        return try add(route, if: condition)
    }

    /// Lets an event lead from states of `from` to the state `to`, or without one leave them as
    /// they are, where no route that was added before does: be it that its condition does not hold.
    ///
    /// - Throws: ``RouteError`` when earlier routes leave it nothing, or it is about nothing, so
    ///   that it would never be taken. Nothing is added then.
    @discardableResult
    public mutating func addFallback(
        on event: Selection<Event>, from: Selection<State>, to target: State? = nil,
        if condition: Condition? = nil,
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) throws(RouteError) -> ID {
        let place = SourceLocation(file, line, column)
        let route = EventRoute(events: event, from: from, target: target, location: place)
        let certain = eventRoutes { $0.condition == nil }
        if let error = route.emptiness ?? route.hidden(behind: certain) { throw error }
        return add(Route(kind: .event(route), condition: condition))
    }

    /// Lets an event lead from each of the states to the next one.
    ///
    /// - Throws: ``RouteError`` when it already leads elsewhere from one of them. Nothing is added
    ///   then.
    @discardableResult
    public mutating func addChain(
        on event: Event, _ first: State, _ second: State, _ more: State...,
        if condition: Condition? = nil,
        file: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) throws(RouteError) -> [ID] {
        let place = SourceLocation(file, line, column)
        let states = [first, second] + more
        var (longer, ids) = (self, [ID]())
        for (from, target) in zip(states, states.dropFirst()) {
            let route = EventRoute(
                events: .only(event), from: .only(from), target: target, location: place)
            ids.append(try longer.add(route, if: condition))
        }
        self = longer
        return ids
    }

    // MARK: - Mappings

    /// Lets a function say where states lead: for states and events with payloads.
    ///
    /// It stands among the routes of events in the order in which it was added. Whether it hides a
    /// later one, or an earlier one hides it, cannot be known.
    ///
    /// - Parameter mapping: the state that the event leads to from a state, or nil when nowhere.
    ///   The event is nil when a state is tried without one; it is entered when the mapping gives
    ///   that very state.
    @discardableResult
    public mutating func addMapping(
        _ mapping: @escaping @Sendable (Event?, State, Message?) -> State?
    ) -> ID {
        add(Route(kind: .mapping(mapping)))
    }

    /// Lets a state be left directly for those that a function names.
    @discardableResult
    public mutating func addStateMapping(
        _ mapping: @escaping @Sendable (State, Message?) -> [State]
    ) -> ID {
        add(Route(kind: .stateMapping(mapping)))
    }

    // MARK: - Adding and removing

    private mutating func add(
        _ route: EventRoute<State, Event>, if condition: Condition?
    ) throws(RouteError) -> ID {
        if let error = route.emptiness { throw error }
        for earlier in eventRoutes(where: { _ in true }) {
            if let error = route.clash(with: earlier) { throw error }
        }
        return add(Route(kind: .event(route), condition: condition))
    }

    private mutating func add(_ route: Route) -> ID {
        routes.append(route)
        return route.id
    }

    private func eventRoutes(where isMeant: (Route) -> Bool) -> [EventRoute<State, Event>] {
        routes.compactMap { route in
            guard case .event(let event) = route.kind, isMeant(route) else { return nil }
            return event
        }
    }

    /// Removes a route. Removing it twice does nothing.
    public mutating func remove(_ id: ID) {
        routes.removeAll { $0.id == id }
    }

    // MARK: - Asking

    /// The passage that an attempt amounts to from `state`, or nil when no route allows it.
    ///
    /// The routes are asked in the order in which they were added.
    public func passage(
        from state: State, for attempt: Attempt<State, Event, Message>
    ) -> RouteTransition<State, Event, Message>? {
        for route in routes {
            if let passage = passage(by: route, from: state, for: attempt) { return passage }
        }
        return nil
    }

    /// Whether this route would have let the attempt lead where it did.
    ///
    /// Another one that was added before may have been the one that was asked first.
    func route(
        _ id: ID, allows passage: RouteTransition<State, Event, Message>,
        for attempt: Attempt<State, Event, Message>
    ) -> Bool {
        guard let route = routes.first(where: { $0.id == id }) else { return false }
        return self.passage(by: route, from: passage.from, for: attempt)?.to == passage.to
    }

    private func passage(
        by route: Route, from state: State, for attempt: Attempt<State, Event, Message>
    ) -> RouteTransition<State, Event, Message>? {
        let event: Event?
        let target: State?
        switch attempt {
        case .state(let wanted, let message):
            event = nil
            target = leads(route, from: state, to: wanted, message) ? wanted : nil
        case .anyRoute(to: let wanted, let message):
            event = nil
            let leads =
                leads(route, from: state, to: wanted, message)
                || leadsByEvent(route, from: state, to: wanted)
            target = leads ? wanted : nil
        case .event(let given, let message):
            event = given
            target = self.target(of: given, by: route, from: state, message)
        }
        guard let target else { return nil }
        let passage = RouteTransition(
            from: state, to: target, event: event, message: attempt.message)
        return route.condition?(passage) ?? true ? passage : nil
    }

    private func leads(
        _ route: Route, from state: State, to wanted: State, _ message: Message?
    ) -> Bool {
        switch route.kind {
        case .direct(let from, let to): from.contains(state) && to.contains(wanted)
        case .mapping(let mapping): mapping(nil, state, message) == wanted
        case .stateMapping(let mapping): mapping(state, message).contains(wanted)
        case .event: false
        }
    }

    private func leadsByEvent(_ route: Route, from state: State, to wanted: State) -> Bool {
        guard case .event(let route) = route.kind else { return false }
        return route.from.contains(state) && route.target(from: state) == wanted
    }

    private func target(
        of event: Event, by route: Route, from state: State, _ message: Message?
    ) -> State? {
        switch route.kind {
        case .event(let route):
            guard route.events.contains(event), route.from.contains(state) else { return nil }
            return route.target(from: state)
        case .mapping(let mapping): return mapping(event, state, message)
        case .direct, .stateMapping: return nil
        }
    }
}

extension Routes: Hashable {
    /// Routes are equal when one is a copy of the other, and the same were added and removed since:
    /// what conditions and mappings do cannot be compared.
    public static func == (a: Routes, b: Routes) -> Bool {
        a.routes.count == b.routes.count && zip(a.routes, b.routes).allSatisfy { $0.id == $1.id }
    }

    /// Hashes which routes there are.
    public func hash(into hasher: inout Hasher) {
        for route in routes { hasher.combine(route.id) }
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
/// `StateMachine.permits(_:)`, and where it would lead with
/// ``Routes/passage(from:for:)``.
///
/// Machines are equal when they are in the same state and have the same routes, so that a
/// `StateGraph` can explore one and draw it.
public struct RouteMachine<
    State: Hashable & Sendable, Event: Hashable & Sendable, Message: Sendable
>: StateMachine, Hashable, Sendable {
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

extension RouteMachine: CustomStringConvertible {
    /// The state's.
    public var description: String { name(of: state) }
}
