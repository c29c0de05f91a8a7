import Glibc
import StateMachines
import System
import SystemFixtures
import Testing

@Suite struct SystemdEventLoopTests {
    let loop: SystemdEventLoop

    init() throws { loop = try SystemdEventLoop() }

    // MARK: Timer

    @Test func `the timer fires at its deadline or just after, once`() throws {
        var fired: [Instant] = []
        let deadline = loop.now + .milliseconds(3)
        loop.onDeadline { [loop] in
            fired.append(loop.now)
            #expect(loop.deadline == nil)
            loop.stop(0)
        }
        loop.deadline = deadline
        #expect(try loop.run() == 0)
        #expect(fired.count == 1 && fired[0] >= deadline)
    }

    @Test func `a deadline that has passed fires at once`() throws {
        loop.onDeadline { [loop] in loop.stop(3) }
        loop.deadline = .zero
        #expect(try loop.run() == 3)
    }

    @Test func `deadlines set one after the other fire in order`() throws {
        let start = loop.now
        var remaining = (1...3).map { start + .milliseconds($0) }
        loop.onDeadline { [loop] in
            #expect(loop.now >= remaining.removeFirst())
            loop.deadline = remaining.first
            if remaining.isEmpty { loop.stop(0) }
        }
        loop.deadline = remaining[0]
        #expect(try loop.run() == 0)
    }

    @Test func `a deadline that is taken back does not fire`() throws {
        let pipe = try Pipe()
        var fired = false
        loop.onDeadline { fired = true }
        loop.deadline = .zero
        var rounds = 0
        try loop.watch([pipe.readEnd]) { [loop] _ in
            // The timer has come as well, and would have its turn after this handler.
            loop.deadline = nil
            rounds += 1
            if rounds == 3 { loop.stop(0) }
        }
        pipe.fill()
        #expect(try loop.run() == 0)
        #expect(!fired)
    }

    @Test func `a deadline that is put off fires once, at the later moment`() throws {
        let pipe = try Pipe()
        var fired: [Instant] = []
        let later = loop.now + .milliseconds(4)
        loop.onDeadline { [loop] in
            fired.append(loop.now)
            loop.stop(0)
        }
        loop.deadline = loop.now + .milliseconds(2)
        try loop.watch([pipe.readEnd]) { [loop] _ in
            #expect(pipe.drain())
            loop.deadline = later
        }
        pipe.fill()
        #expect(try loop.run() == 0)
        #expect(fired.count == 1 && fired[0] >= later)
    }

    @Test func `a deadline that is brought forward fires at the earlier moment`() throws {
        let pipe = try Pipe()
        loop.onDeadline { [loop] in loop.stop(0) }
        loop.deadline = loop.now + .seconds(3600)
        try loop.watch([pipe.readEnd]) { [loop] _ in
            #expect(pipe.drain())
            loop.deadline = loop.now + .milliseconds(1)
        }
        pipe.fill()
        #expect(try loop.run() == 0)
    }

    @Test func `a flood at a descriptor does not hold up the timer`() throws {
        let pipe = try Pipe()
        pipe.fill()
        var calls = 0
        try loop.watch([pipe.readEnd]) { _ in calls += 1 }
        loop.onDeadline { [loop] in loop.stop(0) }
        loop.deadline = loop.now + .milliseconds(2)
        #expect(try loop.run() == 0)
        #expect(calls > 0)
    }

    // MARK: Descriptors

    @Test func `a descriptor is reported until it is drained`() throws {
        let (full, end) = (try Pipe(), try Pipe())
        for _ in 0..<3 { full.fill() }
        var taken = 0
        try loop.watch([full.readEnd]) { _ in
            taken += full.drain() ? 1 : 0
            if taken == 3 { end.fill() }
        }
        try loop.watch([end.readEnd]) { [loop] _ in loop.stop(0) }
        #expect(try loop.run() == 0)
        #expect(taken == 3)
    }

