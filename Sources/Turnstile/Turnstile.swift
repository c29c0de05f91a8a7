public import StateMachines

/// The whole machine: what the lines say goes through debouncers and decoders to the gate, and
/// what the gate decides comes out as commands.
///
/// Deadlines count in their own time. A turnstile that hears of an edge first does what was due
/// before that edge, at the time at which it was due; a shell that is late therefore changes when
/// things happen, never what happens.
public struct Turnstile: StateMachine, Hashable, Sendable {
    private var contacts: Contacts
    private var coins: PerAcceptor<CoinDecoder>
    /// When the first train of pulses is over.
    private var coinDeadline: Instant?
    private var filter: RotorFilter
    private var rotor = RotorDecoder()
    /// The gate behind the decoders.
    public private(set) var gate: Gate
    private var pending = Pending.nothing

    /// A turnstile that has not started.
    ///
    /// - Parameters:
    ///   - policy: What the owner decided.
    ///   - equipment: Which lines there are.
    ///   - debounce: How long each input's level must last before it counts. Inputs that are
    ///     missing here, or debounced by the bank, are taken as they come.
    ///   - ledger: Where the ledger is. A turnstile without one never says ``Command/store``.
    ///   - recovery: What is known of the turnstile before this one.
    public init(
        policy: Policy, equipment: Equipment = .oneWay, debounce: [Input: Duration] = [:],
        ledger: LedgerConnection = .none, recovery: Recovery = .known(RetainedState())
    ) {
        contacts = Contacts(debounce: debounce)
        filter = RotorFilter(policy: policy)
        coins = PerAcceptor {
            CoinDecoder(policy: policy.coins[$0], foretells: ledger != .none)
        }
        gate = Gate(policy: policy, equipment: equipment, ledger: ledger, recovery: recovery)
        status = gate.status
        retained =
            switch recovery {
            case .known(let state): state
            case .unknown: RetainedState()
            }
    }

    /// Which inputs are active, as far as they count.
    public var inputs: InputLevels { contacts.levels }

    /// What the rotor's sensors show, as far as they are followed.
    public var sensors: RotorDecoder.Sensors { filter.sensors }

    /// When the first of the decoders' and the gate's waits is over.
    public private(set) var deadline: Instant?

    /// What the turnstile is doing.
    public private(set) var status: Status

    /// What the end of the service must not take away: see ``Recovery``.
    public private(set) var retained: RetainedState

    /// The same without the counters, whose pulses take their time when everybody is late.
    @inline(__always) private var decidedDeadline: Instant? {
        let decoders = Instant.earliest(contacts.deadline, filter.deadline)
        return .earliest(decoders, .earliest(coinDeadline, gate.regionsDeadline))
    }

    /// Looks when something is due, when all that an event leads to is done: so that the next
    /// event finds it out at once.
    private mutating func findDeadline() {
        deadline = .earliest(decidedDeadline, gate.counters.deadline)
    }

    /// Does what was due before the event, then what the event asks.
    ///
    /// Unhandled are a second start and anything before the first, but for the time on the wall.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        var commands = Commands<Command>()
        let verdict = handle(event) { commands.append($0) }
        return Outcome(verdict, commands)
    }

    /// The same, without a list: what is to be driven is handed over as soon as it is known, the
    /// records at the end.
    public mutating func handle(_ event: Event, perform: (Command) -> Void) -> Verdict {
        var log = Log()
        switch event.kind {
        case .started(let levels):
            guard !gate.hasStarted else { return .unhandled }
            start(levels, at: event.time, &log, perform)
        case .clockRead where !gate.hasStarted:
            react(to: event, &log, perform)
            return .handled
        case .changed, .edgesLost, .timePassed, .lineFailed, .lineRecovered, .onTimeWarning,
            .outputCut, .clockRead,
            .clockStepped, .policyChanged, .stored, .storageFailed, .ledgerOpened, .stopped:
            guard gate.hasStarted else { return .unhandled }
            if let deadline, deadline <= event.time { catchUp(to: event.time, &log, perform) }
            react(to: event, &log, perform)
        }
        if log.reachedGate || isAnythingPending || gate.counters.isDue(at: event.time) {
            conclude(at: event.time, &log, perform)
        }
        findDeadline()
        return log.tell(perform: perform)
    }

    /// Does what waits until all is done that an event leads to. Most edges are bounces, or pulses
    /// in a train: the gate does not hear of them, and there is nothing to conclude.
    private mutating func conclude(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        adoptPending(at: time, &log, perform)
        gate.count(at: time, &log, perform: perform)
        status = gate.status
        if gate.hasStarted { retained = gate.retained }
    }

    private mutating func start(
        _ levels: InputLevels, at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        contacts.start(levels)
        filter.start(contacts.sensors)
        rotor = RotorDecoder(sensors: contacts.sensors)
        tell(.started(levels), at: time, &log, perform)
        for acceptor in Acceptor.ordered where levels[acceptor.line] {
            pulse(acceptor, isActive: true, at: time, &log, perform)
        }
    }

    /// Does what was due until `time`, each thing at the time at which it was due.
    private mutating func catchUp(
        to time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        while let due = decidedDeadline, due <= time {
            if contacts.deadline == due { settleContacts(at: due, &log, perform) }
            if filter.deadline == due { turn(.timePassed(due), at: due, &log, perform) }
            if coinDeadline == due, let acceptor = coins.first(dueAt: due) {
                hear(.timePassed(due), from: acceptor, at: due, &log, perform)
                continue
            }
            if gate.regionsDeadline == due { tell(.timePassed, at: due, &log, perform) }
        }
    }

    // Apart from the code round it, which every coin goes through.
    @inline(never) private mutating func settleContacts(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        while let settled = contacts.settleNext(at: time) {
            route(settled, isActive: contacts[settled], at: time, &log, perform)
        }
    }
}

