internal import CLinux
internal import Glibc

/// How one thread wakes another: a descriptor that is readable from a signal until the next reset.
public final class EventFD: Sendable {
    public let descriptor: CInt

    /// A descriptor that is not readable.
    public init() throws(SystemError) {
        descriptor = eventfd(0, CInt(EFD_NONBLOCK) | CInt(EFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError(call: "eventfd", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable.
    public func signal() {
        // It cannot fail: the count of 64 bits never overflows.
        eventfd_write(descriptor, 1)
    }

    /// Makes it unreadable again, whether it was readable or not.
    public func reset() {
        var count: eventfd_t = 0
        // Sound: the call writes one number.
        unsafe _ = eventfd_read(descriptor, &count)
    }

    /// Waits for a signal, for `timeout` at most, or as long as it takes; then resets it. Returns
    /// whether there was one.
    @discardableResult
    public func wait(within timeout: Duration? = nil) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = timeout.map { CInt(clamping: Int64($0 / .milliseconds(1))) } ?? -1
        // Sound: one structure is read and written.
        guard unsafe poll(&watched, 1, milliseconds) > 0 else { return false }
        // Not where nothing was seen: a signal that came since then is for the next wait.
        reset()
        return true
    }
}
