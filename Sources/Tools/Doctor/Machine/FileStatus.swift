import CLinux
import Glibc
import System

/// The status of a file of any kind.
struct FileStatus: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case file
        case folder
        case link
        case device
        case other
    }

    var kind: Kind
    var owner: UInt32
    var group: UInt32
    /// The last twelve bits of its mode.
    var permissions: UInt32
    /// When it was last written, in seconds since 1970-01-01, 0:00 UTC.
    var modified: Int

    init(
        _ kind: Kind, owner: UInt32, group: UInt32, permissions: UInt32, modified: Int = 0
    ) {
        self.kind = kind
        self.owner = owner
        self.group = group
        self.permissions = permissions
        self.modified = modified
    }

    /// The status of the file at `path`; of a link itself unless `followsLinks`.
    init(path: String, followsLinks: Bool = true) throws(SystemError) {
        var status = stat()
        // Sound: Swift lends the path, and the calls write one structure.
        let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
        guard result == 0 else { throw SystemError(call: "stat", subject: path, errno: errno) }
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFCHR: .device
            default: .other
            }
        owner = status.st_uid
        group = status.st_gid
        permissions = status.st_mode & 0o7777
        modified = status.st_mtim.tv_sec
    }
}

struct Room: Hashable, Sendable {
    /// The bytes available to users other than root.
    var free: Int64
    var total: Int64
}

extension Room {
    init(at path: String) throws(SystemError) {
        var status = statvfs()
        // Sound: Swift lends the path, and the call writes one structure.
        guard unsafe statvfs(path, &status) == 0 else {
            throw SystemError(call: "statvfs", subject: path, errno: errno)
        }
        free = Int64(status.f_bavail) * Int64(status.f_frsize)
        total = Int64(status.f_blocks) * Int64(status.f_frsize)
    }
}

extension File {
    /// The target of the symbolic link at `path`, unresolved.
    static func target(ofLink path: String) throws(SystemError) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        // Sound: pointer and length are those of one array; Swift lends the path.
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe readlink(path, buffer.bindMemory(to: CChar.self).baseAddress!, buffer.count)
        }
        guard count >= 0 else { throw SystemError(call: "readlink", subject: path, errno: errno) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}

/// Whether the clock is synchronised, according to the kernel; nil if it does not say.
func clockIsSet() -> Bool? {
    var state = timex()
    // Sound: the call writes the structure that it is given; with no mode it changes nothing.
    let result = unsafe adjtimex(&state)
    // TIME_ERROR (5): not synchronised.
    return result < 0 ? nil : result != TIME_ERROR && state.status & STA_UNSYNC == 0
}
