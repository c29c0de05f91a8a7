/// The tables of the ledger.
enum Schema {
    /// Raised with every change that an earlier version of the service would misread.
    ///
    /// Version 1 had neither `identity` nor registers for the credit held and for all passages.
    /// Version 2 did not store a record's version of the vocabulary: all are of the first. Version
    /// 3 had neither hashes nor checkpoints. In version 4 checkpoints did not contain the books,
    /// and there were no branches.
    static let version: Int64 = 5
    /// Distinguishes a ledger from other SQLite databases: "tstd".
    static let applicationID: Int64 = 0x7473_7464

    /// The result of checking the tables' definitions.
    struct Finding {
        /// The version of its tables, at most the present one.
        var version: Int64
        /// Whether the table of the records is valid, so that it can be written.
        var hasRecords: Bool

        var isSigned: Bool { version > 3 }
    }

    static func create(in database: Database) throws(LedgerError) {
        let tables = [records(of: version), registers, state, identity, checkpoints, pages]
        try database.execute(tables.joined(separator: ";"))
        try database.execute("PRAGMA application_id = \(applicationID)")
        try database.execute("PRAGMA user_version = \(version)")
    }

    /// Adds what an earlier version lacked. No row is written: the default of the new column gives
    /// old records the first version of the vocabulary.
    static func carryOver(_ database: Database, from earlier: Int64) throws(LedgerError) {
        if earlier < 2 { try database.execute(identity) }
        if earlier < 3 { try database.execute("ALTER TABLE records ADD COLUMN \(vocabulary)") }
        if earlier < 4 {
            try database.execute("ALTER TABLE records ADD COLUMN \(hash)")
            try database.execute("\(checkpoints);\(pages)")
        }
        try database.execute("PRAGMA user_version = \(version)")
    }

    /// Throws if the database is no ledger, or its money cannot be read.
    static func find(in database: Database) throws(LedgerError) -> Finding {
        let version = try database.value("PRAGMA user_version")?.number ?? 0
        let application = try database.value("PRAGMA application_id")?.number
        // By kind and name: a trigger may have the name of a table.
        var found: [[UInt8]: [UInt8]] = [:]
        let sql = "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema"
        try database.prepare(sql).run { row throws(LedgerError) in
            let (name, text) = (Array(try row.text(0).utf8), Array(try row.text(1).utf8))
            guard found.updateValue(text, forKey: name) == nil else {
                throw row.damage("two of its tables have one name")
            }
        }
        guard application == applicationID else {
            // The file existed: this service makes none without tables.
            if found.isEmpty { throw LedgerError(database.path, damage: "it has no tables") }
            throw LedgerError(database.path, "it is a database of another program", .decision)
        }
        guard (1...self.version).contains(version) else {
            throw LedgerError(
                database.path,
                "it is of version \(version), and this service knows version \(self.version)",
                .decision)
        }
        var expected = ["table registers": registers, "table state": state]
        if version > 1 { expected["table identity"] = identity }
        if version > 3 {
            (expected["table checkpoints"], expected["index pages"]) = (checkpoints, pages)
        }
        let table = found.removeValue(forKey: Array("table records".utf8))
        let hasRecords = table.map(stripped) == stripped(Array(records(of: version).utf8))
        guard found == bytes(of: expected) else {
            throw LedgerError(database.path, damage: "its tables are not a ledger's")
        }
        return Finding(version: version, hasRecords: hasRecords)
    }

    // By bytes: Swift treats some texts as equal that differ to SQLite.

    private static func bytes(of texts: [String: String]) -> [[UInt8]: [UInt8]] {
        Dictionary(uniqueKeysWithValues: texts.map { (Array($0.utf8), Array($1.utf8)) })
    }

    /// Without white space, which SQLite chooses itself when it adds a column.
    private static func stripped(_ text: [UInt8]) -> [UInt8] {
        text.filter { ![9, 10, 13, 32].contains($0) }
    }

    /// The damage that SQLite finds in the pages of a table, or of the whole file; nil if sound.
    /// `integrity_check` takes longer than `quick_check`, and finds more.
    static func damage(
        of table: String?, in database: Database, by check: String = "quick_check"
    ) throws(LedgerError) -> String? {
        let sql = "PRAGMA \(check)" + (table.map { "(\($0))" } ?? "")
        // Checked twice: a page that could not be read for a moment also counts as damaged.
        if try verdict(sql, in: database) == nil { return nil }
        return try verdict(sql, in: database)
    }

    private static func verdict(
        _ sql: String, in database: Database
    ) throws(LedgerError) -> String? {
        do throws(LedgerError) {
            let verdict = try database.value(sql)
            return verdict == .text("ok") ? nil : verdict?.text ?? "it cannot be checked"
        } catch {
            guard let damage = error.damage else { throw error }
            return damage
        }
    }

    /// A row for each record: its name and its fields as in the journal, one a line.
    private static func records(of version: Int64) -> String {
        """
        CREATE TABLE records (
            sequence INTEGER PRIMARY KEY,
            boot_id TEXT NOT NULL,
            life INTEGER NOT NULL,
            monotonic_ns INTEGER NOT NULL,
            wall_ns INTEGER NOT NULL,
            kind TEXT NOT NULL,
            details TEXT NOT NULL\(version < 3 ? "" : ", \(vocabulary)")\
        \(version < 4 ? "" : ", \(hash)")
        ) STRICT
        """
    }

    /// The record's hash: see ``Chain``. Empty for an earlier version.
    private static let hash = "hash BLOB NOT NULL DEFAULT x''"

    /// The record's version of the vocabulary: see ``Vocabulary``.
    private static let vocabulary = "vocabulary INTEGER NOT NULL DEFAULT 1"

    /// The registers; `pulses` and `value` are those of a coin.
    private static let registers = """
        CREATE TABLE registers (
            name TEXT NOT NULL,
            pulses INTEGER NOT NULL,
            value INTEGER NOT NULL,
            since_init INTEGER NOT NULL,
            since_collection INTEGER NOT NULL,
            PRIMARY KEY (name, pulses, value)
        ) STRICT, WITHOUT ROWID
        """

    /// Balances, books (see ``Books``), the number of the last start, and the ``Seal``.
    private static let state = """
        CREATE TABLE state (
            name TEXT PRIMARY KEY,
            value INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """

    /// The signed ``Checkpoint``s. `kept`: it stays when the records before it are pruned.
    private static let checkpoints = """
        CREATE TABLE checkpoints (
            number INTEGER PRIMARY KEY,
            sequence INTEGER NOT NULL,
            wall_ns INTEGER NOT NULL,
            kept INTEGER NOT NULL,
            registers TEXT NOT NULL,
            note TEXT NOT NULL
        ) STRICT
        """

    /// A covering index for pruning: ten years of checkpoints are too many to scan.
    private static let pages = """
        CREATE INDEX pages ON checkpoints (sequence, kept, wall_ns)
        """

    /// The ledger's number, its gate, its public key, and its branch.
    private static let identity = """
        CREATE TABLE identity (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """
}
