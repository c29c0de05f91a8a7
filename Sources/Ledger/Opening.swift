import System
import Turnstile

/// How a ledger comes to be open: looked at as a whole, begun where there was none, and refused
/// where somebody has to decide. Nothing of a file that is refused is changed.
struct Opening: Sendable {
    /// Where it lies.
    var place: Place
    /// The gate that it is to be of.
    var gate: String
    /// Which boot this is, for the records.
    var bootID: String
    /// How many records are kept.
    var recordsKept = LedgerFile.recordsKeptByDefault
    /// How many transactions go by between two checkpoints.
    var transactionsPerCheckpoint = LedgerFile.transactionsPerCheckpointByDefault

    /// A ledger that is open, and has been written to.
    struct Opened {
        /// The ledger.
        var file: LedgerFile
        /// What has to be said of it.
        var notes: [StoreNote]
    }

    /// Opens it, or begins a new one where there never was any.
    func open() throws(LedgerError) -> Opened {
        try place.checkFolder()
        let lock = try FileLock(place)
        try finishExchange()
        guard try place.find() else { return try begin(lock) }
        return try openExisting(lock)
    }
}

// A ledger that is there.
extension Opening {
    private enum Found {
        case open(LedgerFile)
        /// Its money is sound, and its records are not, for this reason.
        case withoutRecords(Stored, String)
    }

    private func openExisting(_ lock: FileLock) throws(LedgerError) -> Opened {
        switch try look(lock) {
        case .open(let file): return Opened(file: file, notes: [])
        case .withoutRecords(let stored, let damage):
            let aside = try setRecordsAside(stored, because: damage)
            let note = StoreNote.recordsSetAside(to: aside, because: damage)
            switch try look(lock) {
            case .open(let file): return Opened(file: file, notes: [note])
            case .withoutRecords(_, let damage): throw LedgerError(place.path, damage: damage)
            }
        }
    }

    private func look(_ lock: FileLock) throws(LedgerError) -> Found {
        let database = try Database(path: place.path, .write, vfs: place.vfs)
        database.lock = lock
        let found = try Schema.find(in: database)
        let stored = try Stored(in: database, found, gate: gate)
        try check(stored.identity, isNew: found.version == 1)
        if let damage = try damageOfRecords(found, in: database) {
            return .withoutRecords(stored, damage)
        }
        return .open(try takeUp(database, found, stored))
    }

    /// Begins to write a ledger that is sound.
    private func takeUp(
        _ database: Database, _ found: Schema.Finding, _ stored: Stored
    ) throws(LedgerError) -> LedgerFile {
        try database.execute("PRAGMA journal_mode = WAL")
        guard try database.value("PRAGMA journal_mode") == .text("wal") else {
            throw LedgerError(place.path, "its file system takes no write-ahead log", .person)
        }
        try database.emptyLog()
        if found.version < Schema.version { try carryOver(database, found, stored) }
        let file = try LedgerFile(
            database, stored, bootID: bootID, life: stored.life + 1, recordsKept: recordsKept,
            transactionsPerCheckpoint: transactionsPerCheckpoint)
        // What takes no number takes no coin either: this is known before anybody is told.
        try file.write(
            [], missing: 0, contents: stored.contents, wallOffset: SystemWallClock.offset)
        file.prepareToClose()
        if try place.remembered() == nil { try place.remember(stored.identity.number) }
        return file
    }

    /// Makes a ledger of this version of an earlier one, in one transaction.
    private func carryOver(
        _ database: Database, _ found: Schema.Finding, _ stored: Stored
    ) throws(LedgerError) {
        let details = stored.identity.fields
        if found.version == 1 {
            return try fill(database, stored, .carriedOver, details) { () throws(LedgerError) in
                try Schema.carryOver(database, from: found.version)
            }
        }
        try database.transaction { () throws(LedgerError) in
            try Schema.carryOver(database, from: found.version)
            let file = try LedgerFile(database, stored, bootID: bootID, life: stored.life)
            try file.note(.carriedOver, details)
        }
    }

