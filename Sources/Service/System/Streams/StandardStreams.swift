import Glibc

/// Prints an error on standard error: for people, before there is a journal.
public func printError(_ text: String) { try? write("\(text)\n", to: STDERR_FILENO) }

/// Prints a question on standard error, visible even if standard output is a file; the answer is
/// typed after it.
public func printQuestion(_ text: String) { try? write(text, to: STDERR_FILENO) }

/// Prints a text on standard output at once; ignores a closed reader.
public func printOutput(_ text: String) { try? writeOutput(text) }

/// Writes a text on standard output at once, or throws why it could not be written.
public func writeOutput(_ text: String) throws(SystemError) { try write(text, to: STDOUT_FILENO) }

/// Writes bytes on standard output at once, or throws why they could not be written.
public func writeOutput(_ bytes: [UInt8]) throws(SystemError) {
    try write(bytes, to: STDOUT_FILENO)
}

private func write(_ text: String, to descriptor: CInt) throws(SystemError) {
    try write(Array(text.utf8), to: descriptor)
}

private func write(_ all: [UInt8], to descriptor: CInt) throws(SystemError) {
    var bytes = all[...]
    while !bytes.isEmpty {
        // Sound: pointer and length are those of one slice.
        let written = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        if written > 0 {
            bytes = bytes.dropFirst(written)
        } else if errno == EAGAIN {
            // Another process that shares the stream may have made it non-blocking.
            var stream = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            // Sound: the one structure is read and written.
            unsafe _ = poll(&stream, 1, -1)
        } else if errno != EINTR {
            throw SystemError(call: "write", errno: errno)
        }
    }
}
