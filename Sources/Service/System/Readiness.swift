internal import Glibc
public import StateMachines
internal import Turnstile

/// Waits until some of these descriptors are readable, or hung up, or until then; nil for as long
/// as it takes. Returns those that are.
public func waitForInput(_ descriptors: [CInt], until end: Instant? = nil) -> Set<CInt> {
    var watched = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let milliseconds = end.map { moment in
        // Up to the next whole one: a wait that ends too early is waited for once more.
        let left = (moment - MonotonicTimer.now).wholeMicroseconds
        return CInt(clamping: max(0, (left + 999) / 1_000))
    }
    // Sound: as many structures are read and written as there are.
    unsafe _ = poll(&watched, nfds_t(watched.count), milliseconds ?? -1)
    return Set(watched.filter { $0.revents != 0 }.map(\.fd))
}
