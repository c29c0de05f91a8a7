import StateMachines

// What the ledger does for the gate.
extension Gate {
    /// Has all that was recorded made durable, where there is a ledger: what was paid in lets
    /// nobody in before.
    mutating func keepSafe(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        guard hasLedger else { return }
        note(safekeeping.handle(.recorded), at: time, &log, perform)
    }

    /// All that was to be stored when it was last asked for is durable: not what is asked for now,
    /// with what was due before this event.
    mutating func wasStored(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        note(faults.handle(.gone(.storageFailed)), at: time, &log)
        if !log.asksToStore { note(safekeeping.handle(.stored), at: time, &log, perform) }
    }

    mutating func note(
        _ outcome: consuming Outcome<Safekeeping.Command>, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        let verdict = outcome.read { command in
            switch command {
            case .store: log.store()
            case .release: releaseOnCredit(at: time, &log, perform)
            }
        }
        log.note(verdict)
    }

    /// Takes over what the gate before this one held for people. It lets nobody in by itself: the
    /// next coin does, or whoever pushes.
    ///
    /// A coin that was counted and not credited is credited now. A fare whose passage had begun, or
    /// whose passenger may stand in the rotor, is used; else it is credit again.
    mutating func inherit(at time: Instant, _ log: inout Log) {
        guard case .holdings(let holdings) = inheritance else { return }
        inheritance = .none
        for acceptor in Acceptor.ordered {
            guard let coin = holdings.counted[acceptor] else { continue }
            note(purse.handle(.credited(coin.value, at: time)), at: time, &log)
            log.record(.coinLate(coin))
            log.counts.money += coin.value / policy.meterUnit
        }
        if holdings.fareInUse > 0 {
            if holdings.isFareBegun || !isLaneClear {
                log.record(.passageLost(.entry, .paid))
                log.counts.passages += 1
            } else {
                let grant = Lane.Grant(.entry, by: .credit(fare: holdings.fareInUse))
                giveBack(grant, at: time, &log)
            }
        }
        if credit > 0 { log.record(.creditRecovered(value: credit)) }
    }
}
