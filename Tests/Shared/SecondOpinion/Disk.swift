import Seeds
import StateMachines
import Turnstile

/// The ledger's disk on a walk: what it holds at the start, and how long it takes to store.
///
/// Its chances are its own, so that a walk without a ledger is what it is.
struct Disk {
    private var chance: SeededGenerator
    private let isSlow: Bool

    init(seed: UInt64) {
        chance = SeededGenerator(seed: ~seed)
        isSlow = chance.oneIn(3)
    }

    /// What the gate before held; nil for a gate without a ledger.
    mutating func balances(_ policy: Policy) -> Balances? {
        guard !chance.oneIn(3) else { return nil }
        var balances = Balances()
        guard chance.oneIn(2) else { return balances }
        balances.credit = 50 * Int.random(in: 0...4, using: &chance)
        if chance.oneIn(2) {
            balances.fareInUse = policy.price
            balances.isFareBegun = Bool.random(using: &chance)
        }
        for acceptor in Acceptor.allCases where chance.oneIn(3) {
            balances.counted[acceptor] = Coin(acceptor, pulses: 1, value: 50)
        }
        return balances
    }

    /// What it says about something that is asked for at `time`, or about itself: the last is that
    /// all is stored.
    mutating func answers(isAsked: Bool, at time: Instant) -> [Event] {
        let fails = chance.oneIn(isAsked ? 8 : 60)
        guard isAsked || fails else { return [] }
        let first = time + delay()
        guard fails else { return [Event(.durable, at: first)] }
        return [Event(.storageFailed, at: first), Event(.durable, at: first + delay() * 20)]
    }

    private mutating func delay() -> Duration {
        // Not at whole milliseconds, as all that happens.
        .microseconds(Int.random(in: 1...(isSlow ? 2_000_000 : 60_000), using: &chance))
            + .nanoseconds(137)
    }
}
