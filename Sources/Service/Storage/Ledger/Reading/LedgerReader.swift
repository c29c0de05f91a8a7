internal import Glibc
import Keeping
public import StateMachines
import System
public import Turnstile

/// Reads the records of a ledger as values, for checks and reports.
public struct LedgerReader: Sendable {
    let place: Place

    public init(path: String) { self.init(Place(path: path)) }

    init(_ place: Place) { self.place = place }

    /// Whether `path` is the ledger, by any name or link, or one of the files beside it.
    public func owns(_ path: String) -> Bool {
        guard let number = Files.number(behind: path) else { return false }
        return place.names.contains { Files.number(behind: $0) == number }
    }

    /// All kept records at one moment, oldest first; also while the service has the ledger open.
    /// Nothing is changed. A record that this version cannot read is handed over as unreadable.
    ///
    /// Throws for a file that is no ledger, and for an error of `body`.
    public func forEach(
        _ body: (LedgerRecord) throws(LedgerError) -> Void
    ) throws(LedgerError) {
        let database = try database()
        let records = try KeptRecords(in: database)
        try database.execute("COMMIT")
        try records.forEach(in: nil) { chained throws(LedgerError) in try body(chained.record) }
    }

    /// The ledger at this moment; also while the service has it open, which it does not delay.
    /// Nothing is changed. Throws for a file that is no ledger.
    public func open() throws(LedgerError) -> LedgerSnapshot {
        let snapshot = try openEvenWithoutRecords()
        try snapshot.records.check()
        return snapshot
    }

    /// The same, also for a ledger with a damaged table of records.
    func openEvenWithoutRecords(gate: String = "") throws(LedgerError) -> LedgerSnapshot {
        let database = try database()
        let snapshot = try LedgerSnapshot(in: database, gate: gate)
        // With a damaged page SQLite refuses to commit even a reading transaction.
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
        // SQLite would wait for ever at a pipe, take a device for an empty database, and make one
        // for an empty name.
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
            // This first reads the log.
            try database.execute("BEGIN; SELECT 1 FROM sqlite_schema", as: "open")
            return database
        } catch {
            // SQLite has to make files beside a ledger that no process has open, but the folder may
            // not be written.
            guard error.remedy == .time, Files.status(of: place.path) != nil else { throw error }
            guard Files.status(of: place.log) == nil else { throw errorOfUnreadableLog() ?? error }
            let database = try Database(path: place.path, .copy, vfs: place.vfs)
            try database.execute("BEGIN")
            return database
        }
    }

    /// The error if the ledger has a log that cannot be read here; nil if the index exists or the
    /// folder may be written.
    private func errorOfUnreadableLog() -> LedgerError? {
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

public struct LedgerRecord: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        case record(Record)
        case note(LedgerNote)
        /// The record was altered, or is of an unknown version.
        case unreadable(FieldError)
    }

    /// Ascending, and unique in a branch of the ledger.
    public let sequence: Int64
    package let bootID: String
    /// The number of the service's start, from 1.
    public let life: Int64
    /// In the boot's monotonic time.
    public let time: Instant
    /// By the wall clock: since 1970, UTC.
    public let wallTime: Duration
    /// Of the vocabulary.
    public let version: Int
    package let name: String
    /// Its fields, as stored.
    public let details: String
    package let content: Content

    init(_ row: borrowing Row, _ known: inout KnownRecords<Words>) throws(LedgerError) {
        sequence = try row.count(0)
        bootID = try row.text(1)
        life = try row.count(2)
        time = Instant(nanoseconds: try row.nanoseconds(3))
        wallTime = .nanoseconds(try row.nanoseconds(4))
        // A version that no service writes makes it unreadable.
        version = row[5]?.number.map { Int(clamping: $0) } ?? 0
        name = try row.text(6)
        details = try row.text(7)
        let words = Words(name: name, details: details, version: version)
        content = known.content(of: words) {
            Content(words.name, words.details, words.version)
        }
    }

    /// The record without its times.
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

/// The ledger's own records, beside those of the gate.
public enum LedgerNote: String, CaseIterable, Hashable, Sendable {
    case begun = "ledger_begun"
    /// It was upgraded from an earlier version.
    case carriedOver = "ledger_carried_over"
    /// It was accepted, though of another gate or not the one in use.
    case accepted = "ledger_accepted"
    /// It was restored from a copy: `count` later records are lost.
    case restored = "ledger_restored"
    /// Its key changed; the details are the new key.
    case keyChanged = "ledger_key_changed"
    /// It continues the money and registers of a ledger with damaged records.
    case recordsSetAside = "records_set_aside"
    /// Records before the next one were lost; the details are their number.
    case recordsMissing = "records_missing"
}
