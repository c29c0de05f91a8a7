import Keeping
import System
import Turnstile

/// Opens a ledger: verifies it, begins the first one, and refuses one that needs a person's
/// decision. A refused file is not changed.
struct Opening: Sendable {
    var place: Place
    var gate: String
    var bootID: String
    var limits = RecordLimits()
    /// The clock of a trial; nil for a gate.
    var trial: SystemWallClock?
    /// Whether to check all pages of the file, however long it takes, since damage was found.
    var isThorough = false
    var transactionsPerCheckpoint = LedgerFile.transactionsPerCheckpointByDefault

    var clock: SystemWallClock { trial ?? SystemWallClock() }

    /// An open ledger, after its first transaction.
    struct Opened {
        var file: LedgerFile
        var notes: [StoreNote]
    }

    func open() throws(LedgerError) -> Opened {
        try place.checkFolder()
        let lock = try FileLock(place)
        try finishExchange()
        guard try place.find() else { return try begin(lock) }
        return try openExisting(lock)
    }
}

// An existing ledger.
extension Opening {
    private enum Found {
        case open(Opened)
        /// Intact money, but damaged records, for this reason.
        case withoutRecords(LedgerState, String)
    }

    func openExisting(_ lock: FileLock) throws(LedgerError) -> Opened {
        switch try inspect(lock) {
        case .open(let opened): return opened
        case .withoutRecords(let state, let damage):
            let notes = try setRecordsAside(state, because: damage)
            switch try inspect(lock) {
            case .open(var opened):
                opened.notes = notes + opened.notes
                return opened
            case .withoutRecords(_, let damage): throw LedgerError(place.path, damage: damage)
            }
        }
    }

    private func inspect(_ lock: FileLock) throws(LedgerError) -> Found {
        let database = try Database(path: place.path, .write, vfs: place.vfs)
        database.lock = lock
        let snapshot = try LedgerSnapshot(in: database, gate: gate)
        try check(snapshot)
        let verdict = try judge(snapshot)
        if verdict.kind == .records, let damage = verdict.flaw {
            return .withoutRecords(snapshot.state, damage)
        }
        if verdict.flaw == nil { try checkEnd(of: snapshot) }
        return .open(try beginWriting(snapshot, verdict.head))
    }

    private func beginWriting(
        _ snapshot: LedgerSnapshot, _ head: Digest?
    ) throws(LedgerError) -> Opened {
        let (database, earlier) = (snapshot.database, snapshot.state)
        try database.execute("PRAGMA journal_mode = WAL")
        guard try database.value("PRAGMA journal_mode") == .text("wal") else {
            throw LedgerError(place.path, "its file system takes no write-ahead log", .person)
        }
        try database.secureLog()
        try place.share()
        if let room = limits.room { try database.limitSize(to: room) }
        let (key, known) = (try place.signingKey(), try place.remembered())
        var progress = LedgerFile.Progress(state: earlier, chain: Chain(after: head))
        var notes: [StoreNote] = []
        if !snapshot.records.found.isSigned {
            progress = try carryOver(snapshot, earlier, .carriedOver, key)
        } else if let before = earlier.identity.key {
            let signed = try snapshot.lastStoredCheckpoint()?.checkpoint
            if before != key.verificationKey || signed?.gate != gate
                || signed?.branch != snapshot.branch || snapshot.version < Schema.version
            {
                progress = try change(snapshot, progress, from: before, to: key)
            }
            // Also the change of a start that ended before it had written down and told the key.
            notes += StoreNote.changes(from: known?.key ?? before, to: key.verificationKey)
        }
        let file = try LedgerFile(
            database, progress, key, bootID: bootID,
            life: min(progress.state.life + 1, .mostKept), limits: limits, clock: clock,
            transactionsPerCheckpoint: transactionsPerCheckpoint)
        // A disk that fails this write would also fail with a coin: tested before the opening is
        // reported.
        let signed = try file.write(
            [], missing: 0, contents: file.contents, wallOffset: clock.wallOffset)
        if let signed { notes.append(signed.storeNote) }
        file.prepareToClose()
        let toRemember = file.progress.toRemember
        if known?.key != toRemember.key || known?.branch?.number != toRemember.branch?.number {
            try place.remember(toRemember)
        }
        return Opened(file: file, notes: notes)
    }

    /// Upgrades a ledger of an earlier version, in one transaction; returns its state.
    func carryOver(
        _ snapshot: LedgerSnapshot, _ state: LedgerState, _ note: LedgerNote, _ key: SigningKey
    ) throws(LedgerError) -> LedgerFile.Progress {
        let (database, details) = (snapshot.database, snapshot.state.identity.fields)
        return try fill(database, state, note, details, key) { () throws(LedgerError) in
            try Schema.carryOver(database, from: snapshot.version)
        }
    }

    /// Changes the ledger's key, gate or branch, or signs it as this version does; returns its
    /// state.
    private func change(
        _ snapshot: LedgerSnapshot, _ before: LedgerFile.Progress, from earlier: VerificationKey,
        to key: SigningKey
    ) throws(LedgerError) -> LedgerFile.Progress {
        let (database, isEarlier) = (snapshot.database, snapshot.version < Schema.version)
        var progress = before
        if isEarlier { progress.state.identity.beginBranch() }
        let file = try LedgerFile(
            database, progress, key, bootID: bootID, life: progress.state.life, clock: clock)
        try database.transaction { () throws(LedgerError) in
            if isEarlier {
                try Schema.carryOver(database, from: snapshot.version)
                try file.note(.carriedOver, progress.state.identity.fields)
            }
            if earlier != key.verificationKey { try file.note(.keyChanged, key.fields) }
            try file.changeKey(from: earlier)
            try file.fill()
        }
        return file.progress
    }
}
