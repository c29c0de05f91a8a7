public import StateMachines

/// The whole machine: what the lines say goes through debouncers and decoders to the gate, and
/// what the gate decides comes out as commands.
///
/// Deadlines count in their own time. A turnstile that hears of an edge first does what was due
/// before that edge, at the time at which it was due; a shell that is late therefore changes when
/// things happen, never what happens.
public struct Turnstile: StateMachine, Hashable, Sendable {
    private var contacts: Contacts
    private var coins: CoinDecoder
    private var rotor = RotorDecoder()
    /// The gate behind the decoders.
    public private(set) var gate: Gate
    private var pendingPolicy: Policy?

    /// A turnstile that has not started.
    ///
    /// - Parameters:
    ///   - policy: What the owner decided.
    ///   - debounce: How long each input's level must last before it counts. Inputs that are
    ///     missing here, or debounced by the bank, are taken as they come.
    public init(policy: Policy, debounce: [Input: Duration] = [:]) {
        contacts = Contacts(debounce: debounce)
        coins = CoinDecoder(policy: policy.coins[.first])
        gate = Gate(policy: policy)
    }

    /// Which inputs are active, as far as they count.
    public var inputs: InputLevels { contacts.levels }

    /// What the rotor's sensors show, as far as they count.
    public var sensors: RotorDecoder.Sensors { contacts.sensors }

    /// When the first of the decoders' and the gate's waits is over.
    public var deadline: Instant? {
        .earliest(contacts.deadline, .earliest(coins.deadline, gate.deadline))
    }

    /// Does what was due before the event, then what the event asks.
    ///
    /// Unhandled are a second start and anything before the first.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        var commands = Commands<Command>()
        let verdict = handle(event) { commands.append($0) }
        return Outcome(verdict, commands)
    }

    /// The same, without a list: what is to be driven is handed over before the records.
    public mutating func handle(_ event: Event, perform: (Command) -> Void) -> Verdict {
        var log = Log()
        let before = gate.drive
        if case .started(let levels) = event.kind {
            guard !gate.hasStarted else { return .unhandled }
            start(levels, at: event.time, &log)
        } else {
            guard gate.hasStarted else { return .unhandled }
            catchUp(to: event.time, &log)
            react(to: event, &log)
        }
        adoptPendingPolicy(&log)
        return log.tell(from: before, to: gate.drive, perform: perform)
    }

    private mutating func start(_ levels: InputLevels, at time: Instant, _ log: inout Log) {
        contacts.start(levels)
        rotor = RotorDecoder(sensors: contacts.sensors)
        tell(.started(levels), at: time, &log)
        if levels[.coinPulse] { hear(.changed(isActive: true, at: time), at: time, &log) }
    }

    /// Does what was due until `time`, each thing at the time at which it was due.
    private mutating func catchUp(to time: Instant, _ log: inout Log) {
        while let due = deadline, due <= time {
            if contacts.deadline == due {
                while let settled = contacts.settleNext(at: due) {
                    route(settled, isActive: contacts[settled], at: due, &log)
                }
            }
            if coins.deadline == due { hear(.timePassed(due), at: due, &log) }
            if gate.deadline == due { tell(.timePassed, at: due, &log) }
        }
    }
}

// What each event means.
extension Turnstile {
    private mutating func react(to event: Event, _ log: inout Log) {
        let time = event.time
        switch event.kind {
        case .started, .timePassed: break
        case .changed(let input, let isActive):
            switch contacts.handle(input, isActive: isActive, at: time) {
            case .settled: route(input, isActive: isActive, at: time, &log)
            case .unsettled: log.change()
            case .ignored where input == .coinPulse:
                // The coin line is driven and does not bounce: of two like edges in a row, the
                // one between them is missing, and a pulse with it.
                tell(.edgesLost, at: time, &log)
                hear(.edgesLost(isActive: isActive, at: time), at: time, &log)
            case .ignored(let reason): log.ignore(reason)
            }
        case .edgesLost(let levels): resynchronise(levels, at: time, &log)
        case .lineFailed(let line, let failure):
            tell(.lineFailed(line, failure), at: time, &log)
        case .outputCut(let output): tell(.outputCut(output), at: time, &log)
        case .policyChanged(let policy):
            pendingPolicy = policy
            log.change()
            if !isIdle { log.record(.policyDeferred) }
        case .clockRead, .clockStepped: log.change()
        case .stopped: log.record(.stopped)
        }
    }

