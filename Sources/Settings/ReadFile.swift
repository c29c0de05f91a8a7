import Glibc

/// A system call that failed on a file.
struct FileError: Error, CustomStringConvertible {
    /// What was tried: `open`, `read`.
    let call: String
    /// The call's errno.
    let code: CInt

    /// `cannot open: No such file or directory`.
    var description: String {
        // The text that strerror returns is the C library's own; it is copied before another call
        // can replace it.
        let reason = unsafe String(cString: strerror(code))
        return "cannot \(call): \(reason)"
    }
}

/// The first `limit` bytes of the file at `path`, or all where it has fewer.
func readFile(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    // Swift lends the call the path as a C string.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw FileError(call: "open", code: errno) }
    defer { close(descriptor) }

    var bytes = [UInt8](repeating: 0, count: limit)
    var length = 0
    while length < limit {
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            // `length` is below the buffer's count, and the call is told how much room is left.
            unsafe read(descriptor, buffer.baseAddress! + length, limit - length)
        }
        if count == 0 { break }
        if count > 0 {
            length += count
        } else if errno != EINTR {
            throw FileError(call: "read", code: errno)
        }
    }
    bytes.removeLast(limit - length)
    return bytes
}
