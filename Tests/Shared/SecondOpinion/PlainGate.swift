import StateMachines
public import Turnstile

/// The turnstile once more, as the second opinion on what the first one says: one piece, written
/// down from what a gate is to do, with plain variables and without machines, regions or tables.
///
/// It shares nothing with the first but the words for what comes in and what is recorded.
public struct PlainGate {
    /// What the way through is, for whoever holds an authorisation.
    enum Way { case locked, released, suspended, passing, recovering }

    /// What was recorded for the last event.
    public internal(set) var records: [Record] = []
    /// What became of what was asked for in the last event.
    public internal(set) var answers: [Answer] = []
    var policy: Policy
    var newPolicy: Policy?
    var newPolicyRequester = Requester.settings
    /// Who asked for the policy in force, where it is not the settings'.
    var policySource: Requester?
    let equipment: Equipment
    /// For how long an output may be on without a break.
    let maximumOnTimes: [Output: Duration]
    let emergencyDuties: [Output: EmergencyDuty]
    // Since when locks that cannot be held open are on; until when an emergency has them on, they
    // are off since they were on for too long, or they are let go before the next one.
    var lockOnSince: [Direction: Instant] = [:]
    var lockIsOnUntil: [Direction: Instant] = [:]
    var lockRests: [Direction: Instant] = [:]
    var lockPauses: [Direction: Instant] = [:]

    // What the lines carry, as far as it counts, and when the opposite will count.
    var isActive = InputLevels()
    var countsAt = [Instant?](repeating: nil, count: Input.allCases.count)
    /// For how long the loop has still to be open, if that is before it was closed for a while.
    var loopUnrest: (left: Duration, calm: Instant)?
    let debounce: [Duration]
    let debounceTimes: [Input: Duration]

    // Who may pass, and what the clock on the wall showed when it was last heard of.
    var regime: Regime
    var isScheduleDeferred = false
    /// What people asked to have in force.
    var modes: [Direction: Term<Mode>] = [:]
    var enforcement: Term<Enforcement>?
    var clock: (shows: Int, at: Instant)?
    /// By how much it was set since, where that matters.
    var clockSetBy: Duration = .zero
    var scheduleChangesAt: Instant?

    // Coins.
    var coinLines = [CoinLine](repeating: CoinLine(), count: Acceptor.allCases.count)
    var acceptedBefore = false
    /// Until when a coin may still be on its way that came in while coins were taken.
    var lateUntil = Instant.zero
    var earlyUntil = Instant.zero
    /// The vault was put back, and nobody has said since what was in the one before.
    var isVaultUncounted = false
    /// What is held for the next passages, in minor units of the currency.
    public internal(set) var credit = 0
    /// When credit that nobody uses is the operator's.
    var creditExpires: Instant?
    /// How many fares coins completed since the gate last had nobody to serve. Credit that is older
    /// waits for a push, or for another coin.
    var freshFares = 0
    /// What is above the fare, and no fare itself, of the credit of whoever is let in now.
    var surplus = 0
    /// Why coins are refused, as it was when it was told last.
    var toldRefusal: CoinRefusal?

    /// When something was last heard of.
    var heardAt = Instant.zero

    // What was before the start.
    let recovery: Recovery
    /// Who stood in the rotor at the start, by what is known of them.
    var found: RetainedState.Passage?
    /// Until the ledger is open: who was on the way before the start, whether they are through,
    /// and whether somebody stood in the rotor.
    var passageBefore: RetainedState.Passage?
    var isPassageOver = false
    var wasOccupied = false
    /// Of which acceptors the ledger may know a coin that is still being counted.
    var isCountedOn = [Bool](repeating: false, count: Acceptor.allCases.count)
    /// Whom the gate is to be released for again.
    var releasedBefore: RetainedState.Release?
    /// Who is to be let in again, and when they go unless the ledger is opened before.
    var payerBefore: (payer: RetainedState.Payer, goes: Instant?)?

