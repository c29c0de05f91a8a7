public import StateMachines

/// An event found no place in the queue of a ``Holder``, and was not handled.
public struct EventDropped: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public var description: String { "the queue of events is full" }
}

extension Holder {
    /// How many events may wait while another one runs, and which is dropped if there is one more.
    /// Changes always wait.
    public struct Queue: Sendable {
        /// Which event is dropped.
        public enum Policy: Sendable {
            /// The one that comes last.
            case dropNewest
            /// The one that has waited longest.
            case dropOldest
        }

        let limit: Int
        let policy: Policy
        let dropped: @Sendable (Machine.Event) -> Void

        /// Any number of events.
        public static var unbounded: Queue {
            Queue(limit: .max, policy: .dropNewest, dropped: { _ in })
        }

        /// At most `limit` events.
        ///
        /// - Parameter dropped: called with each event that is dropped, on the thread that sent the
        ///   one too many. The holder may be used there.
        public static func bounded(
            _ limit: Int, whenFull policy: Policy,
            dropped: @escaping @Sendable (Machine.Event) -> Void
        ) -> Queue {
            Queue(limit: limit, policy: policy, dropped: dropped)
        }
    }

    /// What waits to be done with the machine.
    enum Turn: Sendable {
        case event(Machine.Event, Completion?)
        case change(@Sendable (inout Machine) -> Void)

        var isEvent: Bool {
            switch self {
            case .event: true
            case .change: false
            }
        }
    }

    /// The turns, in the order in which they came.
    ///
    /// It is used under the lock, so what leaves it is handed out: it may run foreign code when it
    /// is let go of.
    struct Backlog {
        // The places before `first` are empty, and so are those of events that were dropped.
        private var turns: [Turn?] = []
        private var first = 0
        private var eventCount = 0

        /// Adds a turn at the end.
        ///
        /// - Returns: the event that is dropped for it, which may be itself.
        mutating func add(_ turn: Turn, to queue: Queue) -> Turn? {
            var dropped: Turn?
            if turn.isEvent, eventCount >= queue.limit {
                let oldest = turns.indices[first...].first { turns[$0]?.isEvent == true }
                guard queue.policy == .dropOldest, let oldest else { return turn }
                dropped = take(oldest)
            }
            turns.append(turn)
            if turn.isEvent { eventCount += 1 }
            return dropped
        }

        /// Takes the first turn out.
        mutating func next() -> Turn? {
            while first < turns.count {
                first += 1
                if let turn = take(first - 1) { return turn }
            }
            clear()
            return nil
        }

        private mutating func take(_ place: Int) -> Turn? {
            let turn = turns[place]
            turns[place] = nil
            if turn?.isEvent == true { eventCount -= 1 }
            // What is empty goes when it is the greater part.
            if first > 32, first > turns.count / 2 { clear() }
            return turn
        }

        private mutating func clear() {
            turns.removeFirst(first)
            first = 0
        }
    }
}

#if !hasFeature(Embedded)
    extension Holder {
        /// Handles the event, at once or in its turn, and returns what became of it when its
        /// commands have been run and the observers told.
        ///
        /// - Throws: ``EventDropped`` if it found no place in a bounded queue.
        public func send(
            _ event: Machine.Event
        ) async throws(EventDropped) -> Outcome<Machine.Command> {
            typealias Answer = Result<Outcome<Machine.Command>, EventDropped>
            let answer = await withCheckedContinuation {
                (continuation: CheckedContinuation<Answer, Never>) in
                handle(event) { continuation.resume(returning: $0) }
            }
            return try answer.get()
        }
    }
#endif
