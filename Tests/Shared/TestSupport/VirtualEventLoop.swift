public import StateMachines
public import System

/// An event loop on a clock of its own: time passes when the test says so, and at no other time.
///
/// The test is the world. It makes descriptors readable, sends signals and lets time pass; the
/// loop calls the handlers in the order that ``System/EventLoop`` promises.
///
///     let loop = VirtualEventLoop()
///     loop.onDeadline { fired = true }
///     loop.deadline = loop.now + .seconds(5)
///     loop.advance(by: .seconds(4))    // nothing
///     loop.advance(by: .seconds(1))    // fired
public final class VirtualEventLoop: EventLoop {
    /// The virtual moment.
    public private(set) var now: Instant
    /// When the timer fires.
    public var deadline: Instant?
    /// What ``stop(_:)`` was told, or nil while the loop goes on.
    public private(set) var exitCode: CInt?
    /// How often a handler was called: what a real loop would have woken up for.
    public private(set) var wakeUps = 0
    /// What to do about a loop that never comes to rest; by itself it ends the test.
    public var onStuck: () -> Void = { preconditionFailure("the loop never comes to rest") }

    private var deadlineHandler: () -> Void = {}
    private var watchers: [Watcher] = []
    private var signalHandlers: [Signal: () -> Void] = [:]
    private var signals: [Signal] = []
    private var readable: [CInt] = []
    private var happenings: [Happening] = []

    /// How many handlers may run at one moment before the loop counts as stuck.
    private static let wakeUpsPerMoment = 100_000

    private struct Watcher {
        var descriptors: [CInt]
        var handler: ([CInt]) -> Void
    }

    private struct Happening {
        var time: Instant
        var body: () -> Void
    }

    /// A loop whose clock starts at `now`.
    public init(now: Instant = Instant(nanoseconds: 1_000_000_000_000)) {
        self.now = now
    }

    /// Says what to do when the deadline has come.
    public func onDeadline(_ handler: @escaping () -> Void) { deadlineHandler = handler }

    /// Says what to do when the test makes some of `descriptors` readable.
    public func watch(
        _ descriptors: [CInt], _ handler: @escaping (_ ready: [CInt]) -> Void
    ) {
        watchers.append(Watcher(descriptors: descriptors, handler: handler))
    }

    /// Says what to do when the test sends `signal`.
    public func onSignal(_ signal: Signal, _ handler: @escaping () -> Void) {
        signalHandlers[signal] = handler
    }

    /// Ends the loop: no handler is called any more.
    public func stop(_ exitCode: CInt) {
        self.exitCode = self.exitCode ?? exitCode
    }

    /// Lets time jump from one thing to the next until ``stop(_:)``; a world in which nothing can
    /// happen any more is a programmer's mistake.
    public func run() -> CInt {
        while true {
            dispatchAll()
            if let exitCode { return exitCode }
            guard let next = nextMoment else {
                preconditionFailure("the loop would wait for ever: nobody has stopped it")
            }
            arrive(at: next)
        }
    }
}

// MARK: - The world

extension VirtualEventLoop {
    /// Makes `descriptor` readable once; its handler runs when the test next lets the loop go on.
    public func makeReadable(_ descriptor: CInt) { makeReadable([descriptor]) }

    /// The same of several.
    public func makeReadable(_ descriptors: [CInt]) {
        let isFirst = readable.isEmpty
        readable = isFirst ? descriptors : readable + descriptors.filter { !readable.contains($0) }
    }

    /// Sends `signal` to the process.
    public func send(_ signal: Signal) { signals.append(signal) }

    /// Has the world do something once `delay` has passed.
    public func after(_ delay: Duration, _ body: @escaping () -> Void) {
        let happening = Happening(time: now + delay, body: body)
        let position = happenings.firstIndex { $0.time > happening.time } ?? happenings.endIndex
        happenings.insert(happening, at: position)
    }

    /// Lets `duration` pass and everything in it happen, each at its moment.
    public func advance(by duration: Duration) {
        let end = now + duration
        dispatchAll()
        while exitCode == nil, let next = nextMoment, next <= end {
            arrive(at: next)
            dispatchAll()
        }
        now = max(now, end)
    }

    /// Holds the loop up: the clock and the world go on to `moment`, and no handler runs meanwhile.
    public func holdUp(until moment: Instant) {
        while let next = happenings.first?.time, next <= moment { arrive(at: next) }
        now = max(now, moment)
    }

    /// Calls the handlers of all that waits at this moment, and of what they bring about.
    public func dispatchAll() {
        let limit = wakeUps + Self.wakeUpsPerMoment
        while dispatchRound() {
            if wakeUps > limit { onStuck() }
        }
    }

    /// Looks at everything once: signals, descriptors, the timer. Returns whether a handler ran.
    private func dispatchRound() -> Bool {
        let before = wakeUps
        if !signals.isEmpty { callSignalHandlers() }
        if !readable.isEmpty { callWatchers() }
        if let due = deadline, due <= now, mayCall {
            deadline = nil
            deadlineHandler()
        }
        return wakeUps > before
    }

    private func callSignalHandlers() {
        let sent = signals
        signals = sent.filter { signalHandlers[$0] == nil }
        for signal in sent {
            if let handler = signalHandlers[signal], mayCall { handler() }
        }
    }

    /// Calls whoever watches what is readable.
    private func callWatchers() {
        for index in watchers.indices {
            let watched = watchers[index].descriptors
            let isAll = readable == watched
            let ready = isAll ? watched : watched.filter(readable.contains)
            readable = isAll ? [] : readable.filter { !ready.contains($0) }
            if !ready.isEmpty, mayCall { watchers[index].handler(ready) }
        }
    }

    /// Whether a handler may be called, which is then counted: none is once the loop has ended.
    private var mayCall: Bool {
        guard exitCode == nil else { return false }
        wakeUps += 1
        return true
    }

    /// When something happens next, as far as the loop knows.
    public var nextMoment: Instant? { .earliest(deadline, happenings.first?.time) }

    /// Sets the clock to `moment`, where the world has its say before the loop.
    private func arrive(at moment: Instant) {
        now = max(now, moment)
        while let first = happenings.first, first.time <= now {
            happenings.removeFirst()
            first.body()
        }
    }
}
