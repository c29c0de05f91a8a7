import Seeds
import StateMachines
import Turnstile

/// When processes end on a walk, and what the next ones find.
///
/// Its chances are its own, so that a walk on which none ends is what it is.
struct Crashes {
    private var chance: SeededGenerator
    /// One event out of so many is the last of its process; nil when none is.
    private let rarity: Int?

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed.byteSwapped)
        rarity = chance.oneIn(4) ? nil : chance.oneIn(2) ? 60 : 250
    }

    /// Whether the process ends here.
    mutating func strike() -> Bool { rarity.map { chance.oneIn($0) } ?? false }

    /// For how long none runs.
    mutating func pause() -> Duration {
        .microseconds(Int.random(in: 0...(chance.oneIn(3) ? 3_000_000 : 2_000), using: &chance))
            + .nanoseconds(211)
    }

    /// A start at `time`.
    mutating func restart(at time: Instant, _ levels: InputLevels, hasGap: Bool) -> Restart {
        var restart = Restart(time: time, levels: levels)
        restart.hasGap = hasGap
        restart.clock = chance.oneIn(4) ? nil : .random(&chance)
        switch Int.random(in: 0..<8, using: &chance) {
        case 0: restart.memory = .none
        case 1, 2: restart.memory = .older(Int.random(in: 1...Remains.depth, using: &chance))
        default: restart.memory = .latest
        }
        restart.share = chance.oneIn(2) ? 100 : Int.random(in: 0..<100, using: &chance)
        restart.isLedgerLate = !chance.oneIn(3)
        return restart
    }

    /// What a ledger that is opened late tells after `time`: some never do.
    mutating func openings(after time: Instant) -> [Event] {
        let failure = Event(.storageFailed, at: time + delay())
        let opening = Event(.ledgerOpened(Balances()), at: time + delay() * 3)
        let mayFail = chance.oneIn(5)
        return (mayFail ? [failure] : []) + (chance.oneIn(6) ? [] : [opening])
    }

    private mutating func delay() -> Duration {
        .microseconds(Int.random(in: 1...(chance.oneIn(3) ? 8_000_000 : 200_000), using: &chance))
            + .nanoseconds(223)
    }
}
