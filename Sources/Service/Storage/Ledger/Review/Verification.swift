import System
import Turnstile

/// Whether a ledger is what the service wrote: each record, each sum, each signature.
public struct LedgerVerification {
    /// Checkpoints from elsewhere: from slips, the journal, exports.
    public var slips: [SignedCheckpoint]
    /// The trusted keys; empty: the ledger's own. A trusted key vouches for the keys that it
    /// replaced: see ``KeySuccession``.
    public var keys: [VerificationKey]

    /// A program's exit code if records are missing and nothing else is wrong.
    public static let recordsAreMissing: Int32 = 4

    public struct Verdict: Hashable, Sendable {
        /// The first flaw, in words; nil if sound.
        public internal(set) var flaw: String? { didSet { flaw = flaw?.onOneLine } }
        package var reservations: [String] = []
        /// The records whose hashes were verified.
        public var records: ClosedRange<Int64>?
        package var checkpoints = 0
        /// The key of the last checkpoint.
        public var key: VerificationKey?
        public var missing: Missing?
        var kind = Kind.records
        /// The hash of the last record; nil for an earlier version.
        var head: Digest?

        enum Kind { case records, money, earlier }
    }

    /// Records missing because a damaged file was set aside.
    public struct Missing: Hashable, Sendable {
        package let records: ClosedRange<Int64>
        /// When it was set aside, by the wall clock: since 1970, UTC.
        public let since: Duration
    }

    public init(slips: [SignedCheckpoint] = [], keys: [VerificationKey] = []) {
        self.slips = slips
        self.keys = keys
    }

    /// Verifies a ledger. Throws if the file cannot be read; unreadable contents are a flaw.
    public func verify(_ reader: LedgerReader) throws(LedgerError) -> Verdict {
        var (verdict, snapshot) = try judge(reader)
        if verdict.flaw == nil, let snapshot, snapshot.isTrial {
            (verdict.flaw, verdict.kind) = ("it is the ledger of a trial, and of no gate", .records)
        }
        return verdict
    }

    /// The same, also with the opened ledger; nil if it is too damaged to be opened.
    func judge(
        _ reader: LedgerReader, gate: String = ""
    ) throws(LedgerError) -> (verdict: Verdict, snapshot: LedgerSnapshot?) {
        while true {
            let snapshot: LedgerSnapshot
            do throws(LedgerError) {
                snapshot = try reader.openEvenWithoutRecords(gate: gate)
            } catch {
                guard let damage = error.damage else { throw error }
                var verdict = Verdict()
                (verdict.flaw, verdict.kind) = (damage, .money)
                return (verdict, nil)
            }
            let verdict = try judge(snapshot, .all)
            // Records that the service pruned meanwhile cause no flaw: verify again.
            if verdict.flaw == nil || !snapshot.records.haveGone { return (verdict, snapshot) }
        }
    }
}

// One verification for the start of the service and for commands.
extension LedgerVerification {
    /// How much of a ledger is verified.
    enum Depth: Hashable {
        case all
        /// Only the last checkpoint and the records since, as people wait; with SQLite's check of
        /// the file's pages, or without.
        case end(withPages: Bool)
    }

    /// All checks, in this order. Sums and seal of the state were compared when it was read.
    func judge(_ snapshot: LedgerSnapshot, _ depth: Depth) throws(LedgerError) -> Verdict {
        var verdict = Verdict()
        do throws(Flaw) {
            try Flaw.of { () throws(LedgerError) in try snapshot.records.check() }
            try checkPages(of: snapshot, depth)
            guard snapshot.records.found.isSigned, let key = snapshot.key else {
                throw .earlier(
                    "it is of an earlier version, which has no hashes and no checkpoints")
            }
            try judge(snapshot, depth, key, &verdict)
        } catch {
            switch error {
            case .found(let words): (verdict.flaw, verdict.kind) = (words, .records)
            case .money(let words): (verdict.flaw, verdict.kind) = (words, .money)
            case .earlier(let words): (verdict.flaw, verdict.kind) = (words, .earlier)
            case .unreadable(let error): throw error
            }
        }
        return verdict
    }

    private func checkPages(of snapshot: LedgerSnapshot, _ depth: Depth) throws(Flaw) {
        if depth == .end(withPages: false) { return }
        let check = depth == .all ? "integrity_check" : "quick_check"
        let damage = try Flaw.of { () throws(LedgerError) in
            try Schema.damage(of: nil, in: snapshot.database, by: check)
        }
        if let damage { throw .found(damage) }
    }

