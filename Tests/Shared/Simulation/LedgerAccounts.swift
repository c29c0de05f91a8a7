import StateMachines
import TestSupport
import Turnstile

/// What the ledger holds, beside what the gate has said: over all lives of the service.
///
/// Nobody is let in on a coin that a crash at this moment would take back. What a new process takes
/// over is what the ledger held, to the last coin; a fare whose passage is known to have begun is
/// not given back. Nothing waits for an answer that does not come.
struct LedgerAccounts {
    private let disk: LedgerDisk?
    /// What was recorded in this life, and how much was durable before it.
    private var life: [Record] = []
    private var durableBefore = 0
    private var inherited = Balances()
    /// Whether the ledger of this life is still to be opened, and what is known of who was on the
    /// way before it.
    private var isAwaited = false
    private var passageBefore: RetainedState.Passage?
    /// The acceptors whose coin goes on being counted that the ledger knows.
    private var countedOn: Set<Acceptor> = []

    init(_ disk: LedgerDisk?) { self.disk = disk }

    /// A fresh process takes over.
    mutating func begin(_ ledger: LedgerConnection, _ recovery: Recovery) {
        life = []
        isAwaited = ledger == .awaited
        countedOn = []
        if case .known(let state) = recovery {
            passageBefore = state.passage
            countedOn = Set(
                Acceptor.allCases.filter { state.coins[$0].train?.wasTold == true })
        }
        durableBefore = disk?.ledger?.durable.count ?? 0
        inherited = disk?.balances ?? Balances()
    }

    /// Hears what was recorded of an event, after which so much credit is held; returns what is
    /// wrong with it.
    mutating func observe(_ event: Event, _ records: [Record], credit: Int) -> String? {
        guard let ledger = disk?.ledger else { return nil }
        let durable = ledger.durable.count - durableBefore
        for record in records {
            life.append(record)
            if case .creditUsed = record, let coin = unstored(life[durable...], ledger.balances) {
                return "somebody was let in while \(coin) was not stored"
            }
        }
        switch event.kind {
        case .started where !isAwaited: break
        case .ledgerOpened: isAwaited = false
        default: return nil
        }
        return complaint(aboutOpening: records, credit)
    }

    /// A coin that was credited and that the ledger does not know of.
    private func unstored(_ tail: ArraySlice<Record>, _ balances: Balances) -> Coin? {
        var counted = balances.counted
        for record in tail {
            switch record {
            case .coinAccepted(let coin), .coinLate(let coin):
                if counted[coin.acceptor] != coin { return coin }
                counted[coin.acceptor] = nil
            default: break
            }
        }
        return nil
    }

    /// What the ledger holds is taken over when it is open, with all that was recorded before.
    private func complaint(aboutOpening records: [Record], _ credit: Int) -> String? {
        for acceptor in Acceptor.allCases where !countedOn.contains(acceptor) {
            guard let coin = inherited.counted[acceptor] else { continue }
            if !records.contains(.coinLate(coin)) { return "\(coin) was counted and is lost" }
        }
        var balances = inherited
        for record in life { balances.count(record) }
        if balances.credit != credit {
            return "the ledger holds \(balances), and the gate \(credit)"
        }
        let isReturned = records.contains(.creditReturned(value: inherited.fareInUse))
        let isKnownUsed = passageBefore?.kind == .paid || passageBefore == nil
        return inherited.isFareBegun && isKnownUsed && isReturned
            ? "a fare is given back that was used" : nil
    }

    /// Looks at the gate between two things that happen.
    func look(at turnstile: Turnstile) throws(Violation) {
        guard let ledger = disk?.ledger else { return }
        if !ledger.owesAnswer && !turnstile.gate.commitBarrier.isDurable {
            throw Violation(description: "the gate waits for an answer that nobody owes")
        }
        if ledger.durable.count - durableBefore > life.count {
            throw Violation(description: "the ledger holds what nobody recorded")
        }
    }
}
