import Glibc
import System

/// The bytes of the regular file at `path`, of at most `limit`.
///
/// Other files are not opened: opening can act on a device, or wait for the writer of a FIFO. A
/// file that is too large is not read.
func readFile(_ path: String, limit: Int) throws(Mistake) -> [UInt8] {
    var status = stat()
    // Sound, here and below: the calls write the structure that they are given.
    guard unsafe stat(path, &status) == 0 else {
        throw .failed("open", errno)
    }
    try judge(status, limit: limit)
    // The file may have been replaced since; Swift lends the call the path as a C string.
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .failed("open", errno) }
    defer { close(descriptor) }
    guard unsafe fstat(descriptor, &status) == 0 else {
        throw .failed("look at it", errno)
    }
    try judge(status, limit: limit)
    return try read(descriptor, limit: limit)
}

/// Throws unless a file of this status can be read.
private func judge(_ status: stat, limit: Int) throws(Mistake) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: if status.st_size > limit { throw .isLarger(than: limit) }
    case S_IFDIR: throw .isNoFile(kind: "a folder")
    case S_IFIFO: throw .isNoFile(kind: "a FIFO")
    case S_IFSOCK: throw .isNoFile(kind: "a socket")
    case S_IFCHR, S_IFBLK: throw .isNoFile(kind: "a device")
    default: throw .isNoFile(kind: "no regular file")
    }
}

/// The rest of the file, of at most `limit` bytes: it may have grown.
private func read(_ descriptor: CInt, limit: Int) throws(Mistake) -> [UInt8] {
    // One byte more than allowed is enough to see that there are too many.
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    var length = 0
    while length < bytes.count {
        let room = bytes.count - length
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            // `length` is below the buffer's count, and the call is told how much room is left.
            unsafe Glibc.read(descriptor, buffer.baseAddress! + length, room)
        }
        if count == 0 { break }
        if count > 0 {
            length += count
        } else if errno != EINTR {
            throw .failed("read", errno)
        }
    }
    guard length <= limit else { throw .isLarger(than: limit) }
    bytes.removeLast(bytes.count - length)
    return bytes
}

extension Mistake {
    /// `cannot open: No such file or directory`.
    fileprivate static func failed(_ call: String, _ code: CInt) -> Mistake {
        Mistake("cannot \(call): \(errorText(code))")
    }

    fileprivate static func isNoFile(kind: String) -> Mistake {
        Mistake("is \(kind): name a regular file")
    }

    static func isLarger(than limit: Int) -> Mistake {
        Mistake("the file is larger than \(limit / 1024) KiB, which is too large")
    }
}
