import Turnstile

/// Whether a ledger is what the service wrote: each record, each sum, each signature.
public struct LedgerVerification {
    /// Checkpoints that were kept elsewhere: on slips, in the journal, in exports.
    public var slips: [SignedCheckpoint]
    /// What the checkpoints must be signed with; nothing for what the ledger itself says. One that
    /// the gate has changed for another is vouched for by that.
    public var keys: [VerificationKey]

    /// What was found.
    public struct Verdict: Hashable, Sendable {
        /// The first thing that is wrong, in words; nil where all is as it should be.
        public var flaw: String?
        /// What cannot be told, in words.
        public var reservations: [String] = []
        /// The records whose hashes were verified.
        public var records: ClosedRange<Int64>?
        /// How many checkpoints were verified.
        public var checkpoints = 0
        /// What the last of them was signed with.
        public var key: VerificationKey?
    }

    /// With these slips and keys.
    public init(slips: [SignedCheckpoint] = [], keys: [VerificationKey] = []) {
        self.slips = slips
        self.keys = keys
    }

    /// Verifies a ledger. Throws where it cannot be read at all; what it holds that cannot be is
    /// a flaw.
    public func verify(_ reader: LedgerReader) throws(LedgerError) -> Verdict {
        while true {
            var verdict = Verdict()
            var snapshot: LedgerSnapshot?
            do throws(Flaw) {
                let opened = try Flaw.of { () throws(LedgerError) in try reader.open() }
                snapshot = opened
                try verify(opened, &verdict)
                return verdict
            } catch {
                // What the service has taken out meanwhile was not there to be verified.
                if snapshot?.records.haveGone == true { continue }
                switch error {
                case .found(let words): verdict.flaw = words
                case .unreadable(let error): throw error
                }
                return verdict
            }
        }
    }

    private func verify(_ snapshot: LedgerSnapshot, _ verdict: inout Verdict) throws(Flaw) {
        guard snapshot.version == Schema.version, let key = snapshot.key else {
            throw .found("it is of an earlier version, which has no hashes and no checkpoints")
        }
        let pages = try Flaw.of { () throws(LedgerError) in try snapshot.checkpoints() }
        let succession = KeySuccession(key, of: pages, given: keys)
        var review = PageReview(snapshot, succession, of: pages)
        for page in pages { try review.add(page) }
        try review.end()
        verdict.checkpoints = pages.count
        verdict.key = key
        verdict.reservations = review.reservations
        try compareSlips(with: pages, snapshot, succession, &verdict)
        let (base, pruned) = (snapshot.base, snapshot.stored.books[.pruned])
        if base > pruned {
            verdict.reservations.append(
                "the records up to \(base) have no hashes: an earlier version wrote them, or they "
                    + "are in a file that was set aside")
        }
        var records = try RecordReview(snapshot, pages)
        verdict.records = try records.run()
        if let last = pages.last { try records.compareGate(with: last.checkpoint) }
        guard !snapshot.isTrial else { throw .found("it is the ledger of a trial, and of no gate") }
    }

    /// Compares the slips with the checkpoints that are kept. Those that go further than the
    /// records that are kept can be compared with nothing else.
    private func compareSlips(
        with pages: [KeptCheckpoint], _ snapshot: LedgerSnapshot, _ succession: KeySuccession,
        _ verdict: inout Verdict
    ) throws(Flaw) {
        let byNumber = Dictionary(
            pages.map { ($0.checkpoint.number, $0.checkpoint) }, uniquingKeysWith: { $1 })
        for slip in slips {
            let checkpoint = slip.checkpoint
            let name = "the slip \(checkpoint.number) (\(checkpoint.occasion.text))"
            guard checkpoint.ledger == snapshot.number else {
                throw .found("\(name) is of another ledger: \(checkpoint.ledger)")
            }
            guard succession.hasSigned(slip.note) else {
                throw .found("\(name) is not signed with \(succession.name) key")
            }
            let end = snapshot.stored.books.sequence
            guard checkpoint.sequence <= end else {
                throw .found(
                    "\(name) covers \(checkpoint.sequence) records, and the ledger ends with "
                        + "\(end): "
                        + (try Self.restoration(before: checkpoint, in: snapshot)
                            ?? "the last ones are gone, or an older copy was put back"))
            }
            func mismatch(_ words: String) throws(Flaw) -> Flaw {
                let reason = try Self.restoration(before: checkpoint, in: snapshot)
                return .found(name + words + (reason.map { ": \($0)" } ?? ""))
            }
            if let kept = byNumber[checkpoint.number] {
                guard kept == checkpoint else {
                    throw try mismatch(
                        " is not the checkpoint that the ledger has of that number")
                }
            } else if checkpoint.occasion.isKept || checkpoint.sequence >= snapshot.base {
                throw try mismatch(" is not in the ledger")
            } else {
                verdict.reservations.append(
                    "\(name) is of records that are kept no longer, and has nothing to be compared "
                        + "with")
            }
        }
    }
}

extension LedgerVerification {
    /// That the ledger itself says of an older copy that it was put back, and that a checkpoint may
    /// be of what was lost with that; nil where it says no such thing.
    private static func restoration(
        before checkpoint: Checkpoint, in snapshot: LedgerSnapshot
    ) throws(Flaw) -> String? {
        // The record follows the last one of the copy. What was signed before that was put back may
        // cover more; what was signed later has nothing to do with it.
        let last = checkpoint.sequence == .max ? checkpoint.sequence : checkpoint.sequence + 1
        let restored = try Flaw.of { () throws(LedgerError) in
            try snapshot.last(in: 0...max(0, last), of: [LedgerNote.restored.rawValue])
        }
        guard let restored, checkpoint.time <= restored.wallTime else { return nil }
        return "the ledger's record \(restored.sequence) (\(restored.name)) says that an older "
            + "copy was put back there, and what was written since that was made is lost"
    }
}

/// Why a verification ends.
enum Flaw: Error {
    /// This is wrong.
    case found(String)
    /// Nobody knows: it cannot be read.
    case unreadable(LedgerError)

    /// Does something with a ledger: damage is a flaw.
    static func of<Result>(_ body: () throws(LedgerError) -> Result) throws(Flaw) -> Result {
        do throws(LedgerError) {
            return try body()
        } catch {
            guard let damage = error.damage else { throw .unreadable(error) }
            throw .found(damage)
        }
    }
}
