import Exploration
import StateMachines
import Testing

@testable import Turnstile

/// Timelines of a counter's line, with 100 ms a mark and pulses of 200 ms. A digit asks for so many
/// pulses, `.` for none; shown is `#` where a pulse is on.
@Suite struct PulserTests {
    private static let length = Duration.milliseconds(200)

    private static func show(_ marks: String) -> String {
        var clockwork = Clockwork(Pulser(length: length))
        var shown = ""
        clockwork.play(marks, tick: length / 2) { clockwork, mark in
            if let count = mark.wholeNumberValue { clockwork.send { .asked(count, at: $0) } }
            shown += clockwork.machine.isOn ? "#" : "."
        }
        return shown
    }

    @Test(arguments: [
        (".1......", ".##....."),
        (".3............", ".##..##..##..."),
        // What is asked for meanwhile has its turn, in a pulse, in a pause, and right after it.
        (".11.......", ".##..##..."),
        (".1..1.....", ".##..##..."),
        (".1...1....", ".##..##..."),
        (".1.....1..", ".##....##."),
        (".12...1.......... ", ".##..##..##..##..."),
    ])
    func `gives one pulse after the other`(marks: String, shown: String) {
        #expect(Self.show(marks) == shown)
    }

    @Test(arguments: [0, -1, Int.min]) func `no pulse is ignored`(count: Int) {
        var pulser = Pulser(length: Self.length)
        #expect(pulser.handle(.asked(count, at: .zero)) == .ignored("no pulse is wanted"))
        #expect(pulser == Pulser(length: Self.length))
    }

    @Test func `more pulses than a number can count are as many as it can`() {
        var pulser = Pulser(length: Self.length)
        _ = pulser.handle(.asked(.max, at: .zero))
        #expect(pulser.waiting == .max - 1)
        _ = pulser.handle(.asked(.max, at: .zero))
        #expect(pulser.waiting == .max)
    }

    @Test func `a pulser that is told late loses no pulse, and shortens none`() {
        var pulser = Pulser(length: Self.length)
        _ = pulser.handle(.asked(2, at: .zero))
        var rises = 1
        for second in 1...3 {
            let now = Instant.zero + .seconds(second)
            #expect(pulser.handle(.timePassed(now)) == .handled)
            #expect(pulser.deadline.map { $0 >= now + Self.length } ?? true)
            #expect(pulser.handle(.timePassed(now)) == .ignored("nothing is due"))
            rises += pulser.isOn ? 1 : 0
        }
        #expect(rises == 2)
        _ = pulser.handle(.timePassed(.zero + .seconds(4)))
        #expect(pulser == Pulser(length: Self.length))
    }

    @Test func `another length counts from the next pulse on`() {
        var clockwork = Clockwork(Pulser(length: Self.length))
        clockwork.send { .asked(2, at: $0) }
        clockwork.machine.adopt(length: .seconds(1))
        #expect(clockwork.machine.deadline == Instant.zero + Self.length)
        clockwork.wait(Self.length)
        #expect(clockwork.machine.deadline == Instant.zero + Self.length + .seconds(1))
        clockwork.wait(.seconds(1))
        #expect(clockwork.machine.deadline == Instant.zero + Self.length + .seconds(2))
    }

    @Test func `states that behave alike are equal`() {
        let graph = StateGraph(
            from: RelativeTime(Pulser(length: Self.length)),
            events: {
                $0.events(
                    $0.machine.waiting < 4 ? [.asked(1, at: .zero)] : [], tick: Self.length / 2)
            })
        #expect(graph.isComplete)
        #expect(graph.deadEnds == [])
        #expect(graph.twins { $0.machine.isOn } == nil)
    }
}
