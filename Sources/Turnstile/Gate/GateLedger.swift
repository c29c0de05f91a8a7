import StateMachines

// What the ledger does for the gate.
extension Gate {
    /// Has all that was recorded made durable, where there is a ledger: what was paid in lets
    /// nobody in before.
    mutating func keepSafe(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        guard past.ledger != .none else { return }
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
}
