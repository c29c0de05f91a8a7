import CSystemd
public import StateMachines

/// The event loop over libsystemd's sd-event, for signals, with lines and timer in front of it.
///
/// One poll waits at everything: at the descriptors that are watched, at a timer, and at sd-event
/// as a whole. An edge thus reaches its handler right after the wait; through a source of sd-event
/// it would take several thousand instructions more.
///
/// It is made, used and run on one thread. The signals that it listens to are blocked on that
/// thread while the loop lives, so in a process of several threads it is made before the others.
@safe public final class SystemdEventLoop: EventLoop {
    public var deadline: Instant? {
        get { due }
        set { due = newValue }
    }

    // Private, so that the compiler sees that it has no concurrent access.
    private var due: Instant?
    private let systemd: OpaquePointer
    private let poll: Epoll
    private let timer: MonotonicTimer
    /// The time that the timer was last armed for; nil once it has fired, or was disarmed.
    private var armedAt: Instant?
    private var hasFired = false
    private var deadlineHandler: () -> Void = {}
    private var watchers: [Watcher] = []
    private var signals: [Signal: SignalSource] = [:]
    private var exitCode: CInt?

    /// The poll's numbers. A watched descriptor's is its watcher's index times the most descriptors
    /// of one, plus its position.
    private static let systemdNumber = UInt64.max
    private static let timerNumber = UInt64.max - 1

    public init() throws(SystemError) {
        poll = try Epoll()
        timer = try MonotonicTimer()
        var systemd: OpaquePointer?
        // Sound: on success the function has written a pointer, which this object owns.
        try check(unsafe sd_event_new(&systemd), "sd_event_new")
        unsafe self.systemd = systemd!
        // Sound: the loop lives as long as this object, here and below.
        try poll.add(unsafe sd_event_get_fd(self.systemd), as: Self.systemdNumber)
        try poll.add(timer.descriptor, as: Self.timerNumber)
    }

    deinit {
        signals = [:]
        // Sound: the loop's own reference is given up, once, after those of its sources.
        unsafe _ = sd_event_unref(systemd)
    }

    /// The present moment of `CLOCK_MONOTONIC`, to the nanosecond.
    public var now: Instant { MonotonicTimer.now }

    public func onDeadline(_ handler: @escaping () -> Void) { deadlineHandler = handler }

    /// Calls `handler` with those of `descriptors` that are readable, hung up or in error.
    public func watch(
        _ descriptors: [CInt], _ handler: @escaping (_ ready: [CInt]) -> Void
    ) throws(SystemError) {
        let first = watchers.count * Watcher.mostDescriptors
        watchers.append(Watcher(descriptors, handler))
        for (position, descriptor) in descriptors.enumerated() {
            try poll.add(descriptor, as: UInt64(first + position))
        }
    }

    public func onSignal(
        _ signal: Signal, _ handler: @escaping () -> Void
    ) throws(SystemError) {
        signals[signal] = nil
        signals[signal] = unsafe try SignalSource(in: systemd, on: signal, handler: handler)
    }

    /// Dispatches until ``stop(_:)``.
    public func run() throws(SystemError) -> CInt {
        while true {
            try dispatchSystemd()
            if let exitCode { return exitCode }
            setTimer()
            try dispatchRound()
        }
    }

    /// Has ``run()`` return `exitCode`.
    public func stop(_ exitCode: CInt) {
        precondition(exitCode >= 0, "an exit code is not negative")
        self.exitCode = self.exitCode ?? exitCode
    }
}

// A round.
extension SystemdEventLoop {
    /// Waits, and calls the handlers of all that the wait reports.
    private func dispatchRound() throws(SystemError) {
        // Before the wait, so that descriptors that become ready after it are handled as well.
        let watchers = self.watchers
        var hasSignals = false
        for position in 0..<(try poll.wait()) {
            switch poll[position] {
            case Self.systemdNumber: hasSignals = true
            case Self.timerNumber: hasFired = true
            case let number:
                let most = UInt64(Watcher.mostDescriptors)
                watchers[Int(number / most)].note(Int(number % most))
            }
        }
        if hasSignals { try dispatchSystemd() }
        for watcher in watchers where watcher.isReady && exitCode == nil {
            watcher.callHandler()
        }
        if hasFired, exitCode == nil { timerFired() }
    }

    /// Lets sd-event dispatch pending events, and prepare for polling.
    private func dispatchSystemd() throws(SystemError) {
        var result: CInt = 1
        while exitCode == nil, result > 0 {
            result = unsafe sd_event_run(systemd, 0)
            try check(result, "sd_event_run")
        }
    }

    private func timerFired() {
        // It fires when its moment has come, and no clock is read for the moment that it was
        // armed for; a deadline that was put off is another.
        guard let due, due == armedAt || due <= now else { return }
        self.due = nil
        deadlineHandler()
    }

    /// Arms the timer for the deadline. A timer armed for earlier stays, and is armed again when it
    /// has fired: most deadlines are put off before they come.
    private func setTimer() {
        if !hasFired {
            guard let due else { return }
            if let armedAt, armedAt <= due { return }
        }
        timer.arm(at: due)
        armedAt = due
        hasFired = false
    }
}