// What each event means.
extension Turnstile {
    @inline(__always) private mutating func react(
        to event: Event, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        let time = event.time
        switch event.kind {
        case .started, .timePassed: break
        case .changed(let input, let isActive):
            change(input, isActive: isActive, at: time, &log, perform)
        case .edgesLost(let levels): resynchronise(levels, at: time, &log, perform)
        case .lineFailed(let line, let failure):
            tell(.lineFailed(line, failure), at: time, &log, perform)
        case .lineRecovered(let line): tell(.lineRecovered(line), at: time, &log, perform)
        case .onTimeWarning(let output): tell(.onTimeWarning(output), at: time, &log, perform)
        case .outputCut(let output): tell(.outputCut(output), at: time, &log, perform)
        case .clockRead(let weekTime): tell(.clockRead(weekTime), at: time, &log, perform)
        case .clockStepped(let step): tell(.clockStepped(by: step), at: time, &log, perform)
        case .policyChanged(let policy):
            pending = .policy(policy)
            log.change()
            if !isIdle { log.record(.policyDeferred) }
        case .stored: tell(.stored, at: time, &log, perform)
        case .storageFailed: tell(.storageFailed, at: time, &log, perform)
        case .ledgerOpened(let holdings): tell(.ledgerOpened(holdings), at: time, &log, perform)
        case .stopped: log.record(.stopped)
        }
    }

    @inline(__always) private mutating func change(
        _ input: Input, isActive: Bool, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        switch contacts.handle(input, isActive: isActive, at: time) {
        case .settled: route(input, isActive: isActive, at: time, &log, perform)
        case .unsettled: log.change()
        case .ignored(let reason):
            guard let acceptor = input.acceptor else { return log.ignore(reason) }
            // A coin line is driven and does not bounce: of two like edges in a row, the one
            // between them is missing, and a pulse with it.
            tell(.edgesLost, at: time, &log, perform)
            hear(
                .edgesLost(isActive: isActive, gate.reception, at: time),
                from: acceptor, at: time, &log, perform)
        }
    }

    /// Hands a level that counts to whoever it concerns.
    @inline(__always) private mutating func route(
        _ input: Input, isActive: Bool, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        log.change()
        switch input {
        case .coinPulse: pulse(.first, isActive: isActive, at: time, &log, perform)
        case .coinPulse2: pulse(.second, isActive: isActive, at: time, &log, perform)
        case .coinPulse3: pulse(.third, isActive: isActive, at: time, &log, perform)
        case .rotorA, .rotorB, .beamA, .beamB:
            turn(.changed(contacts.sensors, at: time), at: time, &log, perform)
        case .coinJam, .home, .fire, .releaseEntry, .releaseExit, .stop, .serviceKey,
            .emergencyResetKey, .externalFault, .powerLow, .cabinetTamper, .vaultDoor,
            .vaultPresent, .lockFeedback, .lockFeedbackExit:
            tell(.contact(input, isActive: isActive), at: time, &log, perform)
        }
    }

    /// Edges are missing: the fault is told, and everything is judged by what the lines carry now.
    /// An emergency comes before all else and its end after all else; whoever was in the rotor is
    /// through before a coin lets in the next.
    private mutating func resynchronise(
        _ levels: InputLevels, at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        tell(.edgesLost, at: time, &log, perform)
        if levels[.fire] { change(.fire, isActive: true, at: time, &log, perform) }
        contacts.start(levels, inputs: .decoded)
        filter.start(contacts.sensors)
        gate.expectMovement(until: nil)
        follow(.edgesLost(contacts.sensors), at: time, &log, perform)
        for acceptor in Acceptor.ordered {
            hear(
                .edgesLost(isActive: levels[acceptor.line], gate.reception, at: time),
                from: acceptor, at: time, &log, perform)
        }
        for input in Input.ordered where !InputLevels.decoded[input] {
            change(input, isActive: levels[input], at: time, &log, perform)
        }
    }

