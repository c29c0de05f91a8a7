import StateMachines
public import Turnstile

// The start after a gate before this one, and what the next one needs to know.
extension PlainGate {
    /// What the end of the service must not take away.
    public var retained: RetainedState {
        guard hasStarted else {
            if case .known(let state) = recovery { return state }
            return RetainedState()
        }
        var state = RetainedState()
        state.isEmergency = isEmergency
        for fault in faults where fault.isLatching { state.faults[fault] = true }
        state.alarms[.forcedPassage] = isForcedLatched && alarms.contains(.forcedPassage)
        state.isInServiceMode = isService
        if wantsService { state.serviceRequester = serviceRequester }
        state.policySource = policySource
        if newPolicy != nil, newPolicyRequester.person != nil {
            state.policyRequester = newPolicyRequester
        }
        state.passage = passageUnderWay
        state.queue = Gate.Queue(
            entry: stored[.entry, default: 0], exit: stored[.exit, default: 0], people: people)
        state.released = releaseUnused
        state.payer = payerUnused
        state.coins = PerAcceptor { lineRetained($0) }
        state.terms.entry = modes[.entry]
        state.terms.exit = modes[.exit]
        state.terms.enforcement = enforcement
        return state
    }

    private var passageUnderWay: RetainedState.Passage? {
        switch way {
        case .passing:
            var passage = RetainedState.Passage(direction, authorisation.kind)
            if case .credit(let fare) = authorisation { passage.fare = fare }
            return passage
        case .released where waitEnds == nil:
            let isFree = regime[direction.opposite] == .free
            return RetainedState.Passage(direction.opposite, isFree ? .free : .unauthorised)
        case .recovering: return found
        case .locked, .released, .suspended: break
        }
        // Their fare is still to be taken from what the ledger holds.
        return passageBefore?.kind == .paid ? passageBefore : nil
    }

    private var releaseUnused: RetainedState.Release? {
        guard way == .released || way == .suspended else { return nil }
        switch authorisation {
        case .credit, .free: return nil
        case .contact, .person:
            return RetainedState.Release(
                Lane.Grant(direction, by: authorisation),
                limit: way == .released ? waitLimit : nil)
        }
    }

    /// Who has paid and not come, or had before the start; without a ledger that is forgotten.
    private var payerUnused: RetainedState.Payer? {
        guard hasLedger else { return nil }
        if way == .released || way == .suspended, case .credit(let fare) = authorisation {
            return RetainedState.Payer(
                fare: fare, limit: way == .released ? waitLimit : nil, surplus: surplus)
        }
        return payerBefore?.payer
    }

    /// When the wait is over for good; long ago where that was so already.
    private var waitLimit: Instant {
        guard let lastWaitEnds, lastWaitEnds > heardAt else { return .zero }
        return lastWaitEnds
    }

    /// Whom the gate was released for has the wait once more, but not for ever by that.
    mutating func takeUpRelease(_ now: Instant) {
        guard let before = releasedBefore else { return }
        releasedBefore = nil
        direction = before.grant.direction
        authorisation = before.grant.authorisation
        if let limit = before.limit, limit <= now {
            return records.append(.waitTimedOut(direction))
        }
        way = mayServe ? .released : .suspended
        if way == .suspended { return }
        beginWait(now, until: before.limit)
        detectPersonInRotor(now)
    }

    /// Who had paid and stands before a gate that was locked by a short break is let in as soon as
    /// their money is known to be there; once, and behind whoever has the gate by then.
    mutating func letPayerInAgain(_ now: Instant) {
        guard !isLedgerAwaited, payerBefore != nil else { return }
        payerBefore?.goes = nil
        if duePayer != nil { sell(now) }
    }

    /// Who had paid, and whose money is known to be there.
    var duePayer: RetainedState.Payer? {
        payerBefore.flatMap { isLedgerAwaited || $0.payer.fare > credit ? nil : $0.payer }
    }

