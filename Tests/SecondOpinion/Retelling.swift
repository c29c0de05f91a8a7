import StateMachines
public import Turnstile

/// A walk as the turnstile goes it, and the second opinion beside it.
struct Retelling {
    /// Where they part: after so many events, and how.
    private(set) var end: (events: Int, complaint: String)?
    /// What happened and what was recorded, line by line, when it is told.
    private(set) var story: [String] = []

    private var turnstile: Turnstile
    private var opinion: PlainGate
    private var registers: Registers
    private var holdings: Holdings
    private var on = OutputSet()

    init(_ walk: Walk, isTold: Bool = false) {
        turnstile = Turnstile(
            policy: walk.policy, equipment: walk.equipment, debounce: walk.debounce,
            ledger: walk.ledger.map { .open($0) } ?? .none)
        opinion = PlainGate(
            policy: walk.policy, equipment: walk.equipment, debounce: walk.debounce,
            ledger: walk.ledger)
        holdings = walk.ledger ?? Holdings()
        registers = Registers(holding: holdings)
        var hasStarted = false
        for (index, event) in walk.events.enumerated() {
            let before = turnstile
            let outcome = turnstile.handle(event)
            opinion.happen(event)
            let records = outcome.commands.compactMap(\.record)
            if isTold {
                story.append("\(Double(event.time.nanoseconds / 1_000) / 1_000_000) \(event.kind)")
                story += outcome.commands.map { "      \($0)".replacing("Turnstile.", with: "") }
            }
            let complaint =
                obey(outcome.commands, walk.equipment, isStart: !hasStarted)
                ?? disagreement(records, outcome, before, at: event.time)
            if case .started = event.kind { hasStarted = true }
            if let complaint {
                end = (index + 1, complaint)
                return
            }
        }
    }

    /// What is wrong with the commands themselves, or nil.
    private mutating func obey(
        _ commands: Commands<Command>, _ equipment: Equipment, isStart: Bool
    ) -> String? {
        for command in commands {
            if let record = command.record {
                registers.count(record)
                holdings.count(record)
            }
            guard let (output, isOn) = command.target else { continue }
            if !equipment.outputs[output] { return "\(output) is commanded and not wired" }
            if on[output] == isOn && !isStart { return "\(output) is commanded to what it is" }
            on[output] = isOn
        }
        return nil
    }

    private func disagreement(
        _ records: [Record], _ outcome: Outcome<Command>, _ before: Turnstile,
        at time: Instant
    ) -> String? {
        if !outcome.isHandled && turnstile != before {
            return "an event that was not handled changed the turnstile"
        }
        if records != opinion.records, !records.isPermutation(of: opinion.records) {
            return "the machine recorded \(records),\n  the second opinion is \(opinion.records)"
        }
        if on != opinion.on {
            return "the machine has on \(names(on)),\n  the second opinion is "
                + "\(names(opinion.on))"
        }
        if let due = turnstile.deadline, due <= time { return "a deadline was left behind" }
        let asks = outcome.commands.filter { $0 == .store }.count
        if asks != (opinion.asksToStore ? 1 : 0) { return "all is to be stored, \(asks) times" }
        let status = turnstile.status
        let said = "\(status.state.name), credit \(status.credit), \(status.stored) stored"
        let meant = "\(opinion.state), credit \(opinion.credit), \(opinion.waiting) stored"
        if said != meant { return "the machine is \(said), the second opinion is \(meant)" }
        if registers.creditHeld != Int64(status.credit) {
            return "credit \(status.credit), but the records say \(registers.creditHeld)"
        }
        if holdings.credit != status.credit || Int64(holdings.fareInUse) != registers.fareInUse {
            return "credit \(status.credit), but the ledger holds \(holdings)"
        }
        return nil
    }

    private func names(_ outputs: OutputSet) -> [String] {
        Output.allCases.filter { outputs[$0] }.map(\.rawValue)
    }
}

extension Command {
    /// What is to be written down, where it is that.
    var record: Record? { if case .record(let record) = self { record } else { nil } }
}

extension [Record] {
    /// Whether both say the same, in whatever order.
    public func isPermutation(of others: [Record]) -> Bool {
        var rest = others
        for record in self {
            guard let index = rest.firstIndex(of: record) else { return false }
            rest.remove(at: index)
        }
        return rest.isEmpty
    }
}

extension Registers {
    /// Registers that begin with the money that is held for people.
    fileprivate init(holding holdings: Holdings) {
        let money: [Register: Int] = [
            .creditAtBeginning: holdings.credit + holdings.fareInUse,
            .fareInUse: holdings.fareInUse,
        ]
        let readings = money.mapValues { value in
            Books.Reading(sinceInit: Int64(value), sinceCollection: Int64(value))
        }
        self = Books(readings).sinceInit
    }
}
