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
    /// What is kept of the records.
    var limits = RecordLimits()
    /// Whether all of the file is looked at, however long that takes: it made no sense before.
    var isThorough = false
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
        case open(Opened)
        /// Its money is sound, and its records are not, for this reason.
        case withoutRecords(Stored, String)
    }

    private func openExisting(_ lock: FileLock) throws(LedgerError) -> Opened {
        switch try look(lock) {
        case .open(let opened): return opened
        case .withoutRecords(let stored, let damage):
            let aside = try setRecordsAside(stored, because: damage)
            let note = StoreNote.recordsSetAside(to: aside, because: damage)
            switch try look(lock) {
            case .open(var opened):
                opened.notes.insert(note, at: 0)
                return opened
            case .withoutRecords(_, let damage): throw LedgerError(place.path, damage: damage)
            }
        }
    }

    private func look(_ lock: FileLock) throws(LedgerError) -> Found {
        let database = try Database(path: place.path, .write, vfs: place.vfs)
        database.lock = lock
        let found = try Schema.find(in: database)
        let stored = try Stored(in: database, found, gate: gate)
        try check(stored, isNew: found.version == 1)
        if let damage = try damageOfRecords(found, stored, in: database) {
            return .withoutRecords(stored, damage)
        }
        return .open(try takeUp(database, found, stored))
    }

    /// Begins to write a ledger that is sound.
    private func takeUp(
        _ database: Database, _ found: Schema.Finding, _ earlier: Stored
    ) throws(LedgerError) -> Opened {
        try database.execute("PRAGMA journal_mode = WAL")
        guard try database.value("PRAGMA journal_mode") == .text("wal") else {
            throw LedgerError(place.path, "its file system takes no write-ahead log", .person)
        }
        try database.emptyLog()
        try place.share()
        if let room = limits.room { try database.bound(room) }
        let key = try place.signingKey()
        var stored = earlier
        var notes: [StoreNote] = []
        if found.version < Schema.version {
            stored = try carryOver(database, found, earlier, key)
        } else if stored.identity.key != key.verificationKey.description {
            stored = try change(database, stored, key)
            notes.append(.keyChanged(key.verificationKey.description))
        }
        let file = try LedgerFile(
            database, stored, try stored.chain(in: database), key, bootID: bootID,
            life: stored.life + 1, limits: limits,
            transactionsPerCheckpoint: transactionsPerCheckpoint)
        // What takes no number takes no coin either: this is known before anybody is told.
        try file.write(
            [], missing: 0, contents: stored.contents, wallOffset: SystemWallClock.offset)
        file.prepareToClose()
        if try place.remembered() == nil { try place.remember(stored.toRemember) }
        return Opened(file: file, notes: notes)
    }

    /// Makes a ledger of this version of an earlier one, in one transaction; returns what it holds.
    private func carryOver(
        _ database: Database, _ found: Schema.Finding, _ stored: Stored, _ key: SigningKey
    ) throws(LedgerError) -> Stored {
        try fill(database, stored, .carriedOver, stored.identity.fields, key) {
            () throws(LedgerError) in
            try Schema.carryOver(database, from: found.version)
        }
    }

    /// Has the ledger be signed with another key from here on; returns what it holds.
    private func change(
        _ database: Database, _ stored: Stored, _ key: SigningKey
    ) throws(LedgerError) -> Stored {
        let chain = try stored.chain(in: database)
        let file = try LedgerFile(
            database, stored, chain, key, bootID: bootID, life: stored.life)
        try database.transaction { () throws(LedgerError) in
            try file.note(.keyChanged, key.fields)
            try file.changeKey()
            try file.fill()
        }
        return file.stored
    }

    /// Throws where the ledger is not that of this gate, or not the one that was here.
    func check(_ stored: Stored, isNew: Bool) throws(LedgerError) {
        let identity = stored.identity
        if identity.gate != gate {
            throw LedgerError(
                place.path, "it is the ledger of the gate '\(identity.gate)', not of '\(gate)'",
                .decision)
        }
        guard let remembered = try place.remembered() else { return }
        if isNew || remembered.identity != identity.number {
            throw LedgerError(
                place.path,
                "it is not the ledger that was in use here: that was \(remembered.identity), by "
                    + place.known,
                .decision)
        }
        if stored.books.sequence < remembered.sequence {
            throw LedgerError(
                place.path,
                "it is an older copy of the ledger that was in use here: it ends with the record "
                    + "\(stored.books.sequence), and there was the record "
                    + "\(remembered.sequence), by \(place.known)",
                .decision)
        }
    }

    /// What is wrong with the pages of the file beside money and registers, or with the end of the
    /// records; nil for nothing. A file that is large is not looked at as a whole, since people
    /// would wait for it.
    func damageOfRecords(
        _ found: Schema.Finding, _ stored: Stored, in database: Database
    ) throws(LedgerError) -> String? {
        guard found.hasRecords else { return "the table of the records is not as it should be" }
        let size = try database.number("PRAGMA page_count") * database.number("PRAGMA page_size")
        if isThorough || size <= Self.checkedAtOnce,
            let damage = try Schema.damage(of: nil, in: database)
        {
            return damage
        }
        guard found.version == Schema.version else { return nil }
        do throws(LedgerError) {
            _ = try stored.chain(in: database)
            return nil
        } catch {
            guard let damage = error.damage else { throw error }
            return damage
        }
    }

    /// How many bytes a file has at most that is looked at as a whole each time.
    private static let checkedAtOnce: Int64 = 32 << 20
}

