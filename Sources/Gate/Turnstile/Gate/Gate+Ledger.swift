import StateMachines

// What the ledger does for the gate.
extension Gate {
    /// Has all that was recorded made durable, where there is a ledger: what was paid in lets
    /// nobody in before.
    mutating func requestCommit(_ step: inout StepContext) {
        guard past.ledger != .none else { return }
        apply(commitBarrier.handle(.recorded), &step)
    }

    /// All that was to be stored when it was last asked for is durable: not what is asked for now,
    /// with what was due before this event.
    mutating func ledgerCommitted(_ step: inout StepContext) {
        apply(faults.handle(.gone(.storageFailed)), &step)
        if !step.asksToStore { apply(commitBarrier.handle(.stored), &step) }
    }
}
