import Controller
import Hardware
import SimulatedHardware
import StateMachines
import Turnstile

/// Compares what the service says with what is true at the gate, and with the second opinion.
final class Auditor {
    private let service: Service
    private var model: PlainGate
    private var shadow = Gate.Drive(isReleased: false, acceptsCoins: false, soundsAlarm: false)
    private var violation: Violation?
    private var books = Books()
    private var lines: LineWatch
    /// How many people the records say were let through.
    private(set) var passages = 0
    /// How many events the machine has handled.
    private(set) var events = 0

    init(_ service: Service) {
        self.service = service
        lines = LineWatch(service.installation)
        model = PlainGate(policy: service.installation.policy, debounce: Installation.debounce)
        service.onStart = { [unowned self] in begin() }
        service.onEvent = { [unowned self] in hear($0, $1) }
        service.onStuck = { [unowned self] in fail("the service never comes to rest") }
        service.onAlive = { [unowned self] in hearOfLife() }
    }

    /// A fresh process begins without credit and without memory.
    private func begin() {
        model = PlainGate(policy: service.policy, debounce: Installation.debounce)
        shadow = Gate.Drive(isReleased: false, acceptsCoins: false, soundsAlarm: false)
        books.interrupt()
    }

    /// What a deed does to what can be known.
    func foresee(_ deed: Deed) {
        switch deed {
        case .stop, .kill: books.interrupt()
        case .world(.defectAppeared(let defect)), .world(.defectRepaired(let defect)):
            books.disturb(by: defect)
        case .world(.edgeMissed(let input)): books.miss(input, of: service.world)
        case .world(.everythingRepaired):
            for defect in service.world.defects { books.disturb(by: defect) }
        case .world, .holdUp, .reload: break
        }
    }

    // MARK: The machine and the second opinion

    private func hear(_ event: Event, _ outcome: Outcome<Command>) {
        events += 1
        model.records.removeAll(keepingCapacity: true)
        model.happen(event)
        var records: [Record] = []
        outcome.commands.forEach { command in
            switch command {
            case .release: shadow.isReleased = true
            case .lock: shadow.isReleased = false
            case .acceptCoins: shadow.acceptsCoins = true
            case .inhibitCoins: shadow.acceptsCoins = false
            case .soundAlarm: shadow.soundsAlarm = true
            case .silenceAlarm: shadow.soundsAlarm = false
            case .record(let record):
                records.append(record)
                books.enter(record)
                if case .passageCompleted = record { passages += 1 }
            }
        }
        if case .edgesLost = event.kind { books.loseEdges() }
        guard violation == nil else { return }
        if let complaint = disagreement(records) {
            violation = Violation(description: "after \(event): \(complaint)")
        }
    }

    private func disagreement(_ records: [Record]) -> String? {
        if records != model.records, !records.isPermutation(of: model.records) {
            return "the machine recorded \(records), the second opinion is \(model.records)"
        }
        let expected = Gate.Drive(
            isReleased: model.isReleased, acceptsCoins: model.acceptsCoins,
            soundsAlarm: !model.alarms.isEmpty)
        if shadow != expected {
            return "the machine drives \(shadow), the second opinion is \(expected)"
        }
        guard let process = service.process else { return nil }
        let status = process.controller.turnstile.status
        if status.credit != model.credit {
            return "the machine holds \(status.credit), the second opinion is \(model.credit)"
        }
        if status.state.name != model.state {
            return "the machine is \(status.state.name), the second opinion is \(model.state)"
        }
        return nil
    }

    /// The watchdog was fed: is the service as well as it says?
    private func hearOfLife() {
        let world = service.world
        for defect in world.defects {
            if case .unreadable(let input) = defect {
                fail("the watchdog was fed though \(input) cannot be read")
            }
        }
        for output in Output.allCases {
            guard let controller = service.process?.controller else { return }
            if world.energised.contains(output) != controller.isEnergised(output) {
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
        try lines.look(at: service, shadow)
        try books.look(at: service)
    }
}

extension [Record] {
    /// Whether both say the same, in whatever order.
    fileprivate func isPermutation(of others: [Record]) -> Bool {
        var rest = others
        for record in self {
            guard let index = rest.firstIndex(of: record) else { return false }
            rest.remove(at: index)
        }
        return rest.isEmpty
    }
}
