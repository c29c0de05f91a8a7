import Glibc
import System

/// The system's calls for files, each with an error that says what to do.
enum Files {
    /// Nil if the file is missing or not accessible.
    static func status(of path: String) -> stat? {
        var status = stat()
        // Sound: Swift lends the path, and the call writes one structure.
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    /// Identifies the file of this name; nil if it is missing or not accessible.
    static func number(of path: String) -> FileNumber? {
        status(of: path).map { FileNumber($0) }
    }

    /// The same, following a link.
    static func number(behind path: String) -> FileNumber? {
        status(behind: path).map { FileNumber($0) }
    }

    /// Whether the name, or the target of its link, is a folder, pipe or device.
    static func isOtherThanFile(_ path: String) -> Bool {
        status(behind: path).map { $0.st_mode & S_IFMT != S_IFREG } ?? false
    }

    private static func status(behind path: String) -> stat? {
        var status = stat()
        // Sound: Swift lends the path, and the call writes one structure.
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    /// Like ``status(of:)``, but throws if the file may exist and is not accessible.
    static func find(_ path: String) throws(LedgerError) -> stat? {
        if let status = status(of: path) { return status }
        guard [ENOENT, ENOTDIR].contains(errno) else {
            throw LedgerError(path, call: "lstat", errno: errno)
        }
        return nil
    }

    /// Whether it exists; throws for what is no regular file: opening a FIFO may wait for ever.
    static func hasFile(_ path: String) throws(LedgerError) -> Bool {
        guard let status = try find(path) else { return false }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw LedgerError(path, "it is no regular file", .decision)
        }
        return true
    }

    static func checkWritable(_ path: String) throws(LedgerError) {
        // Sound: Swift lends the path.
        let result = unsafe faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS)
        if result != 0 { throw LedgerError(path, call: "faccessat", errno: errno) }
    }

    static func mayBeRead(_ path: String) -> Bool {
        // Sound: Swift lends the path.
        unsafe faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 || errno != EACCES
    }

    /// Read and write for the owner, read for the group.
    static let groupReadable: mode_t = 0o640

    /// Lets only owner and group read a file, if this process owns it.
    static func share(_ path: String) throws(LedgerError) {
        guard let status = status(of: path), status.st_uid == geteuid() else { return }
        // Sound: Swift lends the path.
        let result = unsafe chmod(path, groupReadable)
        if result != 0 { throw LedgerError(path, call: "chmod", errno: errno) }
    }

    static func rename(_ path: String, to other: String) throws(LedgerError) {
        // Sound: Swift lends both paths.
        let result = unsafe Glibc.rename(path, other)
        if result != 0 { throw LedgerError(path, call: "rename to \(other)", errno: errno) }
    }

    /// The error for a file that must not replace another.
    static let alreadyExists = "a file of this name exists, and is not overwritten"

    static func renameToNew(_ path: String, to other: String) throws(LedgerError) {
        do throws(SystemError) {
            try File.rename(path, toNew: other)
        } catch {
            if error.errno == EEXIST { throw LedgerError(other, alreadyExists, .time) }
            throw LedgerError(other, call: "rename from \(path)", errno: error.errno)
        }
    }

    static func sync(file path: String) throws(LedgerError) {
        let descriptor = try open(path, O_RDONLY)
        defer { close(descriptor) }
        if fsync(descriptor) != 0 { throw LedgerError(path, call: "fsync", errno: errno) }
    }

    static func remove(_ path: String) throws(LedgerError) {
        // Sound: Swift lends the path.
        let result = unsafe unlink(path)
        if result != 0 && errno != ENOENT {
            throw LedgerError(path, call: "unlink", errno: errno)
        }
    }

