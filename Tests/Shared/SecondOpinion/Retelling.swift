import StateMachines
public import Turnstile

/// A walk as the turnstile goes it, and the second opinion beside it.
struct Retelling {
    /// Where they part: after so many steps, and how.
    private(set) var end: (steps: Int, complaint: String)?
    /// What happened and what was recorded, line by line, when it is told.
    private(set) var story: [String] = []
    /// All that the turnstile recorded.
    private(set) var records: [Record] = []
    /// What each process began with, and what it heard.
    private(set) var lives: [Life] = []

    private let walk: Walk
    private let isTold: Bool
    private let keepsStates: Bool
    private var turnstile: Turnstile
    private var opinion: PlainGate
    private var remains: Remains
    private var registers = RegisterValues()
    private var balances = Balances()
    private var on = OutputSet()
    private var hasStarted = false
    /// How many events there were.
    private var heard = 0
    /// The states that were read anew, where they are asked for.
    private(set) var states: [Turnstile] = []

    init(_ walk: Walk, isTold: Bool = false, keepsStates: Bool = false) {
        self.walk = walk
        self.isTold = isTold
        self.keepsStates = keepsStates
        turnstile = Turnstile(
            policy: walk.policy, equipment: walk.equipment, maximumOnTimes: walk.maximumOnTimes)
        opinion = PlainGate(
            policy: walk.policy, equipment: walk.equipment, debounce: walk.debounce,
            maximumOnTimes: walk.maximumOnTimes)
        remains = Remains(walk.policy, ledger: walk.ledger)
        for (index, step) in walk.steps.enumerated() {
            guard let complaint = complaint(about: step) else { continue }
            end = (index + 1, complaint)
            return
        }
    }

    private mutating func complaint(about step: Step) -> String? {
        switch step {
        case .event(let event): return remains.admits(event) ? happen(event) : nil
        case .opening(let time):
            guard let event = remains.opening(at: time) else { return nil }
            if case .ledgerOpened(let balances) = event.kind {
                begin(with: balances)
                count(remains.unconfirmed)
            }
            return happen(event)
        case .restart(let restart):
            begin(restart)
            for event in restart.events {
                if let complaint = happen(event) { return complaint }
            }
            return nil
        }
    }

    /// Both go on from what the ones before them left.
    private mutating func begin(_ restart: Restart) {
        let (ledger, recovery) = remains.restart(restart)
        let beginning = Beginning(
            policy: remains.policy, equipment: walk.equipment, debounce: walk.debounce,
            maximumOnTimes: walk.maximumOnTimes, ledger: ledger, recovery: recovery)
        turnstile = Turnstile(beginning)
        opinion = PlainGate(beginning)
        lives.append(Life(beginning: beginning))
        on = []
        hasStarted = false
        if case .open(let balances) = ledger {
            begin(with: balances)
        } else {
            begin(with: Balances())
        }
        guard isTold else { return }
        let before = if case .known(let state) = recovery { "\(state.lines)" } else { "unknown" }
        story.append("a start after \(before), ledger \(ledger)".replacing("Turnstile.", with: ""))
    }

    private mutating func begin(with balances: Balances) {
        self.balances = balances
        registers = RegisterValues(holding: balances)
    }

    private mutating func count(_ records: [Record]) {
        for record in records {
            registers.count(record)
            balances.count(record)
        }
    }

    /// How many events apart the state is written down as fields, and what is read of it goes on.
    private static let eventsBetweenReadings = 16

    /// Goes on with what is read of the state where it is time for that; nil where it is the same.
    private mutating func readAnew() -> String? {
        heard += 1
        guard heard % Self.eventsBetweenReadings == 0 else { return nil }
        let written = turnstile
        if keepsStates { states.append(written) }
        do throws(FieldError) {
            turnstile = try Turnstile(written.fields)
        } catch {
            return "the state cannot be read: \(error)\n  \(written.fields)"
        }
        return turnstile == written ? nil : "the state is read otherwise: \(written.fields)"
    }

    private mutating func happen(_ event: Event) -> String? {
        if let complaint = readAnew() { return complaint }
        let before = turnstile
        let outcome = turnstile.handle(event)
        opinion.happen(event)
        if !lives.isEmpty { lives[lives.count - 1].events.append(event) }
        let records = outcome.commands.compactMap(\.record)
        let answers = outcome.commands.compactMap(\.answer)
        self.records += records
        if isTold {
            story.append("\(Double(event.time.nanoseconds / 1_000) / 1_000_000) \(event.kind)")
            story += outcome.commands.map { "      \($0)".replacing("Turnstile.", with: "") }
        }
        count(records)
        let asks = outcome.commands.contains(.store)
        remains.follow(event, records, asksToStore: asks, turnstile.retained)
        let complaint =
            obey(outcome.commands, walk.equipment, isStart: !hasStarted)
            ?? disagreement(answers)
            ?? disagreement(records, outcome, before, at: event.time)
        if case .started = event.kind { hasStarted = true }
        return complaint
    }

    /// What is wrong with the commands themselves, or nil.
    private mutating func obey(
        _ commands: Commands<Command>, _ equipment: Equipment, isStart: Bool
    ) -> String? {
        for command in commands {
            guard case .set(let output, let isOn) = command else { continue }
            if !equipment.outputs[output] { return "\(output) is commanded and not wired" }
            if on[output] == isOn && !isStart { return "\(output) is commanded to what it is" }
            on[output] = isOn
        }
        return nil
    }

    private func disagreement(_ answers: [Answer]) -> String? {
        let isAgreed =
            Set(answers) == Set(opinion.answers) && answers.count == opinion.answers.count
        return isAgreed
            ? nil : "the machine answers \(answers),\n  the second opinion \(opinion.answers)"
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
        if status.limitation != opinion.limitation {
            return "the status says \(limitation(status.limitation)),\n  the second opinion "
                + "\(limitation(opinion.limitation))"
        }
        if turnstile.retained != opinion.retained {
            return "the machine retains \(turnstile.retained.lines),\n  the second opinion "
                + "\(opinion.retained.lines)"
        }
        // What was held before is not known yet.
        if status.state == .starting || remains.isLedgerAwaited { return nil }
        if registers.creditHeld != Int64(status.credit) {
            return "credit \(status.credit), but the records say \(registers.creditHeld)"
        }
        if balances.credit != status.credit || Int64(balances.fareInUse) != registers.fareInUse {
            return "credit \(status.credit), but the ledger holds \(balances)"
        }
        return nil
    }

    private func limitation(_ limitation: Status.Limitation?) -> String {
        limitation.map { "\($0)" } ?? "nothing"
    }

    private func names(_ outputs: OutputSet) -> [String] {
        Output.allCases.filter { outputs[$0] }.map(\.name)
    }
}

extension Command {
    /// What is to be written down, where it is that.
    var record: Record? { if case .record(let record) = self { record } else { nil } }
}

extension Command {
    /// What became of what somebody asked for, where it is that.
    var answer: Answer? { if case .answer(let answer) = self { answer } else { nil } }
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

extension RegisterValues {
    /// Registers that begin with the money that is held for people.
    fileprivate init(holding balances: Balances) {
        let money: [Register: Int] = [
            .creditAtBeginning: balances.credit + balances.fareInUse,
            .creditHeld: balances.credit, .fareInUse: balances.fareInUse,
        ]
        let values = money.mapValues { value in
            Register.Value(sinceInit: Int64(value), sinceCollection: Int64(value))
        }
        self = Registers(values).sinceInit
    }
}
