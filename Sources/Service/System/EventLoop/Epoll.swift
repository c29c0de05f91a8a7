import CLinux
import Glibc

/// The descriptors that a loop waits at: an epoll instance.
@safe final class Epoll {
    /// The most events of one wait; further ones are reported by the next.
    private static let capacity = 16

    private let descriptor: CInt
    private let reports: UnsafeMutablePointer<epoll_event>

    /// A poll of no descriptors.
    init() throws(SystemError) {
        descriptor = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError(call: "epoll_create1", errno: errno) }
        // Sound: the memory is this object's alone, from here to deinit.
        unsafe reports = .allocate(capacity: Self.capacity)
        unsafe reports.initialize(repeating: epoll_event(), count: Self.capacity)
    }

    deinit {
        close(descriptor)
        // Sound: nothing else frees it.
        unsafe reports.deallocate()
    }

    /// Has the descriptor reported, as this number, while it is readable, hung up or in error.
    func add(_ watched: CInt, as number: UInt64) throws(SystemError) {
        var wanted = unsafe epoll_event(
            events: EPOLLIN.rawValue, data: epoll_data_t(u64: number))
        // Sound: the kernel reads one structure, which lives until the call returns.
        if unsafe epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &wanted) < 0 {
            throw SystemError(
                call: "epoll_ctl", subject: "descriptor \(watched)", errno: errno)
        }
    }

    /// Waits until descriptors are ready, and returns how many are reported.
    func wait() throws(SystemError) -> Int {
        // Sound: the kernel writes as many structures as there are at most.
        let count = unsafe epoll_wait(descriptor, reports, CInt(Self.capacity), -1)
        if count < 0, errno != EINTR { throw SystemError(call: "epoll_wait", errno: errno) }
        return max(0, Int(count))
    }

    /// The number of a descriptor that the last wait reported.
    subscript(position: Int) -> UInt64 {
        precondition(0 <= position && position < Self.capacity, "no such report")
        // Sound: the position is in bounds, and only `add` sets the data, as this member.
        return unsafe reports[position].data.u64
    }
}
