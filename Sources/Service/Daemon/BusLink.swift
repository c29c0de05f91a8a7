import Bus
import Controller
import Hardware
import Journal
import Settings
import StateMachines
import System
import Turnstile

/// The loop's side of the bus: hands one request of the bus to the gate in each round, and posts
/// the gate's events.
final class BusLink {
    /// How long the thread may take to end.
    private static let timeoutAtEnd: Duration = .milliseconds(200)
    private static let noLines = "the gate has no lines yet"

    private unowned let daemon: Daemon
    private let exchange: Exchange
    private let bus: GateBus
    private var journal: any Journal { daemon.surroundings.journal }
    private var controller: Controller?
    /// The records not posted yet.
    private var records: [BusRecord] = []
    /// The edges not posted yet, while a client follows them.
    private var edges: [EdgeNews] = []
    private let facts: GateFacts
    private var hasChanged = false
    /// The outputs' levels at the last post of a change.
    private var energised = OutputSet()

    /// A link to a thread that joins the bus. The daemon's loop takes its requests.
    init(of daemon: Daemon, on bus: BusConnection.Bus) throws(SystemError) {
        self.daemon = daemon
        let (settings, surroundings) = (daemon.file.settings, daemon.surroundings)
        exchange = try Exchange()
        facts = GateFacts(
            gate: settings.gate, version: programVersion,
            settingsPath: absolutePath(daemon.file.path), debounce: settings.wiring.debounce,
            kernelDebounces: surroundings.kernelDebounces,
            extra: surroundings.extra.map(\.method))
        self.bus = try GateBus(
            on: bus, facts, for: Admission(users: surroundings.operators), exchange)
        try surroundings.loop.watch([exchange.forLoop.descriptor]) { [unowned self] _ in
            takeWork()
        }
    }

    /// Posts events from now on.
    func attach(_ controller: Controller) {
        let (onChange, onEvent) = (controller.onChange, controller.onEvent)
        controller.onEvent = {
            [unowned self, unowned controller] event, verdict, commands, records in
            onEvent?(event, verdict, commands, records)
            note(event, verdict, records, of: controller)
        }
        controller.onChange = { [unowned self, unowned controller] in
            onChange?()
            postChanges(of: controller)
        }
        controller.onLineEvent = { [unowned self] in note($0) }
        controller.onDriven = { [unowned self] in note(.output($0), $1) { MonotonicTimer.now } }
        controller.onLedgerChange = { [unowned self] in
            exchange.post([], hasChanged: true)
        }
        controller.onConfirmed = { [unowned self] in exchange.confirm($0) }
        controller.onUnconfirmed = { [unowned self] in exchange.markUnconfirmed($0) }
    }

    /// Requests are possible from now on.
    func started(_ controller: Controller) {
        self.controller = controller
        // The answer tells the records' numbers.
        _ = controller.confirm()
        exchange.post([], hasChanged: true)
    }

    /// Posts the last events, after the last round of the loop, and leaves the bus.
    func close() {
        if let controller { postChanges(of: controller) }
        bus.close(within: Self.timeoutAtEnd)
    }
}

// The gate's events.
extension BusLink {
    /// Collects events until all outputs are driven.
    private func note(
        _ event: Event, _ verdict: Verdict, _ records: [Record], of controller: Controller
    ) {
        guard exchange.isJoined else { return }
        if case .ignored = verdict { return }
        hasChanged = true
        guard !records.isEmpty else { return }
        let time = UInt64(clamping: event.time.nanoseconds)
        let first = controller.nextSequence.map { $0 - Int64(records.count) }
        for (index, record) in records.enumerated() {
            let sequence = first.map { UInt64(clamping: $0 + Int64(index)) } ?? 0
            self.records.append(BusRecord(record, sequence: sequence, time: time))
        }
    }

    private func note(_ event: LineEvent) {
        switch event {
        case .edge(let input, let isActive, let time): note(.input(input), isActive) { time }
        case .lost(let count, _):
            if exchange.isFollowed { edges.append(.lost(UInt64(clamping: count))) }
        }
    }

