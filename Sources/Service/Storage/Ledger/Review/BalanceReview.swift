import Turnstile

/// The balances by the kept records. A figure is compared only if `least` and `most` agree:
/// otherwise it depends on records that are no longer kept.
struct BalanceReview {
    /// If nothing was in progress before the first record.
    private var least = Balances()
    /// If everything possible was in progress.
    private var most = Balances()

    /// The balances at a checkpoint; one of an earlier version has only the registers.
    init(after stored: StoredCheckpoint) {
        let registers = stored.registers
        if let standing = stored.checkpoint.standing {
            let all = Balances().numbers.merging(standing.numbers) { $1 }
            (least.numbers, most.numbers) = (all, all)
            return
        }
        let isNew =
            stored.checkpoint.sequence == 0 && registers.counts.values.allSatisfy { $0 == 0 }
        guard !isNew else { return }
        least.fareInUse = Int(clamping: registers.counts[.fareInUse] ?? 0)
        most.fareInUse = least.fareInUse
        most.isCountAwaited = true
        most.isFareBegun = most.fareInUse > 0
        for acceptor in Acceptor.allCases {
            most.counted[acceptor] = Coin(acceptor, pulses: 0, value: 0)
        }
    }

    mutating func count(_ record: Record) {
        least.count(record)
        most.count(record)
    }

    /// Throws if `held` contradicts the records; sums of money are compared elsewhere.
    func compare(with held: Balances) throws(Flaw) {
        func differs(_ part: (Balances) -> some Equatable) -> Bool {
            part(least) == part(most) && part(least) != part(held)
        }
        if differs({ $0.isFareBegun }) {
            throw .money("it contradicts its records about whether the passage of a fare was begun")
        }
        if differs({ $0.isCountAwaited }) {
            throw .money("it contradicts its records about whether the last collection was counted")
        }
        for acceptor in Acceptor.allCases where differs({ $0.counted[acceptor] }) {
            throw .money("the counted coin at \(acceptor.line.name) has no record")
        }
    }
}
