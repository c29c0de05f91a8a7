public import StateMachines

/// The whole machine: lines go through debouncers and decoders to the gate, whose decisions come
/// out as commands.
///
/// Deadlines are exact. A turnstile that hears of an edge first handles what was due before that
/// edge, at its own time; a late shell therefore delays effects, but never changes them.
public struct Turnstile: TimedMachine, Hashable, Sendable {
    var contacts: DebouncedContacts
    var coins: PerAcceptor<CoinDecoder>
    /// When their trains of pulses are over.
    private var coinDeadlines = PerAcceptor<Instant?>(repeating: nil)
    var filter: RotorFilter
    private var rotor = RotorDecoder()
    /// The gate behind the decoders.
    public internal(set) var gate: Gate
    var pending = Pending.nothing
    /// The requester of the policy in force; nil for the settings.
    var policySource: Requester?

    /// A turnstile that has not started.
    ///
    /// - Parameters:
    ///   - policy: What the owner decided.
    ///   - equipment: Which lines there are.
    ///   - debounce: How long each input's level must last before it counts. Inputs that are
    ///     missing here are taken as they come.
    ///   - bankDebounces: Whether the bank sees to that already: then all are taken as they come.
    ///   - maximumOnTimes: For how long an output may be on without a break, where that is not for
    ///     ever: see ``Installation/maximumOnTimes``. The shell cuts it then.
    ///   - emergencyDuties: How locks that cannot be held open are driven in an emergency; of one
    ///     that is missing here, on and off for as long as it may be on.
    ///   - ledger: Where the ledger is. A turnstile without one never says ``Command/store``.
    ///   - recovery: What is known of the turnstile before this one.
    public init(
        policy: Policy, equipment: Equipment = .oneWay, debounce: [Input: Duration] = [:],
        bankDebounces: Bool = false,
        maximumOnTimes: [Output: Duration] = [:], emergencyDuties: [Output: EmergencyDuty] = [:],
        ledger: LedgerConnection = .none, recovery: Recovery = .known(RetainedState())
    ) {
        contacts = DebouncedContacts(
            debounce: debounce.filter { !bankDebounces || $0.key.entry.needsEveryEdge })
        filter = RotorFilter(policy: policy)
        coins = PerAcceptor {
            CoinDecoder(policy: policy.coins[$0], reportsProvisionally: ledger != .none)
        }
        gate = Gate(
            policy: policy,
            installation: Installation(
                equipment: equipment, maximumOnTimes: maximumOnTimes, debounce: debounce),
            emergencyDuties: emergencyDuties, ledger: ledger, recovery: recovery)
        status = gate.status
        retained =
            switch recovery {
            case .known(let state): state
            case .unknown: RetainedState()
            }
    }

    /// Which inputs are active, as far as they count.
    public var inputs: InputLevels { contacts.levels }

    /// Whether the bank debounces the inputs, but for the emergency loop.
    var bankDebounces: Bool { contacts.debounce.count < gate.installation.debounce.count }

    /// The states of the rotor's sensors, after the filter.
    public var sensors: RotorDecoder.Sensors { filter.sensors }

    /// When the first of the decoders' and the gate's waits is over.
    public private(set) var deadline: Instant?

    /// What the turnstile is doing.
    public private(set) var status: Status

    /// The state that must outlive the process: see ``Recovery``.
    public private(set) var retained: RetainedState

    /// The same without the counters, whose pulses may be late.
    @inline(__always) private var decidedDeadline: Instant? {
        let decoders = Instant.earliest(contacts.deadline, filter.deadline)
        return .earliest(decoders, .earliest(coinDeadlines.first, gate.regionsDeadline))
    }

    /// Looks when something is due, when all that an event leads to is done: so that the next
    /// event finds it out at once.
    private mutating func updateDeadline() {
        deadline = .earliest(decidedDeadline, gate.counters.deadline)
    }

