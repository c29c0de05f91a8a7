import Glibc
import System

/// The system's calls for files, each with an error that says what to do.
enum Files {
    /// What the system knows of a file; nil where there is none, or none that may be looked at.
    static func status(of path: String) -> stat? {
        var status = stat()
        // Sound: Swift lends the path, and the call writes one structure.
        return unsafe lstat(path, &status) == 0 ? status : nil
    }

    /// Which file has this name; nil where there is none, or none that may be looked at.
    static func number(of path: String) -> FileNumber? {
        status(of: path).map { FileNumber($0) }
    }

    /// Which file has this name, or is where a link of this name leads to.
    static func number(behind path: String) -> FileNumber? {
        status(behind: path).map { FileNumber($0) }
    }

    /// Whether a folder, a pipe or a device has this name, or is where a link of it leads to.
    static func isOtherThanFile(_ path: String) -> Bool {
        status(behind: path).map { $0.st_mode & S_IFMT != S_IFREG } ?? false
    }

    private static func status(behind path: String) -> stat? {
        var status = stat()
        // Sound: Swift lends the path, and the call writes one structure.
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    /// What the system knows of it, where one that cannot be looked at is not taken for gone.
    static func find(_ path: String) throws(LedgerError) -> stat? {
        if let status = status(of: path) { return status }
        guard [ENOENT, ENOTDIR].contains(errno) else {
            throw LedgerError(path, call: "lstat", errno: errno)
        }
        return nil
    }

    /// Whether it is there. Throws for what is no regular file: who opens a FIFO may wait for ever.
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

    /// What whoever has a file may do with it, and its group.
    static let groupReadable: mode_t = 0o640

    /// Has the group of a file read it, and nobody else beside its owner, where it is ours.
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

    /// What stands in the way of a file that takes the place of no other.
    static let isThere = "there is a file of this name, and it stays"

    static func renameToNew(_ path: String, to other: String) throws(LedgerError) {
        do throws(SystemError) {
            try File.rename(path, toNew: other)
        } catch {
            if error.errno == EEXIST { throw LedgerError(other, isThere, .time) }
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

    /// Makes what was created, renamed or removed in a folder durable.
    static func sync(_ folder: String) throws(LedgerError) {
        let descriptor = try open(folder, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        // Not every file system knows how to, and then there is nothing to do.
        if fsync(descriptor) != 0 && errno != EINVAL {
            throw LedgerError(folder, call: "fsync", errno: errno)
        }
    }

    /// The text of a small file: its beginning where it is longer.
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

    /// Makes a durable file of this text; one that was there is gone, for who has it open too.
    static func write(
        _ text: String, to path: String, mode: mode_t
    ) throws(LedgerError) {
        try remove(path)
        let descriptor = try open(path, O_WRONLY | O_CREAT | O_EXCL, mode)
        defer { close(descriptor) }
        try write(text, to: descriptor, of: path)
        if fsync(descriptor) != 0 { throw LedgerError(path, call: "fsync", errno: errno) }
    }

    /// Makes a folder of a name that no other has, which begins so; nobody else may use it.
    static func makeFolder(named beginning: String) throws(LedgerError) -> String {
        var name = Array("\(beginning)-XXXXXX".utf8CString)
        // Sound: the call writes the last letters of the text that it is lent.
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

    /// Opens a file, and waits for nobody; one that is made is for its owner alone to write.
    static func open(
        _ path: String, _ flags: CInt, _ mode: mode_t = 0o644
    ) throws(LedgerError) -> CInt {
        // Sound: Swift lends the path.
        let descriptor = unsafe Glibc.open(
            path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, mode)
        guard descriptor >= 0 else { throw LedgerError(path, call: "open", errno: errno) }
        return descriptor
    }

    /// Which other process has locked some of these bytes of an open file, so that this one could
    /// not; a number that is not positive where the kernel does not tell.
    static func holder(of descriptor: CInt, _ bytes: Range<Int>) -> pid_t? {
        var lock = Glibc.flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (off_t(bytes.lowerBound), off_t(bytes.count))
        // Sound: the call reads and writes the structure that it is lent.
        let result = unsafe fcntl(descriptor, F_GETLK, &lock)
        return result == 0 && lock.l_type != Int16(F_UNLCK) ? lock.l_pid : nil
    }

    /// Gives a file that root has made to the owner of the folder that it lies in: the service,
    /// which must be able to write what was begun by hand.
    static func matchOwner(of folder: String, _ path: String) throws(LedgerError) {
        guard geteuid() == 0, let owner = status(of: folder) else { return }
        // Sound: Swift lends the path.
        let result = unsafe lchown(path, owner.st_uid, owner.st_gid)
        if result != 0 { throw LedgerError(path, call: "lchown", errno: errno) }
    }
}

/// What tells a file from every other that is there.
struct FileNumber: Hashable {
    private let device: dev_t
    private let inode: ino_t

    init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
}

/// What the process that has a ledger open keeps locked: no other one writes meanwhile. The kernel
/// gives it back with the process, however that ends.
///
/// It is a file of its own, since whoever closes the ledger's file in a process gives back
/// SQLite's locks on it.
final class FileLock {
    private let descriptor: CInt

    /// Locks the file at `path`, or throws where another process has it.
    init(_ place: Place) throws(LedgerError) {
        // From here on this is an object, and whatever is thrown below, it ends as every other.
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
        // A process that was just started may have the descriptor as well, until it runs.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