    /// Hands a level that counts to whoever it concerns.
    private mutating func route(
        _ input: Input, isActive: Bool, at time: Instant, _ log: inout Log
    ) {
        log.change()
        switch input {
        case .coinPulse, .coinPulse2, .coinPulse3:
            hear(.changed(isActive: isActive, at: time), at: time, &log)
        case .rotorA, .rotorB, .beamA, .beamB: turn(.changed(contacts.sensors), at: time, &log)
        case .coinJam, .home, .fire, .releaseEntry, .releaseExit, .stop, .serviceKey,
            .emergencyResetKey, .externalFault, .powerLow, .cabinetTamper, .vaultDoor,
            .vaultPresent, .lockFeedback, .lockFeedbackExit:
            tell(.contact(input, isActive: isActive), at: time, &log)
        }
    }

    /// Edges are missing: the fault is told, and everything is judged by what the lines carry now.
    /// An emergency comes before all else and its end after all else; whoever was in the rotor is
    /// through before a coin lets in the next.
    private mutating func resynchronise(
        _ levels: InputLevels, at time: Instant, _ log: inout Log
    ) {
        tell(.edgesLost, at: time, &log)
        if levels[.fire] { react(to: Event(.changed(.fire, isActive: true), at: time), &log) }
        contacts.start(levels, inputs: .decoded)
        turn(.edgesLost(contacts.sensors), at: time, &log)
        hear(.edgesLost(isActive: levels[.coinPulse], at: time), at: time, &log)
        for input in Input.allCases where !InputLevels.decoded[input] {
            react(to: Event(.changed(input, isActive: levels[input]), at: time), &log)
        }
    }

    private mutating func turn(
        _ event: RotorDecoder.Event, at time: Instant, _ log: inout Log
    ) {
        guard let movements = log.commands(of: rotor.handle(event)) else { return }
        for movement in movements { tell(.moved(movement), at: time, &log) }
    }

    private mutating func hear(
        _ event: CoinDecoder.Event, at time: Instant, _ log: inout Log
    ) {
        guard let said = log.commands(of: coins.handle(event)) else { return }
        for coin in said { tell(.coin(coin), at: time, &log) }
    }

    private mutating func tell(_ kind: Gate.Kind, at time: Instant, _ log: inout Log) {
        gate.take(Gate.Event(kind, at: time), &log)
    }
}

// The policy.
extension Turnstile {
    /// Whether a coin is being counted.
    public var isCounting: Bool { coins.isCounting }

    /// Whether a new policy can come into force: the gate is idle and no coin is being counted.
    public var isIdle: Bool { gate.isIdle && !isCounting }

    private mutating func adoptPendingPolicy(_ log: inout Log) {
        guard pendingPolicy != nil, isIdle, let policy = pendingPolicy else { return }
        pendingPolicy = nil
        gate.adopt(policy)
        coins.adopt(policy.coins[.first])
        log.record(.policyChanged)
    }
}

// The state, put away and taken up again, or told how late it is.
extension Turnstile: Restorable {
    /// Raised with every change of what the state holds or means.
    public static var snapshotVersion: Int { 1 }

    /// Moves the deadlines, and since when the coin line has been active.
    public mutating func shiftInstants(by duration: Duration) {
        contacts.shiftInstants(by: duration)
        coins.shiftInstants(by: duration)
        gate.shiftInstants(by: duration)
    }
}