    /// Handles what was due before the event, then the event.
    ///
    /// Before the start the wall-clock time is taken and requests are refused; all else is
    /// unhandled, and so is a second start.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        var commands = Commands<Command>()
        let verdict = handle(event) { commands.append($0) }
        return Outcome(verdict, commands)
    }

    /// The same, without a list. An event has two phases: who may pass is decided, and the ways
    /// through are driven; then the consequences are computed, all else is driven, and the records
    /// are handed over.
    public mutating func handle(_ event: Event, perform: (Command) -> Void) -> Verdict {
        var step = StepContext(at: event.time)
        guard decide(event, &step) else { return .unhandled }
        // Pending terms may let the next passenger pass in this step: the lock must not flicker.
        if !gate.isChangeAwaited { gate.drive(.ways, perform: perform) }
        conclude(&step)
        gate.drive(.all, perform: perform)
        return step.finish(perform: perform)
    }

    /// The first phase: handles what was due before the event, and the event. False for an event
    /// that is not allowed now.
    private mutating func decide(_ event: Event, _ step: inout StepContext) -> Bool {
        switch event.kind {
        case .started(let levels):
            guard !gate.hasStarted else { return false }
            start(levels, &step)
        case .clockRead where !gate.hasStarted:
            react(to: event, &step)
            return true
        case .requested(let request, let requester) where !gate.hasStarted:
            step.answer(Answer(request.kind, by: requester, .refused(.starting)))
            return true
        case .changed, .edgesLost, .timePassed, .lineFailed, .lineRecovered, .onTimeWarning,
            .outputCut, .clockRead, .clockStepped, .requested, .durable, .storageFailed,
            .ledgerOpened, .stopped:
            guard gate.hasStarted else { return false }
            if let deadline, deadline <= event.time { catchUp(to: event.time, &step) }
            react(to: event, &step)
        }
        return true
    }

    /// The second phase: deferred work, the status, and the next deadline.
    private mutating func conclude(_ step: inout StepContext) {
        // Most edges are bounces, or pulses in a train: the gate does not hear of them.
        if step.reachedGate || isAnythingPending || gate.counters.isDue(at: step.time) {
            if gate.hasStarted { applyDeferred(&step) }
            status = gate.status
        }
        updateDeadline()
    }

    /// Last steps of a gate that has started: new terms, the counters, the acceptors.
    private mutating func applyDeferred(_ step: inout StepContext) {
        adoptPending(&step)
        gate.count(&step)
        gate.updateAcceptors(&step)
        gate.updateIndicators(&step)
        gate.updateDeadline()
        retain()
    }

    /// Computes the state that must outlive the process.
    private mutating func retain() {
        retained = gate.retained
        retained.coins = PerAcceptor { coins[$0].retained }
        retained.policySource = policySource
        if let requester = policyRequester, requester.person != nil {
            retained.policyRequester = requester
        }
    }

    private mutating func start(_ levels: InputLevels, _ step: inout StepContext) {
        contacts.start(levels)
        filter.start(contacts.sensors)
        rotor = RotorDecoder(sensors: contacts.sensors)
        let lines = gate.past.recovery.retained.coins
        for acceptor in Acceptor.ordered {
            gate.past.continuedCoins[acceptor.line] = lines[acceptor].train?.wasTold ?? false
        }
        send(.started(levels), &step)
        for acceptor in Acceptor.ordered {
            resume(lines[acceptor], of: acceptor, isActive: levels[acceptor.line], &step)
        }
        if gate.isCoinExpected { send(.timePassed, &step) }
    }

    /// Resumes the coin that was on its way before the start. Timeouts meanwhile are due now.
    private mutating func resume(
        _ line: CoinDecoder.State, of acceptor: Acceptor, isActive: Bool, _ step: inout StepContext
    ) {
        guard line.train != nil else {
            if isActive { pulse(acceptor, isActive: true, &step) }
            return
        }
        coins.update(acceptor) { $0.resume(line, isActive: isActive, at: step.time) }
        gate.isCounting[acceptor] = coins[acceptor].isCounting
        coinDeadlines[acceptor] = coins[acceptor].deadline
        while let due = coinDeadlines[acceptor], due <= step.time {
            receive(.timePassed(step.time), from: acceptor, &step)
        }
    }

    /// Handles everything that was due until `time`, each at its own time.
    private mutating func catchUp(to time: Instant, _ step: inout StepContext) {
        gate.skipOverdueRests(before: time)
        while let due = decidedDeadline, due <= time {
            step.time = due
            let wasToldMore = contacts.deadline == due || filter.deadline == due
            if contacts.deadline == due { settleContacts(&step) }
            if filter.deadline == due { filterSensors(.timePassed(due), &step) }
            if wasToldMore { gate.updateDeadline() }
            if let acceptor = coinDeadlines.firstAcceptor(dueAt: due) {
                receive(.timePassed(due), from: acceptor, &step)
            } else if gate.regionsDeadline == due {
                send(.timePassed, &step)
            }
            gate.updateDeadline()
        }
        step.time = time
    }

    // Apart from the code round it, which every coin goes through.
    @inline(never) private mutating func settleContacts(_ step: inout StepContext) {
        while let settled = contacts.settleNext(at: step.time) {
            route(settled, isActive: contacts[settled], &step)
        }
    }
}