    /// Throws where the ledger is not that of this gate, or not the one that was here.
    func check(_ identity: Identity, isNew: Bool) throws(LedgerError) {
        if identity.gate != gate {
            throw LedgerError(
                place.path, "it is the ledger of the gate '\(identity.gate)', not of '\(gate)'",
                .decision)
        }
        let remembered = try place.remembered()
        if let remembered, isNew || remembered != identity.number {
            throw LedgerError(
                place.path,
                "it is not the ledger that was in use here: that was \(remembered), by "
                    + place.known,
                .decision)
        }
    }

    /// What is wrong with the pages of the file beside money and registers; nil for nothing.
    func damageOfRecords(
        _ found: Schema.Finding, in database: Database
    ) throws(LedgerError) -> String? {
        guard found.hasRecords else { return "the table of the records is not as it should be" }
        return try Schema.damage(of: nil, in: database)
    }
}

// A ledger that takes the place of none, or of another one.
extension Opening {
    private func begin(_ lock: FileLock) throws(LedgerError) -> Opened {
        if let gone = try place.gone() { throw gone }
        let identity = try beginNew().identity
        var opened = try openExisting(lock)
        opened.notes = [.begun(gate: gate, identity: identity)]
        return opened
    }

    /// Has a new ledger take the place of what is there, which is set aside.
    func beginNew() throws(LedgerError) -> (identity: String, aside: String?) {
        let identity = Identity(of: gate)
        try make(Stored(identity), .begun, identity.fields)
        return (identity.number, try place.exchange(identity: identity.number))
    }

    /// Has a ledger with this money and these registers take the place of the one whose records
    /// are damaged; returns where that is now.
    private func setRecordsAside(
        _ stored: Stored, because damage: String
    ) throws(LedgerError) -> String {
        try make(stored, .recordsSetAside, Fields([Fields.Field(.detail, .text(damage))]))
        return try place.exchange(identity: stored.identity.number) ?? place.path
    }

    /// Makes a ledger that lies ready to take its place.
    private func make(
        _ stored: Stored, _ note: LedgerNote, _ details: Fields
    ) throws(LedgerError) {
        try place.discard(place.partial)
        // It is closed before it gets another name.
        try fillPartial(stored, note, details)
        try place.makeReady()
    }

    private func fillPartial(
        _ stored: Stored, _ note: LedgerNote, _ details: Fields
    ) throws(LedgerError) {
        let database = try Database(path: place.partial, .create, vfs: place.vfs)
        try fill(database, stored, note, details) { () throws(LedgerError) in
            try Schema.create(in: database)
        }
    }

    /// Has a database hold this and nothing else but its records, in one transaction.
    func fill(
        _ database: Database, _ stored: Stored, _ note: LedgerNote, _ details: Fields,
        first prepare: () throws(LedgerError) -> Void
    ) throws(LedgerError) {
        try database.transaction { () throws(LedgerError) in
            try prepare()
            let file = try LedgerFile(database, stored, bootID: bootID, life: stored.life)
            try file.fill()
            try file.note(note, details)
        }
    }

    /// Ends an exchange that was cut short, if there was one.
    func finishExchange() throws(LedgerError) {
        guard try Files.find(place.ready) != nil else { return }
        guard try Files.find(place.path) == nil else { return try place.discard(place.ready) }
        _ = try Files.hasFile(place.ready)
        let database = try Database(path: place.ready, .read, vfs: place.vfs)
        let stored = try Stored(in: database, try Schema.find(in: database), gate: gate)
        _ = try place.exchange(identity: stored.identity.number)
    }
}

extension Identity {
    /// The fields of the notes that tell of it.
    var fields: Fields {
        Fields([Fields.Field(.gate, .text(gate)), Fields.Field(.ledger, .text(number))])
    }
}
