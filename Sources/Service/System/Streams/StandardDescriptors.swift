import Glibc

/// Opens /dev/null as each standard descriptor that the parent process has closed.
///
/// Otherwise the next file to be opened, a line or the ledger, would get that number, and messages
/// for people would be written to it.
public func openStandardDescriptors() throws(SystemError) {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
        // Sound: the call reads a text that ends in a zero, and keeps no pointer. The number is the
        // lowest that is free, since those below are open.
        guard unsafe open("/dev/null", O_RDWR) == descriptor else {
            throw SystemError(call: "open", subject: "/dev/null", errno: errno)
        }
    }
}
