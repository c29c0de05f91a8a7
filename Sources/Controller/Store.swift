import StateMachines
import System
import Turnstile

// What is recorded is kept for good.
extension Controller {
    /// Has the store keep `records`, and everything before them, and answer if the machine wants
    /// to know.
    func keep(_ records: [Record], in store: any RecordStore, at time: Instant) {
        store.write(records, at: time, confirms: asksToStore)
        guard asksToStore else { return }
        asksToStore = false
        processStore(.asked(at: loop.now))
    }

    /// Hears what the store answered.
    func takeAnswers(of store: any RecordStore) {
        processStore(.answersTaken)
        for answer in store.takeAnswers() {
            switch answer {
            case .stored: processStore(.stored)
            case .opened(let balances, let registers):
                tally.goOn(from: registers)
                processStore(.opened(at: loop.now))
                dispatch(Event(.ledgerOpened(balances), at: loop.now))
            case .failed(let reason): processStore(.failed(reason))
            case .noted(let note): journal.write(JournalEntry(.storeNoted(note)))
            }
        }
    }

    /// Does what follows from something that happened to the store.
    @inline(__always) func processStore(_ event: StoreWatch.Event) {
        // Not in place, so that its memory needs no check at run time.
        var watch = storeWatch
        let outcome = watch.handle(event)
        storeWatch = watch
        outcome.commands.forEach { command in
            switch command {
            case .reportStored: dispatch(Event(.stored, at: loop.now))
            case .reportFailure: dispatch(Event(.storageFailed, at: loop.now))
            case .note(let reason): journal.write(JournalEntry(.storeFailed(reason)))
            }
        }
    }
}
