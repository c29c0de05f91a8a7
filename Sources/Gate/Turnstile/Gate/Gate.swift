public import StateMachines

/// Who may pass, what is owed, and what is wrong.
///
/// A gate is made of parallel regions, each a machine of its own: the ``Lane``, the
/// ``Emergency``, the ``ServiceMode``, the ``FaultBoard``, the ``AlarmPanel``, the
/// ``CreditAccount``, the ``Timetable``, and those that watch and count. The gate routes events to
/// them, carries out their commands, and derives the outputs from all of them together
/// (``drive``). Its commands are the difference of the outputs before and after the event, so that
/// no path can forget one.
public struct Gate: TimedMachine, Hashable, Sendable {
    /// An event, and its time.
    public struct Event: Hashable, Sendable {
        /// The kind of event.
        public var kind: Kind
        /// When.
        public var time: Instant

        /// An event of this kind at this time.
        public init(_ kind: Kind, at time: Instant) {
            self.kind = kind
            self.time = time
        }

        /// The commands of the decoders, and the turnstile's events that do not concern them.
        public enum Kind: Hashable, Sendable {
            /// The rotor moved.
            case moved(RotorDecoder.Command)
            /// The rotor's sensors carried noise.
            case rotorNoise
            /// The decoder of a coin line has a result.
            case coin(Acceptor, CoinDecoder.Command)
            /// Any other event of the turnstile, except a policy request; levels are debounced.
            case forwarded(Turnstile.Event.Kind)
        }
    }

    /// Where the rotor is, as far as the gate cares.
    enum Rotor: Hashable, Sendable {
        case home
        case turning(Direction)
        case lost
    }

    /// The owner's policy.
    public internal(set) var policy: Policy
    /// The wired lines.
    public let equipment: Equipment
    /// The limits of the hardware, which a policy has to fit.
    let installation: Installation
    /// How locks that cannot be held open are driven in an emergency, where that is stated.
    let emergencyDuties: [Output: EmergencyDuty]
    /// The modes of the directions and the enforcement that are in force now.
    public internal(set) var regime: Regime
    /// The credit that is held for the next passages.
    public internal(set) var creditAccount: CreditAccount
    /// Whether the records about money are durable.
    public internal(set) var commitBarrier = CommitBarrier()
    /// The unpaid authorisations that wait for their turn.
    public internal(set) var queue = Queue()
    /// Who may pass now.
    public internal(set) var lane: Lane
    /// The emergency.
    public internal(set) var emergency: Emergency
    /// The service mode, for the mechanic.
    public internal(set) var service: ServiceMode
    /// The faults.
    public internal(set) var faults: FaultBoard
    /// The alarms.
    public internal(set) var alarms = AlarmPanel()
    /// The regime by schedule and requests.
    public internal(set) var timetable: Timetable

    /// The debounced contacts that are active.
    var levels = InputLevels()
    var rotor = Rotor.home
    /// The outputs that are on.
    private(set) var driven = OutputSet()
    /// The outputs that are on by the commands so far.
    private var commanded = OutputSet()
    /// The outputs that had no command yet.
    private var uncommanded: OutputSet
    var hasStarted = false
    /// The remainder of the credit, smaller than a fare, at the last release on credit.
    var surplus = 0
    /// Fares completed by coins since the gate was last idle: it releases that many by itself.
    var newFares = 0
    /// Until when an outage that ends by itself leaves the gate's state unchanged.
    var outageEnd: Instant?
    /// The reason for refusing coins that was recorded last; nil while coins are accepted.
    var toldRefusal: CoinRefusal?
    /// Whether coins were accepted after the last event.
    var wasAccepting = false
    /// Until when a coin inserted before the acceptors were inhibited may still arrive.
    var lateUntil: Instant?
    /// Until when pulses come from switching an acceptor on.
    var earlyUntil: Instant?
    /// Whether it was recorded that the schedule is deferred.
    var isScheduleDeferred = false
    /// Whether the vault's switch reported a collection that has not been counted yet.
    var isCountAwaited = false
    /// Whether a policy, mode or enforcement is pending: no passenger is released before.
    var isChangeAwaited = false
    /// The acceptors at which a coin is being counted.
    var isCounting = PerAcceptor(repeating: false)

