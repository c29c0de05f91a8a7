public import StateMachines

/// Who may pass, what is owed, and what is wrong.
///
/// A gate is made of regions that live side by side, each a machine of its own: the ``Lane``, the
/// ``Emergency``, the ``ServiceMode``, the ``FaultBoard``, the ``AlarmPanel``, the
/// ``CreditAccount``, the ``Timetable``, and those that watch and count. The gate routes events to
/// them, accounts for what they say, and derives from all of them together what the outputs carry
/// (``drive``). Commands are the difference between what was driven before and what is driven
/// after, so that no path can forget one.
public struct Gate: StateMachine, Hashable, Sendable {
    /// What may happen to a gate, and when.
    public struct Event: Hashable, Sendable {
        /// What happened.
        public var kind: Kind
        /// When.
        public var time: Instant

        /// An event of this kind at this time.
        public init(_ kind: Kind, at time: Instant) {
            self.kind = kind
            self.time = time
        }

        /// What may happen to a gate: what the decoders make of edges, and what the turnstile heard
        /// that is nothing to them.
        public enum Kind: Hashable, Sendable {
            /// The rotor moved.
            case moved(RotorDecoder.Command)
            /// The rotor's sensors carried noise.
            case rotorNoise
            /// A coin line says something.
            case coin(Acceptor, CoinDecoder.Command)
            /// This, of which a policy is the whole turnstile's, and a level is one that counts.
            case forwarded(Turnstile.Event.Kind)
        }
    }

    /// Where the rotor is, as far as the gate cares.
    enum Rotor: Hashable, Sendable {
        case home
        case turning(Direction)
        case lost
    }

    /// What the owner decided.
    public internal(set) var policy: Policy
    /// Which lines there are.
    public let equipment: Equipment
    /// What else the policy has to fit.
    let installation: Installation
    /// How locks that cannot be held open are driven in an emergency, where that is stated.
    let emergencyDuties: [Output: EmergencyDuty]
    /// Who may pass, and what becomes of those who may not, by what is in force now.
    public internal(set) var regime: Regime
    /// The credit that is held for the next passages.
    public internal(set) var creditAccount: CreditAccount
    /// Whether what is held is written down for good.
    public internal(set) var commitBarrier = CommitBarrier()
    /// Who waits for their turn who did not pay.
    public internal(set) var queue = Queue()
    /// The way through.
    public internal(set) var lane: Lane
    /// The emergency.
    public internal(set) var emergency: Emergency
    /// The mechanic.
    public internal(set) var service: ServiceMode
    /// The faults.
    public internal(set) var faults: FaultBoard
    /// The alarms.
    public internal(set) var alarms = AlarmPanel()
    /// What the schedule asks for.
    public internal(set) var timetable: Timetable

    /// Which contacts are active.
    var levels = InputLevels()
    var rotor = Rotor.home
    /// Which outputs are on: the ways through once it is settled, the rest once all is done.
    private(set) var driven = OutputSet()
    /// Which outputs are on by the commands so far.
    private var commanded = OutputSet()
    /// The outputs that nothing has been commanded about yet.
    private var uncommanded: OutputSet
    var hasStarted = false
    /// What was above the fare, and is no fare itself, when somebody was last let in for one.
    var surplus = 0
    /// How many fares coins have completed since the gate last had nobody to serve: so often it
    /// opens on credit by itself.
    var newFares = 0
    /// Until when an outage that ends by itself leaves the gate as it was.
    var outageEnd: Instant?
    /// Why coins are refused, as the log has it.
    var toldRefusal: CoinRefusal?
    /// Whether coins were accepted after the last event: the acceptors are told behind the next.
    var wasAccepting = false
    /// Until when a coin may still be on its way that set out before the acceptors were inhibited.
    var lateUntil: Instant?
    /// Until when pulses are what an acceptor does as it is switched on.
    var earlyUntil: Instant?
    /// Whether the log says that the schedule waits.
    var isScheduleDeferred = false
    /// Whether the vault's switch told of a collection that nobody has counted yet.
    var isCountAwaited = false
    /// Whether a policy, mode or enforcement is pending: nobody else is let pass before.
    var isChangeAwaited = false
    /// Of which acceptors a coin is being counted.
    var isCounting = PerAcceptor(repeating: false)

    var locks: LockWatches
    var duties: LockDuties
    var arm: ArmWatch
    var beams: BeamWatch
    /// Somebody is in the rotor, whoever let them in.
    var loiterer: OnDelay
    var counters: Counters
    /// What was before this gate, for as long as something may come of it.
    var past: Past

