public import BusInterface
public import System
public import Turnstile

/// Something that somebody on the bus wants of the gate.
public struct Question: Equatable, Sendable {
    /// What is wanted.
    public enum Operation: Equatable, Sendable {
        case request(Request)
        /// To have the policy adopted that has these fields. What is missing in them since it came
        /// later is to be as in ``Turnstile/latestPolicy``, which the gate's thread alone knows.
        case adopt(Fields)
        case reload
        /// To have something done that only some gates can do, with these values.
        case extra(GateMethod, [BusValue])
    }

    /// Its number, by which it is answered.
    public var number: UInt64
    package var operation: Operation
    package var person: Operator
}

/// What became of a question.
public struct Reply: Sendable {
    /// What became of it.
    public enum Outcome: Sendable {
        /// The gate has answered. What came of it is durable once that is confirmed by this number;
        /// nil where there is no ledger to wait for.
        case answered(Answer.Result, confirmation: UInt64?)
        /// The settings were read again, and the gate has answered, likewise.
        case reloaded(Answer.Result, SettingsNews, confirmation: UInt64?)
        /// The settings are as they were: these are the mistakes, a line each.
        case settingsRefused([String])
        case done
        /// The words say nothing that can be done: what is wrong with them.
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

/// What the settings say that were read again, a line each.
public struct SettingsNews: Sendable {
    package var changes: [String]
    /// What is allowed and rarely meant.
    public var warnings: [String]

    package init(changes: [String], warnings: [String]) {
        self.changes = changes
        self.warnings = warnings
    }
}

/// A record as the bus tells it.
public struct BusRecord: Equatable, Sendable {
    /// Its number in the ledger; 0 where it has none, or it is not known yet.
    public var sequence: UInt64
    /// When that happened which it tells of, in nanoseconds of monotonic time.
    public var time: UInt64
    package var record: Record

    package init(_ record: Record, sequence: UInt64, time: UInt64) {
        self.record = record
        self.sequence = sequence
        self.time = time
    }
}

/// What people should know of the bus.
public enum BusNotice: Equatable, Sendable {
    /// The service can be found there; its unique name.
    case joined(String)
    /// It cannot, for this reason.
    case absent(String)
}
