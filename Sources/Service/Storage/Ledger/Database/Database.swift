import CSQLite
import Glibc
import System

/// The version of SQLite: `3.40.1`.
public var sqliteVersion: String {
    // Sound: the text is a constant of the library's, and ends in a zero.
    unsafe String(cString: sqlite3_libversion())
}

/// An SQLite database in a file. It is used from one thread at a time.
@safe final class Database {
    let path: String
    /// Identifies the file: another one may get its name.
    private let file: FileNumber?
    /// Keeps other processes from writing while the database is open.
    var lock: FileLock?
    private let handle: OpaquePointer
    /// The log's index, opened when another process had locked it. It stays open until the database
    /// is closed: closing it would release SQLite's own locks.
    private var index: CInt?
    /// The largest number of pages; nil for no limit.
    private var mostPages: Int64?

    enum Access {
        case read
        /// Reading a file that nobody changes: without its log and index.
        case copy
        /// Reading and writing. Until it is known to be sound, closing leaves its log.
        case write
        case create

        fileprivate var flags: CInt {
            switch self {
            case .read: SQLITE_OPEN_READONLY
            case .copy: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            case .write: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        }
    }

    /// `vfs` is the SQLite file system; nil for the default.
    init(path: String, _ access: Access, vfs: String? = nil) throws(LedgerError) {
        var opened: OpaquePointer?
        // The name is always a path, and calls return extended error codes.
        let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let name = access == .copy ? "file:\(Self.escaped(path))?immutable=1" : path
        // Sound: Swift lends the call both texts, and the call writes one pointer.
        let code =
            if let vfs { unsafe sqlite3_open_v2(name, &opened, flags, vfs) } else {
                unsafe sqlite3_open_v2(name, &opened, flags, nil)
            }
        guard let handle = unsafe opened, code == SQLITE_OK else {
            // Sound: a failed open still has to be closed; nil is allowed.
            let errno = unsafe sqlite3_system_errno(opened)
            unsafe sqlite3_close(opened)
            throw LedgerError(path, call: "sqlite3_open_v2", code: code, errno: errno)
        }
        self.path = path
        file = Files.number(of: path)
        unsafe self.handle = handle
        if access == .write { leaveLogOnClose(true) }
        // This first reads the file.
        try execute(Self.connection, as: "open")
    }

    /// A path for a `file:` URI; an absolute one after an empty authority.
    private static func escaped(_ path: String) -> String {
        let letters = path.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80
                && (character.isLetter || character.isNumber || "/._-".contains(character))
            {
                return "\(character)"
            }
            return "%" + String(byte, radix: 16).zeroPadded(to: 2)
        }
        return (path.hasPrefix("/") ? "//" : "") + letters.joined()
    }

    /// Durable with every transaction; a small cache, since the service reads only at the start.
    private static let connection = """
        PRAGMA busy_timeout = 1000;
        PRAGMA synchronous = FULL;
        PRAGMA cache_size = -256;
        PRAGMA mmap_size = 0;
        PRAGMA temp_store = MEMORY;
        PRAGMA trusted_schema = OFF;
        """

    /// If true, closing leaves the log and changes no file. If false, it copies the log into the
    /// database.
    func leaveLogOnClose(_ leaves: Bool) {
        // Sound: the handle is open. The call cannot fail with a valid option.
        unsafe _ = turnstiled_leave_log_on_close(handle, leaves ? 1 : 0)
    }

    deinit {
        // Sound: the handle is this object's alone, and each statement keeps its database alive.
        let code = unsafe sqlite3_close(handle)
        assert(code == SQLITE_OK, "every statement is gone")
        if let index { close(index) }
    }