    // The ledger, where there is one.
    let hasLedger: Bool
    var isLedgerAwaited: Bool
    /// What a ledger that is open at once holds for people.
    var balances: Balances?
    /// Whether this event asks for something to be stored, and whether something asked for is not.
    var isToBeStored = false
    var isUnstored = false
    /// Whether somebody has paid and waits until all is stored.
    var hasPaid = false

    // The rotor: quarters from home, positive on the way in; nil when nobody can tell.
    var position: Int? = 0
    /// How many quarters of the way in the sensors show, as far as that is believed, and when what
    /// they show now is believed.
    var believed = 0
    var believedAt: Instant?
    /// Since when the sensors have not been at rest, and when they are unless they change.
    var unrest: (since: Instant, until: Instant)?
    /// Both sensors changed within a moment.
    var isDoubtful = false
    /// What doubtful sensors showed last, and since when.
    var shownBefore = 0
    var shownSince = Instant.zero
    var passedMiddle = false
    /// Until when somebody on the heels of the last passage has slipped in behind it.
    var followed: (way: Direction, until: Instant)?

    // Who is let through.
    var way = Way.locked
    /// The way as it was when all was done that the last event led to.
    var wayBefore = Way.locked
    var direction = Direction.entry
    var authorisation = Authorisation.contact
    var stored: [Direction: Int] = [.entry: 0, .exit: 0]
    var people: [Gate.Queue.Person] = []
    /// Whoever passes freely one way while the gate is released for the other.
    var passesBeside: Direction?
    /// Whether somebody passes freely of whom nobody has seen which way they go.
    var passesUnseen = false
    var isRelocked = false
    var waitEnds: Instant?
    /// When a wait is over, however often somebody turns back.
    var lastWaitEnds: Instant?

    // Emergency, stop, and the mechanic.
    var hasStarted = false
    var isLoopOpen = false
    var isEmergency = false
    var isReset = false
    var isStopped = false
    /// Nobody new was let pass any more when all was done that the last event led to.
    var wasShut = false
    var keyHeldUntil: Instant?
    var wantsService = false
    /// Other rules wait until nobody is on the way, and whether they did before this event.
    var wantsChange = false
    var wantedChange = false
    /// Who has the gate, or wants it.
    var serviceRequester: Requester?
    var testsOne = false
    var isService = false
    var leavesService = false
    var tested: Output?
    var testFailed = false
    var testMovesOn: Instant?

    // Faults and alarms. An alarm without an end is either latched or lasts while its cause does.
    var causes: Set<Fault> = []
    var faults: Set<Fault> = []
    var alarms: Set<Alarm> = []
    var alarmEnds: [Alarm: Instant] = [:]
    var isForcedLatched = false
    /// When a state of things that should not last is a fault or an alarm.
    var tooLongAt: [Trouble: Instant] = [:]
    /// Whether somebody has stood in the locked rotor for long.
    var isThereForLong = false
    /// The contacts that are held, and that nobody holds for long: when that is too long, and which
    /// of them were told of.
    var heldContacts: Set<Input> = []
    var heldUntil: [Input: Instant] = [:]
    var toldHeld: Set<Input> = []
    /// Until when an outage that ends by itself was a short one.
    var shortOutageEnds: Instant?

    // The outputs that count, by pulses.
    var pulses: [Output: PulseTrain] = [
        .coinReject: PulseTrain(), .countPulse: PulseTrain(), .coinMeter: PulseTrain(),
    ]

    /// A gate that has not started; `debounce` says how long each input's level must last,
    /// `maximumOnTimes` how long an output may be on, `ledger` where its ledger is, and `recovery`
    /// what is known of the gate before it.
    public init(
        policy: Policy, equipment: Equipment, debounce: [Input: Duration],
        maximumOnTimes: [Output: Duration], emergencyDuties: [Output: EmergencyDuty] = [:],
        ledger: LedgerConnection = .none,
        recovery: Recovery = .known(RetainedState())
    ) {
        self.policy = policy
        self.recovery = recovery
        hasLedger = ledger != .none
        isLedgerAwaited = hasLedger
        if case .open(let balances) = ledger { self.balances = balances }
        self.equipment = equipment
        self.maximumOnTimes = maximumOnTimes
        self.emergencyDuties = emergencyDuties
        debounceTimes = debounce
        self.debounce = Input.allCases.map { debounce[$0] ?? .zero }
        regime = policy.regime
    }

