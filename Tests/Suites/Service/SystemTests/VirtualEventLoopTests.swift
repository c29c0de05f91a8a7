import StateMachines
import System
import TestSupport
import Testing

@Suite struct VirtualEventLoopTests {
    let loop = VirtualEventLoop(now: .zero)

    @Test func `time passes only when the test says so`() {
        var fired: [Instant] = []
        loop.onDeadline { [loop] in
            fired.append(loop.now)
            loop.deadline = loop.now + .seconds(2)
        }
        loop.deadline = .zero + .seconds(2)
        loop.advance(by: .seconds(1))
        #expect(fired.isEmpty)
        loop.advance(by: .seconds(6))
        #expect(fired == [2, 4, 6].map { .zero + .seconds($0) })
        #expect(loop.now == .zero + .seconds(7))
    }

    @Test func `what the world does comes at its moment, and before the timer`() {
        var story: [String] = []
        loop.onDeadline { story.append("timer") }
        loop.deadline = .zero + .seconds(2)
        loop.watch([7]) { _ in story.append("descriptor") }
        loop.after(.seconds(2)) { story.append("late") }
        loop.after(.seconds(1)) { [loop] in
            story.append("early")
            loop.makeReadable(7)
        }
        loop.advance(by: .seconds(3))
        #expect(story == ["early", "descriptor", "late", "timer"])
    }

    @Test func `signals come before descriptors, descriptors before the timer`() {
        var order: [String] = []
        loop.onSignal(.terminate) { order.append("signal") }
        loop.onDeadline { order.append("timer") }
        loop.watch([7]) { _ in order.append("descriptor") }
        loop.makeReadable(7)
        loop.deadline = loop.now
        loop.send(.terminate)
        loop.dispatchAll()
        #expect(order == ["signal", "descriptor", "timer"])
        #expect(loop.wakeUps == 3)
    }

    @Test func `a descriptor keeps what it has until somebody watches`() {
        var calls = 0
        loop.makeReadable(7)
        loop.advance(by: .seconds(1))
        loop.watch([7]) { _ in calls += 1 }
        loop.dispatchAll()
        #expect(calls == 1)
    }

    @Test func `a handler hears at once of all its descriptors that are readable`() {
        var heard: [[CInt]] = []
        loop.watch([7, 8, 9]) { heard.append($0) }
        for descriptor: CInt in [9, 7] { loop.makeReadable(descriptor) }
        loop.dispatchAll()
        #expect(heard == [[7, 9]])
    }

    @Test func `a flood at a descriptor holds up the timer for no more than a round`() {
        var calls = 0
        loop.watch([7]) { [loop] _ in
            calls += 1
            loop.makeReadable(7)
        }
        loop.onDeadline { [loop] in loop.stop(0) }
        loop.deadline = loop.now
        loop.makeReadable(7)
        loop.dispatchAll()
        #expect(calls == 1)
    }

    @Test func `a run ends with the first stop, and nothing runs after it`() {
        loop.onDeadline { [loop] in
            loop.stop(69)
            loop.stop(0)
            loop.deadline = loop.now
        }
        loop.deadline = .zero + .seconds(5)
        #expect(loop.run() == 69)
        #expect(loop.now == .zero + .seconds(5))
        #expect(loop.wakeUps == 1)
    }
}
