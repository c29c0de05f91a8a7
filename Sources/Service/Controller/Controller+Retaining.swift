import Journal
import Keeping
import StateMachines
import System
import Turnstile

// The state that outlives the process.
extension Controller {
    @inline(__always) func retain(in store: any StateStore) {
        perform(retention.handle(.happened(machine.value.retained)).commands, in: store)
    }

    func checkRetention() {
        guard let stateStore else { return }
        processRetention(.looked(stateStore.failure), in: stateStore)
    }

    func processRetention(_ event: RetentionWatch.Event, in store: any StateStore) {
        let commands = recorded(
            retention.handle(event), of: .retention(event), at: loop.now,
            as: { .retention($0) })
        perform(commands, in: store)
    }

    @inline(__always) private func perform(
        _ commands: Commands<RetentionWatch.Command>, in store: any StateStore
    ) {
        commands.forEach { command in
            switch command {
            case .keep(let state): store.keep(state)
            case .note(let failure): journal.write(JournalEntry(.stateNotKept(failure)))
            }
        }
    }
}
