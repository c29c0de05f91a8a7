import Locks
public import StateMachines

#if !hasFeature(Embedded)
    import Synchronization
#endif

/// A machine with many senders of events, one performer of its commands, and observers of its
/// steps.
///
///     let gate = Holder(Gate.functioning(.locked)) { command, gate in
///         switch command { … }
///     }
///     gate.observe { step, _ in log.write("\(step)") }
///     gate.handle(.coin)
///
/// **One event at a time.** An event runs to completion: the machine changes, then its commands are
/// run in their order, then the observers hear of the `Step` in theirs. An event that comes in
/// the meantime is queued, whether the performer, an observer or another thread sends it. It is
/// handled after those that came before it, and none is lost.
///
/// **No thread is blocked.** A caller that finds no event running handles its own, and then all
/// that have come in the meantime. A caller that finds one running leaves its event there and goes
/// on; ``handle(_:completion:)`` and ``send(_:)`` answer it in the event's turn. No code but the
/// holder's is called under the lock, not even the machine's. So the holder is in no deadlock, and
/// everything may be done from everywhere: send, read, add and remove.
///
/// **Nothing is dropped unseen.** Any number of events may wait, unless a ``Queue`` is bounded.
/// Then each event that finds no place is handed back.
///
/// **What a reader sees** is the machine as the last event that was handled has left it. While that
/// event's commands are run and the observers told it is `Step.after`: the next one has to wait.
///
/// An observer that sends an event for every event that it hears of never ends: nor does the call
/// of ``handle(_:)`` that began it return. What is to repeat for ever belongs to the machine's
/// `TimedMachine.deadline` and the shell's timer.
///
/// Performer and observers are passed the holder, and need not keep it.
///
/// In Embedded Swift the holder has no lock: there it is for one thread, and not for interrupts.
public final class Holder<Machine: StateMachine & Sendable>: Sendable
where Machine.Event: Sendable, Machine.Command: Sendable {
    /// Names an observer for its removal.
    public struct ID: Hashable, Sendable {
        private let token = Token()
    }

    /// Hears what became of an event.
    public typealias Completion =
        @Sendable (Result<Outcome<Machine.Command>, EventDropped>) -> Void

    private struct Observer: Sendable {
        let id = ID()
        let order: UInt8
        let isMeantFor: @Sendable (Step<Machine>) -> Bool
        let hear: @Sendable (Step<Machine>, Holder) -> Void
    }

    private struct Contents {
        var machine: Machine
        var observers: [Observer] = []
        var waiting = Backlog()
        var isRunning = false
    }

    private let contents: Lock<Contents>
    private let queue: Queue
    private let perform: @Sendable (Machine.Command, Holder) -> Void

    /// A holder of `machine` that has its commands run by `perform`, one at a time.
    public init(
        _ machine: Machine, queue: Queue = .unbounded,
        perform: @escaping @Sendable (Machine.Command, Holder) -> Void = { _, _ in }
    ) {
        contents = Lock(Contents(machine: machine))
        self.queue = queue
        self.perform = perform
    }

    /// The machine as the last event that was handled has left it.
    public var machine: Machine { contents.withLock { $0.machine } }

    /// Handles the event, or queues it for the thread that is handling another.
    ///
    /// - Returns: what became of the event, when it was handled at once: its commands have been
    ///   run, the observers told, and what was sent in the meantime is handled as well. Nil, when
    ///   another event was running: this one is handled after it, and the observers hear what
    ///   became of it.
    @discardableResult
    public func handle(_ event: Machine.Event) -> Outcome<Machine.Command>? {
        guard begin(.event(event, nil)) else { return nil }
        let outcome = run(event)
        runWaiting()
        return outcome
    }

    /// Handles the event, at once or in its turn, and says what became of it.
    ///
    /// - Parameter completion: called once: when the event's commands have been run and the
    ///   observers told, before the next event; or when the event was dropped.
    public func handle(_ event: Machine.Event, completion: @escaping Completion) {
        guard begin(.event(event, completion)) else { return }
        completion(.success(run(event)))
        runWaiting()
    }

    /// Changes the machine otherwise than by an event: its predicates, its routes.
    ///
    /// It is done as an event would be handled: at once, or after the event that is running and all
    /// that came before. The observers hear nothing of it.
    public func change(_ change: @escaping @Sendable (inout Machine) -> Void) {
        guard begin(.change(change)) else { return }
        run(change)
        runWaiting()
    }

    /// Adds an observer.
    ///
    /// It hears of every step that is complete after this, those in which the event was ignored or
    /// unhandled among them. Added by an observer, it does not hear of the step that this one is
    /// just told of.
    ///
    /// - Parameters:
    ///   - order: observers of a lower order hear first; of the same order, who came first.
    ///   - isMeantFor: which steps the observer wants to hear of; all, unless stated.
    ///   - hear: called with each of these.
    @discardableResult
    public func observe(
        order: UInt8 = 100,
        where isMeantFor: @escaping @Sendable (Step<Machine>) -> Bool = { _ in true },
        _ hear: @escaping @Sendable (Step<Machine>, Holder) -> Void
    ) -> ID {
        let observer = Observer(order: order, isMeantFor: isMeantFor, hear: hear)
        contents.withLock { contents in
            let place = contents.observers.firstIndex { $0.order > order }
            contents.observers.insert(observer, at: place ?? contents.observers.endIndex)
        }
        return observer.id
    }

    /// Removes an observer. Removing it twice does nothing.
    ///
    /// It does not hear of the step that others are just told of either, unless it was told before,
    /// or is just being told by another thread.
    public func remove(_ id: ID) {
        // Its last reference is dropped after the lock is released, and may then use the holder.
        _ = contents.withLock { contents in
            let place = contents.observers.firstIndex { $0.id == id }
            return place.map { contents.observers.remove(at: $0) }
        }
    }

    // MARK: - One at a time

    /// Whether the caller has to run the turn, and all queued ones; else it is queued.
    private func begin(_ turn: Turn) -> Bool {
        let (isCallers, dropped): (Bool, Turn?) = contents.withLock { contents in
            if contents.isRunning { return (false, contents.waiting.add(turn, to: queue)) }
            contents.isRunning = true
            return (true, nil)
        }
        if case .event(let event, let completion) = dropped {
            queue.dropped(event)
            completion?(.failure(EventDropped()))
        }
        return isCallers
    }

    private func runWaiting() {
        while let turn = next() {
            switch turn {
            case .event(let event, let completion):
                let outcome = run(event)
                completion?(.success(outcome))
            case .change(let change): run(change)
            }
        }
    }

    private func next() -> Turn? {
        contents.withLock { contents in
            let turn = contents.waiting.next()
            contents.isRunning = turn != nil
            return turn
        }
    }

    private func run(_ event: Machine.Event) -> Outcome<Machine.Command> {
        // A copy, since the machine's code may use the holder.
        var machine = machine
        let step = machine.step(event)
        put(step.after, insteadOf: step.before)
        step.outcome.commands.forEach { perform($0, self) }
        tell(step)
        return step.outcome
    }

    private func run(_ change: (inout Machine) -> Void) {
        let before = machine
        var after = before
        change(&after)
        put(after, insteadOf: before)
    }

    private func put(_ machine: Machine, insteadOf before: Machine) {
        // The previous machine is released after the lock, since its contents may use the holder.
        withExtendedLifetime(before) { contents.withLock { $0.machine = machine } }
    }

    private func tell(_ step: Step<Machine>) {
        for observer in contents.withLock({ $0.observers }) {
            let isStill = contents.withLock { contents in
                contents.observers.contains { $0.id == observer.id }
            }
            if isStill && observer.isMeantFor(step) { observer.hear(step, self) }
        }
    }
}
