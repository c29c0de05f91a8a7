public import StateMachines

/// Whether the credit that the gate holds is durable.
///
/// A gate with a ledger requests a commit with every coin, and lets nobody in on credit before it
/// is durable: a power failure loses no coin that paid for a passage. Without a ledger it never
/// does.
public struct CommitBarrier: StateMachine, Hashable, Sendable {
    /// The events of the barrier.
    public enum Event: UInt8, Enumerated {
        /// A record that must not be lost was made.
        case recorded
        /// A release on credit was withheld until all is durable.
        case withheld
        /// The last requested commit is durable.
        case durable
    }

    /// The commands of the barrier.
    public enum Command: Hashable, Sendable {
        /// Commit all records.
        case store
        /// The withheld release may happen.
        case release
    }

    /// Whether a commit is pending.
    public enum State: UInt8, Enumerated {
        /// All is durable. A record that must not be lost follows.
        case durable
        /// A commit is pending. A passenger pays, or the answer follows.
        case storing
        /// A commit is pending, and a release waits for it. The answer follows.
        case awaited
    }

    /// Whether a commit is pending.
    public private(set) var state = State.durable

    /// A barrier with nothing to commit.
    public init() {}

    /// Whether all that must not be lost is durable.
    public var isDurable: Bool { state == .durable }

    /// Decides every pair of state and event.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch (state, event) {
        case (.durable, .recorded):
            state = .storing
            return .handled(.store)
        case (.storing, .recorded), (.awaited, .recorded):
            return .handled(.store)

        case (.storing, .withheld):
            state = .awaited
            return .handled
        case (.durable, .withheld): return .ignored("all is durable")
        case (.awaited, .withheld): return .ignored("a passenger waits already")

        case (.storing, .durable):
            state = .durable
            return .handled
        case (.awaited, .durable):
            state = .durable
            return .handled(.release)
        case (.durable, .durable): return .ignored("no commit was pending")
        }
    }
}

extension CommitBarrier: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "commit_barrier" }
    /// A barrier with nothing to commit.
    public static var blank: CommitBarrier { CommitBarrier() }

    /// The state.
    public func visit(_ fields: inout some FieldVisitor) -> CommitBarrier {
        var barrier = self
        barrier.state = fields.field(.phase, state)
        return barrier
    }
}