// The handling of each event.
extension Turnstile {
    @inline(__always) private mutating func react(to event: Event, _ step: inout StepContext) {
        switch event.kind {
        case .started, .timePassed: break
        case .changed(let input, let isActive):
            // Of two edges that say "closed" the one between them is missing: it was open.
            let wasOpen = input == .fire && !isActive && contacts.isLoopClosed
            if wasOpen { route(.fire, isActive: true, &step) }
            change(input, isActive: isActive, &step)
            if wasOpen { route(.fire, isActive: false, &step) }
        case .edgesLost(let levels): resynchronise(levels, &step)
        case .lineFailed(let line, let failure):
            send(event.kind, &step)
            if failure == .unreadable, case .input(let input) = line {
                handleUnreadable(input, &step)
            }
        case .requested(let request, let requester): process(request, by: requester, &step)
        // Nothing follows from it any longer.
        case .stopped: step.record(.stopped)
        case .lineRecovered, .onTimeWarning, .outputCut, .clockRead, .clockStepped, .durable,
            .storageFailed, .ledgerOpened:
            send(event.kind, &step)
        }
    }

    @inline(__always) private mutating func change(
        _ input: Input, isActive: Bool, _ step: inout StepContext
    ) {
        switch contacts.handle(input, isActive: isActive, at: step.time) {
        case .settled: route(input, isActive: isActive, &step)
        case .unsettled:
            step.change()
            guard InputLevels.sensors[input] else { break }
            if !contacts.isSettling(input) { _ = filter.handle(.bounced(at: step.time)) }
            if expectMovement() { send(.timePassed, &step) }
        case .ignored(let reason):
            guard let acceptor = input.acceptor else { return step.ignore(reason) }
            // A coin line is driven and does not bounce: of two like edges in a row, the one
            // between them is missing, and a pulse with it.
            send(.edgesLost(contacts.levels), &step)
            receive(
                .edgesLost(isActive: isActive, gate.reception, at: step.time), from: acceptor, &step
            )
        }
    }

    /// Routes a debounced level to its region.
    @inline(__always) private mutating func route(
        _ input: Input, isActive: Bool, _ step: inout StepContext
    ) {
        step.change()
        if let acceptor = input.acceptor {
            pulse(acceptor, isActive: isActive, &step)
        } else if InputLevels.sensors[input] {
            filterSensors(.changed(contacts.sensors, at: step.time), &step)
        } else {
            send(.changed(input, isActive: isActive), &step)
        }
    }

