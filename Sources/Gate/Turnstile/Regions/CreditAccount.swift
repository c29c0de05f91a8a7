public import StateMachines

/// The credit that is held for the next passages, and how long it is held for nobody.
public struct CreditAccount: StateMachine, Hashable, Sendable {
    /// What may happen to it.
    public enum Event: Hashable, Sendable {
        /// So much was paid in.
        case credited(Int, at: Instant)
        /// So much was paid out.
        case debited(Int)
        /// Whether there is nobody for whom credit is held, and nothing that keeps them from
        /// using it.
        case waited(Bool, at: Instant)
        /// Time passed.
        case timePassed(Instant)
    }

    /// What it says.
    public enum Command: Hashable, Sendable {
        /// So much was held for too long.
        case expire(Int)
    }

    /// What is held, in minor units of the currency.
    public private(set) var credit: Int
    /// When it is held for too long.
    public private(set) var deadline: Instant?
    private var expiry: Duration

    /// An account that holds so much.
    public init(policy: Policy, credit: Int = 0) {
        expiry = policy.creditExpiry
        self.credit = credit
    }

    /// Takes the time of a new policy, for what is paid in from then on.
    mutating func adopt(_ policy: Policy) {
        expiry = policy.creditExpiry
    }

    /// Counts.
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
    /// What it is called.
    public static var title: String { "credit_account" }
    /// One that holds nothing.
    public static var blank: CreditAccount { CreditAccount(policy: .blank) }

    /// What is held, and until when; how long that is for nobody is the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> CreditAccount {
        var account = self
        account.credit = fields.tally(.credit, credit)
        account.deadline = fields.optional(.until, deadline)
        return account
    }
}
