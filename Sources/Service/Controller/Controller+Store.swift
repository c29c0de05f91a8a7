import Journal
import Keeping
import StateMachines
import System
import Turnstile

/// The sequence numbers of the records in the store.
struct Numbering {
    /// How many records were handed over since the start.
    var handedOver: Int64 = 0
    /// The number of the first of them; nil while unknown.
    var first: Int64?
    /// The last requested confirmation.
    var asked: UInt64 = 0
}

// The ledger.
extension Controller {
    /// Hands `records` to the store, and requests a confirmation if the machine asked for one.
    func keep(_ records: [Record], in store: any RecordStore, at time: Instant) {
        store.write(records, at: time, confirms: asksToStore)
        numbering.handedOver += Int64(records.count)
        guard asksToStore else { return }
        asksToStore = false
        processStore(.asked(at: loop.now))
    }

    func takeAnswers(of store: any RecordStore) {
        processStore(.answersTaken)
        for answer in store.takeAnswers() {
            switch answer {
            case .durable: processStore(.durable)
            case .opened(let balances, let registers):
                tally.add(earlier: registers)
                processStore(.opened(at: loop.now))
                dispatch(Event(.ledgerOpened(balances), at: loop.now))
                store.takeOver()
            case .branch(let branch):
                ledgerBranch = branch
                onLedgerChange?()
            case .collected(let note): learnCollection(note)
            case .confirmed(let number, let first):
                numbering.first = first
                onConfirmed?(number)
            case .unconfirmed(let number): onUnconfirmed?(number)
            case .failed(let reason):
                // The next confirmation, once the store works, tells the number again.
                numbering.first = nil
                if onConfirmed != nil { _ = confirm() }
                processStore(.failed(reason))
            case .noted(let note):
                if case .checkpoint(_, let occasion, let text) = note,
                    occasion.collection != nil
                {
                    learnCollection(text)
                }
                journal.write(JournalEntry(.storeNoted(note)))
            }
        }
    }

    private func learnCollection(_ note: String) {
        collectionCheckpoint = note
        onLedgerChange?()
    }

    /// Requests a confirmation of all records so far, and returns its number; nil without a store.
    /// ``onConfirmed`` is called with it once they are durable, ``onUnconfirmed`` if any was lost.
    public func confirm() -> UInt64? {
        guard let store else { return nil }
        numbering.asked += 1
        store.confirm(numbering.asked)
        return numbering.asked
    }

    /// The number in the store of the next record; nil while unknown, and without a store.
    public var nextSequence: Int64? { numbering.first.map { $0 + numbering.handedOver } }

    @inline(__always) func processStore(_ event: StoreWatch.Event) {
        // Not in place, so that its memory needs no check at run time.
        var watch = storeWatch
        let outcome = watch.handle(event)
        storeWatch = watch
        recorded(
            outcome, of: .store(event), at: loop.now, as: ShellCommand.store
        ).forEach { command in
            switch command {
            case .reportDurable: dispatch(Event(.durable, at: loop.now))
            case .reportFailure: dispatch(Event(.storageFailed, at: loop.now))
            case .note(let reason): journal.write(JournalEntry(.storeFailed(reason)))
            }
        }
    }
}
