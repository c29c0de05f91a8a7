import Exploration
import Routing
import StateMachines
import Testing

/// Routes of events that lead to different places, and what is asked without their happening.
@Suite struct RouteOrderTests {
    enum State: Hashable, Sendable { case ready, busy, failed }
    enum Event: Hashable, Sendable { case go, stop }
    typealias Machine = RouteMachine<State, Event, String>
    typealias EventRoutes = Routes<State, Event, String>

    /// The mistake in the routes that `add` adds to.
    private func mistake(
        _ routes: EventRoutes, _ add: (inout EventRoutes) throws(RouteError) -> Void
    ) -> RouteError? {
        var changed = routes
        do throws(RouteError) {
            try add(&changed)
            return nil
        } catch {
            #expect(changed == routes, "nothing is added that is refused")
            return error
        }
    }

    @Test func `two routes for one event to different states are reported with both places`() throws
    {
        var routes = EventRoutes()
        try routes.add(on: [.go], from: [.ready, .failed], to: .busy)
        let line = UInt(#line - 1)
        let error = try #require(
            mistake(routes) { (routes) throws(RouteError) in
                try routes.add(on: [.go, .stop], from: [.ready], to: .failed)
            })
        #expect(error.kind == .clash)
        #expect(error.locations.map(\.line) == [line + 2, line])
        #expect(
            error.message
                == "go leads from ready to busy by an earlier route, and to failed by this one: "
                + "if the order is meant, add a fallback")
        let columns = error.locations.map(\.column)
        #expect("\(error)".contains("RouteOrderTests.swift:\(line + 2):\(columns[0]): go leads"))
        #expect("\(error)".hasSuffix("RouteOrderTests.swift:\(line):\(columns[1]))"))
    }

    @Test func `any event and any state meet those that are named`() throws {
        var routes = EventRoutes()
        try routes.add(on: .any, from: .any, to: .failed)
        #expect(
            mistake(routes) { (routes) throws(RouteError) in
                try routes.add(on: [.go], from: [.ready], to: .busy)
            }?.kind == .clash)
        #expect(
            mistake(routes) { (routes) throws(RouteError) in
                try routes.addChain(on: .stop, .failed, .ready, .busy)
            }?.kind == .clash)
        // To stay where one is differs from going to one state, but not in that state.
        #expect(
            mistake(routes) { (routes) throws(RouteError) in
                try routes.add(on: [.go], from: .any)
            }?.message.contains("to the same state by this one") == true)
        try routes.add(on: [.go], from: [.failed])
        try routes.add(on: [.go], from: [.ready], to: .failed)
    }

    @Test func `a condition does not make two routes one, and neither does another event`() throws {
        var routes = EventRoutes()
        try routes.add(on: [.go], from: [.ready], to: .busy) { $0.message == "please" }
        #expect(
            mistake(routes) { (routes) throws(RouteError) in
                try routes.add(on: [.go], from: [.ready], to: .failed) { $0.message == nil }
            }?.kind == .clash)
        try routes.add(on: [.stop], from: [.ready], to: .failed)
        try routes.add(on: [.go], from: [.busy], to: .failed)
        routes.add(from: [.ready], to: .any)
    }

    @Test func `a chain that comes by a state twice clashes with itself`() {
        let error = mistake(EventRoutes()) { (routes) throws(RouteError) in
            try routes.addChain(on: .go, .ready, .busy, .ready, .failed)
        }
        #expect(error?.kind == .clash)
    }

    @Test func `the order is kept where it is said to be meant`() throws {
        var routes = EventRoutes()
        try routes.add(on: [.go], from: [.ready], to: .busy) { $0.message == "please" }
        try routes.addFallback(on: [.go], from: [.ready], to: .failed)
        try routes.addFallback(on: .any, from: .any)
        for _ in 0..<40 {
            var machine = Machine(state: .ready, routes: routes)
            #expect(machine.handle(.event(.go, message: "please")).isHandled)
            #expect(machine.state == .busy)
            machine = Machine(state: .ready, routes: routes)
            #expect(machine.handle(.event(.go)).isHandled)
            #expect(machine.state == .failed)
            #expect(machine.handle(.event(.stop)).isHandled)
            #expect(machine.state == .failed)
        }
    }

    @Test func `a fallback to which nothing is left is reported with all that hide it`() throws {
        var routes = EventRoutes()
        try routes.add(on: [.go], from: [.ready], to: .busy)
        let line = UInt(#line - 1)
        try routes.add(on: [.stop], from: [.ready], to: .failed)
        let error = try #require(
            mistake(routes) { (routes) throws(RouteError) in
                try routes.addFallback(on: [.go, .stop], from: [.ready], to: .ready)
            })
        #expect(error.kind == .neverTaken)
        #expect(error.locations.map(\.line) == [line + 3, line, line + 2])
        // Another state is left, or another event, or what a condition does not let pass.
        try routes.addFallback(on: [.go, .stop], from: [.ready, .busy], to: .ready)
        try routes.addFallback(on: .any, from: [.ready], to: .ready)
        var conditional = EventRoutes()
        try conditional.add(on: .any, from: .any, to: .busy) { _ in false }
        try conditional.addFallback(on: .any, from: .any, to: .ready)
        #expect(
            mistake(conditional) { (routes) throws(RouteError) in
                try routes.addFallback(on: [.go], from: .any, to: .failed)
            }?.kind == .neverTaken)
    }

    @Test func `a route of no event or from no state is reported`() throws {
        let line = UInt(#line + 2)
        let aimless = mistake(EventRoutes()) { (routes) throws(RouteError) in
            try routes.add(on: [], from: .any, to: .busy)
        }
        #expect(aimless?.kind == .neverTaken)
        let text = aimless.map { "\($0)" } ?? ""
        #expect(text.contains(":\(line):") && text.hasSuffix(": the route is about no event"))
        for (events, states) in [
            (Selection<Event>.any, Selection<State>.these([])), ([], .any), ([], []),
        ] {
            #expect(
                mistake(EventRoutes()) { (routes) throws(RouteError) in
                    try routes.addFallback(on: events, from: states, to: .busy)
                }?.kind == .neverTaken)
        }
        let homeless = mistake(EventRoutes()) { (routes) throws(RouteError) in
            try routes.add(on: [.go], from: [], to: .busy)
        }
        #expect(homeless?.message == "the route starts in no state")
    }

    @Test func `where an event would lead is asked without its happening`() throws {
        var routes = EventRoutes()
        try routes.add(on: [.go], from: [.ready], to: .busy)
        let machine = Machine(state: .ready, routes: routes)
        #expect(machine.permits(.event(.go)))
        #expect(!machine.permits(.event(.stop)))
        #expect(routes.passage(from: .ready, for: .event(.go))?.to == .busy)
        #expect(routes.passage(from: .busy, for: .event(.go)) == nil)
        #expect(machine.state == .ready)
    }

    @Test func `an event's route can be tried without the event`() throws {
        var routes = EventRoutes()
        try routes.add(on: [.go], from: [.ready], to: .busy) { $0.message != "no" }
        try routes.add(on: [.stop], from: .any)
        let direct = routes.add(from: [.busy], to: [.failed])
        var machine = Machine(state: .ready, routes: routes)
        #expect(!machine.permits(.state(.busy)))
        #expect(!machine.permits(.anyRoute(to: .busy, message: "no")))
        #expect(!machine.permits(.anyRoute(to: .failed)))
        #expect(machine.permits(.anyRoute(to: .ready)))
        #expect(
            machine.handle(.anyRoute(to: .busy, message: "go"))
                == .handled(RouteTransition(from: .ready, to: .busy, event: nil, message: "go")))
        #expect(machine.handle(.anyRoute(to: .failed)).isHandled)
        routes.remove(direct)
        #expect(!Machine(state: .busy, routes: routes).permits(.anyRoute(to: .failed)))
    }

    @Test func `any event may leave any state as it is`() throws {
        var routes = EventRoutes()
        try routes.add(on: .any, from: .any) { $0.from != .failed }
        for state in [State.ready, .busy] {
            var machine = Machine(state: state, routes: routes)
            #expect(
                machine.handle(.event(.stop))
                    == .handled(
                        RouteTransition(from: state, to: state, event: .stop, message: nil)))
        }
        #expect(!Machine(state: .failed, routes: routes).permits(.event(.stop)))
    }

    @Test func `a mapping needs no event`() {
        var routes = EventRoutes()
        routes.addMapping { event, state, message in
            switch (event, state) {
            case (.go, .ready): .busy
            case (nil, .busy): message == nil ? .ready : .failed
            case (.go, _), (.stop, _), (nil, _): nil
            }
        }
        var machine = Machine(state: .ready, routes: routes)
        #expect(!machine.permits(.state(.busy)))
        #expect(machine.handle(.event(.go)).isHandled)
        #expect(!machine.permits(.state(.failed)))
        #expect(machine.permits(.anyRoute(to: .failed, message: "late")))
        #expect(machine.permits(.state(.failed, message: "late")))
        #expect(machine.handle(.state(.ready)).isHandled)
    }

    @Test func `a route of other routes is not removed in its stead`() {
        var (routes, others) = (EventRoutes(), EventRoutes())
        routes.add(from: [.ready], to: [.busy])
        let foreign = others.add(from: [.ready], to: [.busy])
        routes.remove(foreign)
        #expect(Machine(state: .ready, routes: routes).permits(.state(.busy)))
        #expect(routes != others)
    }

    @Test func `a machine of routes is explored and drawn`() throws {
        var routes = EventRoutes()
        try routes.addChain(on: .go, .ready, .busy)
        try routes.addFallback(on: .any, from: [.busy], to: .failed) { $0.event == .stop }
        routes.add(from: [.failed], to: [.ready])
        let graph = StateGraph(
            from: Machine(state: .ready, routes: routes),
            events: [.event(.go), .event(.stop), .state(.ready)])
        #expect(graph.states.map(\.state) == [.ready, .busy, .failed])
        #expect(graph.violation(of: { $0.state != .failed })?.count == 2)
        #expect(
            graph.diagram().mermaid == """
                stateDiagram-v2
                    state "ready" as s0
                    state "busy" as s1
                    state "failed" as s2
                    [*] --> s0
                    s0 --> s1: go / ready to busy
                    s1 --> s2: stop / busy to failed
                    s2 --> s0: to ready / failed to ready

                """)
        #expect(
            graph.story(to: 2).map { "\($0)" } == [
                "ready, go: busy [ready to busy]", "busy, stop: failed [busy to failed]",
            ])
        #expect(
            "\(Attempt<State, Event, String>.anyRoute(to: .busy, message: "now"))"
                == "to busy by any route (now)")
    }
}
