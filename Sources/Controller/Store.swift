import StateMachines
import System
import Turnstile

/// What the shell knows of the store's health.
struct StoreWatch {
    /// How long the store may owe an answer before it counts as failing: a disk that hangs says
    /// nothing of it.
    static let patience: Duration = .seconds(2)

    /// How often it was asked for an answer.
    var asked = 0
    /// Since when it has owed an answer, or that it is open; nil while it owes none.
    var owesSince: Instant?
    /// Why the store fails, as long as the machine was not told that it works again.
    var failure: String?
}

// What is recorded is kept for good.
extension Controller {
    /// Has the store keep `records`, and everything before them, and answer if the machine wants
    /// to know.
    func keep(_ records: [Record], in store: any RecordStore, at time: Instant) {
        store.write(records, at: time, confirms: asksToStore)
        guard asksToStore else { return }
        asksToStore = false
        storeWatch.asked += 1
        if storeWatch.owesSince == nil { storeWatch.owesSince = loop.now }
    }

    /// Tells the machine what the store answered. One of these answers may have the machine ask
    /// anew: those behind it are none to that.
    func takeAnswers(of store: any RecordStore) {
        let asked = storeWatch.asked
        for answer in store.takeAnswers() {
            switch answer {
            case .stored:
                guard storeWatch.asked == asked else { continue }
                storeWatch.owesSince = nil
                storeWatch.failure = nil
                dispatch(Event(.stored, at: loop.now))
            case .opened(let balances, let registers):
                snapshots.goOn(from: registers)
                // What it was asked for meanwhile it owes from now on.
                storeWatch.owesSince = storeWatch.asked > 0 ? loop.now : nil
                storeWatch.failure = nil
                dispatch(Event(.ledgerOpened(balances), at: loop.now))
            case .failed(let reason): storeFailed(reason)
            case .noted(let note): journal.write(JournalEntry(.storeNoted(note)))
            }
        }
    }

    /// Looks whether the store has owed an answer for too long.
    func checkStore(at now: Instant) {
        guard let since = storeWatch.owesSince, now - since > StoreWatch.patience,
            storeWatch.failure == nil
        else { return }
        storeFailed("the ledger has not answered for \(StoreWatch.patience)")
    }

    private func storeFailed(_ reason: String) {
        guard reason != storeWatch.failure else { return }
        let isFailing = storeWatch.failure != nil
        storeWatch.failure = reason
        journal.write(JournalEntry(.storeFailed(reason)))
        guard !isFailing else { return }
        dispatch(Event(.storageFailed, at: loop.now))
    }
}
