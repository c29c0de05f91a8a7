import Glibc
import System
import Turnstile

extension LedgerKeeper {
    /// What was put back.
    public struct Restoration: Hashable, Sendable {
        /// How many records were written since the copy was made, and are lost, as far as it is
        /// known; nil where there was no ledger.
        public var lost: Int64?
        /// Whether that was another ledger: then all of its records are.
        public var wasAnother = false
        /// Where what was there is now; nil where nothing was.
        public var aside: String?
        /// Whether the key beside the ledger is that of the copy; nil where there is none.
        public var keepsKey: Bool?
    }

    /// Puts a copy in the place of the ledger, which is set aside. What is put there was verified.
    /// Wherever the power fails, one of the two is there, whole.
    ///
    /// Throws, with nothing changed, while the service has the ledger open, and for a copy that is
    /// not what the service wrote, or is of another gate and `takesOtherGates` is not set.
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
            // What lies ready is set aside where it is refused; what is there goes the same way.
            _ = try finishExchange()
            try place.discard(place.partial)
            do throws(LedgerError) {
                var (restoration, state) = try fillPartial(
                    with: copy, verification, takesOtherGates)
                try place.makeReady()
                restoration.aside = try place.exchange(state.toRemember)
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

    /// Makes a ledger of the copy, with what is known of the one that is there.
    private func fillPartial(
        with copy: String, _ verification: LedgerVerification, _ takesOtherGates: Bool
    ) throws(LedgerError) -> (Restoration, LedgerState) {
        let place = opening.place
        try LedgerReader(path: copy).copy(to: place.partial)
        // It is this file that is verified: nobody can change it any more.
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
            database, LedgerFile.Page(state: state, chain: Chain(after: verdict.head)), nil,
            bootID: opening.bootID, life: state.life)
        try database.transaction { () throws(LedgerError) in
            var fields = state.identity.fields
            fields.all.append(Fields.Field(.count, .integer(restoration.lost ?? 0)))
            try file.note(.restored, fields)
            try file.fill()
        }
        database.leaveLogOnClose(false)
        return (restoration, file.state)
    }

    private func restoration(of copy: LedgerState) throws(LedgerError) -> Restoration {
        let place = opening.place
        var restoration = Restoration()
        var before = (try? LedgerReader(place).open())?.state.toRemember
        if before == nil { before = try place.remembered() }
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
