internal import Glibc
public import StateMachines

/// Waits until some of these descriptors are readable, or hung up, or until then; nil for as long
/// as it takes. Returns those that are.
public func waitForInput(_ descriptors: [CInt], until end: Instant? = nil) -> Set<CInt> {
    var watched = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let timeout = end.map(milliseconds)
    // Sound: as many structures are read and written as there are.
    unsafe _ = poll(&watched, nfds_t(watched.count), timeout ?? -1)
    return Set(watched.filter { $0.revents != 0 }.map(\.fd))
}

/// How long it is until then, for `poll`: up to the next whole one, since a wait that ends too
/// early is waited for once more.
func milliseconds(until end: Instant) -> CInt {
    let left = (end - MonotonicTimer.now).wholeNanoseconds
    return left > 0 ? CInt(clamping: (left - 1) / 1_000_000 + 1) : 0
}
