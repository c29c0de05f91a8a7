internal import CLinux
internal import Glibc
internal import Hardware
internal import StateMachines

/// The machine's monotonic clock, and a descriptor that becomes readable at a moment of it.
final class MonotonicTimer {
    /// Readable from the armed moment on.
    let descriptor: CInt
    private var armedAt: Instant?

    /// A timer that is not armed.
    init() throws(HardwareError) {
        descriptor = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_NONBLOCK) | CInt(TFD_CLOEXEC))
        guard descriptor >= 0 else {
            // strerror's text is static, or stays until the next call in this thread.
            let reason = unsafe String(cString: strerror(errno))
            throw HardwareError(.failed, "simulation: timerfd_create failed: \(reason)")
        }
    }

    deinit { close(descriptor) }

    /// The monotonic time.
    var now: Instant {
        var time = timespec()
        // The kernel writes one timespec, which lives until the call returns.
        let result = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        precondition(result == 0, "every Linux has a monotonic clock")
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Makes the descriptor readable from `moment` on, or never.
    func arm(at moment: Instant?) {
        guard moment != armedAt else { return }
        armedAt = moment
        var setting = itimerspec()
        if let moment {
            // A zero time would disarm the timer; a moment of the past fires at once.
            let nanoseconds = max(1, moment.nanoseconds)
            setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
            setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        // The kernel reads one itimerspec, which lives until the call returns.
        let result = unsafe timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &setting, nil)
        precondition(result == 0, "timerfd_settime takes every moment")
    }

    /// Makes the descriptor unreadable until it is armed again.
    func drain() {
        armedAt = nil
        var expirations: UInt64 = 0
        // The kernel writes at most 8 bytes, which live until the call returns. That nothing is
        // there to read is as good.
        _ = unsafe read(descriptor, &expirations, 8)
    }
}
