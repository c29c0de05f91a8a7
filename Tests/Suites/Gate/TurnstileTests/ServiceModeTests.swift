import Exploration
import StateMachines
import Testing

@testable import Turnstile

/// Timelines of the mechanic's key, half a second a mark: `#` turned, `.` not, `i` the gate is
/// idle, `m` the rotor moves, `c` the lane is clear, `e` an emergency or the stop contact; those
/// leave the key as it is. The key is held for 3 s.
@Suite struct ServiceModeTests {
    private static let tick = Duration.milliseconds(500)

    private static func service(_ outputs: [Output]) -> ServiceMode {
        ServiceMode(
            policy: Policy(price: 250, coinUnit: 50),
            equipment: Equipment(inputs: [.serviceKey], outputs: outputs))
    }

    private static func play(
        _ marks: String, outputs: [Output] = [.lockEntry, .alarm]
    ) -> Clockwork<ServiceMode> {
        var clockwork = Clockwork(service(outputs))
        var isTurned = false
        clockwork.play(marks, tick: tick) { clockwork, mark in
            switch mark {
            case "i": clockwork.send { .idled(at: $0) }
            case "m": clockwork.send { _ in .rotorMoved }
            case "c": clockwork.send { _ in .laneCleared }
            case "e": clockwork.send { _ in .ended }
            case "#" where !isTurned:
                isTurned = true
                let isHeld = clockwork.machine.requester != nil
                clockwork.send { isHeld ? .givenBack : .keyTurned(at: $0) }
            case "." where isTurned:
                isTurned = false
                clockwork.send { _ in .keyReleased }
            case _: break
            }
        }
        return clockwork
    }

    @Test(
        arguments: [
            // A short turn, and one that ends as service mode would begin.
            ("#.i", .off, []),
            ("#####.i", .off, []),
            // Held for long enough, the gate is waited for; the key may be let go.
            (
                "######i", .testing(.lockEntry, until: .zero + .seconds(4)),
                ["3000 request", "3000 start"]
            ),
            ("#######..", .awaitingIdle, ["3000 request"]),
            (
                "#######..i", .testing(.lockEntry, until: .zero + .milliseconds(5500)),
                ["3000 request", "4500 start"]
            ),
            // Who waits in vain turns the key again.
            ("#######..#.i", .off, ["3000 request"]),
            // The test runs to its end.
            ("######i....", .on, ["3000 request", "3000 start", "5000 reportTestFinished"]),
            // Somebody comes.
            ("######i.m..", .on, ["3000 request", "3000 start", "4000 reportTestAborted"]),
            // The key ends it, when the lane is clear.
            ("######i.....#", .leaving, ["3000 request", "3000 start", "5000 reportTestFinished"]),
            (
                "######i.....#.c", .off,
                ["3000 request", "3000 start", "5000 reportTestFinished", "7000 end"]
            ),
            (
                "######i.#.......c", .off,
                ["3000 request", "3000 start", "4000 reportTestAborted", "8000 end"]
            ),
            // It does not begin by the turn that ends it, however long that is.
            (
                "######i.#######ci", .off,
                ["3000 request", "3000 start", "4000 reportTestAborted", "7500 end"]
            ),
            // An emergency comes before it; the gate refuses what is asked for meanwhile.
            (
                "###e####i", .testing(.lockEntry, until: .zero + .seconds(5)),
                ["3000 request", "4000 start"]
            ),
            ("######ei", .off, ["3000 request"]),
            (
                "######iei", .off,
                ["3000 request", "3000 start", "3500 reportTestAborted", "3500 end"]
            ),
            (
                "######i.....ei", .off,
                ["3000 request", "3000 start", "5000 reportTestFinished", "6000 end"]
            ),
            (
                "######i.....#e", .off,
                ["3000 request", "3000 start", "5000 reportTestFinished", "6500 end"]
            ),
        ] as [(String, ServiceMode.State, [String])])
    func `the key decides who has the gate`(
        marks: String, state: ServiceMode.State, said: [String]
    ) {
        let played = Self.play(marks)
        #expect(played.machine.state == state)
        #expect(played.said.map(\.withoutRequester) == said)
    }

