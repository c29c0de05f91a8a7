import CLinux
import Glibc

/// How one thread wakes another: a descriptor that is readable from the ringing until somebody
/// hears it.
final class Bell: Sendable {
    /// The descriptor, for an event loop.
    let descriptor: CInt

    /// A bell that is silent.
    init() throws(LedgerError) {
        descriptor = eventfd(0, CInt(EFD_NONBLOCK) | CInt(EFD_CLOEXEC))
        guard descriptor >= 0 else { throw LedgerError(call: "eventfd", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable.
    func ring() {
        // It cannot fail: the count has room for more than anybody could ring.
        eventfd_write(descriptor, 1)
    }

    /// Makes it silent again, whether it rang or not.
    func hush() {
        var count: eventfd_t = 0
        // Sound: the call writes one number.
        unsafe _ = eventfd_read(descriptor, &count)
    }

    /// Waits until it rings, for `patience` at most, or as long as it takes; then it is silent.
    func wait(_ patience: Duration? = nil) {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let milliseconds = patience.map { CInt($0 / .milliseconds(1)) } ?? -1
        // Sound: one structure is read and written.
        unsafe _ = poll(&watched, 1, milliseconds)
        hush()
    }
}
