public import BusInterface
public import System
public import Turnstile

/// A request from the bus to the gate.
public struct Question: Equatable, Sendable {
    public enum Operation: Equatable, Sendable {
        case request(Request)
        /// Adopt the policy with these fields; missing ones are as in ``Turnstile/latestPolicy``,
        /// which only the gate's thread knows.
        case adopt(Fields)
        case reload
        /// Call a method that only some gates have.
        case extra(GateMethod, [BusValue])
    }

    /// Identifies it in the answer.
    public var number: UInt64
    package var operation: Operation
    package var person: Operator
}

/// The answer to a question.
public struct Reply: Sendable {
    public enum Outcome: Sendable {
        /// The gate's answer. Its effect is durable once this number is confirmed; nil without a
        /// ledger.
        case answered(Answer.Result, confirmation: UInt64?)
        /// The settings were read again; the rest as for `answered`.
        case reloaded(Answer.Result, SettingsNews, confirmation: UInt64?)
        /// The old settings stay in force; a line for each mistake.
        case settingsRefused([String])
        case done
        /// The arguments are invalid, for this reason.
        case notUnderstood(String)
        case unavailable(String)
    }

    package var number: UInt64
    package var outcome: Outcome

    package init(to number: UInt64, _ outcome: Outcome) {
        self.number = number
        self.outcome = outcome
    }
}

/// The changes of settings that were read again, a line each.
public struct SettingsNews: Sendable {
    package var changes: [String]
    public var warnings: [String]

    package init(changes: [String], warnings: [String]) {
        self.changes = changes
        self.warnings = warnings
    }
}

/// A record in the form of the bus.
public struct BusRecord: Equatable, Sendable {
    /// Its number in the ledger; 0 if it has none, or while it is unknown.
    public var sequence: UInt64
    /// When it happened, in nanoseconds of monotonic time.
    public var time: UInt64
    package var record: Record

    package init(_ record: Record, sequence: UInt64, time: UInt64) {
        self.record = record
        self.sequence = sequence
        self.time = time
    }
}

/// A message about the bus for the journal.
public enum BusNotice: Equatable, Sendable {
    /// The service is on the bus, under this unique name.
    case joined(String)
    /// The service is not on the bus, for this reason.
    case absent(String)
}
