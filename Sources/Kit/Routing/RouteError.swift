public import StateMachines

/// A route of an event that could not work, found where it is declared.
public struct RouteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of mistake.
    public enum Kind: Hashable, Sendable {
        /// Two routes for the same event in the same state that lead to different states: the later
        /// one would never be taken, or only when a condition of the earlier one does not hold,
        /// which has to be said.
        case clash
        /// A route about no event or from no state, or a fallback to which the routes before it
        /// leave nothing.
        case neverTaken
    }

    /// What kind of mistake it is.
    public let kind: Kind
    /// The mistake in words, without the place.
    public let message: String
    /// Where the routes concerned are declared: the one that is refused, then those before it.
    public let locations: [SourceLocation]

    /// `file:line:column: message`, and the other places.
    public var description: String {
        let others = locations.dropFirst().map { $0.description }
        return "\(locations[0]): \(message)"
            + (others.isEmpty ? "" : " (see \(others.joined(separator: ", ")))")
    }
}

/// A route that an event leads along.
struct EventRoute<State: Hashable & Sendable, Event: Hashable & Sendable>: Sendable {
    let events: Selection<Event>
    let from: Selection<State>
    /// The state that it leads to, or nil when that is the one it starts from.
    let target: State?
    let location: SourceLocation

    /// The mistake that the route is about no event, or starts in no state.
    var emptiness: RouteError? {
        guard events == [] || from == [] else { return nil }
        let message = events == [] ? "the route is about no event" : "the route starts in no state"
        return RouteError(kind: .neverTaken, message: message, locations: [location])
    }

    /// Where it leads from a state.
    func target(from state: State) -> State { target ?? state }

    /// An event in a state for which this route and an earlier one lead to different states, if
    /// there is one.
    func clash(with earlier: EventRoute) -> RouteError? {
        for event in samples(events, earlier.events) {
            for state in samples(from, earlier.from) {
                guard includes(event, state), earlier.includes(event, state),
                    target ?? state != earlier.target ?? state
                else { continue }
                let other = Self.words(event, state, earlier.target)
                return RouteError(
                    kind: .clash,
                    message: "\(other) by an earlier route, and to \(Self.word(target)) by this "
                        + "one: if the order is meant, add a fallback",
                    locations: [location, earlier.location])
            }
        }
        return nil
    }

    /// The mistake that nothing is left to this route by earlier ones that have no condition.
    func hidden(behind earlier: [EventRoute]) -> RouteError? {
        let all = [self] + earlier
        var hiding: Set<SourceLocation> = []
        for event in Set(all.flatMap { samples($0.events) }) {
            for state in Set(all.flatMap { samples($0.from) }) where includes(event, state) {
                guard let route = earlier.first(where: { $0.includes(event, state) }) else {
                    return nil
                }
                hiding.insert(route.location)
            }
        }
        guard !hiding.isEmpty else { return nil }
        return RouteError(
            kind: .neverTaken, message: "the routes before this one leave it nothing",
            locations: [location] + hiding.sorted())
    }

    /// Whether the route starts with this event in this state; nil is one that nobody named.
    private func includes(_ event: Event?, _ state: State?) -> Bool {
        Self.contains(events, event) && Self.contains(from, state)
    }

    private static func contains<Value>(_ selection: Selection<Value>, _ value: Value?) -> Bool {
        switch (selection, value) {
        case (.any, _): true
        case (.these, nil): false
        case (.these(let values), let value?): values.contains(value)
        }
    }

    private static func words(_ event: Event?, _ state: State?, _ target: State?) -> String {
        let what = event.map { name(of: $0) } ?? "any event"
        let place = state.map { name(of: $0) } ?? "any state"
        return "\(what) leads from \(place) to \(word(target))"
    }

    private static func word(_ target: State?) -> String {
        target.map { name(of: $0) } ?? "the same state"
    }
}

/// The values that are named in selections, and nil, which stands for all others.
private func samples<Value>(_ selections: Selection<Value>...) -> [Value?] {
    var values: [Value?] = []
    for selection in selections {
        switch selection {
        case .any: continue
        case .these(let named): values += named.sorted { name(of: $0) < name(of: $1) }.map { $0 }
        }
    }
    return values + [nil]
}
