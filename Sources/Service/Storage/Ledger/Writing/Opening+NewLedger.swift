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
        let state = try make(LedgerState(identity), [], .begun, identity.fields)
        return (identity.number, try place.exchange(state.toRemember))
    }

    /// Replaces a ledger with damaged records by one with its money and registers; returns where
    /// the damaged one is now.
    func setRecordsAside(
        _ state: LedgerState, because damage: String
    ) throws(LedgerError) -> String {
        let checkpoints = try readableCheckpoints(upTo: state.books[.checkpoint])
        let details = Fields([Fields.Field(.detail, .text(damage))])
        let made = try make(state, checkpoints, .recordsSetAside, details)
        return try place.exchange(made.toRemember) ?? place.path
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

    /// Makes a complete ledger, ready for the exchange; returns its state.
    private func make(
        _ state: LedgerState, _ checkpoints: [StoredCheckpoint], _ note: LedgerNote,
        _ details: Fields
    ) throws(LedgerError) -> LedgerState {
        try place.discard(place.partial)
        // It is closed before it gets another name.
        let made = try fillPartial(state, checkpoints, note, details)
        try place.makeReady()
        return made
    }

    private func fillPartial(
        _ state: LedgerState, _ checkpoints: [StoredCheckpoint], _ note: LedgerNote,
        _ details: Fields
    ) throws(LedgerError) -> LedgerState {
        let database = try Database(path: place.partial, .create, vfs: place.vfs)
        let progress = try fill(database, state, note, details, try place.signingKey()) {
            () throws(LedgerError) in
            try Schema.create(in: database)
            for checkpoint in checkpoints { try checkpoint.insert(into: database) }
        }
        return progress.state
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
            try file.beginChain()
            try file.note(note, details)
            try file.fill()
            result = file.progress
        }
        return result
    }

    /// Makes a sound ledger this gate's; returns its state.
    func adopt(_ snapshot: LedgerSnapshot, _ head: Digest?) throws(LedgerError) -> LedgerState {
        let (database, details) = (snapshot.database, snapshot.state.identity.fields)
        var state = snapshot.state
        state.identity.gate = gate
        // One of an earlier version gets its branch when it is carried over.
        if state.identity.branch != nil { state.identity.beginBranch() }
        guard snapshot.records.found.isSigned else {
            return try carryOver(snapshot, state, .accepted, try place.signingKey()).state
        }
        // The command may lack the service's key: the service signs it.
        let progress = LedgerFile.Progress(state: state, chain: Chain(after: head))
        let file = try LedgerFile(database, progress, nil, bootID: bootID, life: state.life)
        try database.transaction { () throws(LedgerError) in
            try file.note(.accepted, details)
            try file.fill()
        }
        return file.state
    }

    /// Completes an interrupted exchange, or discards it if the old ledger is still in place.
    func finishExchange() throws(LedgerError) {
        guard try Files.find(place.ready) != nil else { return }
        guard try Files.find(place.path) == nil else { return try place.discard(place.ready) }
        _ = try Files.hasFile(place.ready)
        let database = try Database(path: place.ready, .read, vfs: place.vfs)
        let state = try LedgerState(in: database, try Schema.find(in: database), gate: gate)
        _ = try place.exchange(state.toRemember)
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
