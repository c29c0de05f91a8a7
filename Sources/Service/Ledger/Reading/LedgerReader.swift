internal import Glibc
import Keeping
public import StateMachines
import System
public import Turnstile

/// The records of a ledger as values: for whoever checks them, or reports what they come to.
public struct LedgerReader: Sendable {
    let place: Place

    /// Whoever reads the ledger at `path`.
    public init(path: String) { self.init(Place(path: path)) }

    init(_ place: Place) { self.place = place }

    /// Whether `path` is the ledger, by whatever name or link, or one of the files beside it.
    public func owns(_ path: String) -> Bool {
        guard let number = Files.number(behind: path) else { return false }
        return place.names.contains { Files.number(behind: $0) == number }
    }

    /// Hands over all records that are kept, the oldest first, as they are at one moment; also
    /// while the service has the ledger open. Nothing of it is changed. A record that this version
    /// cannot read is handed over as one, and the rest follows, whatever is said of the money.
    ///
    /// Throws for a file that is no ledger, and for what `body` throws.
    public func forEach(
        _ body: (LedgerRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        let database = try database()
        let records = try KeptRecords(in: database)
        try database.execute("COMMIT")
        try records.forEach(in: nil) { chained throws(LedgerError) in try body(chained.record) }
    }

    /// The ledger as it is at this moment; also while the service has it open. Nothing of it is
    /// changed, and nobody is held up by it. Throws for a file that is no ledger.
    public func open() throws(LedgerError) -> LedgerSnapshot {
        let snapshot = try openEvenWithoutRecords()
        try snapshot.records.check()
        return snapshot
    }

    /// The same of one whose records may be none.
    func openEvenWithoutRecords(gate: String = "") throws(LedgerError) -> LedgerSnapshot {
        let database = try database()
        let snapshot = try LedgerSnapshot(in: database, gate: gate)
        // Where a page was damaged, SQLite refuses to commit what nobody has written.
        try? database.execute("ROLLBACK")
        return snapshot
    }

    func read<Result>(
        _ body: (Database) throws(LedgerError) -> Result
    ) throws(LedgerError) -> Result {
        let database = try database()
        try database.execute("COMMIT")
        return try body(database)
    }

    private func database() throws(LedgerError) -> Database {
        // SQLite would wait for ever for who opens the other end of a pipe, take a device for an
        // empty database, and make one where nothing is named.
        guard !place.path.isEmpty else {
            throw LedgerError(place.path, call: "open", errno: ENOENT)
        }
        if Files.isOtherThanFile(place.path) {
            throw LedgerError(place.path, "it is no regular file", .decision)
        }
        guard Files.mayBeRead(place.path) else {
            throw LedgerError(place.path, notReadable(place), .person)
        }
        do throws(LedgerError) {
            let database = try Database(path: place.path, .read, vfs: place.vfs)
            // It is here that the log is looked for.
            try database.execute("BEGIN; SELECT 1 FROM sqlite_schema", as: "open")
            return database
        } catch {
            // A ledger that nobody has open, in a folder that may not be written: SQLite would make
            // something beside it.
            guard error.remedy == .time, Files.status(of: place.path) != nil else { throw error }
            guard Files.status(of: place.log) == nil else { throw isWithoutIndex() ?? error }
            let database = try Database(path: place.path, .copy, vfs: place.vfs)
            try database.execute("BEGIN")
            return database
        }
    }

    /// That the ledger has a log which cannot be read here; nil where that is not so.
    private func isWithoutIndex() -> LedgerError? {
        guard Files.status(of: place.path + "-shm") == nil,
            (try? Files.checkWritable(place.folder)) == nil
        else { return nil }
        return LedgerError(
            place.path,
            "it has a log beside it, \(place.log), which can be read only where its folder may be "
                + "written: copy both to another folder",
            .person)
    }
}

/// One record of a ledger, and when it was written.
public struct LedgerRecord: Hashable, Sendable {
    /// What a ledger's record tells.
    public enum Content: Hashable, Sendable {
        case record(Record)
        case note(LedgerNote)
        /// This is wrong with it: it is of a version that is unknown here, or was changed.
        case unreadable(FieldError)
    }

    /// Its number: they ascend, and none is used twice in a branch of the ledger.
    public let sequence: Int64
    package let bootID: String
    /// Which start of the service it was, from 1.
    public let life: Int64
    /// When it happened, in that boot's monotonic time.
    public let time: Instant
    /// The same by the clock on the wall: since 1970, UTC.
    public let wallTime: Duration
    /// The version of the vocabulary that it is of.
    public let version: Int
    package let name: String
    /// Its fields, as they stand in the ledger.
    public let details: String
    package let content: Content

    init(_ row: borrowing Row, _ known: inout KnownRecords<Words>) throws(LedgerError) {
        sequence = try row.count(0)
        bootID = try row.text(1)
        life = try row.count(2)
        time = Instant(nanoseconds: try row.nanoseconds(3))
        wallTime = .nanoseconds(try row.nanoseconds(4))
        // One that no service writes is told as one that cannot be read.
        version = row[5]?.number.map { Int(clamping: $0) } ?? 0
        name = try row.text(6)
        details = try row.text(7)
        let words = Words(name: name, details: details, version: version)
        content = known.content(of: words) {
            Content(words.name, words.details, words.version)
        }
    }

    /// What it says, but for when.
    struct Words: Hashable {
        var name: String
        var details: String
        var version: Int
    }
}

extension LedgerRecord.Content {
    init(_ name: String, _ details: String, _ version: Int) {
        if let note = LedgerNote(rawValue: name) {
            self = .note(note)
            return
        }
        do throws(FieldError) {
            let fields = try Fields(journalLines: details)
            self = .record(try Record(name, fields, version: version))
        } catch {
            self = .unreadable(error)
        }
    }
}

/// What has become of a ledger: records of its own, beside those of the gate.
public enum LedgerNote: String, CaseIterable, Hashable, Sendable {
    case begun = "ledger_begun"
    /// It is one of an earlier version, and was made one of this version.
    case carriedOver = "ledger_carried_over"
    /// Somebody accepted it, though it was of another gate or not the one that was in use.
    case accepted = "ledger_accepted"
    /// It was put back from a copy: `count` records, written since that was made, are lost.
    case restored = "ledger_restored"
    /// Its checkpoints are signed with another key from here on: its details are that key.
    case keyChanged = "ledger_key_changed"
    /// It has the money and registers of another one, whose records are damaged.
    case recordsSetAside = "records_set_aside"
    /// So many records before the next one could not be kept: its details are their number.
    case recordsMissing = "records_missing"
}
