#if canImport(Synchronization) && !hasFeature(Embedded)
    internal import Synchronization

    /// A machine that many threads may tell of events.
    ///
    /// Events are handled one after the other and none is lost. Commands are run in the order in
    /// which the events were handled, one at a time, outside the lock, by whichever caller finds
    /// nobody running them: so what runs a command may tell the holder of a further event, which
    /// is then handled at once and whose commands come after.
    public final class Holder<Machine: StateMachine & Sendable>: Sendable
    where Machine.Event: Sendable, Machine.Command: Sendable {
        private struct Contents {
            var machine: Machine
            var waiting: [Machine.Command] = []
            var isRunning = false
        }

        private let contents: Mutex<Contents>
        private let perform: @Sendable (Machine.Command) -> Void

        /// A holder of `machine` that has its commands run by `perform`.
        public init(
            _ machine: Machine, perform: @escaping @Sendable (Machine.Command) -> Void = { _ in }
        ) {
            contents = Mutex(Contents(machine: machine))
            self.perform = perform
        }

        /// The machine as it stands.
        public var machine: Machine { contents.withLock { $0.machine } }

        /// Handles the event, and sees to it that its commands are run.
        ///
        /// - Returns: what became of the event. Its commands have been run when this returns, or
        ///   are about to be by another caller.
        @discardableResult
        public func handle(_ event: Machine.Event) -> Outcome<Machine.Command> {
            let (outcome, isRunner) = contents.withLock { contents in
                let outcome = contents.machine.handle(event)
                contents.waiting.append(contentsOf: outcome.commands)
                let isRunner = !contents.isRunning && !contents.waiting.isEmpty
                if isRunner { contents.isRunning = true }
                return (outcome, isRunner)
            }
            if isRunner { runCommands() }
            return outcome
        }

        private func runCommands() {
            while true {
                let batch = contents.withLock { contents in
                    let batch = contents.waiting
                    contents.waiting = []
                    contents.isRunning = !batch.isEmpty
                    return batch
                }
                if batch.isEmpty { return }
                for command in batch { perform(command) }
            }
        }
    }
#endif