    private mutating func pulse(
        _ acceptor: Acceptor, isActive: Bool, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        hear(
            .changed(isActive: isActive, gate.reception, at: time), from: acceptor, at: time, &log,
            perform)
    }

    private mutating func turn(
        _ event: RotorFilter.Event, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        let outcome = filter.handle(event)
        gate.expectMovement(until: filter.deadline)
        let verdict = outcome.read { command in
            switch command {
            case .follow(let sensors): follow(.changed(sensors), at: time, &log, perform)
            case .skip(let sensors): follow(.skipped(sensors), at: time, &log, perform)
            case .reportNoise: tell(.rotorNoise, at: time, &log, perform)
            }
        }
        log.note(verdict)
        // A wait that was over meanwhile.
        if let due = gate.lane.deadline, due <= time {
            tell(.timePassed, at: time, &log, perform)
        }
    }

    private mutating func follow(
        _ event: RotorDecoder.Event, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        let verdict = rotor.handle(event).read { tell(.moved($0), at: time, &log, perform) }
        log.note(verdict)
    }

    private mutating func hear(
        _ event: CoinDecoder.Event, from acceptor: Acceptor, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        let outcome = coins.update(acceptor) { $0.handle(event) }
        let verdict = outcome.read { tell(.coin(acceptor, $0), at: time, &log, perform) }
        log.note(verdict)
        coinDeadline = coins.deadline
    }

    private mutating func tell(
        _ kind: Gate.Event.Kind, at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        gate.take(Gate.Event(kind, at: time), &log, perform: perform)
    }
}

// New terms: the policy, and what the schedule asks for.
extension Turnstile {
    /// Whether a coin is being counted.
    public var isCounting: Bool { coins.isCounting }

    /// Whether a new policy can come into force: the gate is idle and no coin is being counted.
    public var isIdle: Bool { gate.isIdle && !isCounting }

    /// Whether new terms wait until they can come into force.
    private var isAnythingPending: Bool {
        pending.isSomething || gate.isScheduleDeferred || gate.timetable.regime != gate.regime
    }

    /// Puts into force what waits for that, if it can come into force now.
    private mutating func adoptPending(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        guard isAnythingPending else { return }
        let isIdle = isIdle
        if isIdle, case .policy(let policy) = pending {
            pending = .nothing
            log.record(.policyChanged)
            for acceptor in Acceptor.ordered { coins[acceptor].adopt(policy.coins[acceptor]) }
            coinDeadline = coins.deadline
            filter.adopt(policy)
            gate.adopt(policy, at: time, &log)
        } else {
            gate.followSchedule(isIdle: isIdle, &log)
        }
        gate.takeStock(at: time, &log, perform: perform)
    }
}

/// A policy that waits until it can come into force, out of the way of all that happens meanwhile.
private enum Pending: Hashable, Sendable {
    case nothing
    indirect case policy(Policy)

    var isSomething: Bool {
        switch self {
        case .nothing: false
        case .policy: true
        }
    }
}

extension PerAcceptor<CoinDecoder> {
    /// Whether a coin is being counted.
    fileprivate var isCounting: Bool {
        self[.first].isCounting || self[.second].isCounting || self[.third].isCounting
    }

    /// The first acceptor with a train that is over then.
    fileprivate func first(dueAt due: Instant) -> Acceptor? {
        if self[.first].deadline == due { return .first }
        if self[.second].deadline == due { return .second }
        return self[.third].deadline == due ? .third : nil
    }

    /// When the first train is over.
    fileprivate var deadline: Instant? {
        .earliest(
            self[.first].deadline, .earliest(self[.second].deadline, self[.third].deadline))
    }
}

// What happened before the shell was there to drive anything.
extension Turnstile {
    /// Moves on what waits for people and locks to follow what the outputs carry: for so long they
    /// carried nothing of what was commanded.
    public mutating func postpone(by duration: Duration) {
        gate.postpone(by: duration)
        findDeadline()
    }
}

// The state, put away and taken up again, or told how late it is.
extension Turnstile: Restorable {
    /// Raised with every change of what the state holds or means.
    public static var snapshotVersion: Int { 5 }

    /// Moves the deadlines, and since when the coin lines have been active.
    public mutating func shiftInstants(by duration: Duration) {
        contacts.shiftInstants(by: duration)
        for acceptor in Acceptor.ordered { coins[acceptor].shiftInstants(by: duration) }
        coinDeadline = coins.deadline
        filter.shiftInstants(by: duration)
        gate.shiftInstants(by: duration)
        findDeadline()
    }
}
