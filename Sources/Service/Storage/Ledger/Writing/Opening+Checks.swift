// The checks before a ledger is used.
extension Opening {
    /// Throws if the ledger is of another gate, or not the one that was in use here.
    func check(_ snapshot: LedgerSnapshot) throws(LedgerError) {
        let (state, identity) = (snapshot.state, snapshot.state.identity)
        try checkTrial(identity.number)
        try checkGate(identity, place.path)
        guard let remembered = try place.remembered() else { return }
        if snapshot.version == 1 || remembered.identity != identity.number {
            throw LedgerError(
                place.path,
                "it is not the ledger that was in use here: that was \(remembered.identity), "
                    + "according to \(place.known)",
                .decision)
        }
        // The service may have changed its own key since.
        if let known = remembered.key, let key = identity.key, known != key.description,
            (try? place.ownKey())??.verificationKey != key
        {
            throw LedgerError(
                place.path,
                "it is signed with another key than the ledger that was in use here: that was "
                    + "\(known), according to \(place.known)",
                .decision)
        }
        if state.books.sequence < remembered.sequence {
            throw LedgerError(
                place.path,
                "it is an older copy of the ledger that was in use here: it ends with the record "
                    + "\(state.books.sequence), and the last one was \(remembered.sequence), "
                    + "according to \(place.known)",
                .decision)
        }
    }

    /// Throws if the ledger at `path` is another gate's.
    func checkGate(_ identity: Identity, _ path: String) throws(LedgerError) {
        guard identity.gate != gate else { return }
        throw LedgerError(
            path, "it is the ledger of the gate '\(identity.gate)', not of '\(gate)'", .decision)
    }

    /// Throws if a trial opens a gate's ledger, or a gate a trial's.
    func checkTrial(_ number: String) throws(LedgerError) {
        let isTrial = Identity.isTrial(number)
        guard isTrial != (trial != nil) else { return }
        throw LedgerError(
            place.path,
            isTrial
                ? "it is the ledger of a trial (--speed, --at), and of no gate"
                : "it is a gate's: a trial (--speed, --at) takes a folder of its own",
            .person)
    }

    /// Verifies the ledger at a start: the records since the last checkpoint, and all pages of the
    /// file unless it is large, since people would wait for it. Throws if its money is not sound.
    func judge(_ snapshot: LedgerSnapshot) throws(LedgerError) -> LedgerVerification.Verdict {
        let database = snapshot.database
        let size = try database.number("PRAGMA page_count") * database.number("PRAGMA page_size")
        let verdict = try LedgerVerification().judge(
            snapshot, .end(withPages: isThorough || size <= Self.checkedAtOnce))
        if verdict.kind == .money, let flaw = verdict.flaw {
            throw LedgerError(place.path, damage: flaw)
        }
        return verdict
    }

    /// The largest file of which all pages are checked at each start, in bytes.
    private static let checkedAtOnce: Int64 = 32 << 20
}
