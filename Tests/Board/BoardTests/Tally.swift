import Turnstile

/// What money and people come to. It is found in two ways that share no code: by what the ledger
/// hands to the service, and by adding up the rows of its records.
struct Tally: Hashable, Sendable {
    var valueIn = 0
    /// What of it the vault holds since it was last replaced.
    var inVault = 0
    var credit = 0
    /// What was counted by the acceptors, and is no credit yet.
    var counted: [String: Int] = [:]
    var fareInUse = 0
    var faresUsed = 0
    var expired = 0
    var forfeited = 0
    var refunded = 0
    var passages = 0
    var releases = 0
    var faults = 0
    var starts = 0

    /// What people are known to have paid: coins that were counted count, since nothing but a
    /// second pulse can make others of them.
    var paid: Int { valueIn + counted.values.reduce(0, +) }

    /// Whether what went in is what came of it.
    var isBalanced: Bool {
        valueIn == faresUsed + fareInUse + credit + expired + forfeited + refunded
    }

    /// Of a gate that is new.
    init() {}

    /// What the service takes over from a ledger.
    init(_ balances: Balances, _ registers: Registers) {
        let total = registers.sinceInit
        valueIn = Int(total.valueIn)
        inVault = Int(registers.sinceCollection.valueIn)
        credit = balances.credit
        for acceptor in Acceptor.allCases {
            counted[acceptor.line.name] = balances.counted[acceptor]?.value
        }
        fareInUse = balances.fareInUse
        faresUsed = Int(total.faresUsed)
        expired = Int(total.expired)
        forfeited = Int(total.forfeited)
        refunded = Int(total.refunded)
        passages = Int(total.passages.total)
        releases = Int(total.releases.total)
        faults = Int(total.faults.total)
        starts = Int(total.starts)
    }

    /// What it comes to before the first of `rows`, after it, after the second and so on.
    static func running(_ rows: [LedgerImage.Row]) -> [Tally] {
        rows.reduce(into: [Tally()]) { tallies, row in
            var next = tallies[tallies.count - 1]
            next.add(row)
            tallies.append(next)
        }
    }

    private mutating func add(_ row: LedgerImage.Row) {
        let value = row.details["TURNSTILE_VALUE"].flatMap { Int($0) } ?? 0
        let line = row.details["TURNSTILE_LINE"] ?? ""
        switch row.kind {
        case "coin_counted": counted[line] = value
        case "coin_accepted", "coin_late":
            counted[line] = nil
            valueIn += value
            inVault += value
            credit += value
        case "coin_rejected":
            counted[line] = nil
            valueIn += value
            inVault += value
            refunded += value
        case "coin_inhibited", "coin_unknown": counted[line] = nil
        case "credit_used":
            credit -= value
            fareInUse += value
        case "credit_returned":
            credit += value
            fareInUse -= value
        case "credit_expired":
            credit -= value
            expired += value
        case "credit_forfeited":
            credit -= value
            forfeited += value
        case "passage_completed", "passage_lost":
            passages += 1
            guard row.details["TURNSTILE_KIND"] == "paid" else { return }
            faresUsed += fareInUse
            fareInUse = 0
        case "released": releases += 1
        case "started": starts += 1
        case "vault_replaced": inVault = 0
        case "fault_cleared": break
        case let kind where kind.hasPrefix("fault_"): faults += 1
        default: break
        }
    }
}
