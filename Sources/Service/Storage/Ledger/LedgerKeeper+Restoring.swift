import Glibc
import System
import Turnstile

extension LedgerKeeper {
    public struct Restoration: Hashable, Sendable {
        /// How many known records were written after the copy, and are lost; nil if there was no
        /// ledger.
        public var lost: Int64?
        /// Whether the copy replaced another ledger, all of whose records are lost.
        public var wasAnother = false
        /// The new path of the replaced ledger; nil if there was no ledger.
        public var aside: String?
        /// Whether the key beside the ledger is the copy's; nil if the key is missing.
        public var keepsKey: Bool?
    }

    /// Sets the ledger aside, and puts a verified copy in its place. After a power failure at any
    /// moment one of the two is complete.
    ///
    /// Throws, with nothing changed, while the service has the ledger open, for a copy that was
    /// altered, and for one of another gate without `takesOtherGates`.
    public func restore(
        _ copy: String, verifiedBy verification: LedgerVerification = LedgerVerification(),
        takesOtherGates: Bool = false
    ) throws(LedgerError) -> Restoration {
        let place = opening.place
        try checkUser()
        try place.checkFolder()
        try checkIsElsewhere(copy)
        let lock = try awaitLock()
        return try withExtendedLifetime(lock) { () throws(LedgerError) in
            // An interrupted exchange comes first. If its ledger is refused, it is set aside.
            _ = try finishExchange()
            try place.discard(place.partial)
            do throws(LedgerError) {
                var (restoration, made) = try fillPartial(
                    with: copy, verification, takesOtherGates)
                try place.makeReady()
                restoration.aside = try place.exchange(made.toRemember)
                return restoration
            } catch {
                try? place.discard(place.partial)
                throw error
            }
        }
    }

    private func checkIsElsewhere(_ copy: String) throws(LedgerError) {
        let place = opening.place
        guard let number = Files.number(of: copy) else {
            throw LedgerError(copy, call: "lstat", errno: errno)
        }
        for name in [place.path, place.partial, place.ready] where Files.number(of: name) == number
        {
            throw LedgerError(
                copy, "this is no copy, but the ledger's own file: name the copy", .decision)
        }
    }

    /// Makes a ledger of this gate from the copy, and notes how many records are lost.
    private func fillPartial(
        with copy: String, _ verification: LedgerVerification, _ takesOtherGates: Bool
    ) throws(LedgerError) -> (Restoration, LedgerFile.Progress) {
        let place = opening.place
        try LedgerReader(path: copy).copy(to: place.partial)
        // This private file is verified, not the copy, which others could still change.
        let partial = Place(path: place.partial, vfs: place.vfs)
        let verdict = try verification.verify(LedgerReader(partial))
        if let flaw = verdict.flaw {
            throw LedgerError(copy, "it is not put back, since \(flaw)", .decision)
        }
        let database = try Database(path: place.partial, .write, vfs: place.vfs)
        var state = try LedgerState(
            in: database, try Schema.find(in: database), gate: opening.gate)
        if !takesOtherGates { try opening.checkGate(state.identity, copy) }
        state.identity.gate = opening.gate
        if state.identity.branch != nil { state.identity.beginBranch() }
        let restoration = try restoration(of: state)
        let file = try LedgerFile(
            database, LedgerFile.Progress(state: state, chain: Chain(after: verdict.head)), nil,
            bootID: opening.bootID, life: state.life)
        try database.transaction { () throws(LedgerError) in
            var fields = state.identity.fields
            fields.all.append(Fields.Field(.count, .integer(restoration.lost ?? 0)))
            try file.note(.restored, fields)
            try file.fill()
        }
        database.leaveLogOnClose(false)
        return (restoration, file.progress)
    }

    private func restoration(of copy: LedgerState) throws(LedgerError) -> Restoration {
        let place = opening.place
        var restoration = Restoration()
        // Only to tell what is lost: whatever lies here is replaced.
        let present = (try? LedgerReader(place).open())?.state
        let before = present.map { Remembered($0, head: nil) } ?? (try? place.remembered())
        if let before {
            restoration.wasAnother = before.identity != copy.identity.number
            let kept = restoration.wasAnother ? 0 : copy.books.sequence
            restoration.lost = max(0, before.sequence - kept)
        }
        if try Files.hasFile(place.key) {
            let key = SigningKey(try Files.read(place.key, atMost: 256))?.verificationKey
            restoration.keepsKey = key == copy.identity.key
        }
        return restoration
    }
}