// A ledger that takes the place of none, or of another one.
extension Opening {
    private func begin(_ lock: FileLock) throws(LedgerError) -> Opened {
        if let gone = try place.gone() { throw gone }
        let identity = try beginNew().identity
        var opened = try openExisting(lock)
        opened.notes = [.begun(gate: gate, identity: identity)] + opened.notes
        return opened
    }

    /// Has a new ledger take the place of what is there, which is set aside.
    func beginNew() throws(LedgerError) -> (identity: String, aside: String?) {
        let identity = Identity(of: gate)
        let stored = try make(Stored(identity), [], .begun, identity.fields)
        return (identity.number, try place.exchange(stored.toRemember))
    }

    /// Has a ledger with this money and these registers take the place of the one whose records
    /// are damaged; returns where that is now.
    private func setRecordsAside(
        _ stored: Stored, because damage: String
    ) throws(LedgerError) -> String {
        let pages = try keptPages()
        let details = Fields([Fields.Field(.detail, .text(damage))])
        let made = try make(stored, pages, .recordsSetAside, details)
        return try place.exchange(made.toRemember) ?? place.path
    }

    /// The checkpoints of a ledger whose records are damaged, as far as they can be read.
    private func keptPages() throws(LedgerError) -> [[Value]] {
        let database = try Database(path: place.path, .read, vfs: place.vfs)
        guard try Schema.find(in: database).version == Schema.version else { return [] }
        var pages: [[Value]] = []
        let sql = "SELECT number, sequence, wall_ns, kept, registers, note FROM checkpoints"
        // What comes behind a page that is damaged is lost with it.
        try? database.prepare(sql).run { row throws(LedgerError) in
            pages.append((0..<6).compactMap { row[$0] })
        }
        return pages
    }

    /// Makes a ledger that lies ready to take its place; returns what it holds.
    private func make(
        _ stored: Stored, _ pages: [[Value]], _ note: LedgerNote, _ details: Fields
    ) throws(LedgerError) -> Stored {
        try place.discard(place.partial)
        // It is closed before it gets another name.
        let made = try fillPartial(stored, pages, note, details)
        try place.makeReady()
        return made
    }