    var locks: LockWatches
    var duties: LockDuties
    var arm: ArmWatch
    var beams: BeamWatch
    /// Raises an alarm if a person stays in the rotor, authorised or not.
    var loiterer: OnDelay
    /// The contacts that are held.
    var heldContacts: ContactWatch
    var counters: Counters
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
        heldContacts = ContactWatch(policy: policy)
        counters = Counters(policy: policy)
        past = Past(ledger: PastLedger(ledger), recovery: .from(recovery))
        // Built now: the first coin takes no longer than the next.
        _ = CoinRules.table
        Input.prepare()
        Output.prepare()
    }

    /// The credit for the next passages, in minor units of the currency.
    public var credit: Int { creditAccount.credit }

    /// Whether the rotor is empty and no movement is possible. Everything that closes requires
    /// this.
    @inline(__always) public var isLaneClear: Bool {
        isRotorHome && lane.movementUndecidedUntil == nil
    }

    /// Whether all sensors of the lane work. While one is unreadable neither an emergency nor
    /// service mode ends, until the mechanic confirms with the key that the lane is clear.
    var isLaneSeen: Bool { !faults.isUp(anyOf: .unseenLane) }

    /// Whether the rotor is home, by its sensors.
    @inline(__always) public var isRotorHome: Bool { rotor == .home }

    /// Whether a coin being counted will end soon: in a burst of noise a train may never end.
    @inline(__always) var isCoinExpected: Bool {
        isCoinExpected(.first) || isCoinExpected(.second) || isCoinExpected(.third)
    }

    @inline(__always) private func isCoinExpected(_ acceptor: Acceptor) -> Bool {
        isCounting[acceptor] && !faults.isUp(.noiseBurst(acceptor))
    }

    /// Whether a new policy can come into force without a change of terms for anybody.
    @inline(__always) public var isIdle: Bool {
        guard hasStarted, lane.state == .locked, isLaneClear else { return false }
        switch standing {
        case .emergency, .stopped, .service: return false
        case .outOfService, .inService: return true
        }
    }

    /// The next deadline of the regions and counters.
    @inline(__always) public var deadline: Instant? {
        .earliest(regionsDeadline, counters.deadline)
    }

    private(set) var regionsDeadline: Instant?

    /// Computes the state that a snapshot does not contain, as between two events.
    mutating func recomputeDerivedState() {
        lane.open(regime)
        blockLane()
        wasAccepting = acceptsCoins
        driven = drive ?? []
        commanded = driven
        if hasStarted { uncommanded = [] }
        updateDeadline()
    }

    /// Has to be called after each change from outside ``handle(_:)``.
    mutating func updateDeadline() {
        if hasStarted { regionsDeadline = earliestDeadline }
    }

    /// Routes the event to its regions. Outputs come first in the answer, then records.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        var commands = Commands<Command>()
        let verdict = handle(event) { commands.append($0) }
        return Outcome(verdict, commands)
    }

    /// The same, without allocating a list of commands.
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

    /// Handles `event` and all its consequences, except counting.
    mutating func process(_ event: Event, _ step: inout StepContext) {
        step.reachedGate = true
        react(to: event, &step)
        propagate(&step)
    }

    /// Applies the consequences of the regions' combined state.
    mutating func propagate(_ step: inout StepContext) {
        updateRegions(&step)
        if hasStarted {
            duties.follow(isEmergency: emergency.isActive, at: step.time)
            setOutputs(wayOutputs(standing), of: .ways, &step)
        }
        watchLocks(&step)
        blockLane()
    }

    /// Drives the counters, after all other consequences of an event.
    mutating func count(_ step: inout StepContext) {
        let pulses = step.counts.wired(in: equipment.outputs)
        step.counts = Counters.Pulses()
        guard counters.count(pulses, at: step.time) else { return }
        step.change()
        // The mechanic may have waited for the last pulse.
        propagate(&step)
    }

    /// Determines the outputs other than locks and arm: lamps, acceptors, counters.
    mutating func updateIndicators(_ step: inout StepContext) {
        if hasStarted { setOutputs(indicatorOutputs(standing), of: .indicators, &step) }
    }

    /// `on`: the outputs of `part` that are on from now on.
    @inline(__always) private mutating func setOutputs(
        _ on: OutputSet, of part: OutputSet, _ step: inout StepContext
    ) {
        let next = driven.subtracting(part).union(on.intersection(equipment.outputs))
        guard next != driven else { return }
        driven = next
        if !duties.areUnlimited { duties.follow(driven, at: step.time) }
        step.change()
    }

    /// Commands the changed outputs of `part`, in the order of `Output`: locks and arm come before
    /// indicators. The first time it commands all of them.
    mutating func drive(_ part: OutputSet, perform: (Command) -> Void) {
        guard hasStarted else { return }
        var changed = commanded.symmetricDifference(driven).union(uncommanded).intersection(part)
        guard !changed.isEmpty else { return }
        commanded.formSymmetricDifference(commanded.symmetricDifference(driven).intersection(part))
        uncommanded.subtract(part)
        while let output = changed.first {
            changed[output] = false
            perform(.set(output, isOn: driven[output]))
        }
    }

    /// Prevents locks from being cycled for missed duty cycles after a long gap.
    mutating func skipOverdueRests(before time: Instant) {
        guard duties.deadline != nil else { return }
        duties.skipOverdue(before: time)
        updateDeadline()
    }

    /// Until `known` a movement is undecided: nothing closes and no wait ends.
    /// Returns true once it is decided; the caller then lets time pass.
    mutating func expectMovement(until known: Instant?) -> Bool {
        guard lane.movementUndecidedUntil != known else { return false }
        lane.movementUndecidedUntil = known
        updateDeadline()
        return known == nil
    }
}

// New terms.
extension Gate {
    /// Adopts the policy that `requester` asked for; the gate must be idle.
    mutating func adopt(_ policy: Policy, by requester: Requester, _ step: inout StepContext) {
        self.policy = policy
        forEachRegion { $0.adopt(policy, in: $1, at: step.time) }
        applyTimetable(isIdle: true, by: requester, &step)
    }

    /// Puts the timetable's regime into force once the gate is idle; `requester` is recorded where
    /// no operator asked. Drops authorisations for a direction that is no longer controlled.
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

    /// Records as done the requests whose terms are in force already.
    mutating func confirmMetTerms(_ step: inout StepContext) {
        timetable.confirm(regime) { step.record(.done($0, by: $1)) }
    }

    /// Records each change from the present regime, with its requester.
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
