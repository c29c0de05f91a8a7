import GateClient
import Ledger
import System
import Turnstile

/// What is known of the coins that are collected: from the gate, and from its ledger where that may
/// be read.
struct CollectionBooks {
    /// Whether a switch tells of the vault, so that the collection was before.
    let hasSwitch: Bool
    /// What should be in the vault; nil where it is not known coin by coin.
    let expected: VaultContents?
    /// What should be in the vault in all; nil where it is not known.
    let expectedTotal: Int64?
    let coins: KnownCoins
    /// When the books of a collection were last closed; nil where that is not known.
    let lastClosed: Duration?
    /// Which collection a count is for; nil where that is not known.
    let number: Int64?
    /// The collections before that nobody has counted, which nobody can any more: a count is signed
    /// for the last one.
    let uncounted: [Int64]

    private let state: GateState
    private let path: String?
    /// The number of the last checkpoint of a collection that is known.
    private let lastNumber: Int64

    init(_ state: GateState, _ policy: Policy?, path: String?) {
        self.state = state
        self.path = path
        hasSwitch = state.report.equipment.inputs[.vaultPresent]
        let pages = CollectionPages(path, of: state)
        let told = SignedCheckpoint(state.collectionCheckpoint)?.checkpoint
        let last = pages.last ?? told
        lastNumber = max(pages.last?.number ?? 0, told?.number ?? 0)
        lastClosed = last?.time
        let collection = last?.occasion.collection
        number = hasSwitch ? collection : collection.map { $0 + 1 }
        // Who collects without a switch was told as it was done.
        uncounted = hasSwitch ? pages.uncounted(before: collection ?? 1) : []
        coins = KnownCoins(
            taken: VaultContents.valuesTaken(state.registers).union(pages.valuesTaken), policy,
            state.report.equipment)
        if hasSwitch {
            expected = last?.occasion.collection.flatMap { pages.contents(of: $0) }
            expectedTotal = expected?.total ?? last?.occasion.expected
        } else {
            expected = VaultContents(state.registers)
            expectedTotal = expected?.total
        }
    }

    /// Which collection a count is for, in words; nil where no switch has told of one.
    var subject: String? {
        guard hasSwitch, let number, let lastClosed else { return nil }
        return "the count is that of collection \(number), known since \(lastClosed.localDate)"
    }

    /// That collections before were not counted; nil where all were.
    var omission: String? {
        guard !uncounted.isEmpty else { return nil }
        let numbers = uncounted.map { "\($0)" }.joined(separator: ", ")
        return "collection \(numbers): never counted, and too late to, since another followed"
    }

    func result(of counted: CountedCoins) -> String {
        let amount = "\(counted.amount) counted"
        guard let expectedTotal else { return amount }
        let difference = counted.amount &- expectedTotal
        if difference == 0 { return "\(amount), as expected" }
        return "\(amount), \(difference.magnitude) \(difference < 0 ? "too little" : "too much")"
    }

    /// Why nothing can be recorded now; nil for nothing.
    var obstacle: String? {
        let vault = state.levels.first { $0.line == Input.vaultPresent.name }
        guard hasSwitch, vault?.isActive == false else { return nil }
        return "there is no vault in its place: put one there first, which is the collection"
    }

    /// The slip of what was recorded, where it was signed: as the gate tells it from then on, or as
    /// it stands in the ledger.
    func slip(of count: CountedCoins?, toldBy later: GateState) -> SlipPage? {
        let pages = CollectionPages(path, of: state)
        let known = [SignedCheckpoint(later.collectionCheckpoint)] + pages.all.map(\.signed)
        // The gate has told it where it can; the ledger may have it as well.
        let signed = known.lazy.compactMap { $0 }.first { signed in
            let checkpoint = signed.checkpoint
            return checkpoint.number > lastNumber && checkpoint.occasion.collection != nil
                && checkpoint.occasion.counted == count?.amount
        }
        guard let signed, let number = signed.checkpoint.occasion.collection else { return nil }
        let closed = pages.page(of: number)?.checkpoint.time
        return SlipPage(
            gate: state.gate, expected: pages.contents(of: number) ?? expected, counted: count,
            opened: pages.page(of: number - 1)?.checkpoint.time,
            closed: closed ?? (hasSwitch ? nil : signed.checkpoint.time), signed: signed)
    }
}

/// The checkpoints of a gate's ledger, as far as it may be read.
private struct CollectionPages {
    /// Those about collections, the oldest first.
    let all: [StoredCheckpoint]

    /// Those of the ledger at `path`, where that is the gate's.
    init(_ path: String?, of state: GateState) {
        guard let path, let snapshot = try? LedgerReader(path: path).open(),
            snapshot.gate == state.gate, let pages = try? snapshot.checkpoints(keptForGood: true)
        else {
            all = []
            return
        }
        all = pages.filter { $0.checkpoint.occasion.collection != nil }
    }

    var last: Checkpoint? { all.last?.checkpoint }

    /// What the coins are worth that were taken before that.
    var valuesTaken: Set<Int64> {
        guard let registers = all.last?.registers else { return [] }
        return Set(VaultContents(from: nil, to: registers).values)
    }

    /// The collections before this one that nobody has counted.
    func uncounted(before number: Int64) -> [Int64] {
        let occasions = all.map(\.checkpoint.occasion)
        let counted = Set(occasions.filter { $0.counted != nil }.compactMap(\.collection))
        return occasions.filter { $0.counted == nil }.compactMap(\.collection)
            .filter { $0 < number && !counted.contains($0) }
    }

    /// The one with which the books of this collection were closed.
    func page(of number: Int64) -> StoredCheckpoint? {
        all.last {
            $0.checkpoint.occasion.collection == number && $0.checkpoint.occasion.counted == nil
        }
    }

    /// What should have been in the vault of this collection, coin by coin; nil where the ledger
    /// did not see all of it.
    func contents(of number: Int64) -> VaultContents? {
        guard let page = page(of: number) else { return nil }
        let contents = VaultContents(
            from: self.page(of: number - 1)?.registers, to: page.registers)
        return contents.total == page.checkpoint.occasion.expected ? contents : nil
    }
}
