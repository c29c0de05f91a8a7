import Turnstile

/// Whether a ledger is what the service wrote: each record, each sum, each signature.
public struct LedgerVerification {
    /// Checkpoints that were kept elsewhere: on slips, in the journal, in exports.
    public var slips: [SignedCheckpoint]
    /// What the checkpoints must be signed with; nothing for what the ledger itself says.
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
        var verdict = Verdict()
        do throws(Flaw) {
            let snapshot = try Flaw.of { () throws(LedgerError) in try reader.open() }
            try verify(snapshot, &verdict)
        } catch {
            switch error {
            case .found(let words): verdict.flaw = words
            case .unreadable(let error): throw error
            }
        }
        return verdict
    }

    private func verify(_ snapshot: LedgerSnapshot, _ verdict: inout Verdict) throws(Flaw) {
        guard snapshot.version == Schema.version else {
            throw .found("it is of an earlier version, which has no hashes and no checkpoints")
        }
        let pages = try Flaw.of { () throws(LedgerError) in try snapshot.checkpoints() }
        var review = PageReview(snapshot, keys: keys)
        for page in pages { try review.add(page) }
        try review.end()
        verdict.checkpoints = pages.count
        verdict.key = review.key
        try compareSlips(with: pages, snapshot, review, &verdict)
        if let page = pages.last(where: { $0.checkpoint.sequence == snapshot.base }),
            page.checkpoint.occasion == .begun, snapshot.base > 0
        {
            verdict.reservations.append(
                "the records up to \(snapshot.base) have no hashes: an earlier version wrote them, "
                    + "or they are in a file that was set aside")
        }
        var records = try RecordReview(snapshot, pages)
        verdict.records = try records.run()
    }

    /// Compares the slips with the checkpoints that are kept. Those that go further than the
    /// records that are kept can be compared with nothing else.
    private func compareSlips(
        with pages: [KeptCheckpoint], _ snapshot: LedgerSnapshot, _ review: PageReview,
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
            guard review.knownKeys.contains(where: { slip.note.isSigned(by: $0) }) else {
                throw .found("\(name) is not signed with this gate's key")
            }
            guard checkpoint.sequence <= snapshot.stored.books.sequence else {
                throw .found(
                    "\(name) covers \(checkpoint.sequence) records, and the ledger ends with "
                        + "\(snapshot.stored.books.sequence): the last ones are gone, or an "
                        + "older copy was put back")
            }
            if let kept = byNumber[checkpoint.number] {
                guard kept == checkpoint else {
                    throw .found("\(name) is not the checkpoint that the ledger has of that number")
                }
            } else if checkpoint.occasion.isKept || checkpoint.sequence >= snapshot.base {
                throw .found("\(name) is not in the ledger")
            } else {
                verdict.reservations.append(
                    "\(name) is of records that are kept no longer, and has nothing to be compared "
                        + "with")
            }
        }
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

/// The checkpoints of a ledger, one after the other.
struct PageReview {
    private let snapshot: LedgerSnapshot
    private let givenKeys: [VerificationKey]
    /// The keys that the ledger's own records tell of.
    private var ownKeys: [VerificationKey]
    private var last: KeptCheckpoint?
    private var page: Int64 = 0
    /// What the last one was signed with.
    private(set) var key: VerificationKey?

    init(_ snapshot: LedgerSnapshot, keys: [VerificationKey]) {
        self.snapshot = snapshot
        givenKeys = keys
        ownKeys = snapshot.key.map { [$0] } ?? []
    }

    /// What may have signed.
    var knownKeys: [VerificationKey] { givenKeys.isEmpty ? ownKeys : givenKeys }

    /// Reviews the next one.
    mutating func add(_ kept: KeptCheckpoint) throws(Flaw) {
        let checkpoint = kept.checkpoint
        let name = "the checkpoint \(kept.row)"
        guard checkpoint.number == kept.row, checkpoint.sequence == kept.rowSequence,
            checkpoint.occasion.isKept == kept.isKept
        else { throw .found("\(name) does not say what its row says") }
        guard checkpoint.ledger == snapshot.number else {
            throw .found("\(name) is of another ledger: \(checkpoint.ledger)")
        }
        try verifySignature(of: kept, name)
        guard kept.registers.digest == checkpoint.registers else {
            throw .found("the registers of \(name) are not those that were signed")
        }
        let expected = kept.isKept ? page + 1 : page
        guard checkpoint.page == expected else {
            throw .found(
                "\(name) is page \(checkpoint.page) of those that are kept for good, and "
                    + "\(expected) should follow: some are gone")
        }
        page = checkpoint.page
        if let last { try compare(kept, with: last, name) }
        last = kept
    }

    private mutating func verifySignature(of kept: KeptCheckpoint, _ name: String) throws(Flaw) {
        guard let key = knownKeys.first(where: { kept.signed.note.isSigned(by: $0) }) else {
            throw .found(
                "\(name) is not signed with \(givenKeys.isEmpty ? "the ledger's" : "the given") key"
            )
        }
        self.key = key
    }

    private func compare(
        _ kept: KeptCheckpoint, with last: KeptCheckpoint, _ name: String
    ) throws(Flaw) {
        guard kept.checkpoint.sequence >= last.checkpoint.sequence else {
            throw .found("\(name) ends before the one before it")
        }
        for (register, count) in last.registers.counts where !register.isBalance {
            guard kept.registers.counts[register, default: 0] >= count else {
                throw .found("the register \(register.name) is less in \(name) than before it")
            }
        }
    }

    /// Reviews the end of them.
    func end() throws(Flaw) {
        let books = snapshot.stored.books
        guard let last, last.checkpoint.number == books[.checkpoint], page == books[.page] else {
            throw .found(
                "its last checkpoint is \(last?.row ?? 0), and \(books[.checkpoint]) were made")
        }
    }
}

extension Register {
    /// Whether it is no counter, so that it may be less than before.
    fileprivate var isBalance: Bool {
        [.creditHeld, .fareInUse, .creditAtBeginning].contains(self)
    }
}