    /// Goes on from where the gate before this one ended.
    mutating func endOutage(_ now: Instant) {
        var before = RetainedState()
        switch recovery {
        case .known(let state):
            before = state
            if !equipment.inputs[.serviceKey] { (before.faults, before.alarms) = (FaultSet(), []) }
        case .unknown:
            records.append(.stateUnknown)
            isEmergency = equipment.inputs[.fire] && !isActive[.fire]
            isReset = isEmergency && policy.fireReset == .auto
        }
        raiseAgain(before)
        if before.isInServiceMode { records.append(.serviceEnded) }
        if let waiting = before.serviceRequester {
            records.append(.refused(.beginService, by: waiting, .restarted))
        }
        if before.policySource != nil { records.append(.policyChanged(by: .settings)) }
        if let waiting = before.policyRequester {
            records.append(.refused(.adopt, by: waiting, .restarted))
        }
        if before.isEmergency { goOnWithEmergency() }
        // Who is in the rotor is seen, and an arm at home tells that nobody is of whom nobody knew.
        let standsInRotor = position != 0 && (before.passage != nil || !isActive[.home])
        if hasLedger {
            passageBefore = before.passage
            wasOccupied = standsInRotor
        }
        if standsInRotor, !isEmergency, !isActive[.fire] {
            let person =
                before.passage ?? awaited(before)
                ?? stranger(wasInServiceMode: before.isInServiceMode)
            records.append(.passageInDoubt(person.direction, person.kind, .underWay))
            find(person, now)
        } else if let gone = before.passage, gone.kind != .paid || !hasLedger {
            records.append(.passageInDoubt(gone.direction, gone.kind, .notMade))
        }
        if var payer = before.payer, way == .locked {
            // Whom something kept from going had no wait yet: it is no longer for that.
            let last = payer.limit ?? now + policy.passWait + policy.passDelayAlarm
            payer.limit = last
            if last > now { payerBefore = (payer, min(now + policy.passWait, last)) }
        }
        for acceptor in Acceptor.allCases {
            switch lineBefore(acceptor) {
            case .idle, .stuck: break
            case .pulse(_, let train), .gap(_, let train):
                isCountedOn[acceptor.place] = train.wasTold
            }
        }
        if let balances { openLedger(balances, now) }
        balances = nil
        stored = [.entry: before.queue.entry, .exit: before.queue.exit]
        people = before.queue.people
        takeUpTurns(before)
    }

    /// Who waits keeps their turn where the break was shorter than anybody waits, and their way is
    /// still controlled.
    mutating func takeUpTurns(_ before: RetainedState) {
        let wasShort = before.absence.map { $0 < policy.passWait } ?? false
        guard wasShort, !isEmergency, !isActive[.fire] else {
            putBehind(before.released)
            return dropQueued()
        }
        if way == .recovering, awaited(before) != nil { return dropIdle() }
        if way == .locked, before.released.map({ regime[$0.grant.direction] }) == .controlled {
            releasedBefore = before.released
        } else {
            putBehind(before.released)
        }
        dropIdle()
    }

    /// For whom the gate was released shortly before, where nobody else was in the rotor.
    func awaited(_ before: RetainedState) -> RetainedState.Passage? {
        guard before.passage == nil, let grant = before.released?.grant,
            before.released?.limit != nil,
            before.absence.map({ $0 < policy.passWait }) ?? false,
            regime[grant.direction] == .controlled
        else { return nil }
        return RetainedState.Passage(grant.direction, grant.authorisation.kind)
    }

    mutating func putBehind(_ release: RetainedState.Release?) {
        guard let grant = release?.grant else { return }
        switch grant.authorisation {
        case .contact: stored[grant.direction, default: 0] += 1
        case .person(let number):
            people.append(Gate.Queue.Person(grant.direction, by: number))
        case .credit, .free: break
        }
    }