    /// After lost edges: reports the fault, and judges everything by the lines' present levels. An
    /// emergency comes first and its end last; a passage is completed before a coin lets in the
    /// next person.
    private mutating func resynchronise(_ levels: InputLevels, _ step: inout StepContext) {
        send(.edgesLost(levels), &step)
        let wasOpen = contacts.isLoopChattering(at: step.time)
        if wasOpen || levels[.fire], !contacts[.fire] {
            contacts.start(levels, inputs: InputLevels(.fire))
            route(.fire, isActive: true, &step)
        }
        contacts.start(levels, inputs: .decoded)
        _ = filter.handle(.edgesLost(contacts.sensors, at: step.time))
        let wasUnknown = expectMovement()
        _ = decodeRotor(.edgesLost(filter.sensors), &step)
        for acceptor in Acceptor.ordered {
            receive(
                .edgesLost(isActive: levels[acceptor.line], gate.reception, at: step.time),
                from: acceptor, &step)
        }
        for input in Input.ordered where !InputLevels.decoded[input] {
            change(input, isActive: levels[input], &step)
        }
        if wasUnknown { send(.timePassed, &step) }
        if wasOpen, !contacts[.fire] { route(.fire, isActive: false, &step) }
    }

    /// A line cannot be read: the rest of a passage or coin in progress is unknown.
    private mutating func handleUnreadable(_ input: Input, _ step: inout StepContext) {
        if InputLevels.sensors[input], case .passing = gate.lane.state {
            _ = decodeRotor(.edgesLost(filter.sensors), &step)
        }
        if let acceptor = input.acceptor, coins[acceptor].isCounting {
            receive(
                .edgesLost(isActive: contacts[input], gate.reception, at: step.time),
                from: acceptor, &step)
        }
    }

    private mutating func pulse(_ acceptor: Acceptor, isActive: Bool, _ step: inout StepContext) {
        receive(.changed(isActive: isActive, gate.reception, at: step.time), from: acceptor, &step)
    }

    private mutating func filterSensors(_ event: RotorFilter.Event, _ step: inout StepContext) {
        let outcome = filter.handle(event)
        var isOver = expectMovement()
        let verdict = outcome.read { command in
            switch command {
            case .follow(let sensors): if decodeRotor(.changed(sensors), &step) { isOver = false }
            case .skip(let sensors): if decodeRotor(.skipped(sensors), &step) { isOver = false }
            case .reportNoise: send(.rotorNoise, &step)
            }
        }
        step.account(verdict)
        // No movement: a wait may have expired meanwhile, or a closing may have been put off.
        // Other events of this moment may still be movements.
        let isKnown = gate.lane.movementUndecidedUntil == nil
        if isKnown, let due = gate.lane.deadline, due <= step.time { isOver = true }
        if isOver { send(.timePassed, &step) }
    }

    /// Tells the gate until when a movement is undecided; true once it is decided.
    private mutating func expectMovement() -> Bool {
        gate.expectMovement(until: .earliest(filter.deadline, contacts.sensorDeadline))
    }

    /// True where the gate hears of it.
    private mutating func decodeRotor(
        _ event: RotorDecoder.Event, _ step: inout StepContext
    ) -> Bool {
        var isTold = false
        let verdict = rotor.handle(event).read {
            isTold = true
            send(.moved($0), &step)
        }
        step.account(verdict)
        return isTold
    }

    private mutating func receive(
        _ event: CoinDecoder.Event, from acceptor: Acceptor, _ step: inout StepContext
    ) {
        // In one go: a decoder is copied for each look at it from here.
        let (outcome, isCounting, deadline) = coins.update(acceptor) {
            ($0.handle(event), $0.isCounting, $0.deadline)
        }
        var isTold = gate.isCounting[acceptor] == isCounting
        gate.isCounting[acceptor] = isCounting
        let verdict = outcome.read { command in
            isTold = true
            send(.coin(acceptor, command), &step)
        }
        step.account(verdict)
        // While a coin is counted credit does not expire.
        if !isTold, gate.credit > 0 { send(.timePassed, &step) }
        coinDeadlines[acceptor] = deadline
        // Events that reached the gate are retained at the end.
        if !step.reachedGate { retained.coins[acceptor] = coins[acceptor].retained }
    }