    /// The locks' feedback.
    struct LockWatches: Hashable, Sendable {
        var entry: LockWatch
        var exit: LockWatch
    }

    /// A gate that has not started: nothing is driven.
    public init(
        policy: Policy, installation: Installation, emergencyDuties: [Output: EmergencyDuty] = [:],
        ledger: LedgerConnection = .none, recovery: Recovery = .known(RetainedState())
    ) {
        self.policy = policy
        self.installation = installation
        self.emergencyDuties = emergencyDuties
        equipment = installation.equipment
        uncommanded = equipment.commanded
        regime = policy.regime
        creditAccount = CreditAccount(policy: policy)
        lane = Lane(policy: policy)
        emergency = Emergency(policy: policy)
        service = ServiceMode(policy: policy, equipment: equipment)
        faults = FaultBoard(policy: policy)
        timetable = Timetable(policy: policy)
        locks = LockWatches(
            entry: LockWatch(.entry, policy: policy), exit: LockWatch(.exit, policy: policy))
        duties = LockDuties(installation, emergencyDuties)
        arm = ArmWatch(policy: policy)
        beams = BeamWatch(policy: policy)
        loiterer = OnDelay(delay: policy.passDelayAlarm)
        counters = Counters(policy: policy)
        past = Past(ledger: PastLedger(ledger), recovery: .from(recovery))
        // Built now, so that the first coin takes no longer than the next.
        _ = CoinRules.table
        Input.prepare()
        Output.prepare()
    }

    /// What is held for the next passages, in minor units of the currency.
    public var credit: Int { creditAccount.credit }

    /// Whether nobody is in the rotor, nor may have begun to move in this moment.
    ///
    /// Whatever closes asks this and nothing else: what is doubtful is not clear.
    @inline(__always) public var isLaneClear: Bool { isRotorHome && lane.movementKnown == nil }

    /// Whether all sensors of the lane work. While one cannot be read neither an emergency nor
    /// service mode ends, until the mechanic's key says that somebody has looked.
    var isLaneSeen: Bool { !faults.isUp(anyOf: .unseenLane) }

    /// Whether the rotor is home, as far as its sensors are followed.
    @inline(__always) public var isRotorHome: Bool { rotor == .home }

    /// Whether the end of a coin is near: in a burst of noise a train may never end.
    @inline(__always) var isCoinExpected: Bool {
        isCoinExpected(.first) || isCoinExpected(.second) || isCoinExpected(.third)
    }

    @inline(__always) private func isCoinExpected(_ acceptor: Acceptor) -> Bool {
        isCounting[acceptor] && !faults.isUp(.noiseBurst(acceptor))
    }

    /// Whether a new policy can come into force without changing the terms for anybody.
    @inline(__always) public var isIdle: Bool {
        guard hasStarted, lane.state == .locked, isLaneClear else { return false }
        switch standing {
        case .emergency, .stopped, .service: return false
        case .outOfService, .inService: return true
        }
    }

    /// When something is due in one of the regions, or on one of the counters.
    @inline(__always) public var deadline: Instant? {
        .earliest(regionsDeadline, counters.deadline)
    }

    /// When something is due in one of the regions.
    private(set) var regionsDeadline: Instant?

    /// Finds out what follows from the rest of the state, as it is between two events.
    mutating func recomputeDerivedState() {
        lane.open(regime)
        blockLane()
        wasAccepting = acceptsCoins
        driven = drive ?? []
        commanded = driven
        if hasStarted { uncommanded = [] }
        updateDeadline()
    }

    /// Looks when something is due: whoever had the gate do something does so when it is done.
    mutating func updateDeadline() {
        if hasStarted { regionsDeadline = earliestDeadline }
    }

