import CSystemd
import Glibc
public import StateMachines

/// The event loop over libsystemd's sd-event.
///
/// It is made, used and run on one thread. The signals that it listens to are blocked on that
/// thread while the loop lives, so in a process of several threads it is made before the others.
@safe public final class SystemdEventLoop: EventLoop {
    private let loop: OpaquePointer
    private var timer: EventSource?
    private var deadlineHandler: () -> Void = {}
    private var descriptorSources: [CInt: EventSource] = [:]
    private var signalSources: [Signal: EventSource] = [:]
    private var isStopped = false
    /// A failure of the timer, which ends the loop: without its deadlines a machine is not safe.
    private var timerFailure: SystemError?

    /// A loop that watches nothing yet.
    public init() throws(SystemError) {
        var loop: OpaquePointer?
        // Sound: on success the function has written a pointer, which this object owns.
        try check(unsafe sd_event_new(&loop), "sd_event_new")
        unsafe self.loop = loop!
        timer = unsafe try EventSource(
            in: loop!, on: .time, handler: { [unowned self] in deadlineCame() })
    }

    deinit {
        timer = nil
        descriptorSources = [:]
        signalSources = [:]
        // Sound: the loop's own reference is given up, once, after those of its sources.
        unsafe _ = sd_event_unref(loop)
    }

    /// The present moment of `CLOCK_MONOTONIC`, to the nanosecond.
    public var now: Instant {
        var time = timespec()
        // Sound: the call writes the structure that it is given; this clock always exists.
        unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// When the timer fires; sd-event counts in microseconds, of which the next whole one counts.
    public var deadline: Instant? {
        didSet {
            guard deadline != oldValue, !isStopped else { return }
            do throws(SystemError) {
                if let deadline {
                    let microseconds = (max(deadline.nanoseconds, 0) + 999) / 1_000
                    try timer?.arm(atMicroseconds: UInt64(microseconds))
                } else {
                    try timer?.disarm()
                }
            } catch {
                timerFailure = error
                stop(1)
            }
        }
    }

    /// Says what to do when ``deadline`` has come.
    public func onDeadline(_ handler: @escaping () -> Void) { deadlineHandler = handler }

    private func deadlineCame() {
        deadline = nil
        deadlineHandler()
    }

    /// Calls `handler` whenever `descriptor` is readable, hung up or in error.
    public func watch(
        _ descriptor: CInt, _ handler: @escaping () -> Void
    ) throws(SystemError) {
        descriptorSources[descriptor] = nil
        // Sound: the loop outlives its sources, here and below.
        descriptorSources[descriptor] = unsafe try EventSource(
            in: loop, on: .readable(descriptor), handler: handler)
    }

    /// Forgets `descriptor`.
    public func unwatch(_ descriptor: CInt) { descriptorSources[descriptor] = nil }

    /// Calls `handler` for each `signal`.
    public func onSignal(
        _ signal: Signal, _ handler: @escaping () -> Void
    ) throws(SystemError) {
        signalSources[signal] = nil
        signalSources[signal] = unsafe try EventSource(
            in: loop, on: .signal(signal), handler: handler)
    }

    /// Dispatches until ``stop(_:)``.
    public func run() throws(SystemError) -> CInt {
        // Sound: the loop lives as long as this object.
        let result = unsafe sd_event_loop(loop)
        if let timerFailure { throw timerFailure }
        try check(result, "sd_event_loop")
        return result
    }

    /// Has ``run()`` return `exitCode`.
    public func stop(_ exitCode: CInt) {
        precondition(exitCode >= 0, "an exit code is not negative")
        guard !isStopped else { return }
        isStopped = true
        // Sound: the loop lives as long as this object. It can only fail once the loop has ended.
        unsafe _ = sd_event_exit(loop, exitCode)
    }
}
