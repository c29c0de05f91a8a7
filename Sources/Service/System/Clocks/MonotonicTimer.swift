internal import CLinux
internal import Glibc
public import StateMachines

/// The machine's monotonic clock, and a descriptor that becomes readable at a moment of it.
public final class MonotonicTimer {
    /// Readable from the armed moment on, until the timer is armed again.
    public let descriptor: CInt

    /// A timer that is not armed.
    public init() throws(SystemError) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError(call: "timerfd_create", errno: errno) }
    }

    deinit { close(descriptor) }

    /// The present moment of `CLOCK_MONOTONIC`, to the nanosecond.
    public static var now: Instant {
        var time = timespec()
        // Sound: the call writes the structure that it is given; this clock always exists.
        unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Makes the descriptor readable from `moment` on, and not before; nil for never.
    public func arm(at moment: Instant?) {
        var setting = itimerspec()
        if let moment {
            // A zero time would disarm the timer; a moment of the past fires at once.
            let nanoseconds = max(1, moment.nanoseconds)
            setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
            setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        // Sound: the kernel reads one structure, which lives until the call returns.
        let result = unsafe timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &setting, nil)
        precondition(result == 0, "timerfd_settime takes every moment")
    }
}