    mutating func updateCoinDeadlines() {
        coinDeadlines = PerAcceptor { coins[$0].deadline }
    }

    @inline(__always) mutating func send(_ kind: Event.Kind, _ step: inout StepContext) {
        send(.forwarded(kind), &step)
    }

    mutating func send(_ kind: Gate.Event.Kind, _ step: inout StepContext) {
        gate.process(Gate.Event(kind, at: step.time), &step)
    }
}

// The deadlines of the decoders and the turnstile.
extension Turnstile {
    /// The requester of a pending policy, if there is one.
    var policyRequester: Requester? {
        switch pending {
        case .nothing: nil
        case .policy(_, let requester): requester
        }
    }

    /// When something is due in the decoders.
    var decodersDue: [StatusReport.Due] {
        let coins = Acceptor.ordered.map { (coinDeadlines[$0], StatusReport.Reason.coinCounted) }
        let others = [
            (contacts.deadline, StatusReport.Reason.contactSettles),
            (filter.deadline, .rotorSettles),
        ]
        return (others + coins).compactMap { time, reason in
            time.map { StatusReport.Due(time: $0, reason: reason) }
        }
    }
}

// Events before the shell could drive outputs.
extension Turnstile {
    /// Puts off the timeouts of passengers and locks: for so long the outputs did not carry the
    /// commanded levels.
    public mutating func postpone(by duration: Duration) {
        gate.postpone(by: duration)
        updateDeadline()
    }
}

// The state, stored and restored, or moved in time.
extension Turnstile: Restorable {
    /// Raised with every change of what the state holds or means.
    public static var snapshotVersion: Int { 13 }

    /// Moves the deadlines, and since when the coin lines have been active.
    public mutating func shiftInstants(by duration: Duration) {
        contacts.shiftInstants(by: duration)
        for acceptor in Acceptor.ordered { coins[acceptor].shiftInstants(by: duration) }
        updateCoinDeadlines()
        filter.shiftInstants(by: duration)
        gate.shiftInstants(by: duration)
        if gate.hasStarted { retain() }
        updateDeadline()
    }
}

extension Turnstile: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "turnstile" }
    /// One that has not started, and has no lines.
    public static var blank: Turnstile { Turnstile(policy: .blank, equipment: .blank) }

    /// The whole state, in version ``snapshotVersion``: a restored turnstile continues exactly as
    /// the stored one.
    public func visit(_ fields: inout some FieldVisitor) -> Turnstile {
        let gate = fields.inline(gate)
        var turnstile = Turnstile(
            policy: gate.policy, ledger: gate.past.ledger == .none ? .none : .awaited)
        turnstile.gate = gate
        turnstile.contacts = fields.field(.contacts, contacts)
        turnstile.filter = fields.part(.rotorFilter, filter, in: turnstile.filter)
        turnstile.rotor = fields.field(.rotorDecoder, rotor)
        for (acceptor, name) in zip(Acceptor.ordered, FieldName.ofAcceptors) {
            let form = turnstile.coins[acceptor]
            turnstile.coins[acceptor] = fields.part(name, coins[acceptor], in: form)
        }
        turnstile.pending = fields.field(.pending, pending)
        turnstile.policySource = fields.optional(.policySource, policySource)
        turnstile.recomputeDerivedState()
        return turnstile
    }

    /// Computes the derived state, as between two events.
    private mutating func recomputeDerivedState() {
        updateCoinDeadlines()
        updateDeadline()
        gate.isChangeAwaited = gate.hasStarted && isAnythingPending
        gate.isCounting = PerAcceptor { coins[$0].isCounting }
        status = gate.status
        if gate.hasStarted { retain() } else { retained = gate.past.recovery.retained }
    }
}
