import StateMachines
import Turnstile

/// What people put in and what they lost of it, person by person, where what is above the fare is
/// the operator's: no more than that part of what was there as they were let in, no whole fare, and
/// never a coin of the next one.
struct OverpaidAccounts {
    private var credit = 0
    /// What whoever was let in last has put in above their fare, and is no fare itself; nil while
    /// nobody is, or what they put in is theirs.
    private var above: Int?
    /// The same of whoever had been let in before the start, until they are let in again.
    private var before: Int?
    /// What was put in since they were let in.
    private var next = 0

    /// A process begins.
    mutating func begin() {
        credit = 0
        before = above ?? before
        above = nil
        next = 0
    }

    /// Hears what was recorded of an event, after which the turnstile is this one; returns what is
    /// wrong with it.
    mutating func observe(_ event: Event, _ records: [Record], _ turnstile: Turnstile) -> String? {
        let gate = turnstile.gate
        defer { if turnstile.retained.payer == nil { before = nil } }
        switch event.kind {
        case .started, .ledgerOpened:
            // What was held before comes without a record of each coin.
            begin()
            credit = gate.credit
            let isLetIn = records.contains {
                if case .released(_, .credit) = $0 { true } else { false }
            }
            if isLetIn { letIn(gate.policy) }
            return nil
        default: return observe(records, gate.policy)
        }
    }

    private mutating func observe(_ records: [Record], _ policy: Policy) -> String? {
        // What is the operator's of somebody who has just passed; it is said at once.
        var due: Int?
        for record in records {
            let expected = due
            due = nil
            if case .creditForfeited(let value) = record {
                credit -= value
                guard let expected else {
                    // The next one is thanked for a coin.
                    next -= value
                    continue
                }
                if value != expected {
                    return "\(value) is forfeited, and \(expected) was above the fare"
                }
                if credit < next { return "of \(next) that the next one put in, \(credit) is left" }
                continue
            }
            if let expected, expected > 0 { return "\(expected) above the fare is not forfeited" }
            due = observe(record, policy)
        }
        return due ?? 0 > 0 ? "nothing of what was above the fare is forfeited" : nil
    }

    /// Somebody is let in who paid.
    private mutating func letIn(_ policy: Policy) {
        above = policy.overpay == .forfeit ? before ?? credit % policy.price : 0
        before = nil
    }

    /// Hears what was recorded; returns what is to be forfeited, if somebody passed.
    private mutating func observe(_ record: Record, _ policy: Policy) -> Int? {
        switch record {
        case .coinAccepted(let coin), .coinLate(let coin):
            credit += coin.value
            next += coin.value
        case .creditUsed(let fare):
            credit -= fare
            next = 0
            letIn(policy)
        case .creditReturned(let value):
            credit += value
            above = nil
        case .creditExpired(let value): credit -= value
        case .passageCompleted(_, .paid):
            defer { above = nil }
            return above
        case .passageLost(_, .paid): above = nil
        default: break
        }
        return nil
    }
}
