import Glibc
import StateMachines
import System
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
        // The timer comes before descriptors, so it would fire first if it fired at all.
        loop.deadline = .zero
        loop.deadline = nil
        try loop.watch(pipe.readEnd) { [loop] in loop.stop(0) }
        pipe.fill()
        #expect(try loop.run() == 0)
        #expect(!fired)
    }

    @Test func `a flood at a descriptor does not hold up the timer`() throws {
        let pipe = try Pipe()
        pipe.fill()
        var calls = 0
        try loop.watch(pipe.readEnd) { calls += 1 }
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
        try loop.watch(full.readEnd) {
            taken += full.drain() ? 1 : 0
            if taken == 3 { end.fill() }
        }
        try loop.watch(end.readEnd) { [loop] in loop.stop(0) }
        #expect(try loop.run() == 0)
        #expect(taken == 3)
    }

    @Test func `a flood at one descriptor does not starve another`() throws {
        let pipes = try [Pipe(), Pipe(), Pipe()]
        var calls = [0, 0, 0]
        for (index, pipe) in pipes.enumerated() {
            pipe.fill()
            try loop.watch(pipe.readEnd) { [loop] in
                calls[index] += 1
                if calls.reduce(0, +) == 300 { loop.stop(0) }
            }
        }
        #expect(try loop.run() == 0)
        #expect(calls == [100, 100, 100])
    }

    @Test func `a handler may unwatch its own descriptor`() throws {
        let (once, end) = (try Pipe(), try Pipe())
        once.fill()
        var calls = 0
        try loop.watch(once.readEnd) { [loop] in
            calls += 1
            loop.unwatch(once.readEnd)
            end.fill()
        }
        try loop.watch(end.readEnd) { [loop] in loop.stop(0) }
        #expect(try loop.run() == 0)
        #expect(calls == 1)
    }

    @Test func `a writer that hangs up is reported`() throws {
        let pipe = try Pipe()
        try loop.watch(pipe.readEnd) { [loop] in loop.stop(0) }
        pipe.hangUp()
        #expect(try loop.run() == 0)
        #expect(!pipe.drain())
    }

    @Test func `a regular file cannot be watched, and the error says so`() throws {
        // Sound: the path is a string that lives through the call.
        let file = unsafe open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let error = #expect(throws: SystemError.self) { try loop.watch(file) {} }
        #expect(
            error?.description
                == "sd_event_add_io for descriptor \(file): Operation not permitted")
    }

    // MARK: Signals

    /// The signal goes to this thread alone, so that tests beside this one do not notice.
    private func raise(_ signal: CInt) { pthread_kill(pthread_self(), signal) }

    @Test func `each signal reaches its handler, before timer and descriptors`() throws {
        let pipe = try Pipe()
        pipe.fill()
        var order: [String] = []
        try loop.watch(pipe.readEnd) { [loop] in
            order.append("descriptor")
            loop.stop(0)
        }
        loop.onDeadline { order.append("timer") }
        loop.deadline = .zero
        try loop.onSignal(.hangUp) { order.append("hang-up") }
        try loop.onSignal(.terminate) { order.append("terminate") }
        raise(SIGHUP)
        raise(SIGTERM)
        #expect(try loop.run() == 0)
        #expect(Set(order.prefix(2)) == ["hang-up", "terminate"])
        #expect(order.suffix(2) == ["timer", "descriptor"])
    }

    // MARK: End

    @Test func `of several stops the first counts, and nothing runs after it`() throws {
        let pipe = try Pipe()
        pipe.fill()
        try loop.watch(pipe.readEnd) { Issue.record("the loop had been stopped") }
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
        let readings = (0..<100).map { _ in loop.now }
        #expect(readings == readings.sorted())
    }
}
