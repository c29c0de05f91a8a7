// The checks before a ledger is used.
extension Opening {
    /// Throws if the ledger is of another gate, or not the one that was in use here.
    func check(_ snapshot: LedgerSnapshot) throws(LedgerError) {
        let identity = snapshot.state.identity
        try checkTrial(identity.number)
        try checkGate(identity, place.path)
        guard let known = try place.remembered() else { return }
        if snapshot.version == 1 || known.identity != identity.number {
            throw refusal("it is not the ledger that was in use here: that was \(known.identity)")
        }
        if let key = known.key, try !continues(snapshot, from: key, after: known.sequence) {
            throw refusal(
                "it is signed with another key than the ledger that was in use here: that was "
                    + "\(key)")
        }
        if let branch = known.branch?.number, branch != identity.branch {
            throw refusal(
                "it is the branch \(identity.branch ?? "none") of the ledger that was in use "
                    + "here: that was \(branch)")
        }
        let end = try snapshot.presentSequence()
        if end < known.sequence {
            throw refusal(
                "it is an older copy of the ledger that was in use here: it ends with the record "
                    + "\(end), and the last one was \(known.sequence)")
        }
    }

    /// Throws if the last record that `known` names, if it names one, is not this ledger's.
    func checkEnd(of snapshot: LedgerSnapshot) throws(LedgerError) {
        guard let known = try place.remembered(), let branch = known.branch,
            known.sequence > snapshot.records.pruned,
            try snapshot.hash(of: known.sequence) != branch.head
        else { return }
        throw refusal(
            "it is not the ledger that was in use here: its record \(known.sequence) is another")
    }

    /// Whether the ledger is signed with this key, or the service has replaced it by its own since
    /// the record `sequence`. A key that only the ledger names would vouch for anything.
    private func continues(
        _ snapshot: LedgerSnapshot, from earlier: VerificationKey, after sequence: Int64
    ) throws(LedgerError) -> Bool {
        guard let key = snapshot.key else { return false }
        if key == earlier { return true }
        guard try place.ownKey()?.verificationKey == key else { return false }
        let changes = try StoredCheckpoint.changesOfKey(in: snapshot.database)
            .filter { $0.checkpoint.sequence > sequence }
        guard KeySuccession(key, of: changes, given: []).leads(from: earlier, by: changes) else {
            return false
        }
        // The change is signed with the new key alone. So the known record has to be there to be
        // compared, and all of the ledger has to be sound, not only its end.
        guard snapshot.records.pruned < max(1, sequence) else { return false }
        return try LedgerVerification().judge(snapshot, .all).flaw == nil
    }

    private func refusal(_ words: String) -> LedgerError {
        LedgerError(place.path, "\(words), according to \(place.known)", .decision)
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