    /// Runs one or several statements without reading rows. An error names `call`, or the first
    /// words of `sql`.
    func execute(_ sql: String, as call: String? = nil) throws(LedgerError) {
        // Sound: the handle is open, and Swift lends the call the text.
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw error(code, in: call ?? sql) }
    }

    func prepare(_ sql: String) throws(LedgerError) -> Statement {
        var statement: OpaquePointer?
        let flags = CUnsignedInt(SQLITE_PREPARE_PERSISTENT)
        // Sound: the handle is open, Swift lends the call the text, the call writes one pointer.
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
        guard let statement = unsafe statement, code == SQLITE_OK else {
            throw error(code, in: sql)
        }
        return unsafe Statement(statement, of: self, sql)
    }

    /// The single value that `sql` selects; nil for NULL or no row.
    func value(_ sql: String) throws(LedgerError) -> Value? {
        let statement = try prepare(sql)
        var value: Value?
        try statement.run { value = $0[0] }
        return value
    }

    /// The single number that `sql` selects: see ``Row/count(_:)``.
    func number(_ sql: String) throws(LedgerError) -> Int64 {
        var number: Int64?
        try prepare(sql).run { row throws(LedgerError) in number = try row.count(0) }
        guard let number else { throw LedgerError(path, damage: "no number answers '\(sql)'") }
        return number
    }

    /// Throws if the file was removed or replaced: writes would be lost with the process, and reads
    /// would miss the new file.
    func checkIsInPlace() throws(LedgerError) {
        guard Files.number(of: path) == file else {
            throw LedgerError(path, "it is gone, or another file has its name", .decision)
        }
    }

    /// Limits the file's size. A larger file keeps its size.
    func limitSize(to bytes: Int64) throws(LedgerError) {
        let pages = bytes / (try number("PRAGMA page_size"))
        mostPages = max(pages, try number("PRAGMA page_count"))
    }

    /// Throws if a transaction exceeds the limit. SQLite's own limit would give the same error as a
    /// full disk.
    private func checkRoom() throws(LedgerError) {
        guard let mostPages, try number("PRAGMA page_count") > mostPages else { return }
        throw LedgerError(
            path,
            "it has used up 'ledger.room': raise it, or lower 'ledger.records', and restart the "
                + "service",
            .time)
    }

    /// How much of the limit is in use, from 0 to 1; nil without a limit.
    func usedRoom() throws(LedgerError) -> Double? {
        guard let mostPages else { return nil }
        let used = try number("PRAGMA page_count") - number("PRAGMA freelist_count")
        return Double(used) / Double(mostPages)
    }

    /// Makes the log durable, and copies it into the database.
    ///
    /// If the previous process could not sync the log, it may be only in the kernel's memory. It
    /// has to be written again before anything is appended or copied. Readers do not delay this.
    func secureLog() throws(LedgerError) {
        try transaction { () throws(LedgerError) in
            // Sound: the handle is open, and its transaction keeps others from writing.
            let code = unsafe turnstiled_rewrite_log(handle)
            if code != SQLITE_OK { throw error(code, in: "rewrite the log") }
        }
        try execute("PRAGMA main.wal_checkpoint(PASSIVE)")
    }

    /// Runs `body` as a transaction, durable on return and undone on an error.
    func transaction(_ body: () throws(LedgerError) -> Void) throws(LedgerError) {
        try execute("BEGIN IMMEDIATE")
        do throws(LedgerError) {
            try body()
            try checkRoom()
            try execute("COMMIT")
        } catch {
            // It fails if SQLite has rolled back already.
            try? execute("ROLLBACK")
            throw error
        }
    }

    func error(_ code: CInt, in sql: String) -> LedgerError {
        if code & 0xFF == SQLITE_BUSY, let words = indexLockMessage() {
            return LedgerError(path, words, .time)
        }
        // The first statement opens the file: the error is not the statement's.
        let isOpening = code & 0xFF == SQLITE_CANTOPEN
        let words = sql.split(whereSeparator: \.isWhitespace).prefix(3)
        let call = isOpening ? "open" : words.joined(separator: " ")
        // Sound: the handle is open.
        return LedgerError(path, call: call, code: code, errno: unsafe sqlite3_system_errno(handle))
    }
}

// Any process that may read the ledger can lock its index.
extension Database {
    /// Names the process that locks the index, and what to do; nil if no other process does.
    private func indexLockMessage() -> String? {
        let name = path + "-shm"
        if index == nil { index = try? Files.open(name, O_RDONLY) }
        // SQLite's lock bytes for writing, checkpointing and recovery.
        guard let index, let process = Files.holder(of: index, 120..<123) else { return nil }
        guard process > 0 else { return "a process has locked \(name): 'lslocks' may tell which" }
        let remedy = "see whose it is (ps -fp \(process)), and end it"
        return "process \(process) has locked \(name): \(remedy)"
    }
}

/// The value of a column.
enum Value: Hashable, Sendable {
    case number(Int64)
    case text(String)
    case bytes([UInt8])

    var number: Int64? { if case .number(let number) = self { number } else { nil } }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
}