    /// Routes the event to the regions it concerns and answers with what is to be driven, then
    /// recorded.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        var commands = Commands<Command>()
        let verdict = handle(event) { commands.append($0) }
        return Outcome(verdict, commands)
    }

    /// The same, without a list.
    public mutating func handle(_ event: Event, perform: (Command) -> Void) -> Verdict {
        var step = StepContext(at: event.time)
        process(event, &step)
        count(&step)
        updateAcceptors(&step)
        updateIndicators(&step)
        updateDeadline()
        drive(.all, perform: perform)
        return step.finish(perform: perform)
    }

    /// Lets `event` happen, and all that follows from it but the counting.
    mutating func process(_ event: Event, _ step: inout StepContext) {
        step.reachedGate = true
        react(to: event, &step)
        propagate(&step)
    }

    /// Lets follow what follows from the regions' states as they are together.
    mutating func propagate(_ step: inout StepContext) {
        updateRegions(&step)
        if hasStarted {
            duties.follow(isEmergency: emergency.isActive, at: step.time)
            setOutputs(wayOutputs(standing), of: .ways, &step)
        }
        watchLocks(&step)
        blockLane()
    }

    /// Goes on counting, once all that an event leads to is done.
    mutating func count(_ step: inout StepContext) {
        let pulses = step.counts.wired(in: equipment.outputs)
        step.counts = Counters.Pulses()
        guard counters.count(pulses, at: step.time) else { return }
        step.change()
        // The mechanic may have waited for the last pulse.
        propagate(&step)
    }

    /// Works out what tells people of the gate from now on, takes their coins and counts them.
    mutating func updateIndicators(_ step: inout StepContext) {
        if hasStarted { setOutputs(indicatorOutputs(standing), of: .indicators, &step) }
    }

    /// Takes which outputs of a part are to be on from now on.
    @inline(__always) private mutating func setOutputs(
        _ on: OutputSet, of part: OutputSet, _ step: inout StepContext
    ) {
        let next = driven.subtracting(part).union(on.intersection(equipment.outputs))
        guard next != driven else { return }
        driven = next
        if !duties.areUnlimited { duties.follow(driven, at: step.time) }
        step.change()
    }

    /// Hands over what is to change of some outputs, in the order of `Output`: the ways through
    /// before all that tells of them. At first these are all outputs.
    mutating func drive(_ part: OutputSet, perform: (Command) -> Void) {
        guard hasStarted else { return }
        var changed = commanded.symmetricDifference(driven).union(uncommanded).intersection(part)
        guard !changed.isEmpty else { return }
        commanded.formSymmetricDifference(commanded.symmetricDifference(driven).intersection(part))
        uncommanded.subtract(part)
        while let output = changed.first {
            changed[output] = false
            perform(Command(output, isOn: driven[output]))
        }
    }

    /// Has no lock go on and off for all of a time in which nobody was there.
    mutating func skipOverdueRests(before time: Instant) {
        guard duties.deadline != nil else { return }
        duties.skipOverdue(before: time)
        updateDeadline()
    }

    /// Nobody knows until then whether somebody moves, or since when they do: nothing closes
    /// before, nor does a wait end. True where that is over: it is to be told that time passed.
    mutating func expectMovement(until known: Instant?) -> Bool {
        guard lane.movementKnown != known else { return false }
        lane.movementKnown = known
        updateDeadline()
        return known == nil
    }
}

// New terms.
extension Gate {
    /// Takes a new policy, for which `requester` asked; the gate must be idle.
    mutating func adopt(_ policy: Policy, by requester: Requester, _ step: inout StepContext) {
        self.policy = policy
        forEachRegion { $0.adopt(policy, in: $1, at: step.time) }
        applyTimetable(isIdle: true, by: requester, &step)
    }

    /// Puts into force what the timetable asks for, as soon as the gate is idle, in the name of
    /// `requester` where no operator asked. Authorisations for a direction that is no longer
    /// controlled are dropped.
    mutating func applyTimetable(
        isIdle: Bool, by requester: Requester = .schedule, _ step: inout StepContext
    ) {
        let wanted = timetable.regime
        let wasDeferred = isScheduleDeferred
        let asked = timetable.request(where: regime)
        isScheduleDeferred = asked != nil && !isIdle
        if let asked, !wasDeferred {
            step.answer(Answer(asked, by: .schedule, isIdle ? .done : .deferred))
        }
        confirmMetTerms(&step)
        guard isIdle, wanted != regime else { return }
        recordChanges(to: wanted, by: requester, &step)
        regime = wanted
        timetable.confirm(regime) { _, _ in }
        lane.open(wanted)
        dropQueued(where: { wanted[$0] != .controlled }, &step)
    }

    /// Tells who waited for what is in force without any change.
    mutating func confirmMetTerms(_ step: inout StepContext) {
        timetable.confirm(regime) { step.record(.done($0, by: $1)) }
    }

    /// Tells what is in force from now on that was not, and who asked for it.
    func recordChanges(
        to wanted: Regime, by requester: Requester = .schedule, _ step: inout StepContext
    ) {
        for direction in Direction.allCases where wanted[direction] != regime[direction] {
            let requester = timetable.terms[direction]?.requester ?? requester
            step.record(.modeChanged(direction, wanted[direction], by: requester))
        }
        if wanted.enforcement != regime.enforcement {
            let requester = timetable.terms.enforcement?.requester ?? requester
            step.record(.enforcementChanged(wanted.enforcement, by: requester))
        }
    }
}