    // MARK: What follows from the state

    var isOutOfService: Bool { faults.contains { $0.effect == .outOfService } }
    /// Nobody is let in or out who is not on the way already.
    var isBlocked: Bool { isStopped || isOutOfService }
    var mayServe: Bool { hasStarted && !isEmergency && !isService && !isBlocked }
    /// Whoever may have begun to move as the gate was blocked counts as having begun before.
    var isShut: Bool { isBlocked && wasShut }
    var letsPeoplePass: Bool { hasStarted && !isEmergency && !isService && !isShut }
    /// Other rules come before whoever does not lean on the arm this way yet.
    func keepsForChange(_ way: Direction) -> Bool {
        guard wantsChange else { return false }
        guard let position, position != 0 else { return true }
        return (position > 0) != (way == .entry)
    }
    var isCounting: Bool {
        Acceptor.allCases.contains {
            let line = coinLines[$0.place]
            return (line.pulseBegan != nil || line.trainEnds != nil)
                && !faults.contains(.noiseBurst($0))
        }
    }
    var isIdle: Bool {
        hasStarted && !isEmergency && way == .locked && isStill
            && !isCounting && !isService && !isStopped
    }

    /// How many authorisations that nobody paid for wait for their turn.
    public var waiting: Int { stored.values.reduce(people.count, +) }

    /// How many authorisations are held.
    var held: Int {
        let isGranted = way != .locked && authorisation != .free
        return (isGranted ? 1 : 0) + waiting + credit / policy.price
    }

    /// The gate's state by its name in the journal.
    public var state: String {
        if !hasStarted { return "starting" }
        if isEmergency {
            return isLoopOpen ? "emergency" : isReset ? "awaiting_clear_lane" : "awaiting_reset"
        }
        if isStopped { return "stopped" }
        if isService { return tested == nil ? "service" : "testing" }
        if isOutOfService { return "out_of_service" }
        switch way {
        case .locked, .suspended:
            return regime.entry == .free || regime.exit == .free ? "free" : "locked"
        case .released: return "released"
        case .passing, .recovering: return "passing"
        }
    }

    // MARK: What happens

    /// Lets `event` happen; ``records`` then says what was recorded for it, in order.
    public mutating func happen(_ event: Event) {
        records.removeAll(keepingCapacity: true)
        answers.removeAll(keepingCapacity: true)
        isToBeStored = false
        let now = event.time
        heardAt = now
        if case .clockRead(let time) = event.kind, !hasStarted { return begin(time, now) }
        if case .requested(let request, let requester) = event.kind, !hasStarted {
            return ask(request, requester, now)
        }
        if case .started(let levels) = event.kind {
            start(levels, now)
        } else {
            passTime(until: now)
        }
        switch event.kind {
        case .started, .timePassed: break
        case .changed(let input, let level):
            // The loop was open in between, for nobody knows how long.
            if input == .fire, !level, !isActive[.fire], countsAt[input.index] == nil {
                breakLoop(now)
            }
            change(input, level, now)
        case .edgesLost(let levels): loseEdges(levels, now)
        case .lineFailed(let line, let failure): failLine(line, failure, now)
        case .lineRecovered(let line): recoverLine(line, now)
        case .onTimeWarning(let output): warn(output, now)
        case .outputCut(let output): cut(output, now)
        case .clockRead(let time): readClock(time, now)
        case .clockStepped(let by):
            records.append(.clockAdjusted(by: by))
            fail(.clockStepped, now)
            setClock(by: by)
        case .requested(let request, let requester): ask(request, requester, now)
        case .durable: ledgerCommitted(now)
        case .storageFailed: beginFault(.storageFailed, now)
        case .ledgerOpened(let balances):
            openLedger(balances, now)
            letPayerInAgain(now)
        case .stopped: records.append(.stopped)
        }
        settleDown(now)
        changeRules(now)
        comeToRest(now)
        // However late, no counting pulse is shorter than a counter needs.
        for output in pulses.keys { pulses[output]?.passTime(now, policy.countPulse) }
        settleDown(now)
        tellAcceptors(now)
    }