    private func fillPartial(
        _ stored: Stored, _ pages: [[Value]], _ note: LedgerNote, _ details: Fields
    ) throws(LedgerError) -> Stored {
        let database = try Database(path: place.partial, .create, vfs: place.vfs)
        return try fill(database, stored, note, details, try place.signingKey()) {
            () throws(LedgerError) in
            try Schema.create(in: database)
            let insert = try database.prepare("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?)")
            for page in pages where page.count == 6 {
                try insert.run(page[0], page[1], page[2], page[3], page[4], page[5])
            }
        }
    }

    /// Has a database hold this and nothing else but its records, in one transaction, with a chain
    /// that begins behind them; returns what it holds.
    private func fill(
        _ database: Database, _ earlier: Stored, _ note: LedgerNote, _ details: Fields,
        _ key: SigningKey, first prepare: () throws(LedgerError) -> Void
    ) throws(LedgerError) -> Stored {
        var stored = earlier
        stored.identity.key = key.verificationKey.description
        let chain = Chain(after: Chain.beginning(of: stored.identity.number))
        var result = stored
        try database.transaction { () throws(LedgerError) in
            try prepare()
            let file = try LedgerFile(
                database, stored, chain, key, bootID: bootID, life: stored.life)
            try file.beginChain()
            try file.note(note, details)
            try file.fill()
            result = file.stored
        }
        return result
    }

    /// Has a ledger that is sound be that of this gate from here on; returns what it holds.
    func adopt(
        _ database: Database, _ found: Schema.Finding, _ earlier: Stored
    ) throws(LedgerError) -> Stored {
        let details = earlier.identity.fields
        var stored = earlier
        stored.identity.gate = gate
        guard found.version == Schema.version else {
            let key = try place.signingKey()
            return try fill(database, stored, .accepted, details, key) { () throws(LedgerError) in
                try Schema.carryOver(database, from: found.version)
            }
        }
        let chain = try stored.chain(in: database)
        let file = try LedgerFile(database, stored, chain, nil, bootID: bootID, life: stored.life)
        try database.transaction { () throws(LedgerError) in
            try file.note(.accepted, details)
            try file.fill()
        }
        return file.stored
    }

    /// Ends an exchange that was cut short, if there was one.
    func finishExchange() throws(LedgerError) {
        guard try Files.find(place.ready) != nil else { return }
        guard try Files.find(place.path) == nil else { return try place.discard(place.ready) }
        _ = try Files.hasFile(place.ready)
        let database = try Database(path: place.ready, .read, vfs: place.vfs)
        let stored = try Stored(in: database, try Schema.find(in: database), gate: gate)
        _ = try place.exchange(stored.toRemember)
    }
}

extension Identity {
    /// The fields of the notes that tell of it.
    var fields: Fields {
        Fields([Fields.Field(.gate, .text(gate)), Fields.Field(.ledger, .text(number))])
    }
}

extension SigningKey {
    /// The fields of the notes that tell of it.
    fileprivate var fields: Fields {
        Fields([Fields.Field(.detail, .text(verificationKey.description))])
    }
}

extension Stored {
    /// The records that can be verified, as a chain up to the last of them. Throws where the last
    /// ones are gone, or are not those that the money is of.
    func chain(in database: Database) throws(LedgerError) -> Chain {
        let last = try database.number("SELECT coalesce(max(sequence), 0) FROM records")
        let (sequence, base) = (books.sequence, books[.base])
        guard max(last, books[.pruned]) == sequence else {
            throw LedgerError(
                database.path,
                damage: "its records end with the number \(last), and its money is that of "
                    + "\(sequence)")
        }
        let sql =
            sequence == base
            ? "SELECT note FROM checkpoints WHERE sequence = \(base) ORDER BY number DESC LIMIT 1"
            : "SELECT hash FROM records WHERE sequence = \(sequence)"
        let value = try database.value(sql)
        let hash =
            value?.bytes.flatMap { Digest($0) }
            ?? value?.text.flatMap { SignedNote($0) }.flatMap { Checkpoint($0.text) }?.hash
        guard let hash else {
            throw LedgerError(database.path, damage: "its last record has no hash")
        }
        return Chain(after: hash)
    }
}
