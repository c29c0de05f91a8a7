import System
import Turnstile

/// Whether a ledger is what the service wrote: each record, each sum, each signature.
public struct LedgerVerification {
    /// Checkpoints that were kept elsewhere: on slips, in the journal, in exports.
    public var slips: [SignedCheckpoint]
    /// What the checkpoints must be signed with; nothing for what the ledger itself says. One that
    /// the gate has changed for another is vouched for by that.
    public var keys: [VerificationKey]

    /// What a program ends with that finds records missing, and nothing wrong besides.
    public static let recordsAreMissing: Int32 = 4

    /// What was found.
    public struct Verdict: Hashable, Sendable {
        /// The first thing that is wrong, in words; nil where all is as it should be.
        public internal(set) var flaw: String? { didSet { flaw = flaw?.onOneLine } }
        package var reservations: [String] = []
        /// The records whose hashes were verified.
        public var records: ClosedRange<Int64>?
        package var checkpoints = 0
        /// What the last of them was signed with.
        public var key: VerificationKey?
        /// The records that are missing, since the file that had them was set aside.
        public var missing: Missing?
        var kind = Kind.records
        /// The hash of the last record; nil for one of an earlier version.
        var head: Digest?

        enum Kind { case records, money, earlier }
    }

    /// Records that are missing, since the file that had them was set aside.
    public struct Missing: Hashable, Sendable {
        package let records: ClosedRange<Int64>
        /// When that was, by the clock on the wall: since 1970, UTC.
        public let since: Duration
    }

    /// With these slips and keys.
    public init(slips: [SignedCheckpoint] = [], keys: [VerificationKey] = []) {
        self.slips = slips
        self.keys = keys
    }

    /// Verifies a ledger. Throws where it cannot be read at all; what it holds that cannot be is
    /// a flaw.
    public func verify(_ reader: LedgerReader) throws(LedgerError) -> Verdict {
        var (verdict, snapshot) = try judge(reader)
        if verdict.flaw == nil, let snapshot, snapshot.isTrial {
            (verdict.flaw, verdict.kind) = ("it is the ledger of a trial, and of no gate", .records)
        }
        return verdict
    }

    /// The same, with the ledger that it is about; nil where that cannot be.
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
            // What the service has taken out meanwhile was not there to be verified.
            if verdict.flaw == nil || !snapshot.records.haveGone { return (verdict, snapshot) }
        }
    }
}

// The judgement: one for whoever asks, whether that is the start of the service, or a command.
extension LedgerVerification {
    /// How much of a ledger is looked at.
    enum Depth: Hashable {
        case all
        /// What was written since the last checkpoint, and the checkpoint, for people wait; with
        /// the pages of the file, or without.
        case end(withPages: Bool)
    }

    /// Looks at a ledger. This is all that is looked at, in this order, whoever asks; what stands
    /// in no table of money was found to agree with its sums and its seal when it was read.
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
        let pages = try Flaw.of { () throws(LedgerError) in
            depth == .all ? try snapshot.checkpoints() : try snapshot.lastPage().map { [$0] } ?? []
        }
        let succession = KeySuccession(key, of: pages, given: keys)
        var review = PageReview(snapshot, succession, of: pages, areAll: depth == .all)
        for page in pages { try review.add(page) }
        try review.end()
        verdict.checkpoints = pages.count
        verdict.key = key
        verdict.reservations = review.reservations
        try compareSlips(with: pages, snapshot, succession, &verdict)
        var records = try RecordReview(snapshot, pages, areAll: depth == .all)
        verdict.records = try records.run()
        verdict.head = records.head
        if let last = pages.last { try records.compareIdentity(with: last.checkpoint) }
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
        verdict.missing = Missing(records: unproved, since: review.beginning)
        verdict.reservations.append(
            "\(words) are missing since \(review.beginning.utcText): they were damaged, and the "
                + "file was set aside")
    }

    /// Those that go further than the kept records can be compared with nothing else.
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
        // Where both say which branch they are of, no clock is asked.
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
    /// This is wrong with the records, or with what proves them.
    case found(String)
    /// This is wrong with the money, or with where the books stand.
    case money(String)
    /// It is of a version that proves nothing.
    case earlier(String)
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
