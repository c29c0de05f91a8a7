import CSQLite
import Glibc
import System

/// Why the ledger cannot be read or written.
public struct LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What helps.
    public enum Remedy: Hashable, Sendable {
        /// Trying again: a disk is full, not mounted or does not answer.
        case time
        /// Somebody who decides what is to become of the file: it is damaged, of a later version,
        /// or something else altogether.
        case person
    }

    /// What helps against it.
    public var remedy: Remedy
    /// The whole sentence: what was done, to which file, and what is wrong.
    public var description: String

    /// The file is not what it should be, in words that follow its path.
    init(_ path: String, _ problem: String) {
        remedy = .person
        description = "the ledger \(path): \(problem)"
    }

    /// A call of SQLite for the file at `path` that ended with `code`.
    ///
    /// - Parameters:
    ///   - call: The function, or what it was told to do.
    ///   - errno: What the system call under it said; 0 for nothing.
    init(_ path: String, call: String, code: CInt, errno: CInt = 0) {
        // Sound: SQLite returns a string literal for every code.
        self.init(path, "\(call): \(unsafe String(cString: sqlite3_errstr(code))) (\(code))")
        if errno != 0 { description += ", \(errorText(errno))" }
        let needsPerson = [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT, SQLITE_MISMATCH]
        remedy = needsPerson.contains(code & 0xFF) ? .person : .time
    }

    /// A call of the system that failed, of those that no file is needed for.
    init(_ error: SystemError) {
        remedy = .time
        description = "the ledger: \(error)"
    }
}

/// The system's text for an error number.
private func errorText(_ errno: CInt) -> String {
    // Sound: strerror's text lives until this thread's next call; it is copied at once.
    unsafe String(cString: strerror(errno))
}
