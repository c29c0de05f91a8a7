import StateMachines
import Turnstile

// The ledger, where there is one: what was paid in lets nobody in before it is written down.
extension PlainGate {
    /// Whether what the last event led to is to be stored, and answered for.
    public var asksToStore: Bool { isToBeStored }

    /// Something must not be lost from now on.
    mutating func keep() {
        guard hasLedger else { return }
        isToBeStored = true
        isUnstored = true
    }

    /// What was asked for before this event is written down, and writing works.
    mutating func hearStored(_ now: Instant) {
        lose(.storageFailed, now)
        guard !isToBeStored, isUnstored else { return }
        isUnstored = false
        guard hasPaid else { return }
        hasPaid = false
        sell(now)
    }

    /// Three quarters of the silence have passed: the coin is most probably over.
    mutating func foretell(_ acceptor: Acceptor, _ now: Instant) {
        coinLines[acceptor.place].foretoldAt = nil
        coinLines[acceptor.place].isForetold = true
        let pulses = coinLines[acceptor.place].pulses
        guard let value = policy.coins[acceptor].values.value(ofPulses: pulses) else { return }
        records.append(.coinCounted(Coin(acceptor, pulses: pulses, value: value)))
        keep()
    }

    /// Takes over what the gate before this one held.
    mutating func inherit(_ holdings: Holdings, _ now: Instant) {
        for acceptor in Acceptor.allCases {
            guard let coin = holdings.counted[acceptor] else { continue }
            credit += coin.value
            records.append(.coinLate(coin))
            pulse(.coinMeter, coin.value / policy.meterUnit)
        }
        let fare = holdings.fareInUse
        if fare > 0, holdings.isFareBegun || position != 0 {
            records.append(.passageLost(.entry, .paid))
            pulse(.countPulse, 1)
        } else if fare > 0 {
            credit += fare
            records.append(.creditReturned(value: fare))
        }
        if credit > 0 { records.append(.creditRecovered(value: credit)) }
    }
}