    /// Counts an edge, and collects it if a client follows.
    private func note(_ line: Line, _ isOn: Bool, at time: () -> Instant) {
        facts.edges.count(line)
        guard exchange.isFollowed else { return }
        edges.append(.edge(line, isOn: isOn, at: UInt64(clamping: time().nanoseconds)))
    }

    /// Posts the changes to the bus thread.
    private func postChanges(of controller: Controller) {
        if !edges.isEmpty {
            exchange.post(edges)
            edges.removeAll(keepingCapacity: true)
        }
        defer {
            hasChanged = false
            records.removeAll(keepingCapacity: true)
        }
        guard exchange.isJoined else { return }
        let energised = controller.energised
        guard hasChanged || energised != self.energised else { return }
        exchange.post(records, hasChanged: true)
        self.energised = energised
    }
}

// Requests from the bus.
extension BusLink {
    private func takeWork() {
        let work = exchange.takeWork()
        for notice in work.notices { journal.write(JournalEntry(notice)) }
        if let question = work.question {
            exchange.answer(Reply(to: question.number, outcome(of: question)))
        }
        if work.wantsSnapshot { exchange.postSnapshot(controller.map(snapshot)) }
    }

    private func outcome(of question: Question) -> Reply.Outcome {
        switch question.operation {
        case .request(let request): return ask(for: request, by: question.person)
        case .adopt(let fields): return adopt(fields, for: question.person)
        case .reload:
            guard let controller else { return .unavailable(Self.noLines) }
            journal.write(JournalEntry(.reloadRequested(by: question.person)))
            switch daemon.reload() {
            case .taken(let result, let news):
                exchange.post([], hasChanged: true)
                return .reloaded(result, news, confirmation: controller.confirm())
            case .refused(let mistakes): return .settingsRefused(mistakes)
            case nil: return .unavailable(Self.noLines)
            }
        case .extra(let method, let values):
            let extra = daemon.surroundings.extra.first { $0.method == method }
            return extra?.perform(values) ?? .unavailable(Self.noLines)
        }
    }

    private func ask(for request: Request, by person: Operator) -> Reply.Outcome {
        guard let controller else { return .unavailable(Self.noLines) }
        let answer = controller.ask(for: request, by: .person(person))
        return .answered(answer.result, confirmation: controller.confirm())
    }

    /// Requests the policy with these fields. Those that a client of an earlier version lacks stay
    /// as they are.
    private func adopt(_ fields: Fields, for person: Operator) -> Reply.Outcome {
        do throws(FieldError) {
            let policy = try Policy(fields, over: controller?.turnstile.latestPolicy)
            return ask(for: .adopt(policy), by: person)
        } catch {
            return .notUnderstood(error.description)
        }
    }

    private func snapshot(of controller: Controller) -> GateSnapshot {
        let report = controller.report()
        var levels: [(line: Line, isOn: Bool)] = []
        for input in Input.allCases where report.equipment.inputs[input] {
            levels.append((.input(input), controller.inputs[input]))
        }
        for output in Output.allCases where report.equipment.outputs[output] {
            levels.append((.output(output), controller.isEnergised(output)))
        }
        let gate = controller.turnstile.gate
        let states = Gate.Region.allCases.compactMap { region in
            gate.stateName(of: region).map { (region: region.name, state: $0) }
        }
        return GateSnapshot(
            report: report, levels: levels, states: states, registers: controller.registers,
            settingsDigest: daemon.file.digest,
            collectionCheckpoint: controller.collectionCheckpoint,
            ledgerBranch: controller.ledgerBranch)
    }
}

extension JournalEntry {
    fileprivate init(_ notice: BusNotice) {
        switch notice {
        case .joined(let name): self.init(.busJoined(name))
        case .absent(let reason): self.init(.busAbsent(reason))
        }
    }
}
