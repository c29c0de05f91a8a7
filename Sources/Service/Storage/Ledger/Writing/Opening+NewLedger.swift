import Keeping
import System
import Turnstile

// New ledgers, and those that replace another.
extension Opening {
    func begin(_ lock: FileLock) throws(LedgerError) -> Opened {
        if let gone = try place.missingError() { throw gone }
        let identity = try beginNew().identity
        var opened = try openExisting(lock)
        opened.notes = [.begun(gate: gate, identity: identity)] + opened.notes
        return opened
    }

    /// Begins a new ledger; an existing one is set aside.
    func beginNew() throws(LedgerError) -> (identity: String, aside: String?) {
        let identity = Identity(of: gate, isTrial: trial != nil)
        let made = try make(LedgerState(identity), [], .begun, identity.fields)
        return (identity.number, try place.exchange(made.toRemember))
    }

    /// Replaces a ledger with damaged records by one with its money and registers; the notes tell
    /// where the damaged one is now.
    func setRecordsAside(
        _ state: LedgerState, because damage: String
    ) throws(LedgerError) -> [StoreNote] {
        let checkpoints = try readableCheckpoints(upTo: state.books[.checkpoint])
        let details = Fields([Fields.Field(.detail, .text(damage))])
        let made = try make(state, checkpoints, .recordsSetAside, details)
        let aside = try place.exchange(made.toRemember) ?? place.path
        return [.recordsSetAside(to: aside, because: damage)]
            + StoreNote.changes(from: state.identity.key, to: made.state.identity.key)
    }

    /// The readable checkpoints of a ledger with damaged records.
    private func readableCheckpoints(upTo last: Int64) throws(LedgerError) -> [StoredCheckpoint] {
        let database = try Database(path: place.path, .read, vfs: place.vfs)
        guard try Schema.find(in: database).isSigned else { return [] }
        var found: [Int64: StoredCheckpoint] = [:]
        // Rows after a damaged page are lost with it.
        try? database.prepare(StoredCheckpoint.all).run(.number(last)) { row throws(LedgerError) in
            guard let stored = try? StoredCheckpoint(row) else { return }
            found[stored.row] = stored
        }
        return found.values.sorted { $0.row < $1.row }
    }

    /// Makes a complete ledger, ready for the exchange.
    private func make(
        _ state: LedgerState, _ checkpoints: [StoredCheckpoint], _ note: LedgerNote,
        _ details: Fields
    ) throws(LedgerError) -> LedgerFile.Progress {
        try place.discard(place.partial)
        // It is closed before it gets another name.
        let made = try fillPartial(state, checkpoints, note, details)
        try place.makeReady()
        return made
    }

    private func fillPartial(
        _ state: LedgerState, _ checkpoints: [StoredCheckpoint], _ note: LedgerNote,
        _ details: Fields
    ) throws(LedgerError) -> LedgerFile.Progress {
        let database = try Database(path: place.partial, .create, vfs: place.vfs)
        return try fill(database, state, note, details, try place.signingKey()) {
            () throws(LedgerError) in
            try Schema.create(in: database)
            for checkpoint in checkpoints { try checkpoint.insert(into: database) }
        }
    }

    /// Writes this state beside the existing records, in one transaction, with a chain that begins
    /// after them; returns the state written.
    func fill(
        _ database: Database, _ earlier: LedgerState, _ note: LedgerNote, _ details: Fields,
        _ key: SigningKey, first prepare: () throws(LedgerError) -> Void
    ) throws(LedgerError) -> LedgerFile.Progress {
        var result = LedgerFile.Progress(state: earlier, chain: Chain(after: nil))
        result.state.identity.key = key.verificationKey
        if earlier.identity.branch == nil { result.state.identity.beginBranch() }
        try database.transaction { () throws(LedgerError) in
            try prepare()
            let file = try LedgerFile(
                database, result, key, bootID: bootID, life: earlier.life, clock: clock)
            try file.beginChain(after: earlier.identity.key)
            try file.note(note, details)
            if let before = earlier.identity.key, before != key.verificationKey {
                try file.note(.keyChanged, key.fields)
            }
            try file.fill()
            result = file.progress
        }
        return result
    }

    /// Makes a sound ledger this gate's.
    func adopt(
        _ snapshot: LedgerSnapshot, _ head: Digest?
    ) throws(LedgerError) -> LedgerFile.Progress {
        let (database, details) = (snapshot.database, snapshot.state.identity.fields)
        var state = snapshot.state
        state.identity.gate = gate
        // One of an earlier version gets its branch when it is carried over.
        if state.identity.branch != nil { state.identity.beginBranch() }
        guard snapshot.records.found.isSigned else {
            return try carryOver(snapshot, state, .accepted, try place.signingKey())
        }
        // The command may lack the service's key: the service signs it.
        let progress = LedgerFile.Progress(state: state, chain: Chain(after: head))
        let file = try LedgerFile(database, progress, nil, bootID: bootID, life: state.life)
        try database.transaction { () throws(LedgerError) in
            try file.note(.accepted, details)
            try file.fill()
        }
        return file.progress
    }

    /// Completes an interrupted exchange, or discards it if it had not got as far as writing down
    /// the ready ledger as the one in use.
    ///
    /// Throws, with nothing changed, if the ledger is missing, and the ready one is another than
    /// was written down.
    func finishExchange() throws(LedgerError) {
        guard try Files.find(place.ready) != nil else { return }
        let isInPlace = try Files.find(place.path) != nil
        var named: Remembered?
        do throws(LedgerError) {
            let (ready, known) = (try readReady(), try place.remembered())
            // With neither of the two, no ledger was in use here.
            if known == ready || known == nil && !isInPlace { named = ready }
        } catch {
            guard isInPlace, error.remedy == .decision else { throw error }
        }
        if let named {
            _ = try place.exchange(named)
        } else if isInPlace {
            try place.discard(place.ready)
        } else {
            throw LedgerError(
                place.path,
                "it is gone; there was one, according to \(place.known), and \(place.ready) is "
                    + "another",
                .decision)
        }
    }

    private func readReady() throws(LedgerError) -> Remembered {
        _ = try Files.hasFile(place.ready)
        let database = try Database(path: place.ready, .read, vfs: place.vfs)
        let snapshot = try LedgerSnapshot(in: database, gate: gate)
        let state = snapshot.state
        return Remembered(state, head: try snapshot.hash(of: state.books.sequence))
    }
}

extension StoreNote {
    /// What is to be told of a change of key; nothing without one.
    static func changes(from before: VerificationKey?, to key: VerificationKey?) -> [StoreNote] {
        guard let before, let key, before != key else { return [] }
        return [.keyChanged(key.description)]
    }
}

extension Identity {
    var fields: Fields {
        Fields([Fields.Field(.gate, .text(gate)), Fields.Field(.ledger, .text(number))])
    }
}

extension SigningKey {
    var fields: Fields {
        Fields([Fields.Field(.detail, .text(verificationKey.description))])
    }
}
