import StateMachines

// Commits.
extension Gate {
    /// Has all records made durable, if there is a ledger: credit releases the gate only then.
    mutating func requestCommit(_ step: inout StepContext) {
        guard past.ledger != .none else { return }
        apply(commitBarrier.handle(.recorded), &step)
    }

    /// The last requested commit is durable. Records that this step made before the event, for
    /// timeouts that were due, are not part of it.
    mutating func ledgerCommitted(_ step: inout StepContext) {
        apply(faults.handle(.gone(.storageFailed)), &step)
        if !step.asksToStore { apply(commitBarrier.handle(.durable), &step) }
    }
}
