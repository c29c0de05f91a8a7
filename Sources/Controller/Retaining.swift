import System
import Turnstile

/// What the shell knows of what it retains.
struct RetentionWatch {
    /// Whether the machine was told of the start: before that it knows nothing to be kept.
    var hasBegun = false
    /// What was last handed over.
    var kept: RetainedState?
    /// What is wrong with it, as it was last said; nil while all is well.
    var failure: String?
}

// What the end of the process must not take away.
extension Controller {
    /// Hands over what has to be retained, where it is not what was handed over last.
    @inline(__always) func retain(in store: any StateStore) {
        let state = machine.value.retained
        guard state != retention.kept, retention.hasBegun else { return }
        retention.kept = state
        store.keep(state)
    }

    /// Says what is not kept where it should be, and tries it once more.
    func checkRetention() {
        guard let stateStore else { return }
        let failure = stateStore.failure
        if let failure {
            if failure != retention.failure {
                journal.write(JournalEntry(.stateNotKept(failure)))
            }
            stateStore.keep(machine.value.retained)
        }
        retention.failure = failure
    }
}
