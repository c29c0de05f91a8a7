import Glibc

/// Opens /dev/null as each of the standard descriptors that whoever started the process has closed.
///
/// The next file to be opened would have the number, and what is written for people would go to it:
/// to a line, or into the ledger.
public func openStandardDescriptors() throws(SystemError) {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
        // Sound: the call reads a text that ends in a zero, and keeps no pointer. The number is the
        // lowest that is free, since those below are open.
        guard unsafe open("/dev/null", O_RDWR) == descriptor else {
            throw SystemError(call: "open", subject: "/dev/null", errno: errno)
        }
    }
}
