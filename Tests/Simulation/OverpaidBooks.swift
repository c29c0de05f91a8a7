import StateMachines
import Turnstile

/// What people put in and what they lost of it, person by person, where what is above the fare is
/// the operator's: no more than that part of what was there as they were let in, no whole fare, and
/// never a coin of the next one.
struct OverpaidBooks {
    private var credit = 0
    /// What whoever was let in last has put in above their fare, and is no fare itself; nil while
    /// nobody is, or what they put in is theirs.
    private var above: Int?
    /// What was put in since they were let in.
    private var next = 0

    /// A process begins.
    mutating func begin() {
        credit = 0
        above = nil
        next = 0
    }

    /// Hears what was recorded of an event, after which the gate is this one; returns what is wrong
    /// with it.
    mutating func hear(_ event: Event, _ records: [Record], _ gate: Gate) -> String? {
        switch event.kind {
        case .started, .ledgerOpened:
            // What was held before comes without a record of each coin.
            begin()
            credit = gate.credit
            return nil
        default: return hear(records, gate.policy)
        }
    }

    private mutating func hear(_ records: [Record], _ policy: Policy) -> String? {
        var lost: Int?
        for record in records {
            switch record {
            case .coinAccepted(let coin), .coinLate(let coin):
                credit += coin.value
                next += coin.value
            case .creditUsed(let fare):
                credit -= fare
                next = 0
                above = policy.overpay == .forfeit ? credit % policy.price : 0
            case .creditReturned(let value):
                credit += value
                above = nil
            case .passageCompleted(_, .paid), .passageLost(_, .paid): lost = 0
            case .creditForfeited(let value):
                credit -= value
                if lost != nil { lost = value }
            case .creditExpired(let value): credit -= value
            default: break
            }
        }
        guard let lost else { return nil }
        defer { above = nil }
        guard let above else { return nil }
        if lost > above { return "\(lost) is forfeited, and \(above) was above the fare" }
        if lost > 0 && credit < next {
            return "\(next) was put in by the next one, and only \(credit) is left"
        }
        let isThrough = records.contains { $0 == .passageCompleted(.entry, .paid) }
        return isThrough && lost != min(above, credit + lost)
            ? "\(lost) is forfeited, and \(above) above the fare is the operator's" : nil
    }
}
