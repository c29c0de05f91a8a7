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
    mutating func ledgerCommitted(_ now: Instant) {
        endFault(.storageFailed, now)
        guard !isToBeStored, isUnstored else { return }
        isUnstored = false
        guard hasPaid else { return }
        hasPaid = false
        sell(now)
    }

    /// Three quarters of the silence have passed: the coin is most probably over.
    mutating func reportProvisional(_ acceptor: Acceptor, _ now: Instant) {
        coinLines[acceptor.place].provisionalAt = nil
        coinLines[acceptor.place].isProvisional = true
        coinLines[acceptor.place].wasTold = true
        let pulses = coinLines[acceptor.place].pulses
        guard let value = policy.coins[acceptor].values.value(ofPulses: pulses) else { return }
        records.append(.coinCounted(Coin(acceptor, pulses: pulses, value: value)))
        keep()
    }

    /// Takes over what the gate before this one held; by that alone nobody is let in who was not
    /// before.
    mutating func openLedger(_ balances: Balances, _ now: Instant) {
        guard isLedgerAwaited else { return }
        isLedgerAwaited = false
        endFault(.storageFailed, now)
        if balances.isCountAwaited { isVaultUncounted = equipment.inputs[.vaultPresent] }
        if balances.credit > 0 { hold(balances.credit) }
        for acceptor in Acceptor.allCases {
            guard let coin = balances.counted[acceptor], !isCountedOn[acceptor.place] else {
                continue
            }
            hold(coin.value)
            records += [.coinInDoubt(coin), .coinLate(coin)]
            if isUnstored { keep() }
            pulse(.coinMeter, coin.value / policy.meterUnit)
        }
        var fare = balances.fareInUse
        if fare == 0, let unpaid = passageBefore?.fare, unpaid > 0, unpaid <= credit {
            // They were on the way before the ledger had heard that they had paid.
            if isPassageOver {
                forfeit(unpaid)
            } else {
                credit -= unpaid
                records.append(.creditUsed(value: unpaid))
                fare = unpaid
            }
        }
        if fare > 0, !isPassageOver { resolveFareInUse(fare, isBegun: balances.isFareBegun) }
        passageBefore = nil
        isPassageOver = false
        wasOccupied = false
        isCountedOn = isCountedOn.map { _ in false }
        if credit > 0 { records.append(.creditRecovered(value: credit)) }
    }

    /// More credit, whose time begins anew.
    private mutating func hold(_ value: Int) {
        credit += value
        creditExpires = nil
    }

    /// Decides whose a fare is that was paid before the start, and whether it is used.
    private mutating func resolveFareInUse(_ fare: Int, isBegun: Bool) {
        // Whoever paid it is still in the rotor.
        if found?.kind == .paid { return }
        if found != nil, passageBefore == nil {
            found = RetainedState.Passage(.entry, .paid, fare: fare)
        } else if passageBefore?.kind == .paid || passageBefore == nil && (isBegun || wasOccupied) {
            payerBefore = nil
            records += [.passageInDoubt(.entry, .paid, .made), .passageLost(.entry, .paid)]
            pulse(.countPulse, 1)
        } else {
            hold(fare)
            records += [
                .passageInDoubt(.entry, .paid, .notMade), .creditReturned(value: fare),
            ]
        }
    }
}
