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
        coins = CoinDecoder(policy: policy)
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
        var reply = Reply()
        if case .started(let levels) = event.kind {
            guard !gate.hasStarted else { return .unhandled }
            start(levels, at: event.time, &reply)
        } else {
            guard gate.hasStarted else { return .unhandled }
            catchUp(to: event.time, &reply)
            react(to: event, &reply)
        }
        adoptPendingPolicy(&reply)
        return reply.outcome
    }

    private mutating func start(_ levels: InputLevels, at time: Instant, _ reply: inout Reply) {
        contacts.start(levels)
        rotor = RotorDecoder(sensors: contacts.sensors)
        tell(.started(isRotorHome: rotor.state == .home), at: time, &reply)
        if levels[.fire] { tell(.contact(.fire, isActive: true), at: time, &reply) }
        if levels[.externalFault] {
            tell(.contact(.externalFault, isActive: true), at: time, &reply)
        }
        if levels[.coinPulse] { hear(.changed(isActive: true, at: time), at: time, &reply) }
    }

    /// Does what was due until `time`, each thing at the time at which it was due.
    private mutating func catchUp(to time: Instant, _ reply: inout Reply) {
        while let due = deadline, due <= time {
            if contacts.deadline == due {
                while let settled = contacts.settleNext(at: due) {
                    route(settled, isActive: contacts[settled], at: due, &reply)
                }
            }
            if coins.deadline == due { hear(.timePassed(due), at: due, &reply) }
            if gate.deadline == due { tell(.timePassed, at: due, &reply) }
        }
    }
}

// What each event means.
extension Turnstile {
    private mutating func react(to event: Event, _ reply: inout Reply) {
        let time = event.time
        switch event.kind {
        case .started, .timePassed: break
        case .changed(let input, let isActive):
            switch contacts.handle(input, isActive: isActive, at: time) {
            case .settled: route(input, isActive: isActive, at: time, &reply)
            case .unsettled: reply.isChanged = true
            case .ignored(let reason): reply.ignore(reason)
            }
        case .edgesLost(let levels): resynchronise(levels, at: time, &reply)
        case .lineFailed(let line, let failure):
            tell(.lineFailed(line, failure), at: time, &reply)
        case .outputCut(let output): tell(.outputCut(output), at: time, &reply)
        case .policyChanged(let policy):
            pendingPolicy = policy
            reply.isChanged = true
            if !isIdle { reply.commands.append(.record(.policyDeferred)) }
        case .stopped: reply.commands.append(.record(.stopped))
        }
    }

    /// Hands a level that counts to whoever it concerns.
    private mutating func route(
        _ input: Input, isActive: Bool, at time: Instant, _ reply: inout Reply
    ) {
        reply.isChanged = true
        switch input {
        case .coinPulse: hear(.changed(isActive: isActive, at: time), at: time, &reply)
        case .rotorA, .rotorB: turn(.changed(contacts.sensors), at: time, &reply)
        case .fire, .releaseEntry, .emergencyResetKey, .serviceKey, .externalFault:
            tell(.contact(input, isActive: isActive), at: time, &reply)
        }
    }

    /// Edges are missing: the fault is told, and everything is judged by what the lines carry now.
    private mutating func resynchronise(
        _ levels: InputLevels, at time: Instant, _ reply: inout Reply
    ) {
        tell(.edgesLost, at: time, &reply)
        contacts.start(levels, inputs: .decoded)
        hear(.edgesLost(isActive: levels[.coinPulse], at: time), at: time, &reply)
        turn(.edgesLost(contacts.sensors), at: time, &reply)
        for input in Input.allCases where !InputLevels.decoded[input] {
            react(to: Event(.changed(input, isActive: levels[input]), at: time), &reply)
        }
    }

    private mutating func turn(
        _ event: RotorDecoder.Event, at time: Instant, _ reply: inout Reply
    ) {
        for movement in reply.commands(of: rotor.handle(event)) {
            tell(.moved(movement), at: time, &reply)
        }
    }

    private mutating func hear(
        _ event: CoinDecoder.Event, at time: Instant, _ reply: inout Reply
    ) {
        for coin in reply.commands(of: coins.handle(event)) {
            tell(.coin(coin), at: time, &reply)
        }
    }

    private mutating func tell(_ kind: Gate.Kind, at time: Instant, _ reply: inout Reply) {
        reply.add(gate.handle(Gate.Event(kind, at: time)))
    }
}

// The policy.
extension Turnstile {
    /// Whether a coin is being counted.
    public var isCounting: Bool { coins.isCounting }

    /// Whether a new policy can come into force: the gate is idle and no coin is being counted.
    public var isIdle: Bool { gate.isIdle && !isCounting }

    private mutating func adoptPendingPolicy(_ reply: inout Reply) {
        guard let policy = pendingPolicy, isIdle else { return }
        pendingPolicy = nil
        gate.adopt(policy)
        coins.adopt(policy)
        reply.commands.append(.record(.policyChanged))
    }
}

/// What a turnstile answers to one event, gathered from its parts.
private struct Reply {
    var commands = Commands<Command>()
    /// Whether any part took the event.
    var isChanged = false
    private var reason: Reason?

    mutating func ignore(_ reason: Reason) {
        if self.reason == nil { self.reason = reason }
    }

    mutating func add(_ outcome: Outcome<Command>) {
        commands.append(contentsOf: commands(of: outcome))
    }

    /// The commands of a part's outcome; its reason is noted when it ignored the event.
    mutating func commands<C>(of outcome: Outcome<C>) -> Commands<C> {
        switch outcome {
        case .handled(let commands):
            isChanged = true
            return commands
        case .ignored(let reason):
            ignore(reason)
            return []
        case .unhandled: preconditionFailure("the parts of a turnstile decide every event")
        }
    }

    /// The event was ignored when no part took it and some part said why.
    var outcome: Outcome<Command> {
        if !isChanged, commands.isEmpty, let reason { .ignored(reason) } else { .handled(commands) }
    }
}
