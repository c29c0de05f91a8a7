import Turnstile

/// What is held for people, by the records: as far as those that are kept tell of it.
struct BalanceReview {
    /// What it is if nothing was under way before the first record.
    private var least = Balances()
    /// What it is if all was that can be.
    private var most = Balances()

    /// Behind a checkpoint. One that says nothing of it has the registers alone.
    init(behind page: KeptCheckpoint) {
        let registers = page.registers
        if let standing = page.checkpoint.standing {
            let all = Balances().numbers.merging(standing.numbers) { $1 }
            (least.numbers, most.numbers) = (all, all)
            return
        }
        let isNew =
            page.checkpoint.sequence == 0 && registers.counts.values.allSatisfy { $0 == 0 }
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

    /// Throws where what is held is not what the records come to, but for the sums of the money.
    func compare(with held: Balances) throws(Flaw) {
        func differs(_ part: (Balances) -> some Equatable) -> Bool {
            part(least) == part(most) && part(least) != part(held)
        }
        if differs({ $0.isFareBegun }) {
            throw .money("it is not said rightly whether the passage of a fare was begun")
        }
        if differs({ $0.isCountAwaited }) {
            throw .money("it is not said rightly whether the last collection was counted")
        }
        for acceptor in Acceptor.allCases where differs({ $0.counted[acceptor] }) {
            throw .money("the counted coin at \(acceptor.line.name) has no record")
        }
    }
}
