internal import Glibc

/// All bytes of the file at `path`, or of standard input if that is nil: of a pipe, until its
/// writers have closed it. Returns nil if they are more than `limit`.
public func readToEnd(_ path: String?, limit: Int) throws(SystemError) -> [UInt8]? {
    var descriptor = STDIN_FILENO
    if let path {
        // Sound: the call reads a text that ends in a zero, and keeps no pointer.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            throw SystemError(call: "open", subject: path, errno: errno)
        }
    }
    defer { if path != nil { close(descriptor) } }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= limit {
        // Sound: the call writes no further than the array goes.
        let count = unsafe piece.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress!, $0.count)
        }
        if count < 0, errno == EINTR { continue }
        guard count >= 0 else {
            throw SystemError(call: "read", subject: path ?? "", errno: errno)
        }
        if count == 0 { return bytes }
        bytes += piece[..<count]
    }
    return nil
}