    @Test func `tests every output alone, in their order, but none that the core does not drive`() {
        var clockwork = Self.play("######i", outputs: Output.allCases.reversed())
        var tested: [Output] = []
        while let output = clockwork.machine.tested {
            tested.append(output)
            #expect(clockwork.machine.deadline == clockwork.now + Self.tick)
            clockwork.wait(.seconds(1))
        }
        #expect(tested == Output.allCases.dropLast(2))
        #expect(clockwork.machine.state == .on)
        #expect(
            clockwork.said.map(\.withoutRequester) == [
                "3000 request", "3000 start", "15000 reportTestFinished",
            ])
    }

    @Test func `tests only what is wired`() {
        var clockwork = Self.play("######i", outputs: [.coinMeter, .lockEntryHold, .coinReject])
        #expect(clockwork.machine.tested == .coinReject)
        clockwork.wait(.seconds(1))
        #expect(clockwork.machine.tested == .coinMeter)
        clockwork.wait(.seconds(1))
        #expect(clockwork.machine.tested == nil)
        #expect(
            Self.play("######i", outputs: []).said.map(\.withoutRequester) == [
                "3000 request", "3000 start", "3000 reportTestFinished",
            ])
    }

    @Test func `says once of each output that it does not follow`() {
        var clockwork = Self.play("######i")
        #expect(
            clockwork.send { _ in .failed(.alarm) } == .ignored("the output is not tested"))
        clockwork.send { _ in .failed(.lockEntry) }
        #expect(
            clockwork.send { _ in .failed(.lockEntry) } == .ignored("the output is known to fail"))
        clockwork.wait(.seconds(1))
        clockwork.send { _ in .failed(.alarm) }
        clockwork.wait(.seconds(1))
        #expect(
            clockwork.said.map(\.withoutRequester) == [
                "3000 request", "3000 start",
                "3500 reportTestFailed(Turnstile.Output.lockEntry)",
                "4500 reportTestFailed(Turnstile.Output.alarm)",
                "5000 reportTestFinished",
            ])
        #expect(clockwork.send { _ in .failed(.alarm) } == .ignored("the output is not tested"))
    }

    @Test func `a test that is told late drives every output for its second`() {
        var service = Self.play("######i").machine
        let late = Instant.zero + .seconds(60)
        #expect(service.handle(.timePassed(late)) == .handled)
        #expect(service.state == .testing(.alarm, until: late + .seconds(1)))
        #expect(service.handle(.timePassed(late)) == .ignored("nothing is due"))
    }

    @Test func `another time counts from the next turn on`() {
        var clockwork = Clockwork(Self.service([]))
        clockwork.send { .keyTurned(at: $0) }
        var policy = Policy(price: 250, coinUnit: 50)
        policy.serviceHold = .seconds(7)
        clockwork.machine.adopt(policy)
        #expect(clockwork.machine.deadline == Instant.zero + .seconds(3))
        clockwork.send { _ in .keyReleased }
        clockwork.send { .keyTurned(at: $0) }
        #expect(clockwork.machine.deadline == Instant.zero + .seconds(7))
    }
}

// Every state.
extension ServiceModeTests {
    private static func explored() -> StateGraph<RelativeTime<ServiceMode>> {
        let events: [ServiceMode.Event] = [
            .keyTurned(at: .zero), .keyReleased, .givenBack, .idled(at: .zero), .rotorMoved,
            .laneCleared, .ended, .failed(.lockEntry), .failed(.alarm), .cut(.lockEntry),
            .cut(.alarm),
        ]
        return StateGraph(
            from: RelativeTime(service([.lockEntry, .alarm, .lockEntryHold])),
            events: { $0.events(events, tick: tick) })
    }

    @Test func `start and end take turns, and a test has one end`() {
        let graph = Self.explored()
        #expect(graph.isComplete)
        #expect(graph.deadEnds == [])
        #expect(graph.undecided.isEmpty)
        let story = graph.violation(ofStep: { step in
            let (before, after) = (step.before.machine, step.after.machine)
            let said = Array(step.outcome.commands)
            let ends: [ServiceMode.Command] = [.reportTestFinished, .reportTestAborted]
            let begins = said.contains { if case .start = $0 { true } else { false } }
            return begins == (!before.isOn && after.isOn)
                && said.contains(.end) == (before.isOn && !after.isOn)
                && said.contains(where: ends.contains)
                    == (before.tested != nil && after.tested == nil)
                && (before.tested != nil || after.tested == nil || after.tested == .lockEntry)
        })
        #expect(story == nil)
    }

    @Test func `states that behave alike are equal`() {
        let graph = Self.explored()
        #expect(graph.states.count == 18)
        #expect(graph.twins { "\($0.machine.isOn) \($0.machine.tested as Any)" } == nil)
    }
}

extension String {
    /// Without who asked for service mode: `3000 start`.
    fileprivate var withoutRequester: String { String(prefix { $0 != "(" || !contains("start") }) }
}
