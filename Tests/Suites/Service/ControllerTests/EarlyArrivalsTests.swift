import Controller
import Hardware
import StateMachines
import System
import TestSupport
import Testing
import Turnstile

/// What waits at the lines when the service starts, since the kernel kept it.
@Suite struct EarlyArrivalsTests {
    /// Where the clock of every test stands as its gate starts.
    private static let start = VirtualEventLoop().now

    /// An edge so long before the start.
    private static func edge(
        _ input: Input, _ isActive: Bool, _ ago: Duration
    ) -> LineEvent { .edge(input, isActive: isActive, at: start - ago) }

    /// A coin of one pulse of 50 ms, which began so long before the start.
    private static func coin(_ ago: Duration) -> [LineEvent] {
        [edge(.coinPulse, true, ago), edge(.coinPulse, false, ago - .milliseconds(50))]
    }

    /// A gate with a coin line at whose start these events wait.
    private func gate(
        _ arrivals: [LineEvent], active: Set<Input> = [], inputs: Set<Input> = [],
        recovery: Recovery = .known(RetainedState()), edit: (inout Policy) -> Void = { _ in }
    ) throws -> TestGate {
        try TestGate(
            inputs: inputs.union([.coinPulse]), recovery: recovery, edit: edit,
            prepare: {
                $0.arrivals = arrivals
                $0.active = active
            })
    }

    @Test func `coins that fell before the start are counted, and it is said`() throws {
        let gate = try gate(Self.coin(.seconds(3)) + Self.coin(.seconds(1)))
        #expect(gate.status.credit == 100)
        #expect(gate.events() == ["started", "coin_accepted", "coin_accepted", "inputs_kept"])
    }

    @Test func `a pulse that goes on is as wide as it is`() throws {
        let gate = try gate(
            [Self.edge(.coinPulse, true, .milliseconds(30))], active: [.coinPulse])
        #expect(gate.status.credit == 0)
        gate.loop.advance(by: .milliseconds(20))
        gate.change(.coinPulse, isActive: false)
        gate.loop.advance(by: .seconds(1))
        #expect(gate.status.credit == 50)
        #expect(gate.events() == ["started", "inputs_kept", "coin_accepted"])
    }

    @Test func `a coin that was on its way to a gate that refuses coins is late`() throws {
        let gate = try gate(
            Self.coin(.seconds(5)) + Self.coin(.seconds(2)), active: [.stop], inputs: [.stop])
        let coins = gate.events().filter { $0.hasPrefix("coin") }
        #expect(coins == ["coin_late", "coin_inhibited"])
        #expect(gate.status.credit == 50)
    }

    @Test func `the start comes before what waits, with the levels of then`() throws {
        let gate = try gate(
            [
                Self.edge(.rotorA, true, .milliseconds(500)),
                Self.edge(.rotorB, true, .milliseconds(400)),
            ], active: [.rotorA, .rotorB])
        // The clock on the wall is read before all that.
        let times = gate.heardAt.dropFirst().map { Self.start - $0.time }
        #expect(times == times.sorted(by: >))
        #expect(gate.heard.contains(.started([])))
        #expect(gate.controller.inputs == InputLevels([.rotorA, .rotorB]))
    }

    @Test func `a person who went on while nobody looked is followed`() throws {
        var before = RetainedState()
        before.passage = .init(.entry, .paid)
        let gate = try gate(
            [
                Self.edge(.rotorB, true, .milliseconds(400)),
                Self.edge(.rotorA, false, .milliseconds(300)),
            ], active: [.rotorB], recovery: .known(before))
        gate.change(.rotorB, isActive: false)
        gate.loop.advance(by: .milliseconds(10))
        let events = gate.events()
        #expect(events.contains("passage_recovered"), "\(events)")
        #expect(!events.contains("alarm_forced"), "\(events)")
        #expect(gate.status.state == .locked)
    }

    @Test func `a loop that opened and closed is an emergency`() throws {
        let gate = try gate([
            Self.edge(.fire, true, .milliseconds(800)),
            Self.edge(.fire, false, .milliseconds(200)),
        ])
        #expect(gate.status.state == .awaitingReset)
        #expect(gate.bank.energised == [.lockEntry])
    }

    @Test func `edges that were lost are told, and what came after them counts`() throws {
        let lost = LineEvent.lost(count: 1, at: Self.start - .seconds(2))
        let gate = try gate([lost] + Self.coin(.seconds(2)))
        #expect(gate.heard.contains(.edgesLost([])))
        #expect(gate.status.credit == 50)
    }

    @Test func `whoever has paid by then has all the time to pass from the start on`() throws {
        let gate = try gate((0..<5).flatMap { Self.coin(.seconds(60 - $0)) }) {
            $0.passWait = .seconds(10)
        }
        #expect(gate.status.state == .released(.entry))
        gate.loop.advance(by: .seconds(9))
        #expect(gate.status.state == .released(.entry))
        gate.loop.advance(by: .seconds(2))
        #expect(gate.status.state != .released(.entry))
    }

    @Test func `a lock has all the time to follow from the start on`() throws {
        let gate = try gate(
            (0..<5).flatMap { Self.coin(.seconds(60 - $0)) }, inputs: [.lockFeedback])
        #expect(gate.bank.energised == [.lockEntry])
        gate.loop.advance(by: .milliseconds(50))
        gate.change(.lockFeedback, isActive: true)
        gate.loop.advance(by: .seconds(5))
        #expect(!gate.events().contains { $0.hasPrefix("fault") })
    }

    @Test func `with nothing waiting, the start is now and nothing is said`() throws {
        let gate = try gate([])
        #expect(gate.heardAt.map(\.time).allSatisfy { $0 == Self.start })
        #expect(gate.events() == ["started"])
    }
}