    private mutating func start(_ levels: InputLevels, _ now: Instant) {
        hasStarted = true
        lateUntil = now + policy.lateCoinWindow
        isActive = levels.intersection(equipment.inputs)
        believed = shown
        position = showsTurn ? nil : 0
        records.append(.started)
        takeUpRules(now)
        regime = wanted
        endOutage(now)
        let lines = Acceptor.allCases.map(\.line)
        for input in Input.allCases where tellsByLevel(input) && !lines.contains(input) {
            if isActive[input] { count(input, now) }
        }
        if equipment.inputs[.vaultPresent] && !isActive[.vaultPresent] {
            beginFault(.vaultMissing, now)
        }
        for input in Self.pressed { hold(input, now) }
        clearLane()
        takeUpRelease(now)
        letPayerInAgain(now)
        comeToRest(now)
        for acceptor in Acceptor.allCases { takeUpCoin(acceptor, now) }
    }

    /// Whether what an input means is told by its level at the start, not by a change alone.
    private func tellsByLevel(_ input: Input) -> Bool {
        switch input {
        case .coinPulse, .coinPulse2, .coinPulse3, .coinJam, .fire, .stop, .externalFault,
            .powerLow, .vaultFull:
            true
        case .rotorA, .rotorB, .beamA, .beamB, .home, .intrusion, .releaseEntry, .releaseExit,
            .serviceKey, .emergencyResetKey, .cabinetTamper, .vaultDoor, .vaultPresent,
            .lockFeedback, .lockFeedbackExit:
            false
        }
    }

    /// Everything that is due until `end`, at its time: contacts first, then coins, then the gate.
    private mutating func passTime(until end: Instant) {
        leaveOutLocks(until: end)
        while let now = nextDue, now <= end {
            for input in Input.allCases {
                guard let due = countsAt[input.index], due <= now else { continue }
                countsAt[input.index] = nil
                isActive[input].toggle()
                count(input, now)
                settleDown(now)
            }
            if let due = sensorsDue, due <= now { judgeSensors(now) }
            settleDown(now)
            for acceptor in Acceptor.allCases {
                passTime(of: acceptor, now)
                settleDown(now)
            }
            passTimeOfGate(now)
            settleDown(now)
        }
    }

    private mutating func passTimeOfGate(_ now: Instant) {
        endWait(now)
        for alarm in Alarm.allCases {
            if let end = alarmEnds[alarm], end <= now { clear(alarm) }
        }
        if let due = creditExpires, due <= now { expireCredit() }
        if let due = payerBefore?.goes, due <= now { payerBefore = nil }
        for trouble in Trouble.allCases {
            if let due = tooLongAt[trouble], due <= now { lastTooLong(trouble, now) }
        }
        if let due = keyHeldUntil, due <= now { askForService(now) }
        if let due = testMovesOn, due <= now { testNext(now) }
        if let due = scheduleChangesAt, due <= now { passTimeOfSchedule(now) }
        if let due = rulesEnd, due <= now { endRules(now) }
        tellHeld(now)
        passTimeOfLocks(now)
    }

    /// When something is due next, a counting pulse or the pause after it included.
    var nextTime: Instant? {
        ([nextDue] + pulses.values.map(\.changesAt)).compactMap { $0 }.min()
    }

    private var nextDue: Instant? {
        var times = countsAt.compactMap { $0 } + alarmEnds.values + tooLongAt.values
        for acceptor in Acceptor.allCases { times += self.times(of: acceptor) }
        times += Array(lockIsOnUntil.values) + lockRests.values + lockPauses.values
        times += Array(heldUntil.values)
        times += [
            creditExpires, waitEnds.map { max($0, knownAt ?? $0) }, keyHeldUntil, testMovesOn,
            scheduleChangesAt, sensorsDue, rulesEnd, payerBefore?.goes,
        ].compactMap { $0 }
        return times.min()
    }

