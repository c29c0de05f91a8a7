import GateClient
import Ledger
import System
import Turnstile

/// The facts about the collected coins: from the gate, and from its ledger if it can be read.
struct CollectionBooks {
    /// Whether the vault has a switch, which records the collection before the count.
    let hasSwitch: Bool
    /// The expected contents of the vault, coin by coin; nil if unknown.
    let expected: VaultContents?
    /// The expected amount in the vault; nil if unknown.
    let expectedTotal: Int64?
    let coins: KnownCoins
    /// When the last known collection was; nil if unknown.
    let lastClosed: Duration?
    /// The number of the collection that a count is for; nil if unknown.
    let number: Int64?
    /// Earlier collections without a count. They cannot be counted any more: a count is signed for
    /// the last collection.
    let uncounted: [Int64]

    private let state: GateState
    private let path: String?
    /// The number of the last known checkpoint of a collection or count.
    private let lastNumber: Int64

    init(_ state: GateState, _ policy: Policy?, path: String?) {
        self.state = state
        self.path = path
        hasSwitch = state.report.equipment.inputs[.vaultPresent]
        let kept = CollectionCheckpoints(path, of: state)
        let told = SignedCheckpoint(state.collectionCheckpoint)?.checkpoint
        let last = kept.last ?? told
        lastNumber = max(kept.last?.number ?? 0, told?.number ?? 0)
        lastClosed = last?.time
        let collection = last?.occasion.collection
        number = hasSwitch ? collection : collection.map { $0 + 1 }
        // Without a switch one request records the collection and its count.
        uncounted = hasSwitch ? kept.uncounted(before: collection ?? 1) : []
        coins = KnownCoins(
            taken: VaultContents.valuesTaken(state.registers).union(kept.valuesTaken), policy,
            state.report.equipment)
        if hasSwitch {
            expected = last?.occasion.collection.flatMap { kept.contents(of: $0) }
            expectedTotal = expected?.total ?? last?.occasion.expected
        } else {
            expected = VaultContents(state.registers)
            expectedTotal = expected?.total
        }
    }

    /// Which collection a count is for, in words; nil unless a switch recorded one.
    var subject: String? {
        guard hasSwitch, let number, let lastClosed else { return nil }
        return "the count belongs to collection \(number), known since \(lastClosed.localDate)"
    }

    /// A note about earlier collections without a count; nil if all were counted.
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

    /// Why no collection can be recorded now; nil if one can.
    var obstacle: String? {
        let vault = state.levels.first { $0.line == Input.vaultPresent.name }
        guard hasSwitch, vault?.isActive == false else { return nil }
        return "there is no vault in its place: put one there first, which is the collection"
    }

    /// The slip of the recorded collection or count, if it was signed: from the gate's present
    /// state, or from the ledger.
    func slip(of count: CountedCoins?, toldBy later: GateState) -> SlipPage? {
        let kept = CollectionCheckpoints(path, of: state)
        let known = [SignedCheckpoint(later.collectionCheckpoint)] + kept.all.map(\.signed)
        let signed = known.lazy.compactMap { $0 }.first { signed in
            let checkpoint = signed.checkpoint
            return checkpoint.number > lastNumber && checkpoint.occasion.collection != nil
                && checkpoint.occasion.counted == count?.amount
        }
        guard let signed, let number = signed.checkpoint.occasion.collection else { return nil }
        let closed = kept.checkpoint(of: number)?.checkpoint.time
        return SlipPage(
            gate: state.gate, expected: kept.contents(of: number) ?? expected, counted: count,
            opened: kept.checkpoint(of: number - 1)?.checkpoint.time,
            closed: closed ?? (hasSwitch ? nil : signed.checkpoint.time), signed: signed)
    }
}

/// The checkpoints of collections and counts in a gate's ledger; none if it cannot be read.
private struct CollectionCheckpoints {
    /// Oldest first.
    let all: [StoredCheckpoint]

    /// Reads the ledger at `path`, if it is the gate's.
    init(_ path: String?, of state: GateState) {
        guard let path, let snapshot = try? LedgerReader(path: path).open(),
            snapshot.gate == state.gate, let kept = try? snapshot.checkpoints(keptForGood: true)
        else {
            all = []
            return
        }
        all = kept.filter { $0.checkpoint.occasion.collection != nil }
    }

    var last: Checkpoint? { all.last?.checkpoint }

    /// The values of the coins that were accepted before the last of them.
    var valuesTaken: Set<Int64> {
        guard let registers = all.last?.registers else { return [] }
        return Set(VaultContents(from: nil, to: registers).values)
    }

    /// The collections before this one without a count.
    func uncounted(before number: Int64) -> [Int64] {
        let occasions = all.map(\.checkpoint.occasion)
        let counted = Set(occasions.filter { $0.counted != nil }.compactMap(\.collection))
        return occasions.filter { $0.counted == nil }.compactMap(\.collection)
            .filter { $0 < number && !counted.contains($0) }
    }

    /// The checkpoint of this collection, not of its count.
    func checkpoint(of number: Int64) -> StoredCheckpoint? {
        all.last {
            $0.checkpoint.occasion.collection == number && $0.checkpoint.occasion.counted == nil
        }
    }

    /// The expected contents of the vault at this collection, coin by coin; nil if the ledger lacks
    /// a part of them.
    func contents(of number: Int64) -> VaultContents? {
        guard let closing = checkpoint(of: number) else { return nil }
        let contents = VaultContents(
            from: checkpoint(of: number - 1)?.registers, to: closing.registers)
        return contents.total == closing.checkpoint.occasion.expected ? contents : nil
    }
}
