import Holding
import Routing
import StateMachines
import Testing

/// Observers of one route, and of chains of states.
@Suite struct RouteChainTests {
    enum State: Hashable, Sendable { case state0, state1, state2, state3 }
    enum Event: Hashable, Sendable { case event0 }
    typealias Machine = RouteMachine<State, Event, String>
    typealias StateRoutes = Routes<State, Event, String>
    typealias Chain = RouteChain<State, Event, String>

    /// A machine that may go anywhere.
    private var free: Holder<Machine> {
        var routes = StateRoutes()
        routes.add(from: .any, to: .any)
        return Holder(Machine(state: .state0, routes: routes))
    }

    /// What becomes of the chain on such a walk from its first state, as `complete` or `broken` by
    /// the place in the walk.
    private func results(_ chain: Chain, on walk: [State]) -> [String] {
        let (printout, holder) = (Printout<String>(), free)
        let turn = Unlocked(0)
        holder.observe(chain) { _, _ in printout.print("\(turn.value) complete") }
        holder.observe(chain, when: .broken) { _, _ in printout.print("\(turn.value) broken") }
        for state in walk {
            turn.value += 1
            holder.handle(.state(state))
        }
        return printout.lines
    }

    @Test func `a chain is complete each time that it was gone through`() {
        let chain = Chain(.state0, .state1, .state2)
        #expect(
            results(chain, on: [.state1, .state2, .state0, .state1, .state2]) == [
                "2 complete", "5 complete",
            ])
    }

    @Test func `skipping and hanging around break a chain, and refused attempts do not`() {
        let chain = Chain(.state0, .state1, .state2)
        #expect(results(chain, on: [.state2]) == ["1 broken"])
        #expect(results(chain, on: [.state1, .state3, .state2]) == ["2 broken"])
        var routes = StateRoutes()
        routes.addChain(.state0, .state1, .state2)
        let holder = Holder(Machine(state: .state0, routes: routes))
        let printout = Printout<String>()
        holder.observe(chain) { passage, _ in printout.print("\(passage)") }
        for state in [State.state1, .state3, .state2] { holder.handle(.state(state)) }
        #expect(printout.lines == ["state1 to state2"])
    }

    @Test func `a chain that was broken in its first state may break there again`() {
        let chain = Chain(.state0, .state1, .state2)
        #expect(
            results(chain, on: [.state1, .state0, .state2, .state3]) == ["2 broken", "3 broken"])
    }

    @Test func `a chain may come by a state twice`() {
        let home = Chain(.state0, .state1, .state2, .state0, .state2)
        #expect(results(home, on: [.state1, .state2, .state0, .state2]) == ["4 complete"])
        let again = Chain(.state0, .state1, .state2, .state0, .state1, .state2)
        #expect(
            results(
                again,
                on: [
                    .state1, .state2, .state0, .state1, .state0, .state2,
                    .state0, .state1, .state2, .state0, .state1, .state2,
                ]) == ["5 broken", "6 broken", "12 complete"])
    }

    @Test func `what is a beginning all the same is kept when a chain breaks`() {
        let chain = Chain(.state0, .state1, .state0, .state2)
        #expect(
            results(chain, on: [.state1, .state0, .state1, .state0, .state2]) == [
                "3 broken", "5 complete",
            ])
    }

    @Test func `an observer of a chain is removed like any other`() {
        let (printout, holder) = (Printout<String>(), free)
        let id = holder.observe(Chain(.state0, .state1), when: .broken) { _, _ in
            printout.print("broken")
        }
        holder.remove(id)
        holder.handle(.state(.state2))
        #expect(printout.lines.isEmpty)
    }

    @Test func `a chain is a machine that can be asked`() {
        var chain = Chain(.state0, .state1)
        let onwards = RouteTransition<State, Event, String>(
            from: .state0, to: .state1, event: nil, message: nil)
        let elsewhere = RouteTransition<State, Event, String>(
            from: .state1, to: .state2, event: nil, message: nil)
        #expect(chain.handle(elsewhere) == .ignored("the chain has not begun"))
        #expect(chain.handle(onwards) == .handled(.complete))
        #expect(chain.reached == 0)
    }

    @Test func `an observer of a route hears of what it allows, whichever was asked first`() throws
    {
        var routes = StateRoutes()
        routes.add(from: [.state0], to: [.state1])
        let polite = routes.add(from: [.state0], to: [.state1]) { $0.message == "please" }
        routes.add(from: [.state1], to: [.state0])
        let event = try routes.add(on: [.event0], from: [.state0], to: .state1)
        let holder = Holder(Machine(state: .state0, routes: routes))
        let printout = Printout<String>()
        holder.observe(route: polite) { passage, _ in printout.print("polite \(passage)") }
        holder.observe(route: event, order: 0) { passage, _ in
            printout.print("event \(passage.event.map { "\($0)" } ?? "none")")
        }
        let attempts: [Attempt<State, Event, String>] = [
            .state(.state1), .state(.state0), .state(.state1, message: "please"), .state(.state0),
            .event(.event0), .state(.state0), .anyRoute(to: .state1), .state(.state2),
        ]
        for attempt in attempts { holder.handle(attempt) }
        #expect(printout.lines == ["polite state0 to state1", "event event0", "event none"])
    }

    @Test func `an observer of a fallback hears of no passage by an earlier route`() throws {
        var routes = StateRoutes()
        try routes.add(on: [.event0], from: [.state0], to: .state1) { $0.message == "please" }
        let fallback = try routes.addFallback(on: [.event0], from: .any, to: .state2)
        let holder = Holder(Machine(state: .state0, routes: routes))
        let printout = Printout<String>()
        holder.observe(route: fallback) { passage, _ in printout.print("\(passage)") }
        holder.handle(.event(.event0, message: "please"))
        holder.handle(.event(.event0))
        #expect(printout.lines == ["state1 to state2"])
    }

    @Test func `routes of a machine that is held can be changed, by an observer as well`() {
        let holder = free
        holder.observe { step, holder in
            guard step.after.state == .state3 else { return }
            holder.change { $0.routes = StateRoutes() }
        }
        #expect(holder.handle(.state(.state3))?.isHandled == true)
        #expect(holder.handle(.state(.state0)) == .unhandled)
    }

    @Test func `a chain that comes to stand in its first state has changed, and says so`() {
        var chain = Chain(.state0, .state1, .state2)
        let passages = [State.state0, .state3].map {
            RouteTransition<State, Event, String>(
                from: .state2, to: $0, event: nil, message: nil)
        }
        #expect(chain.handle(passages[0]) == .handled)
        #expect(chain.reached == 1)
        // It was moved in the meantime, without a passage.
        #expect(chain.handle(passages[1]) == .handled)
        #expect(chain.reached == 0)
        #expect(chain.handle(passages[1]) == .ignored("the chain has not begun"))
    }
}