    private func judge(
        _ snapshot: LedgerSnapshot, _ depth: Depth, _ key: VerificationKey,
        _ verdict: inout Verdict
    ) throws(Flaw) {
        let checkpoints = try Flaw.of { () throws(LedgerError) in
            depth == .all
                ? try snapshot.checkpoints()
                : try snapshot.lastStoredCheckpoint().map { [$0] } ?? []
        }
        let succession = KeySuccession(key, of: checkpoints, given: keys)
        var review = CheckpointReview(snapshot, succession, of: checkpoints, areAll: depth == .all)
        for stored in checkpoints { try review.add(stored) }
        try review.end()
        verdict.checkpoints = checkpoints.count
        verdict.key = key
        verdict.reservations = review.reservations
        try compareSlips(with: checkpoints, snapshot, succession, &verdict)
        var records = try RecordReview(snapshot, checkpoints, areAll: depth == .all)
        verdict.records = try records.run()
        if depth == .all {
            var earlier = EarlierReview(snapshot, records)
            try earlier.run()
        }
        verdict.head = records.head
        if let last = checkpoints.last { try records.compareIdentity(with: last.checkpoint) }
        if snapshot.version < Schema.version {
            verdict.reservations.append(
                "an earlier version signed it, without the pruned records and the day of the books")
        }
        let (base, pruned) = (snapshot.base, snapshot.state.books[.pruned])
        if base > pruned { markUnproved(pruned + 1...base, records, &verdict) }
    }

    private func markUnproved(
        _ unproved: ClosedRange<Int64>, _ review: RecordReview, _ verdict: inout Verdict
    ) {
        let words = "the records \(unproved.lowerBound) to \(unproved.upperBound)"
        guard review.beginsAnew else {
            verdict.reservations.append("\(words) have no hashes: an earlier version wrote them")
            return
        }
        verdict.missing = Missing(records: unproved, since: review.beginning.time)
        verdict.reservations.append(
            "\(words) are missing since \(review.beginning.time.utcText): they were damaged, and "
                + "the file was set aside")
    }

    /// Compares checkpoints from elsewhere with the ledger's, as far as these are kept.
    private func compareSlips(
        with checkpoints: [StoredCheckpoint], _ snapshot: LedgerSnapshot,
        _ succession: KeySuccession, _ verdict: inout Verdict
    ) throws(Flaw) {
        let byNumber = Dictionary(
            checkpoints.map { ($0.checkpoint.number, $0.checkpoint) }, uniquingKeysWith: { $1 })
        for slip in slips {
            let checkpoint = slip.checkpoint
            let name = "the slip \(checkpoint.number) (\(checkpoint.occasion.text))"
            guard checkpoint.ledger == snapshot.number else {
                throw .found("\(name) is of another ledger: \(checkpoint.ledger)")
            }
            guard succession.hasSigned(slip.note) else {
                throw .found("\(name) is not signed with \(succession.name) key")
            }
            let end = snapshot.state.books.sequence
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
    /// The record of a restored copy that explains why `checkpoint` is missing; nil without one.
    private static func restoration(
        before checkpoint: Checkpoint, in snapshot: LedgerSnapshot
    ) throws(Flaw) -> String? {
        // That record follows the last one of the copy. Only a checkpoint signed before the restore
        // may cover more.
        let last = checkpoint.sequence == .max ? checkpoint.sequence : checkpoint.sequence + 1
        let restored = try Flaw.of { () throws(LedgerError) in
            try snapshot.last(in: 0...max(0, last), of: [LedgerNote.restored.rawValue])
        }
        // By their branches if both have one, otherwise by their times.
        guard let restored,
            checkpoint.branch.map({ $0 != snapshot.branch })
                ?? (checkpoint.time <= restored.wallTime)
        else { return nil }
        return "the ledger's record \(restored.sequence) (\(restored.name)) says that an older "
            + "copy was put back there; everything written after that copy is lost"
    }
}

/// Why a verification ends.
enum Flaw: Error {
    /// In the records, hashes or signatures.
    case found(String)
    /// In the money or the books.
    case money(String)
    /// A ledger of a version without hashes.
    case earlier(String)
    case unreadable(LedgerError)

    /// Runs `body`; damage is a flaw.
    static func of<Result>(_ body: () throws(LedgerError) -> Result) throws(Flaw) -> Result {
        do throws(LedgerError) {
            return try body()
        } catch {
            guard let damage = error.damage else { throw .unreadable(error) }
            throw .found(damage)
        }
    }
}
