internal import CLinux
internal import Glibc

/// A file that is open for as long as this object lives.
public final class File {
    /// What a file is opened for.
    public enum Purpose: Hashable, Sendable {
        /// To be read.
        case reading
        /// To be read and written; made where there is none.
        case updating
        /// To be written anew; made where there is none.
        case replacing
    }

    /// Where it is.
    public let path: String
    private let descriptor: CInt

    /// Opens the file at `path`. It is the service's own: a link to another is not followed, and
    /// whatever else has the name holds up nobody. A file of the system's may be a link:
    /// `followsLinks`. One that is made is for its owner alone, unless `permissions` say more.
    public init(
        path: String, for purpose: Purpose, followsLinks: Bool = false,
        permissions: UInt32 = 0o600
    ) throws(SystemError) {
        let flags =
            switch purpose {
            case .reading: O_RDONLY
            case .updating: O_RDWR | O_CREAT
            case .replacing: O_WRONLY | O_CREAT | O_TRUNC
            }
        // Sound: the call reads a text that ends in a zero, and keeps no pointer.
        descriptor = unsafe open(
            path, flags | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW) | O_NONBLOCK | O_NOCTTY,
            permissions)
        guard descriptor >= 0 else {
            throw SystemError(call: "open", subject: path, errno: errno)
        }
        self.path = path
    }

    deinit { close(descriptor) }

    /// Whether it is a regular file: no folder, no pipe, no device.
    public var isRegular: Bool {
        var status = stat()
        // Sound: the call writes the structure that it is given.
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether it can still be found in some folder: it may have been removed since it was opened.
    public var hasName: Bool {
        var status = stat()
        // Sound: the call writes the structure that it is given.
        return unsafe fstat(descriptor, &status) == 0 && status.st_nlink > 0
    }

    /// The bytes from `offset` on, up to `count` or the end of the file.
    public func read(_ count: Int, at offset: Int = 0) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            // Sound: the call writes no further than the array goes.
            let read = unsafe bytes.withUnsafeMutableBytes {
                unsafe pread(
                    descriptor, $0.baseAddress! + filled, count - filled, off_t(offset + filled))
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw SystemError(call: "read", subject: path, errno: errno) }
            if read == 0 { break }
            filled += read
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Writes `bytes` from `offset` on.
    public func write(_ bytes: [UInt8], at offset: Int = 0) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            // Sound: the call reads no further than the array goes.
            let written = unsafe bytes.withUnsafeBytes {
                unsafe pwrite(
                    descriptor, $0.baseAddress! + done, bytes.count - done, off_t(offset + done))
            }
            if written < 0, errno == EINTR { continue }
            guard written >= 0 else {
                throw SystemError(call: "write", subject: path, errno: errno)
            }
            done += written
        }
    }

    /// Waits until what was written is durable.
    public func synchronize() throws(SystemError) {
        guard fdatasync(descriptor) == 0 else {
            throw SystemError(call: "fdatasync", subject: path, errno: errno)
        }
    }

    /// Waits until it is durable which files the folder at `path` has.
    public static func synchronizeFolder(_ path: String) throws(SystemError) {
        // Sound: the call reads a text that ends in a zero, and keeps no pointer.
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SystemError(call: "open", subject: path, errno: errno)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw SystemError(call: "fsync", subject: path, errno: errno)
        }
    }

    /// Makes a folder for its owner alone, unless there is something of this name already.
    public static func makeFolder(_ path: String) throws(SystemError) {
        // Sound: the call reads the text, which ends with a zero, before it returns.
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        let error = errno
        guard error == EEXIST else {
            throw SystemError(call: "mkdir", subject: path, errno: error)
        }
    }

    /// Gives the file at `path` another name, in place of what has that name now.
    public static func rename(_ path: String, to name: String) throws(SystemError) {
        // Sound: the call reads two texts that end in a zero, and keeps no pointer.
        guard unsafe Glibc.rename(path, name) == 0 else {
            throw SystemError(call: "rename", subject: path, errno: errno)
        }
    }
}
