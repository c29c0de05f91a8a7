/// The tables of the ledger.
enum Schema {
    /// Raised with every change that an earlier version of the service would misread.
    static let version: Int64 = 1
    /// What tells a ledger from other databases of SQLite: "tstd".
    static let applicationID: Int64 = 0x7473_7464

    /// Sets the connection up, makes the tables in an empty database, and looks whether those of
    /// another are what they should be.
    static func prepare(_ database: Database) throws(LedgerError) {
        try database.execute(connection)
        if try database.number("PRAGMA application_id") == 0,
            try database.number("SELECT count(*) FROM sqlite_schema") == 0
        {
            try create(in: database)
        }
        try check(database)
        try database.execute("PRAGMA journal_mode = WAL")
        guard try database.value("PRAGMA journal_mode") == .text("wal") else {
            throw LedgerError(database.path, "its file system takes no write-ahead log")
        }
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

    private static func create(in database: Database) throws(LedgerError) {
        try database.transaction { () throws(LedgerError) in
            try database.execute(tables)
            try database.execute("PRAGMA application_id = \(applicationID)")
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    private static func check(_ database: Database) throws(LedgerError) {
        guard try database.number("PRAGMA application_id") == applicationID else {
            throw LedgerError(database.path, "it is a database of another program")
        }
        let found = try database.number("PRAGMA user_version")
        guard found == version else {
            throw LedgerError(
                database.path,
                "it is of version \(found), and this service knows version \(version)")
        }
        // The records may be many, and nothing depends on them.
        for table in ["registers", "state"] {
            let verdict = try database.value("PRAGMA quick_check(\(table))")
            guard verdict == .text("ok") else {
                throw LedgerError(
                    database.path,
                    "it is damaged: \(verdict?.text ?? "the table \(table) cannot be checked")")
            }
        }
    }

    /// `records` is what happened, one row each. `details` are the fields that the journal's entry
    /// has, a line each. `registers` is what all records come to, `pulses` and `value` being those
    /// of a coin where coins are counted. `state` is what is held for people.
    private static let tables = """
        CREATE TABLE records (
            sequence INTEGER PRIMARY KEY,
            boot_id TEXT NOT NULL,
            life INTEGER NOT NULL,
            monotonic_ns INTEGER NOT NULL,
            wall_ns INTEGER NOT NULL,
            kind TEXT NOT NULL,
            details TEXT NOT NULL
        ) STRICT;
        CREATE TABLE registers (
            name TEXT NOT NULL,
            pulses INTEGER NOT NULL,
            value INTEGER NOT NULL,
            since_init INTEGER NOT NULL,
            since_collection INTEGER NOT NULL,
            PRIMARY KEY (name, pulses, value)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE state (
            name TEXT PRIMARY KEY,
            value INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
