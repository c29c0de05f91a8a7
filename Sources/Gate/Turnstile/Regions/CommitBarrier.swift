public import StateMachines

/// Whether what the gate holds for people is written down for good.
///
/// A gate with a ledger asks for that with every coin, and lets nobody in on credit before it is
/// so: what the power takes away can have let nobody in. A gate without one never asks.
public struct CommitBarrier: StateMachine, Hashable, Sendable {
    /// What may happen to it.
    public enum Event: UInt8, Enumerated {
        /// Something was recorded that must not be lost.
        case recorded
        /// Credit that would have let somebody in was held back until all is stored.
        case withheld
        /// All that was recorded when it was last asked for is durable.
        case stored
    }

    /// What it says.
    public enum Command: Hashable, Sendable {
        /// Make all that was recorded durable.
        case store
        /// Credit may let somebody in who waits for that.
        case release
    }

    /// How far it is.
    public enum State: UInt8, Enumerated {
        /// Nothing was asked for that is not durable. A record follows that must not be lost.
        case stored
        /// It was asked for. Somebody pays, or the answer follows.
        case storing
        /// It was asked for, and somebody has paid. The answer follows.
        case awaited
    }

    /// How far it is.
    public private(set) var state = State.stored

    /// Nothing is to be stored.
    public init() {}

    /// Whether all that must not be lost is durable.
    public var isDurable: Bool { state == .stored }

    /// Decides every pair of state and event.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch (state, event) {
        case (.stored, .recorded):
            state = .storing
            return .handled(.store)
        case (.storing, .recorded), (.awaited, .recorded):
            return .handled(.store)

        case (.storing, .withheld):
            state = .awaited
            return .handled
        case (.stored, .withheld): return .ignored("all is stored")
        case (.awaited, .withheld): return .ignored("somebody waits already")

        case (.storing, .stored):
            state = .stored
            return .handled
        case (.awaited, .stored):
            state = .stored
            return .handled(.release)
        case (.stored, .stored): return .ignored("nothing was to be stored")
        }
    }
}

extension CommitBarrier: Composite {
    /// What it is called.
    public static var title: String { "commit_barrier" }
    /// One at which all is stored.
    public static var blank: CommitBarrier { CommitBarrier() }

    /// How far it is.
    public func visit(_ fields: inout some FieldVisitor) -> CommitBarrier {
        var barrier = self
        barrier.state = fields.field(.phase, state)
        return barrier
    }
}
