public import StateMachines

/// The credit for the next passages, and when it expires.
public struct CreditAccount: TimedMachine, Hashable, Sendable {
    /// The events of the account.
    public enum Event: Hashable, Sendable {
        /// A coin was accepted, or a fare given back.
        case credited(Int, at: Instant)
        /// A fare was used, or credit forfeited.
        case debited(Int)
        /// Whether unused credit waits while the gate is idle: only then does it expire.
        case waited(Bool, at: Instant)
        case timePassed(Instant)
    }

    /// The commands of the account.
    public enum Command: Hashable, Sendable {
        /// All of the credit expired: debit it.
        case expire(Int)
    }

    /// The credit, in minor units of the currency.
    public private(set) var credit: Int
    /// When the credit expires; nil while it is in use, or never expires.
    public private(set) var deadline: Instant?
    private var expiry: Duration

    /// An account of this credit.
    public init(policy: Policy, credit: Int = 0) {
        expiry = policy.creditExpiry
        self.credit = credit
    }

    /// Applies a new policy to later deadlines.
    mutating func adopt(_ policy: Policy) {
        expiry = policy.creditExpiry
    }

    /// Adds and subtracts, and lets credit expire.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .credited(let value, let time):
            credit += value
            if deadline != nil { deadline = time + expiry }
        case .debited(let value):
            precondition(value <= credit, "nobody pays what is not there")
            credit -= value
            if credit == 0 { deadline = nil }
        case .waited(let isWaiting, let time):
            let isRunning = isWaiting && credit > 0 && expiry > .zero
            guard isRunning != (deadline != nil) else { return .ignored("it waits as before") }
            deadline = isRunning ? time + expiry : nil
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            defer { self.deadline = nil }
            return .handled(.expire(credit))
        }
        return .handled
    }

    mutating func shiftInstants(by duration: Duration) {
        deadline = deadline.map { $0 + duration }
    }
}

extension CreditAccount: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "credit_account" }
    /// One that holds nothing.
    public static var blank: CreditAccount { CreditAccount(policy: .blank) }

    /// The credit and its deadline; the time to expiry is the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> CreditAccount {
        var account = self
        account.credit = fields.tally(.credit, credit)
        account.deadline = fields.optional(.until, deadline)
        return account
    }
}