    /// The faults and alarms that wait for the mechanic's key.
    mutating func raiseAgain(_ before: RetainedState) {
        faults = Set(before.faults.all)
        for fault in before.faults.all { records.append(.faultRecovered(fault)) }
        if let reason = before.faults.all.first(where: { $0.effect == .outOfService }) {
            records.append(.outOfService(reason))
        }
        for alarm in Alarm.allCases where before.alarms[alarm] {
            alarms.insert(alarm)
            isForcedLatched = isForcedLatched || alarm == .forcedPassage
            records.append(.alarmRecovered(alarm))
        }
    }

    mutating func goOnWithEmergency() {
        isEmergency = true
        isLoopOpen = faults.contains(.line(.input(.fire), .unreadable))
        isReset = !isLoopOpen && policy.fireReset == .auto
        records.append(.emergencyRecovered)
    }

    /// What it counts as if somebody is in the rotor of whom nothing is known.
    func stranger(wasInServiceMode: Bool) -> RetainedState.Passage {
        if wasInServiceMode { return RetainedState.Passage(.entry, .service) }
        for direction in [Direction.entry, .exit] where regime[direction] == .free {
            return RetainedState.Passage(direction, .free)
        }
        return RetainedState.Passage(.entry, .unauthorised)
    }

    // MARK: Coins

    /// What the next process needs to know of a coin that is on its way.
    func lineRetained(_ acceptor: Acceptor) -> CoinDecoder.State {
        let line = coinLines[acceptor.place]
        if line.isStuck { return .idle }
        let window: CoinDecoder.Reception =
            line.isEarly ? .early : line.isForUnlocked ? .unlocked : .locked
        var train = CoinDecoder.Train(
            counted: line.pulses, reception: line.isInAcceptWindow ? window : .refused,
            isProvisional: line.isProvisional, wasTold: line.wasTold, isLost: line.isCut)
        if line.isNoisy {
            let isAnything = (line.pulseBegan ?? line.trainEnds) != nil && line.pulses > 0
            train.isLost = true
            return isAnything ? .gap(until: .zero, train) : .idle
        }
        if let since = line.pulseBegan { return .pulse(since: since, train) }
        if let end = line.trainEnds { return .gap(until: end, train) }
        return .idle
    }

    /// Takes up the coin that was on its way as the last process ended; what is over by now is over
    /// now.
    mutating func takeUpCoin(_ acceptor: Acceptor, _ now: Instant) {
        let isOn = isActive[acceptor.line]
        var line = CoinLine()
        let train: CoinDecoder.Train
        switch lineBefore(acceptor) {
        case .idle, .stuck:
            if isOn { beginPulse(acceptor, now) }
            return
        case .pulse(let since, let before):
            train = before
            // Neither in time to come nor longer ago than it takes to stick.
            line.pulseBegan = min(max(since, now - policy.coins[acceptor].stuckAfter), now)
        case .gap(let until, let before):
            train = before
            line.trainEnds = min(max(until, now), now + policy.coins[acceptor].trainQuiet)
        }
        line.isCut = train.isLost || isOn != (line.pulseBegan != nil)
        line.pulses = train.counted
        line.isInAcceptWindow = train.reception != .refused
        line.isEarly = train.reception == .early
        line.isForUnlocked = train.reception == .unlocked
        line.wasTold = train.wasTold
        if line.isCut {
            line.pulseBegan = isOn ? now : nil
            line.trainEnds = isOn ? nil : now + policy.coins[acceptor].trainQuiet
        }
        coinLines[acceptor.place] = line
        if line.trainEnds != nil { expectProvisional(acceptor) }
        passTime(of: acceptor, now)
    }

    /// What the last process knew of this line.
    func lineBefore(_ acceptor: Acceptor) -> CoinDecoder.State {
        if case .known(let before) = recovery { before.coins[acceptor] } else { .idle }
    }
}
