import CSQLite

/// A prepared statement, with a `?` for each bound value.
@safe final class Statement {
    private let handle: OpaquePointer
    private let database: Database
    private let sql: String

    init(_ handle: OpaquePointer, of database: Database, _ sql: String) {
        unsafe self.handle = handle
        self.database = database
        self.sql = sql
    }

    deinit {
        // Sound: the handle is this object's alone. The last run reported its error.
        unsafe _ = sqlite3_finalize(handle)
    }

    /// Binds `values` and runs the statement to its end, with `body` called for each row.
    func run(
        _ values: Value..., body: (borrowing Row) throws(LedgerError) -> Void = { _ in }
    ) throws(LedgerError) {
        // Sound, here and below: the handle is a live statement's.
        defer { unsafe _ = sqlite3_reset(handle) }
        for (index, value) in values.enumerated() { try bind(value, at: CInt(index + 1)) }
        while true {
            let code = unsafe sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: try unsafe body(Row(handle, of: database.path))
            case SQLITE_DONE: return
            default: throw database.error(code, in: sql)
            }
        }
    }

    private func bind(_ value: Value, at position: CInt) throws(LedgerError) {
        let code: CInt
        switch value {
        case .number(let number): code = unsafe sqlite3_bind_int64(handle, position, number)
        case .text(let text):
            // SQLITE_TRANSIENT: SQLite copies the text before the call returns.
            let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            let count = CInt(text.utf8.count)
            code = unsafe sqlite3_bind_text(handle, position, text, count, copies)
        case .bytes(let bytes):
            let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            code = unsafe sqlite3_bind_blob(handle, position, bytes, CInt(bytes.count), copies)
        }
        if code != SQLITE_OK { throw database.error(code, in: sql) }
    }
}

/// A row of a running statement.
@safe struct Row: ~Copyable {
    private let handle: OpaquePointer
    private let path: String

    fileprivate init(_ handle: OpaquePointer, of path: String) {
        unsafe self.handle = handle
        self.path = path
    }

    /// The value in a column, counted from 0; nil for NULL.
    subscript(column: CInt) -> Value? {
        // Sound: the statement is at a row while this value lives, and SQLite returns no value for
        // a missing column.
        switch unsafe sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .number(unsafe sqlite3_column_int64(handle, column))
        case SQLITE_TEXT: .text(unsafe String(decoding: bytes(of: column), as: UTF8.self))
        case SQLITE_BLOB: .bytes(unsafe Array(bytes(of: column)))
        default: nil
        }
    }

    func number(_ column: CInt) -> Int64? {
        // Sound: as above.
        unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER
            ? sqlite3_column_int64(handle, column) : nil
    }

    /// Copies a column's text or blob to `bytes`; returns false if it has neither.
    func read(_ column: CInt, into bytes: inout [UInt8]) -> Bool {
        // Sound: as above, and the lent bytes are copied at once.
        let kind = unsafe sqlite3_column_type(handle, column)
        guard kind == SQLITE_TEXT || kind == SQLITE_BLOB else { return false }
        bytes.removeAll(keepingCapacity: true)
        unsafe bytes.append(contentsOf: self.bytes(of: column))
        return true
    }

    /// The bytes of a column, valid until the next call on the row.
    private func bytes(of column: CInt) -> UnsafeRawBufferPointer {
        // Sound: SQLite requires the pointer to be read before the length.
        let start = unsafe sqlite3_column_blob(handle, column)
        return unsafe UnsafeRawBufferPointer(
            start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// The number in a column, from 0 to the highest that a gate reaches.
    func count(_ column: CInt) throws(LedgerError) -> Int64 {
        guard let number = number(column).flatMap({ Int64(kept: $0) }), number >= 0 else {
            throw damage("expected a number from 0 to \(Int64.mostKept), got \(shown(column))")
        }
        return number
    }

    func nanoseconds(_ column: CInt) throws(LedgerError) -> Int64 {
        guard let number = number(column), number >= 0 else {
            throw damage("expected nanoseconds from 0 on, got \(shown(column))")
        }
        return number
    }

    private func shown(_ column: CInt) -> String {
        switch self[column] {
        case .number(let number)?: "\(number)"
        case .text?: "a text"
        case .bytes?: "bytes"
        case nil: "nothing"
        }
    }

    func text(_ column: CInt) throws(LedgerError) -> String {
        guard let text = self[column]?.text else { throw damage("expected a text") }
        return text
    }

    func damage(_ problem: String) -> LedgerError {
        LedgerError(path, damage: problem)
    }
}
