internal import CLinux
internal import Glibc

/// A file that is open for as long as this object lives.
public final class File {
    public enum Purpose: Hashable, Sendable {
        case reading
        /// For reading and writing; created if missing.
        case updating
        /// For rewriting; created if missing.
        case replacing
        /// To be written; there must be nothing of this name yet.
        case creating
    }

    public let path: String
    private let descriptor: CInt

    /// Opens the file at `path`. A file of the service's own must not be a link, and opening
    /// another kind of file never blocks. A file of the system's may be a link: `followsLinks`. A
    /// new file is for its owner alone, unless `permissions` say more.
    public init(
        path: String, for purpose: Purpose, followsLinks: Bool = false,
        permissions: UInt32 = 0o600
    ) throws(SystemError) {
        let flags =
            switch purpose {
            case .reading: O_RDONLY
            case .updating: O_RDWR | O_CREAT
            case .replacing: O_WRONLY | O_CREAT | O_TRUNC
            case .creating: O_WRONLY | O_CREAT | O_EXCL
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

    /// Its size in bytes; 0 if unknown.
    public var size: Int {
        var status = stat()
        // Sound: the call writes the structure that it is given.
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
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

    public func write(_ bytes: [UInt8], at offset: Int = 0) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            // Sound: the call reads no further than the array goes.
            let written = unsafe bytes.withUnsafeBytes { bytes in
                let (next, count) = unsafe (bytes.baseAddress! + done, bytes.count - done)
                let written = unsafe pwrite(descriptor, next, count, off_t(offset + done))
                // A pipe knows no offsets.
                return written < 0 && errno == ESPIPE
                    ? unsafe Glibc.write(descriptor, next, count) : written
            }
            if written < 0, errno == EINTR { continue }
            guard written >= 0 else {
                throw SystemError(call: "write", subject: path, errno: errno)
            }
            done += written
        }
    }

    /// Waits until all written data is durable.
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

    /// Makes a folder, for its owner alone unless `permissions` say more, where there is nothing of
    /// this name already.
    public static func makeFolder(
        _ path: String, permissions: UInt32 = 0o700
    ) throws(SystemError) {
        // Sound: the call reads the text, which ends with a zero, before it returns.
        guard unsafe mkdir(path, permissions) != 0 else { return }
        let error = errno
        guard error == EEXIST else {
            throw SystemError(call: "mkdir", subject: path, errno: error)
        }
    }

    /// Sets the permissions of the file or folder at `path`.
    public static func setPermissions(
        of path: String, to permissions: UInt32
    ) throws(SystemError) {
        // Sound: the call reads a text that ends in a zero, and keeps no pointer.
        guard unsafe chmod(path, permissions) == 0 else {
            throw SystemError(call: "chmod", subject: path, errno: errno)
        }
    }

    /// Renames the file at `path`, replacing an existing one.
    public static func rename(_ path: String, to name: String) throws(SystemError) {
        // Sound: the call reads two texts that end in a zero, and keeps no pointer.
        guard unsafe Glibc.rename(path, name) == 0 else {
            throw SystemError(call: "rename", subject: path, errno: errno)
        }
    }

    /// RENAME_NOREPLACE.
    private static let noReplace: CUnsignedInt = 1

    /// Gives the file at `path` a name that nothing has: EEXIST where something does.
    public static func rename(_ path: String, toNew name: String) throws(SystemError) {
        // Sound, here and below: the calls read two texts that end in a zero, and keep no pointer.
        if unsafe renameat2(AT_FDCWD, path, AT_FDCWD, name, noReplace) == 0 { return }
        // Some file systems know no such rename, and have hard links.
        if errno == EINVAL, unsafe link(path, name) == 0 { return try remove(path) }
        throw SystemError(call: "rename from \(path)", subject: name, errno: errno)
    }

    /// Why nothing can be kept in the folder at `path`, as a sentence; nil where nothing is known
    /// to hinder it. A file system that hangs can hold the call up.
    public static func obstacle(inFolder path: String) -> String? {
        var status = stat()
        // Sound: the call reads a text that ends in a zero, and writes the structure.
        guard unsafe stat(path, &status) == 0 else {
            return [ENOENT, ENOTDIR].contains(errno)
                ? "there is no folder \(path): make it, or mount its disk" : nil
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return "\(path) is no folder: move away what is there, and make the folder"
        }
        return Mounts().missingUnit(of: pathWithoutLinks(path)).map {
            "the disk of \(path) is not mounted: see why (systemctl status '\($0)'), and mount it"
        }
    }

    /// The path with all links resolved; unchanged if that fails.
    public static func pathWithoutLinks(_ path: String) -> String {
        // Sound: the call reads a text that ends in a zero, and makes one, which is copied, freed.
        guard let found = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    /// Whether there is something of this name, if it is a link to nothing.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        // Sound: the call reads a text that ends in a zero, and writes the structure.
        return unsafe lstat(path, &status) == 0
    }

    /// Whether the path is a regular file, and neither a link nor a folder, pipe or device; nil if
    /// it is missing.
    public static func isRegular(_ path: String) -> Bool? {
        var status = stat()
        // Sound: the call reads a text that ends in a zero, and writes the structure.
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// The permission bits of a regular file; nil if it is missing, or of another kind.
    public static func permissions(of path: String) -> UInt32? {
        var status = stat()
        // Sound: the call reads a text that ends in a zero, and writes the structure.
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return status.st_mode & 0o777
    }

    /// Whether two paths lead to the same file.
    public static func areSame(_ path: String, _ other: String) -> Bool {
        var (one, two) = (stat(), stat())
        // Sound: each call reads a text that ends in a zero, and writes the structure.
        guard unsafe stat(path, &one) == 0, unsafe stat(other, &two) == 0 else { return false }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    /// The sorted names in the folder at `path`.
    public static func names(in path: String) throws(SystemError) -> [String] {
        // Sound: Swift lends the path; the folder is closed once, at the end.
        guard let folder = unsafe opendir(path) else {
            throw SystemError(call: "opendir", subject: path, errno: errno)
        }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        // Sound: an entry lives until the next call, and its name, which ends in a zero, is copied.
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    public static func remove(_ path: String) throws(SystemError) {
        // Sound: the call reads a text that ends in a zero, and keeps no pointer.
        guard unsafe unlink(path) == 0 else {
            throw SystemError(call: "unlink", subject: path, errno: errno)
        }
    }
}
