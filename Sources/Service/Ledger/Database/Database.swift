import CSQLite
import Glibc

/// The version of SQLite: `3.40.1`.
public var sqliteVersion: String {
    // Sound: the text is a constant of the library's, and ends in a zero.
    unsafe String(cString: sqlite3_libversion())
}

/// A database of SQLite in a file. It is used from one thread at a time.
@safe final class Database {
    let path: String
    /// Which file it is: another one may get its name.
    private let file: FileNumber?
    /// What keeps other processes from writing, for as long as the database is open.
    var lock: FileLock?
    private let handle: OpaquePointer
    /// The log's index, from when another process had it locked until the database is closed: who
    /// closes it gives back SQLite's own locks on it.
    private var index: CInt?
    /// How many pages the file may have; nil for as many as the disk has room for.
    private var mostPages: Int64?

    enum Access {
        /// Reading: nothing of it is changed.
        case read
        /// Reading a file that nobody changes meanwhile: nothing is looked for beside it.
        case copy
        /// Reading and writing. Until it is known to be sound, closing it leaves its log beside it.
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

    /// `vfs` is what its files are read and written through; nil for the system's own calls.
    init(path: String, _ access: Access, vfs: String? = nil) throws(LedgerError) {
        var opened: OpaquePointer?
        // The file's name is a path, whatever it looks like, and every call tells exactly what
        // went wrong.
        let flags = access.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let name = access == .copy ? "file:\(Self.escaped(path))?immutable=1" : path
        // Sound: Swift lends the call both texts, and the call writes one pointer.
        let code =
            if let vfs { unsafe sqlite3_open_v2(name, &opened, flags, vfs) } else {
                unsafe sqlite3_open_v2(name, &opened, flags, nil)
            }
        guard let handle = unsafe opened, code == SQLITE_OK else {
            // Sound: what could not be opened still has to be closed; nil is allowed.
            let errno = unsafe sqlite3_system_errno(opened)
            unsafe sqlite3_close(opened)
            throw LedgerError(path, call: "sqlite3_open_v2", code: code, errno: errno)
        }
        self.path = path
        file = Files.number(of: path)
        unsafe self.handle = handle
        if access == .write { leaveLogOnClose(true) }
        // It is here that the file is first read.
        try execute(Self.connection, as: "open")
    }

