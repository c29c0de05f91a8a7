import Holding
import Routing
import StateMachines
import Testing

@Suite struct RoutesTests {
    enum State: Hashable, Sendable { case state0, state1, state2 }
    enum Event: Hashable, Sendable { case event0, event1 }
    typealias Machine = RouteMachine<State, Event, String>
    typealias StateRoutes = Routes<State, Event, String>

    @Test func `routes, messages and refusals are printed as they happen`() {
        var routes = StateRoutes()
        let zeroToOne = routes.add(from: [.state0], to: [.state1])
        let toTwo = routes.add(from: .any, to: [.state2])
        let fromTwo = routes.add(from: [.state2], to: .any)
        let printout = Printout<String>()
        let machine = Holder(Machine(state: .state0, routes: routes))
        machine.observe(route: toTwo) { passage, _ in
            printout.print("Any => 2, msg=\(passage.message ?? "none")")
        }
        machine.observe(route: fromTwo) { passage, _ in
            printout.print("2 => Any, msg=\(passage.message ?? "none")")
        }
        machine.observe(route: zeroToOne) { passage, _ in printout.print("\(passage)") }
        machine.observe(where: { !$0.outcome.isHandled }) { step, _ in
            guard case .state(let target, message: _) = step.event else { return }
            printout.print("[ERROR] \(step.before) => \(target)")
        }
        machine.handle(.state(.state1))
        #expect(machine.machine.state == .state1)
        machine.handle(.state(.state2, message: "Hello"))
        #expect(machine.machine.state == .state2)
        machine.handle(.state(.state1, message: "Bye"))
        #expect(machine.handle(.state(.state0)) == .unhandled)
        #expect(machine.machine.state == .state1)
        #expect(
            printout.lines == [
                "state0 to state1", "Any => 2, msg=Hello", "2 => Any, msg=Bye",
                "[ERROR] state1 => state0",
            ])
    }

    @Test func `an event leads along its chain and no further`() throws {
        var routes = StateRoutes()
        try routes.addChain(on: .event0, .state0, .state1, .state2)
        var machine = Machine(state: .state0, routes: routes)
        #expect(machine.handle(.event(.event0)).isHandled)
        #expect(
            machine.handle(.event(.event0))
                == .handled(
                    RouteTransition(from: .state1, to: .state2, event: .event0, message: nil)))
        #expect(machine.handle(.event(.event0)) == .unhandled)
        #expect(machine.state == .state2)
        #expect(machine.handle(.event(.event1)) == .unhandled)
    }

    @Test func `observers hear of an event by its name, and of no refusal`() throws {
        var routes = StateRoutes()
        try routes.addChain(on: .event0, .state0, .state1, .state2)
        let printout = Printout<String>()
        let machine = Holder(Machine(state: .state0, routes: routes))
        machine.observe(
            where: { $0.outcome.commands.first?.event == .event0 },
            { _, _ in printout.print("event0") })
        machine.observe(where: \.outcome.isHandled) { step, _ in printout.print("to \(step.after)")
        }
        for _ in 0..<3 { machine.handle(.event(.event0)) }
        machine.handle(.event(.event1))
        #expect(printout.lines == ["event0", "to state1", "event0", "to state2"])
    }

    /// What a download goes through; where it may go is said here, and nothing else.
    enum Download: Hashable, Sendable {
        case ready, fetching, success, failure(String)

        static let routes = {
            var routes = Routes<Download, Never, Never>()
            routes.addStateMapping { state, _ in
                switch state {
                case .ready: [.fetching]
                case .fetching: [.success, .failure("late"), .failure("lost")]
                case .success: []
                case .failure: [.ready]
                }
            }
            return routes
        }()
    }

    @Test func `which transitions are legal is asked apart from what they do`() {
        let printout = Printout<String>()
        let all: [Download] = [.ready, .fetching, .success, .failure("late"), .failure("lost")]
        let legal = all.map { state in
            let machine = RouteMachine(state: state, routes: Download.routes)
            return all.filter { machine.permits(.state($0)) }
        }
        let failures = Array(all[3...])
        #expect(legal == [[.fetching], [.success] + failures, [], [.ready], [.ready]])
        let machine = Holder(RouteMachine(state: Download.ready, routes: Download.routes))
        machine.observe(where: \.outcome.isHandled) { step, _ in
            printout.print("\(step.before) => \(step.after)")
        }
        let tries: [Download] = [.success, .fetching, .ready, .failure("late"), .success, .ready]
        #expect(
            tries.map { machine.handle(.state($0))?.isHandled } == [
                false, true, false, true, false, true,
            ])
        #expect(
            printout.lines == [
                "ready => fetching", #"fetching => failure("late")"#, #"failure("late") => ready"#,
            ])
    }

    @Test func `a condition sees event and message, and when it fails nobody hears of it`() throws {
        var routes = StateRoutes()
        let route = try routes.add(on: .any, from: [.state0, .state1], to: .state2) {
            $0.event == .event1 && $0.message == "please"
        }
        let printout = Printout<String>()
        let machine = Holder(Machine(state: .state0, routes: routes))
        machine.observe(route: route) { _, _ in printout.print("passed") }
        machine.handle(.event(.event0, message: "please"))
        machine.handle(.event(.event1))
        #expect(printout.lines.isEmpty && machine.machine.state == .state0)
        machine.handle(.event(.event1, message: "please"))
        #expect(printout.lines == ["passed"] && machine.machine.state == .state2)
    }

    @Test func `any event, any state and conditions`() throws {
        var routes = StateRoutes()
        try routes.add(on: .any, from: .any, to: .state0) { $0.from != .state2 }
        var machine = Machine(state: .state1, routes: routes)
        #expect(machine.handle(.event(.event1)).isHandled)
        #expect(machine.state == .state0)
        #expect(!Machine(state: .state2, routes: routes).permits(.event(.event0)))
        // Everything but one transition: any to any, under a condition.
        var blacklist = StateRoutes()
        blacklist.add(from: .any, to: .any) { !($0.from == .state0 && $0.to == .state2) }
        #expect(Machine(state: .state0, routes: blacklist).permits(.state(.state1)))
        #expect(!Machine(state: .state0, routes: blacklist).permits(.state(.state2)))
    }

    @Test func `routes can be removed, from one machine alone`() {
        var routes = StateRoutes()
        routes.addChain(.state0, .state1, .state2)
        let extra = routes.add(from: [.state0, .state1], to: [.state2])
        let other = Machine(state: .state0, routes: routes)
        routes.remove(extra)
        #expect(!Machine(state: .state0, routes: routes).permits(.state(.state2)))
        #expect(Machine(state: .state1, routes: routes).permits(.state(.state2)))
        #expect(other.permits(.state(.state2)))
    }

    enum Phase: Hashable, Sendable { case named(String) }

    @Test func `a mapping routes states and events with payloads`() {
        var routes = Routes<Phase, Phase, Never>()
        routes.addMapping { event, state, _ in
            switch (event, state) {
            case (.named("gogogo"), .named("initial")): .named("Phase 1")
            case (.named("gogogo"), .named("Phase 1")): .named("Phase 2")
            case (.named("finish"), .named("Phase 2")): .named("end")
            case (.named, .named), (nil, _): nil
            }
        }
        routes.addStateMapping { state, _ in state == .named("end") ? [.named("initial")] : [] }
        var machine = RouteMachine(state: .named("initial"), routes: routes)
        let story = [
            ("go?", "initial"), ("gogogo", "Phase 1"), ("finish", "Phase 1"),
            ("gogogo", "Phase 2"), ("gogogo", "Phase 2"), ("finish", "end"),
        ]
        for (event, state) in story {
            _ = machine.handle(.event(.named(event)))
            #expect(machine.state == .named(state))
        }
        #expect(!machine.permits(.state(.named("Phase 1"))))
        #expect(machine.permits(.state(.named("initial"))))
    }

    @Test func `a machine of any kind can be observed`() {
        let printout = Printout<String>()
        let turnstile = Holder(HierarchicalTurnstile.broken(was: .unlocked))
        turnstile.observe { step, _ in printout.print("\(step)") }
        turnstile.handle(.personPassed)
        #expect(
            printout.lines == [
                "broken(was: StateMachinesTests.FunctioningTurnstile.unlocked), "
                    + "personPassed: unhandled"
            ])
    }
}