    @Test func `a flood at one descriptor does not starve another`() throws {
        let pipes = try [Pipe(), Pipe(), Pipe()]
        var calls = [0, 0, 0]
        for (index, pipe) in pipes.enumerated() {
            pipe.fill()
            try loop.watch([pipe.readEnd]) { [loop] _ in
                calls[index] += 1
                if calls.reduce(0, +) == 300 { loop.stop(0) }
            }
        }
        #expect(try loop.run() == 0)
        #expect(calls == [100, 100, 100])
    }

    @Test func `a handler hears at once of all its descriptors that are ready`() throws {
        let pipes = try [Pipe(), Pipe(), Pipe()]
        let other = try Pipe()
        var heard: [Set<CInt>] = []
        try loop.watch(pipes.map(\.readEnd)) { ready in
            heard.append(Set(ready))
            for pipe in pipes where ready.contains(pipe.readEnd) { #expect(pipe.drain()) }
            if heard.count == 1 { pipes[1].fill() } else { other.fill() }
        }
        try loop.watch([other.readEnd]) { [loop] _ in loop.stop(0) }
        pipes[0].fill()
        pipes[2].fill()
        #expect(try loop.run() == 0)
        #expect(heard == [[pipes[0].readEnd, pipes[2].readEnd], [pipes[1].readEnd]])
    }

    @Test func `none is forgotten where more are ready than one look reports`() throws {
        let pipes = try (0..<40).map { _ in try Pipe() }
        var heard: Set<CInt> = []
        for pipe in pipes {
            pipe.fill()
            try loop.watch([pipe.readEnd]) { [loop] ready in
                heard.formUnion(ready)
                if heard.count == pipes.count { loop.stop(0) }
            }
        }
        #expect(try loop.run() == 0)
        #expect(heard == Set(pipes.map(\.readEnd)))
    }

    @Test func `a writer that hangs up is reported`() throws {
        let pipe = try Pipe()
        try loop.watch([pipe.readEnd]) { [loop] _ in loop.stop(0) }
        pipe.hangUp()
        #expect(try loop.run() == 0)
        #expect(!pipe.drain())
    }

    @Test func `a regular file cannot be watched, and the error says so`() throws {
        // Sound: the path is a string that lives through the call.
        let file = unsafe open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let error = #expect(throws: SystemError.self) { try loop.watch([file]) { _ in } }
        #expect(
            error?.description
                == "epoll_ctl for descriptor \(file): Operation not permitted")
    }

    // MARK: Signals

    /// The signal goes to this thread alone, so that tests beside this one do not notice.
    private func raise(_ signal: CInt) { pthread_kill(pthread_self(), signal) }

    @Test func `each signal is heard, before descriptors, and these before the timer`() throws {
        let pipe = try Pipe()
        pipe.fill()
        var order: [String] = []
        try loop.watch([pipe.readEnd]) { _ in order.append("descriptor") }
        loop.onDeadline { [loop] in
            order.append("timer")
            loop.stop(0)
        }
        loop.deadline = .zero
        try loop.onSignal(.hangUp) { order.append("hang-up") }
        try loop.onSignal(.terminate) { order.append("terminate") }
        raise(SIGHUP)
        raise(SIGTERM)
        #expect(try loop.run() == 0)
        #expect(Set(order.prefix(2)) == ["hang-up", "terminate"])
        #expect(order.suffix(2) == ["descriptor", "timer"])
    }

    // MARK: End

    @Test func `of several stops the first counts, and nothing runs after it`() throws {
        let pipe = try Pipe()
        pipe.fill()
        try loop.watch([pipe.readEnd]) { _ in Issue.record("the loop had been stopped") }
        loop.stop(69)
        loop.stop(0)
        #expect(try loop.run() == 69)
    }

    @Test func `a loop lets go of its handlers`() throws {
        final class Witness {}
        weak var witness: Witness?
        do {
            let held = Witness()
            witness = held
            let loop = try SystemdEventLoop()
            loop.onDeadline { _ = held }
            try loop.onSignal(.interrupt) { _ = held }
        }
        #expect(witness == nil)
    }

    @Test func `the clock does not go back`() {
        let values = (0..<100).map { _ in loop.now }
        #expect(values == values.sorted())
    }
}