    /// A path as what follows `file:`, with an authority of nothing before one that is whole.
    private static func escaped(_ path: String) -> String {
        let letters = path.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80
                && (character.isLetter || character.isNumber || "/._-".contains(character))
            {
                return "\(character)"
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return (path.hasPrefix("/") ? "//" : "") + letters.joined()
    }

    /// Durable with every transaction, and small: what is read is read once, at the start.
    private static let connection = """
        PRAGMA busy_timeout = 1000;
        PRAGMA synchronous = FULL;
        PRAGMA cache_size = -256;
        PRAGMA mmap_size = 0;
        PRAGMA temp_store = MEMORY;
        PRAGMA trusted_schema = OFF;
        """

    /// Whether the log is left as it is when the database is closed, so that nothing of the files
    /// is changed; else what it holds is put in its place.
    func leaveLogOnClose(_ leaves: Bool) {
        // Sound: the handle is open. It cannot fail for a number that SQLite knows.
        unsafe _ = turnstiled_leave_log_on_close(handle, leaves ? 1 : 0)
    }

    deinit {
        // Sound: the handle is this object's alone, and each statement keeps its database alive.
        let code = unsafe sqlite3_close(handle)
        assert(code == SQLITE_OK, "every statement is gone")
        if let index { close(index) }
    }

    /// Does what `sql` says, one statement or several, and looks at no answer. A failure is that of
    /// `call`, or of the first words of `sql`.
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

    /// The one number or text that `sql` asks for; nil where there is none.
    func value(_ sql: String) throws(LedgerError) -> Value? {
        let statement = try prepare(sql)
        var value: Value?
        try statement.run { value = $0[0] }
        return value
    }

    /// The one number that `sql` asks for: see ``Row/count(_:)``.
    func number(_ sql: String) throws(LedgerError) -> Int64 {
        var number: Int64?
        try prepare(sql).run { row throws(LedgerError) in number = try row.count(0) }
        guard let number else { throw LedgerError(path, damage: "no number answers '\(sql)'") }
        return number
    }

    /// Throws where its name is another file's by now, or nobody's: what is written into it would
    /// be lost with the process, and what is read is not what is there.
    func checkIsInPlace() throws(LedgerError) {
        guard Files.number(of: path) == file else {
            throw LedgerError(path, "it is gone, or another file has its name", .decision)
        }
    }

    /// Has the file take no more than so many bytes. One that is larger stays as large as it is.
    func bound(_ bytes: Int64) throws(LedgerError) {
        let pages = bytes / (try number("PRAGMA page_size"))
        mostPages = max(pages, try number("PRAGMA page_count"))
    }

    /// Throws where a transaction takes more than that. SQLite itself could be told of the bound,
    /// and would say of it what it says of a disk that is full.
    private func checkRoom() throws(LedgerError) {
        guard let mostPages, try number("PRAGMA page_count") > mostPages else { return }
        throw LedgerError(
            path,
            "all the room is used that 'ledger.room' gives it: give it more, or have fewer records "
                + "kept",
            .time)
    }

    /// How much of the room that the file may take is in use, from 0 to 1; nil without a bound.
    func usedRoom() throws(LedgerError) -> Double? {
        guard let mostPages else { return nil }
        let used = try number("PRAGMA page_count") - number("PRAGMA freelist_count")
        return Double(used) / Double(mostPages)
    }

    /// Has all that the log holds be durable, and puts it in its place.
    ///
    /// What is read from the log may be in the kernel's memory alone, if the process before could
    /// not sync it: nothing may be appended to that, nor put in its place, before it was written
    /// once more. Whoever reads the file meanwhile holds up nothing.
    func secureLog() throws(LedgerError) {
        try transaction { () throws(LedgerError) in
            // Sound: the handle is open, and its transaction keeps others from writing.
            let code = unsafe turnstiled_rewrite_log(handle)
            if code != SQLITE_OK { throw error(code, in: "rewrite the log") }
        }
        try execute("PRAGMA main.wal_checkpoint(PASSIVE)")
    }

    /// Runs `body` as a transaction, which is durable once this returns and undone when it throws.
    func transaction(_ body: () throws(LedgerError) -> Void) throws(LedgerError) {
        try execute("BEGIN IMMEDIATE")
        do throws(LedgerError) {
            try body()
            try checkRoom()
            try execute("COMMIT")
        } catch {
            // SQLite may have undone it already, and then says that there is nothing to undo.
            try? execute("ROLLBACK")
            throw error
        }
    }

    func error(_ code: CInt, in sql: String) -> LedgerError {
        if code & 0xFF == SQLITE_BUSY, let words = indexHolder() {
            return LedgerError(path, words, .time)
        }
        // The first statement that reads the file opens it: that is no matter of the statement.
        let isOpening = code & 0xFF == SQLITE_CANTOPEN
        let words = sql.split(whereSeparator: \.isWhitespace).prefix(3)
        let call = isOpening ? "open" : words.joined(separator: " ")
        // Sound: the handle is open.
        return LedgerError(path, call: call, code: code, errno: unsafe sqlite3_system_errno(handle))
    }
}

// Whoever may read the ledger may lock parts of its index.
extension Database {
    /// Which process keeps this one from writing, and what to do; nil where none does.
    private func indexHolder() -> String? {
        let name = path + "-shm"
        if index == nil { index = try? Files.open(name, O_RDONLY) }
        // Where SQLite locks it to write, to put the log in its place, and to recover it.
        guard let index, let process = Files.holder(of: index, 120..<123) else { return nil }
        guard process > 0 else { return "a process has locked \(name): 'lslocks' may tell which" }
        let remedy = "see whose it is (ps -fp \(process)), and end it"
        return "process \(process) has locked \(name): \(remedy)"
    }
}

/// What a database keeps in a column.
enum Value: Hashable, Sendable {
    case number(Int64)
    case text(String)
    case bytes([UInt8])

    var number: Int64? { if case .number(let number) = self { number } else { nil } }

    var text: String? { if case .text(let text) = self { text } else { nil } }

    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
}
