import Controller
import Hardware
import SecondOpinion
import SimulatedHardware
import StateMachines
import Turnstile

/// Compares what the service says with what is true at the gate, and with the second opinion.
final class Auditor {
    private let service: Service
    private var opinion: PlainGate
    private var on = OutputSet()
    /// The outputs that the gate needs: what only tells people, such as a lamp, is no reason to end
    /// the service.
    private let needed: [Output]
    private var violation: Violation?
    private var registers = GateAccounts()
    private var ledgerAccounts: LedgerAccounts
    private var counters: CounterWatch
    private var lines: LineWatch
    private var lives: Lives
    private var noise = NoiseWatch()
    private var turns = TurnWatch()
    private var stays: StayWatch
    private var keys = KeyWatch()
    private var overpaid = OverpaidAccounts()

    init(_ service: Service) {
        self.service = service
        ledgerAccounts = LedgerAccounts(service.disk)
        lives = Lives(service.installation.equipment)
        stays = StayWatch(service.installation.equipment)
        lines = LineWatch(service.installation)
        counters = CounterWatch(service.installation.equipment, policy: service.policy)
        opinion = Self.fresh(service)
        let outputs = service.installation.equipment.outputs
        needed = Output.allCases.filter {
            outputs[$0] && Fault.line(.output($0), .mismatch).effect != .none
        }
        service.onStart = { [unowned self] in begin() }
        service.onEvent = { [unowned self] in observe($0, $1, $2) }
        service.onMisrecorded = { [unowned self] in fail("when it is replayed: \($0)") }
        service.onStuck = { [unowned self] in fail("the service never comes to rest") }
        service.onAlive = { [unowned self] in hearOfLife() }
    }

    private static func fresh(_ service: Service) -> PlainGate {
        PlainGate(
            policy: service.policy, equipment: service.installation.equipment,
            debounce: service.installation.wiring.debounce,
            maximumOnTimes: service.installation.wiring.maximumOnTimes,
            ledger: service.ledger, recovery: service.recovery)
    }

    /// A fresh process begins with what the ledger holds, and with nothing where there is none.
    private func begin() {
        opinion = Self.fresh(service)
        on = []
        registers.begin(with: service.disk?.balances ?? Balances(), service.recovery)
        ledgerAccounts.begin(service.ledger, service.recovery)
        lives.begin(service)
        counters.begin(policy: service.policy)
        noise.interrupt()
        turns.begin()
        stays.begin()
        keys.begin()
        overpaid.begin()
    }

    /// What a deed does to what can be known.
    func foresee(_ deed: Deed) {
        switch deed {
        case .stop, .kill: registers.interrupt()
        case .cutPower:
            registers.interrupt()
            lives.losePower(at: service.now)
        case .world(.defectAppeared(let defect)), .world(.defectRepaired(let defect)):
            registers.disturb(by: defect)
        case .world(.edgeMissed(let input)): registers.miss(input, of: service.world)
        case .world(.everythingRepaired): registers.interrupt()
        case .world(.coinFished): registers.disturbCoins()
        case .world, .holdUp, .reload, .ask, .setClock: break
        }
    }

    // MARK: The machine and the second opinion

    private func observe(_ event: Event, _ commands: [Command], _ records: [Record]) {
        opinion.happen(event)
        for command in commands {
            if case .set(let output, let isOn) = command { on[output] = isOn }
        }
        let policy = service.process?.controller.turnstile.gate.policy
        for record in records {
            registers.enter(record)
            counters.enter(record, policy: policy)
        }
        if case .edgesLost = event.kind { registers.loseEdges() }
        // Coins that were counted before the start are credited now.
        if case .ledgerOpened = event.kind { registers.disturbCoins() }
        let complaint =
            ledgerAccounts.observe(event, records, credit: opinion.credit)
            ?? lives.observe(event, records, on, service.controller)
            ?? service.controller.flatMap { observe(event, records, $0.turnstile) }
        let asks = commands.contains(.store)
        if asks != opinion.asksToStore { fail("after \(event): all is to be stored: \(asks)") }
        guard violation == nil, let complaint = complaint ?? disagreement(records) else { return }
        violation = Violation(description: "after \(event): \(complaint)")
    }

    /// What those say who watch the machine alone.
    private func observe(_ event: Event, _ records: [Record], _ turnstile: Turnstile) -> String? {
        noise.observe(event, records)
        return turns.observe(event, records, turnstile)
            ?? stays.observe(event, turnstile.gate)
            ?? keys.observe(event, records, turnstile)
            ?? overpaid.observe(event, records, turnstile)
    }

    private func disagreement(_ records: [Record]) -> String? {
        if records != opinion.records, !records.isPermutation(of: opinion.records) {
            return "the machine recorded \(records), the second opinion is \(opinion.records)"
        }
        let expected = opinion.on
        if on != expected {
            return "the machine has on \(names(on)), the second opinion is \(names(expected))"
        }
        guard let status = service.process?.controller.turnstile.status else { return nil }
        if status.credit != opinion.credit {
            return "the machine holds \(status.credit), the second opinion is \(opinion.credit)"
        }
        if status.state.name != opinion.state {
            return "the machine is \(status.state.name), the second opinion is \(opinion.state)"
        }
        return nil
    }

    private func names(_ outputs: OutputSet) -> [String] {
        Output.allCases.filter { outputs[$0] }.map(\.name)
    }

    /// The watchdog was fed: is the service as well as it says, or would a new start do harm, or
    /// has one not helped lately?
    private func hearOfLife() {
        guard let controller = service.process?.controller else { return }
        let gate = controller.turnstile.gate
        guard gate.standing != .emergency, gate.standing != .service, gate.isLaneClear,
            !gate.lane.isOccupied, controller.watchdog.withheld == nil
        else { return }
        let world = service.world
        let wired = service.installation.equipment.inputs
        for case .unreadable(let input) in world.defects where wired[input] {
            fail("the watchdog was fed though \(input) cannot be read")
        }
        for output in needed {
            if world.energised[output] != controller.isEnergised(output) {
                fail("the watchdog was fed though \(output) does not carry its level")
            }
        }
    }

    private func fail(_ complaint: String) {
        if violation == nil { violation = Violation(description: complaint) }
    }

    // MARK: The gate

    /// Compares what is true with what was said; to be called after everything that happens.
    func look() throws(Violation) {
        if let violation { throw violation }
        try noise.look(at: service)
        if noise.isBlind { registers.disturbRotor() }
        try lines.look(at: service, on, isBlind: noise.isBlind)
        try stays.look(at: service, on, isBlind: noise.isBlind)
        try turns.look(at: service, on)
        try registers.look(at: service)
        if let turnstile = service.process?.controller.turnstile {
            try ledgerAccounts.look(at: turnstile)
        }
        try counters.look(at: service)
    }
}
