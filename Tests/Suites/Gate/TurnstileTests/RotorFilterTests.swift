import Exploration
import StateMachines
import Testing

@testable import Turnstile

/// Timelines of the rotor's sensors, 2 ms a mark: `.` neither, `A`, `B`, and `#` both.
@Suite struct RotorFilterTests {
    private static func policy(step: Duration) -> Policy {
        var policy = Policy(price: 250, coinUnit: 50)
        policy.rotorStep = step
        return policy
    }

    /// Plays a timeline and lists what was said, with the milliseconds at which it was said.
    private static func play(_ timeline: String, step: Duration = .milliseconds(10)) -> [String] {
        var clockwork = Clockwork(RotorFilter(policy: policy(step: step)))
        var shown: Character = "."
        clockwork.play(timeline, tick: .milliseconds(2)) { clockwork, mark in
            guard mark != shown else { return }
            shown = mark
            let sensors = RotorFilter.Sensors(
                a: mark == "A" || mark == "#", b: mark == "B" || mark == "#")
            clockwork.send { .changed(sensors, at: $0) }
        }
        return clockwork.said.map {
            $0.replacing("Turnstile.RotorDecoder.", with: "").replacing("Sensors", with: "")
        }
    }

    private static func marks(_ mark: String, _ count: Int) -> String {
        String(repeating: mark, count: count)
    }

    @Test func `a change is followed when it has been alone for a step`() {
        let passage = "AAAAAAAAAA##########BBBBBBBBBB.........."
        #expect(
            Self.play(passage) == [
                "10 follow((a: true, b: false))", "30 follow((a: true, b: true))",
                "50 follow((a: false, b: true))", "70 follow((a: false, b: false))",
            ])
        #expect(
            Self.play(passage, step: .zero) == [
                "0 follow((a: true, b: false))", "20 follow((a: true, b: true))",
                "40 follow((a: false, b: true))", "60 follow((a: false, b: false))",
            ])
    }

    @Test func `one that is taken back within the step was a bounce`() {
        #expect(Self.play("AAAA......AAAA......") == [])
    }

    @Test(arguments: ["##########", "AA########BB", "BB##AA####"])
    func `both within a step and back again are noise, once`(glitch: String) {
        let said = Self.play(glitch + Self.marks(".", 300))
        #expect(said.count == 1)
        #expect(said.first == "\(2 * glitch.count) reportNoise")
    }

    @Test func `noise on the way leaves the way as it was`() {
        let said = Self.play("AAAAAAAAAA" + "B" + Self.marks("B", 5) + "AAAAAAAAAA##########")
        #expect(
            said == [
                "10 follow((a: true, b: false))", "32 reportNoise",
                "62 follow((a: true, b: true))",
            ])
    }

    @Test func `both for half a second are believed`() {
        let said = Self.play(Self.marks("#", 300))
        #expect(said == ["500 skip((a: true, b: true))"])
    }

    @Test func `another time counts from the next change on`() {
        var filter = RotorFilter(policy: Self.policy(step: .milliseconds(10)))
        filter.adopt(Self.policy(step: .milliseconds(40)))
        _ = filter.handle(.changed(.init(a: true, b: false), at: .zero))
        #expect(filter.deadline == .zero + .milliseconds(40))
    }

    @Test func `sensors that change back one after the other have skipped a state`() {
        let said = Self.play("##########" + Self.marks("B", 10) + Self.marks(".", 20))
        #expect(
            said == [
                "40 skip((a: false, b: true))", "50 follow((a: false, b: false))",
            ])
    }

    @Test func `what doubtful sensors come to is a skipped state, whatever they show in the end`() {
        let said = Self.play("##########" + Self.marks("B", 300))
        #expect(said == ["500 skip((a: false, b: true))"])
    }

    @Test(arguments: ["A.", "#.", "A#B."])
    func `sensors that come to no rest have skipped a state after five seconds`(chatter: String) {
        let cycles = 2_600 / chatter.count
        let said = Self.play(Self.marks(chatter, cycles)).filter { !$0.hasSuffix("Noise") }
        #expect(said.count == 1)
        #expect(said.first?.hasPrefix("5000 skip") == true)
    }

    @Test func `a step of rest between two doubts is enough`() {
        let said = Self.play(Self.marks("####......", 300))
        #expect(said.allSatisfy { $0.hasSuffix("reportNoise") })
        #expect(said.count == 300)
    }

    @Test func `nobody knows whether somebody moves until the sensors are at rest`() {
        var clockwork = Clockwork(RotorFilter(policy: Self.policy(step: .milliseconds(10))))
        let shown = [(true, false), (true, true), (false, true), (false, false)]
        for (a, b) in shown {
            clockwork.send { .changed(.init(a: a, b: b), at: $0) }
            #expect(clockwork.machine.deadline != nil)
            clockwork.wait(.milliseconds(4))
        }
        #expect(clockwork.machine.deadline == .zero + .milliseconds(22))
        clockwork.wait(.milliseconds(6))
        #expect(clockwork.machine.deadline == nil)
    }

    @Test func `the states are few`() {
        let levels = [false, true]
        let shown = levels.flatMap { a in levels.map { RotorFilter.Sensors(a: a, b: $0) } }
        let filter = RotorFilter(policy: Self.policy(step: .milliseconds(500)))
        let graph = StateGraph(from: RelativeTime(filter)) {
            $0.events(shown.map { .changed($0, at: .zero) }, tick: .milliseconds(500))
        }
        #expect(graph.states.count == 28)
    }
}
