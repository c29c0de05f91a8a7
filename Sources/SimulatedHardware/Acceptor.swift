internal import StateMachines

/// A coin acceptor: coins fall past a gate that gives them back while inhibited; behind it each
/// becomes a train of pulses. When the pulses come, the coin is already in the box.
struct Acceptor: Hashable, Sendable {
    private struct Coin: Hashable, Sendable {
        var value: Int
        var due: Instant
    }

    /// Whether the coin line is active: a pulse is being sent.
    private(set) var isPulsing = false
    /// The value of all coins in the box, in minor units of the currency.
    private(set) var valueInBox = 0
    /// The value of all coins that were given back, in minor units of the currency.
    private(set) var valueReturned = 0

    private var falling: [Coin] = []
    private var checking: [Coin] = []
    private var pulsesLeft = 0
    private var changesAt: Instant?

    /// When the next coin reaches the gate, the next train begins or the coin line changes.
    var deadline: Instant? {
        let train = changesAt ?? checking.first?.due
        return Instant.earliest(falling.first?.due, train)
    }

    /// A coin falls into the slot.
    mutating func insert(_ value: Int, at now: Instant, _ physics: Physics) {
        falling.append(Coin(value: value, due: now + physics.coinFall))
    }

    /// Does what is due at `now`; `accepts` is what the inhibit line says.
    mutating func advance(
        to now: Instant, accepts: Bool, _ physics: Physics, _ randomness: inout Randomness
    ) {
        if let coin = falling.first, coin.due <= now {
            falling.removeFirst()
            pass(coin, accepts: accepts, physics)
        }
        if let due = changesAt, due <= now {
            changeLine(at: now, physics, &randomness)
        }
        if changesAt == nil, let coin = checking.first, coin.due <= now {
            checking.removeFirst()
            pulsesLeft = coin.value / physics.coinUnit
            changeLine(at: now, physics, &randomness)
        }
    }

    /// The gate: a coin that the acceptor does not know, or may not take, comes out below.
    private mutating func pass(_ coin: Coin, accepts: Bool, _ physics: Physics) {
        let isKnown = coin.value > 0 && coin.value.isMultiple(of: physics.coinUnit)
        guard accepts, isKnown else {
            valueReturned += coin.value
            return
        }
        valueInBox += coin.value
        checking.append(Coin(value: coin.value, due: coin.due + physics.coinCheck))
    }

    /// Begins or ends a pulse. A train that ends keeps the line for one more gap, so that the next
    /// one follows without a break, as real acceptors do it.
    private mutating func changeLine(
        at now: Instant, _ physics: Physics, _ randomness: inout Randomness
    ) {
        if isPulsing {
            isPulsing = false
            pulsesLeft -= 1
            changesAt =
                now + randomness.jittered(physics.pulseGap, percent: physics.pulseJitterPercent)
        } else if pulsesLeft > 0 {
            isPulsing = true
            changesAt =
                now + randomness.jittered(physics.pulseWidth, percent: physics.pulseJitterPercent)
        } else {
            changesAt = nil
        }
    }
}
