import Foundation
import Holding
import Routing
import StateMachines
import Testing

// The code of the tutorial's parts that are about what stands round a machine.

extension Tutorial {
    enum Latch: TimedMachine, Restorable, Codable, Hashable {
        case locked
        case unlocked(until: Instant)

        enum Event { case coin(at: Instant), pass, timePassed(Instant) }

        mutating func handle(_ event: Event) -> Outcome<Turnstile.Command> {
            switch (self, event) {
            case (.locked, .coin(let now)):
                self = .unlocked(until: now + .seconds(5))
                return .handled(.unlock)
            case (.locked, .pass): return .handled(.alarm)
            case (.unlocked, .coin): return .handled(.thank)
            case (.unlocked, .pass):
                self = .locked
                return .handled(.lock)
            case (.unlocked(let end), .timePassed(let now)) where now >= end:
                self = .locked
                return .handled(.lock)
            case (.locked, .timePassed), (.unlocked, .timePassed): return .ignored("not yet")
            }
        }

        var deadline: Instant? {
            switch self {
            case .locked: nil
            case .unlocked(let end): end
            }
        }

        static var snapshotVersion: Int { 1 }

        mutating func shiftInstants(by duration: Duration) {
            switch self {
            case .locked: break
            case .unlocked(let end): self = .unlocked(until: end + duration)
            }
        }
    }

    enum Guarded: TimedMachine, Hashable {
        case functioning(Latch)
        case broken(was: Latch)

        enum Event { case latch(Latch.Event), failure, repair }

        var deadline: Instant? {
            switch self {
            case .functioning(let latch): latch.deadline
            case .broken: nil
            }
        }

        mutating func handle(_ event: Event) -> Outcome<Turnstile.Command> {
            switch (self, event) {
            case (.functioning(let latch), .latch(let event)):
                return forward(event, to: latch, in: Self.functioning)
            case (.functioning(let latch), .failure):
                self = .broken(was: latch)
                return .handled(.alarm)
            case (.broken(let latch), .repair):
                self = .functioning(latch)
                return .handled
            case (.functioning, .repair), (.broken, .latch), (.broken, .failure): return .unhandled
            }
        }
    }

    struct Street {
        var arrivals: [(at: Instant, event: Latch.Event)]

        mutating func nextEvent(waitingUntil deadline: Instant?) -> Latch.Event? {
            if let next = arrivals.first, deadline.map({ next.at < $0 }) ?? true {
                return arrivals.removeFirst().event
            }
            return deadline.map { .timePassed($0) }
        }
    }

    enum Leaf: Hashable { case shut, open, removed }
    enum Hand: Hashable { case push, pull }
}

@Suite struct TutorialShellTests {
    typealias Gate = Tutorial.Gate
    typealias Latch = Tutorial.Latch
    typealias Guarded = Tutorial.Guarded
    typealias Street = Tutorial.Street
    typealias Leaf = Tutorial.Leaf
    typealias Hand = Tutorial.Hand

    @Test func `a timeout`() {
        let start = Instant(nanoseconds: 0)
        let street = [
            (start, Latch.Event.coin(at: start)), (start + .seconds(2), .pass),
            (start + .seconds(9), .coin(at: start + .seconds(9))), (start + .seconds(60), .pass),
        ]
        #expect(run(Street(arrivals: street)) == [.unlock, .lock, .unlock, .lock, .alarm])
    }

    @Test func `a timeout inside a state, and beside another one`() {
        let start = Instant(nanoseconds: 0)
        var guarded = Guarded.functioning(.locked)
        #expect(guarded.handle(.latch(.coin(at: start))) == .handled(.unlock))
        #expect(guarded.deadline == start + .seconds(5))
        #expect(guarded.handle(.latch(.timePassed(start + .seconds(5)))) == .handled(.lock))
        #expect(guarded.deadline == nil)
        let waiting = Guarded.functioning(.unlocked(until: start + .seconds(9)))
        #expect(Regions(guarded, waiting).deadline == start + .seconds(9))
    }

    private func run(_ street: Street) -> [Tutorial.Turnstile.Command] {
        var street = street
        var latch = Latch.locked
        var bolt: [Tutorial.Turnstile.Command] = []
        while let event = street.nextEvent(waitingUntil: latch.deadline) {
            switch latch.handle(event) {
            case .handled(let commands): bolt += commands
            case .ignored, .unhandled: print("\(event) was not expected")
            }
        }
        return bolt
    }

    @Test func `threads and observers`() async throws {
        let siren = Printout<Tutorial.Turnstile.Command>()
        let journal = Printout<String>()

        let gate = Holder(Gate.functioning(.locked)) { command, _ in
            siren.print(command)
        }
        let writing = gate.observe { step, _ in journal.print("\(step.event)") }
        gate.observe(where: { $0.after.position == .broken }) { _, gate in
            gate.handle(.repair)
        }

        #expect(gate.handle(.failure) == .handled(.alarm))
        #expect(gate.machine == .functioning(.locked))
        #expect(journal.lines == ["failure", "repair"])
        gate.remove(writing)
        #expect(siren.lines == [.alarm])
        #expect(try await gate.send(.pass) == .handled(.alarm))
    }

    @Test func routes() throws {
        let journal = Printout<String>()
        var routes = Routes<Leaf, Hand, String>()
        try routes.add(on: [.push], from: [.shut], to: .open)
        let closing = try routes.add(on: [.pull], from: [.open], to: .shut)
        routes.add(from: .any, to: [.removed]) { $0.message == "mechanic" }
        #expect(!RouteMachine(state: .shut, routes: routes).permits(.state(.removed)))

        let door = Holder(RouteMachine(state: .shut, routes: routes))
        door.observe(route: closing) { passage, _ in journal.print("\(passage)") }
        door.observe(RouteChain(.shut, .open, .removed)) { _, _ in journal.print("stolen") }
        for hand in [Hand.push, .pull, .push] { door.handle(.event(hand)) }
        door.handle(.state(.removed, message: "mechanic"))
        #expect(journal.lines == ["open to shut", "stolen"])

        #expect(throws: RouteError.self) {
            try routes.add(on: .any, from: [.open], to: .removed)
        }
        try routes.addFallback(on: .any, from: .any)
    }

    @Test func `put away and taken up again`() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("latch-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let latch = Latch.unlocked(until: Instant(nanoseconds: 0) + .seconds(900))

        let before = Instant(nanoseconds: 0) + .seconds(897)
        try JSONEncoder().encode(Snapshot(of: latch, at: before)).write(to: file, options: .atomic)

        let data = try Data(contentsOf: file)
        let snapshot = try JSONDecoder().decode(Snapshot<Latch>.self, from: data)
        let after = Instant(nanoseconds: 0) + .seconds(20)
        #expect(snapshot.restored(at: after).deadline == after + .seconds(3))
    }
}