    /// Makes created, renamed and removed names in a folder durable.
    static func sync(_ folder: String) throws(LedgerError) {
        let descriptor = try open(folder, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        // Some file systems do not support it.
        if fsync(descriptor) != 0 && errno != EINVAL {
            throw LedgerError(folder, call: "fsync", errno: errno)
        }
    }

    /// The text of a small file, cut at `limit`.
    static func read(_ path: String, atMost limit: Int) throws(LedgerError) -> String {
        let descriptor = try open(path, O_RDONLY)
        defer { close(descriptor) }
        return try read(descriptor, of: path, atMost: limit)
    }

    static func read(
        _ descriptor: CInt, of path: String, atMost limit: Int
    ) throws(LedgerError) -> String {
        var bytes = [UInt8](repeating: 0, count: limit)
        // Sound: pointer and length are those of one array.
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count >= 0 else { throw LedgerError(path, call: "pread", errno: errno) }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// Writes a durable file, in place of an existing one.
    static func write(
        _ text: String, to path: String, mode: mode_t
    ) throws(LedgerError) {
        try remove(path)
        let descriptor = try open(path, O_WRONLY | O_CREAT | O_EXCL, mode)
        defer { close(descriptor) }
        try write(text, to: descriptor, of: path)
        if fsync(descriptor) != 0 { throw LedgerError(path, call: "fsync", errno: errno) }
    }

    /// Makes a private folder; its name is `beginning` and a unique suffix.
    static func makeFolder(named beginning: String) throws(LedgerError) -> String {
        var name = Array("\(beginning)-XXXXXX".utf8CString)
        // Sound: the call writes the last letters of the lent text.
        guard unsafe mkdtemp(&name) != nil else {
            throw LedgerError(beginning, call: "mkdtemp", errno: errno)
        }
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func removeFolder(_ path: String) {
        // Sound: Swift lends the path.
        unsafe _ = rmdir(path)
    }

    static func write(
        _ text: String, to descriptor: CInt, of path: String
    ) throws(LedgerError) {
        let bytes = Array(text.utf8)
        // Sound: pointer and length are those of one array.
        let count = unsafe bytes.withUnsafeBytes {
            unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count == bytes.count else {
            throw LedgerError(path, call: "pwrite", errno: count < 0 ? errno : ENOSPC)
        }
    }

    /// Opens a file without blocking; a new one is writable only for its owner.
    static func open(
        _ path: String, _ flags: CInt, _ mode: mode_t = 0o644
    ) throws(LedgerError) -> CInt {
        // Sound: Swift lends the path.
        let descriptor = unsafe Glibc.open(
            path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
        guard descriptor >= 0 else { throw LedgerError(path, call: "open", errno: errno) }
        return descriptor
    }

    /// The process that holds a lock on these bytes; not positive if the kernel does not tell. Nil
    /// if they are not locked.
    static func holder(of descriptor: CInt, _ bytes: Range<Int>) -> pid_t? {
        var lock = Glibc.flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (off_t(bytes.lowerBound), off_t(bytes.count))
        // Sound: the call reads and writes the lent structure.
        let result = unsafe fcntl(descriptor, F_GETLK, &lock)
        return result == 0 && lock.l_type != Int16(F_UNLCK) ? lock.l_pid : nil
    }

    /// Gives a file made by root to the owner of its folder: the service has to be able to write
    /// it.
    static func matchOwner(of folder: String, _ path: String) throws(LedgerError) {
        guard geteuid() == 0, let owner = status(of: folder) else { return }
        // Sound: Swift lends the path.
        let result = unsafe lchown(path, owner.st_uid, owner.st_gid)
        if result != 0 { throw LedgerError(path, call: "lchown", errno: errno) }
    }
}

/// Identifies an existing file.
struct FileNumber: Hashable {
    private let device: dev_t
    private let inode: ino_t

    init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
}

/// The lock of the process that has a ledger open. The kernel releases it with the process.
///
/// It is a file of its own, since closing the ledger's file anywhere in a process would release
/// SQLite's locks on it.
final class FileLock {
    private let descriptor: CInt

    /// Locks the ledger's lock file. Throws if another process has locked it.
    init(_ place: Place) throws(LedgerError) {
        // From here on `deinit` closes the descriptor, also after a throw.
        descriptor = try Files.open(place.lock, O_RDWR | O_CREAT)
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK else {
                throw LedgerError(place.lock, call: "flock", errno: errno)
            }
            let holder = try Files.read(descriptor, of: place.lock, atMost: 16)
            let process = holder.prefix { $0.isNumber }
            throw LedgerError(
                place.path, "it is in use by another process (PID \(process))", .time,
                isInUse: true)
        }
        try Files.matchOwner(of: place.folder, place.lock)
        try Files.write("\(getpid())          \n", to: descriptor, of: place.lock)
    }

    deinit {
        // A child process may hold the descriptor until it executes its program.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