    /// What follows at once from what has just happened.
    mutating func comeToRest(_ now: Instant) {
        wasShut = isBlocked && (wasShut || isService || knownAt == nil)
        if isShut { suspend() }
        clearLane()
        let isOver = wantedChange && !wantsChange
        if way == .locked && (wayBefore != .locked || isOver) {
            serveNext(now)
        } else {
            releaseQueued(now)
        }
        wantedChange = wantsChange
        changeService(now)
        noticeFreePerson(now)
        watch(now)
        countCreditTime(now)
        wayBefore = way
    }

    mutating func change(_ input: Input, _ level: Bool, _ now: Instant) {
        guard equipment.inputs[input] else { return }
        let index = input.index
        if level == isActive[input] {
            if input == .fire, !level, let due = countsAt[index] {
                loopUnrest = (due - now, now + .milliseconds(200))
            }
            // A coin line does not bounce: an edge to the level that it has follows a lost one.
            if let acceptor = Acceptor(line: input), countsAt[index] == nil {
                fail(.edgesLost, now)
                recountCoins(acceptor, level, now)
            }
            let sensors: [Input] = [.rotorA, .rotorB, .beamA, .beamB]
            let bounced = countsAt[index] != nil && sensors.contains(input)
            countsAt[index] = nil
            // A sensor that only bounced.
            if bounced, policy.rotorStep > .zero {
                unrest = (unrest?.since ?? now, now + policy.rotorStep)
            }
            endWait(now)
        } else if debounce[index] == .zero {
            isActive[input] = level
            count(input, now)
        } else if countsAt[index] == nil {
            countsAt[index] = now + debounce[index]
            if input == .fire {
                // It is closed when it was so for a while, and open when it was for long in all.
                let left = loopUnrest.map { now < $0.calm ? $0.left : debounce[index] }
                let closing = max(debounce[index], .milliseconds(200))
                countsAt[index] = now + (level ? left ?? debounce[index] : closing)
                loopUnrest = nil
            }
        }
    }

    /// A level that counts.
    private mutating func count(_ input: Input, _ now: Instant) {
        let level = isActive[input]
        hold(input, now)
        switch input {
        case .coinPulse, .coinPulse2, .coinPulse3:
            guard let acceptor = Acceptor(line: input) else { return }
            level ? beginPulse(acceptor, now) : endPulse(acceptor, now)
        case .rotorA, .rotorB, .beamA, .beamB: sense(now)
        case .home, .lockFeedback, .lockFeedbackExit: break
        case .fire: level ? openLoop() : closeLoop()
        case .stop: level ? beginStop() : endStop(now)
        case .externalFault: level ? beginFault(.external, now) : endFault(.external, now)
        case .powerLow: level ? beginFault(.powerLow, now) : endFault(.powerLow, now)
        case .coinJam:
            level ? beginFault(.coinJam, now) : endFault(.coinJam, now)
            if level { pulse(.coinReject, 1) }
        case .vaultPresent:
            records.append(level ? .vaultReplaced : .vaultRemoved)
            if level {
                isVaultUncounted = equipment.inputs[.vaultPresent]
                ask(.collectCoins(counted: nil), .contact(input), now)
            }
            level ? endFault(.vaultMissing, now) : beginFault(.vaultMissing, now)
        case .vaultFull: level ? beginFault(.vaultFull, now) : endFault(.vaultFull, now)
        case .vaultDoor: records.append(level ? .vaultOpened : .vaultClosed)
        case .cabinetTamper: break
        case .intrusion where level: seeIntruder(now)
        case .emergencyResetKey where level: ask(.resetEmergency, .contact(input), now)
        case .serviceKey: level ? turnServiceKey(now) : letGoOfServiceKey()
        case .releaseEntry where level: ask(.grant(.entry), .contact(input), now)
        case .releaseExit where level: ask(.grant(.exit), .contact(input), now)
        case .intrusion, .emergencyResetKey, .releaseEntry, .releaseExit: break
        }
    }
}
