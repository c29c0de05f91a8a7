internal import StateMachines
internal import Turnstile

/// A coin acceptor: coins fall past a gate that gives them back while inhibited; behind it each
/// becomes a train of pulses. When the pulses come, the coin is already in the box.
///
/// A coin whose train ends while coins are refused lies on a flap, from which it can be ejected
/// until coins are taken again.
struct CoinAcceptor: Hashable, Sendable {
    private struct Coin: Hashable, Sendable {
        var value: Int
        var pulses: Int
        var due: Instant
    }

    /// Whether the coin line is active: a pulse is being sent.
    private(set) var isPulsing = false
    /// The value of all coins in the box and on the flap, in minor units of the currency.
    private(set) var valueInBox = 0
    /// The value of all coins that were given back at the gate, in minor units of the currency.
    private(set) var valueReturned = 0
    /// The value of all coins that were ejected from the flap, in minor units of the currency.
    private(set) var valueEjected = 0
    /// When the next coin reaches the gate, the next train begins or the coin line changes.
    private(set) var deadline: Instant?

    let acceptor: Acceptor
    private var falling: [Coin] = []
    private var checking: [Coin] = []
    private var pulsesLeft = 0
    private var changesAt: Instant?
    /// The value of the train being sent, and of the coin on the flap.
    private var sending = 0
    private var onFlap = 0

    init(_ acceptor: Acceptor) {
        self.acceptor = acceptor
    }

    mutating func insert(_ value: Int, at now: Instant, _ measures: Measures) {
        falling.append(
            Coin(
                value: value, pulses: measures.pulses(of: value, in: acceptor) ?? 0,
                due: now.after(measures.coinFall)))
        decideDeadline()
    }

    /// A blow to the acceptor: the coins in the slot fall past its gate, even if it refuses coins.
    mutating func strike(at now: Instant, _ measures: Measures) {
        for coin in falling { pass(coin, accepts: true, at: now, measures) }
        falling.removeAll()
        decideDeadline()
    }

    /// A coin on a string is moved up and down: so many pulses come and the box gets nothing.
    mutating func fish(pulses: Int, at now: Instant) {
        checking.append(Coin(value: 0, pulses: pulses, due: now))
        decideDeadline()
    }

    /// The coin on the flap is returned.
    mutating func eject() {
        valueInBox -= onFlap
        valueEjected += onFlap
        onFlap = 0
    }

    /// The coin on the flap falls into the vault.
    mutating func clearFlap() { onFlap = 0 }

    /// Advances to `now`; `accepts` is the level of the inhibit line.
    mutating func advance(
        to now: Instant, accepts: Bool, _ measures: Measures, _ randomness: inout SplitMix64
    ) {
        if let coin = falling.first, coin.due <= now {
            falling.removeFirst()
            pass(coin, accepts: accepts, at: coin.due, measures)
        }
        if let due = changesAt, due <= now {
            changeLine(at: now, accepts: accepts, measures, &randomness)
        }
        if changesAt == nil, let coin = checking.first, coin.due <= now {
            checking.removeFirst()
            pulsesLeft = coin.pulses
            sending = coin.value
            changeLine(at: now, accepts: accepts, measures, &randomness)
        }
        decideDeadline()
    }

    /// The gate: a coin that the acceptor does not know, or may not take, comes out below.
    private mutating func pass(
        _ coin: Coin, accepts: Bool, at time: Instant, _ measures: Measures
    ) {
        guard accepts, coin.pulses > 0 else {
            valueReturned += coin.value
            return
        }
        valueInBox += coin.value
        var coin = coin
        coin.due = time.after(measures.coinCheck)
        checking.append(coin)
    }

    /// Begins or ends a pulse. A train that ends keeps the line for one more gap, so that the next
    /// one follows without a break, as real acceptors do it.
    private mutating func changeLine(
        at now: Instant, accepts: Bool, _ measures: Measures, _ randomness: inout SplitMix64
    ) {
        let jitter = measures.physics.pulseJitterPercent
        if isPulsing {
            isPulsing = false
            pulsesLeft -= 1
            changesAt = now.after(randomness.jittered(measures.pulseGap, percent: jitter))
        } else if pulsesLeft > 0 {
            isPulsing = true
            changesAt = now.after(
                randomness.jittered(measures.pulseWidths[acceptor], percent: jitter))
        } else {
            changesAt = nil
            if !accepts { onFlap += sending }
            sending = 0
        }
    }

    private mutating func decideDeadline() {
        deadline = Instant.earliest(falling.first?.due, changesAt ?? checking.first?.due)
    }
}
