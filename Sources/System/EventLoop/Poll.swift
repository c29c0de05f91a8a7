import CLinux
import Glibc

/// The descriptors that a loop waits at: an epoll instance.
@safe final class Poll {
    private let descriptor: CInt
    // Room for what one wait reports; what finds none is reported by the next.
    private var reports = unsafe [epoll_event](repeating: epoll_event(), count: 16)

    /// A poll of no descriptors.
    init() throws(SystemError) {
        descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError(call: "epoll_create1", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Has the descriptor reported, under this number, while it is readable, hung up or in error.
    func add(_ watched: CInt, as number: UInt32) throws(SystemError) {
        let data = UInt64(number) << 32 | UInt64(UInt32(bitPattern: watched))
        var wanted = unsafe epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: data))
        // Sound: the kernel reads one structure, which lives until the call returns.
        if unsafe epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &wanted) < 0 {
            throw SystemError(
                call: "epoll_ctl", subject: "descriptor \(watched)", errno: errno)
        }
    }

    /// Waits until a descriptor is ready, then hands over each that is, with its number.
    func wait(
        _ body: (_ number: UInt32, _ descriptor: CInt) -> Void
    ) throws(SystemError) {
        // Sound: the kernel writes as many structures as the array has at most.
        let count = unsafe epoll_wait(descriptor, &reports, CInt(reports.count), -1)
        guard count >= 0 else {
            if errno == EINTR { return }
            throw SystemError(call: "epoll_wait", errno: errno)
        }
        for index in 0..<Int(count) {
            // Sound: only `add` sets the data, and as this member.
            let data = unsafe reports[index].data.u64
            body(UInt32(data >> 32), CInt(truncatingIfNeeded: data))
        }
    }
}
