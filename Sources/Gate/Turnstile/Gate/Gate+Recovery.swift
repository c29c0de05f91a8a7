import StateMachines

// The state from before the start, and the state retained for the next one.
extension Gate {
    /// The state from before the start, for as long as it has consequences.
    struct Past: Hashable, Sendable {
        var ledger: PastLedger
        /// The state that the previous process retained, until the gate has started.
        var recovery: PastRecovery
        /// Whether the rotor was occupied at the start, until the ledger is open.
        var wasOccupied = false
        /// The passage in progress before the start, until the ledger is open.
        var passage: RetainedState.Passage?
        /// Whether `passage` was paid and ended before the ledger was open.
        var isPassageOver = false
        /// Acceptors with a coin that the ledger has already and that is still being counted: it is
        /// not credited twice.
        var continuedCoins = InputLevels()
        /// The paid release before the start, until it is renewed: see ``Gate/duePayer``.
        var payer: RetainedState.Payer?
        /// When the wait of `payer` ends, while the ledger is not open.
        var payerUntil: Instant?

        mutating func forgetPayer() { (payer, payerUntil) = (nil, nil) }
    }

    // Not nested in `Past`: generics over such a type do not compile for microcontrollers.

    /// Whether there is a ledger, and whether it is open. Indirect, to keep the gate small.
    enum PastLedger: Hashable, Sendable {
        case none, awaited, open
        indirect case holds(Balances)

        init(_ connection: LedgerConnection) {
            switch connection {
            case .none: self = .none
            case .awaited: self = .awaited
            case .open(let balances): self = .holds(balances)
            }
        }
    }

    enum PastRecovery: Hashable, Sendable {
        case nothing, unknown
        indirect case state(RetainedState)

        static func from(_ recovery: Recovery) -> PastRecovery {
            switch recovery {
            case .unknown: .unknown
            case .known(let state): state == RetainedState() ? .nothing : .state(state)
            }
        }
    }

    /// The state that outlives the process.
    @inline(always) var retained: RetainedState {
        var state = RetainedState()
        state.isEmergency = emergency.isActive
        state.faults = faults.latched
        state.alarms = alarms.latched
        state.isInServiceMode = service.isOn
        state.serviceRequester = service.isAwaited ? service.requester : nil
        state.queue = queue
        state.terms = timetable.terms
        switch lane.state {
        case .locked: break
        case .released(let grant, let until):
            // A limit that has passed is nil in the lane, and stays passed.
            state.keep(grant, limit: lane.waitLimit ?? .zero, surplus: surplus)
            // Without an end: a person comes the other way.
            guard until == nil else { break }
            let other = grant.direction.opposite
            state.passage = .init(other, lane.isFree(other) ? .free : .unauthorised)
        case .suspended(let grant): state.keep(grant, surplus: surplus)
        case .passing(let passage):
            state.passage = RetainedState.Passage(passage.grant)
        case .recovering(let passage): state.passage = passage
        }
        // A paid passage that has ended is retained until the open ledger accounts for it.
        if state.passage == nil, past.passage?.kind == .paid { state.passage = past.passage }
        if state.payer == nil { state.payer = past.payer }
        // Without a ledger there is no proof of payment.
        if past.ledger == .none { state.payer = nil }
        return state
    }
}

extension RetainedState.Passage {
    fileprivate init(_ grant: Lane.Grant) {
        self.init(grant.direction, grant.authorisation.kind)
        if case .credit(let fare) = grant.authorisation { self.fare = fare }
    }
}

extension RetainedState {
    fileprivate mutating func keep(_ grant: Lane.Grant, limit: Instant? = nil, surplus: Int) {
        switch grant.authorisation {
        case .contact, .person: released = Release(grant, limit: limit)
        case .credit(let fare): payer = Payer(fare: fare, limit: limit, surplus: surplus)
        case .free: break
        }
    }
}

// The start.
extension Gate {
    /// Resumes the state of the previous process; the lines carry `levels`. Returns the release for
    /// ``restoreRelease(_:_:)``: its passenger may still come.
    mutating func recover(
        _ levels: InputLevels, _ step: inout StepContext
    ) -> RetainedState.Release? {
        var before = RetainedState()
        switch past.recovery {
        case .nothing: break
        case .state(let state):
            before = state
            restore(state, &step)
        case .unknown:
            step.record(.stateUnknown)
            if equipment.inputs[.fire] && !levels[.fire] {
                emergency = Emergency(policy: policy, state: .awaitingReset)
            }
        }
        past.recovery = .nothing
        recoverPassage(levels, before, &step)
        awaitPayer(before.payer, &step)
        if case .holds(let balances) = past.ledger {
            past.ledger = .awaited
            ledgerOpened(balances, &step)
        }
        return restoreQueued(before, isEmergency: levels[.fire] || emergency.isActive, &step)
    }

    /// Resumes the terms requested before the start, and records them.
    mutating func recoverTerms(_ step: inout StepContext) {
        guard case .state(let before) = past.recovery else { return }
        regime = timetable.regime
        apply(timetable.restore(permitted(before.terms, &step), at: step.time), &step)
        confirmMetTerms(&step)
        recordChanges(to: timetable.regime, &step)
        timetable.confirm(timetable.regime) { _, _ in }
    }

    /// The terms that the settings still permit; the others are recorded as refused.
    private func permitted(_ terms: Terms, _ step: inout StepContext) -> Terms {
        var terms = terms
        for direction in Direction.allCases {
            guard let term = terms[direction], let mode = term.value, !term.isOver(by: step.time),
                let refusal = objection(toPolicyWith: { $0.regime[direction] = mode })
            else { continue }
            step.record(.refused(term.kind, by: term.requester, refusal))
            terms[direction] = nil
        }
        if let term = terms.enforcement, let value = term.value, !term.isOver(by: step.time),
            let refusal = objection(toPolicyWith: { $0.regime.enforcement = value })
        {
            step.record(.refused(term.kind, by: term.requester, refusal))
            terms.enforcement = nil
        }
        return terms
    }

    private mutating func restore(_ retained: RetainedState, _ step: inout StepContext) {
        var state = retained
        if !equipment.inputs[.serviceKey] {
            // Without a key nothing could ever end them.
            state.faults = FaultSet()
            state.alarms = []
        }
        faults = FaultBoard(policy: policy, state.faults)
        for fault in faults.latched.all { step.record(.faultRecovered(fault)) }
        if let fault = faults.reason { step.record(.outOfService(fault)) }
        alarms = AlarmPanel(state.alarms)
        for alarm in Alarm.ordered where state.alarms[alarm] { step.record(.alarmRecovered(alarm)) }
        if state.isInServiceMode { step.record(.serviceEnded) }
        dropRequests(state, &step)
        guard state.isEmergency else { return }
        // An unreadable loop is judged when it is repaired. A reset that waited for a clear lane
        // has to be given again: it was given before the service ended.
        let isUnreadable = faults.isUp(.line(.input(.fire), .unreadable))
        emergency = Emergency(policy: policy, state: isUnreadable ? .loopOpen : .awaitingReset)
        step.record(.emergencyRecovered)
    }

    /// Refuses pending requests for service mode or a policy; a remote policy has ended.
    private func dropRequests(_ state: RetainedState, _ step: inout StepContext) {
        if let requester = state.serviceRequester {
            step.record(.refused(.beginService, by: requester, .restarted))
        }
        if state.policySource != nil { step.record(.policyChanged(by: .settings)) }
        if let requester = state.policyRequester {
            step.record(.refused(.adopt, by: requester, .restarted))
        }
    }

    /// A person in the rotor is passing, except in an emergency, in which the gate stands open.
    private mutating func recoverPassage(
        _ levels: InputLevels, _ before: RetainedState, _ step: inout StepContext
    ) {
        if past.ledger != .none { past.passage = before.passage }
        // A home contact against the sensors is a fault, unless a passage was in progress.
        let isOccupied =
            !isLaneClear
            && (before.passage != nil || !(equipment.inputs[.home] && levels[.home]))
        if isOccupied { past.wasOccupied = past.ledger != .none }
        guard isOccupied, !emergency.isActive, !levels[.fire] else {
            if let passage = before.passage { recordVanished(passage, &step) }
            return
        }
        let passage =
            before.passage ?? recentRelease(before).map { RetainedState.Passage($0) }
            ?? passageOfUnknown(wasInServiceMode: before.isInServiceMode)
        step.record(.passageInDoubt(passage.direction, passage.kind, .underWay))
        apply(lane.handle(.found(passage)), &step)
    }

    /// The release shortly before the start, unless a passage was in progress then: the person in
    /// the rotor counts as its passenger.
    private func recentRelease(_ before: RetainedState) -> Lane.Grant? {
        guard before.passage == nil, let released = before.released, released.limit != nil,
            isShortOutage(before), regime[released.grant.direction] == .controlled
        else { return nil }
        return released.grant
    }

    private func isShortOutage(_ before: RetainedState) -> Bool {
        before.absence.map { $0 < policy.passWait } ?? false
    }

    /// A passage was in progress, and the rotor is empty now. A paid one is judged by its fare once
    /// the ledger is open.
    private func recordVanished(_ passage: RetainedState.Passage, _ step: inout StepContext) {
        guard passage.kind != .paid || past.ledger == .none else { return }
        step.record(.passageInDoubt(passage.direction, passage.kind, .notMade))
    }

    /// The person who stood in the rotor at the start has left it, and counts as passed.
    mutating func countRecovered(_ passage: RetainedState.Passage, _ step: inout StepContext) {
        step.record(.passageRecovered(passage.direction, passage.kind))
        step.counts.passages += 1
        guard passage.kind == .paid, past.ledger == .awaited else { return }
        past.passage = passage
        past.isPassageOver = true
    }

    /// A passenger who paid has `pass_wait` anew, in which the ledger has to open; not if the rotor
    /// is occupied.
    private mutating func awaitPayer(_ payer: RetainedState.Payer?, _ step: inout StepContext) {
        guard let payer, lane.state == .locked else { return }
        let end = step.time + policy.passWait
        let limit = payer.limit ?? end + policy.passDelayAlarm
        guard limit > step.time else { return }
        past.payer = payer
        past.payer?.limit = limit
        past.payerUntil = min(end, limit)
    }

    /// Classifies a person in the rotor of whom nothing was retained.
    private func passageOfUnknown(wasInServiceMode: Bool) -> RetainedState.Passage {
        if wasInServiceMode { return .init(.entry, .service) }
        if lane.freeEntry { return .init(.entry, .free) }
        return lane.freeExit ? .init(.exit, .free) : .init(.entry, .unauthorised)
    }

    /// Authorisations survive an outage shorter than `pass_wait`, except for a direction that is no
    /// longer controlled. Returns the one to release the gate for; a paid one waits for the ledger.
    private mutating func restoreQueued(
        _ before: RetainedState, isEmergency: Bool, _ step: inout StepContext
    ) -> RetainedState.Release? {
        queue = before.queue
        let isShort = isShortOutage(before)
        let void = Direction.allCases.filter {
            !isShort || isEmergency || regime[$0] != .controlled
        }
        var release = before.released
        if case .recovering = lane.state, recentRelease(before) != nil { release = nil }
        if let grant = release?.grant, lane.state != .locked || void.contains(grant.direction) {
            queue.append(grant)
            release = nil
        }
        dropQueued(where: void.contains, &step)
        return release
    }

    /// Renews the release from before the start; if the gate is blocked, once it no longer is.
    mutating func restoreRelease(_ release: RetainedState.Release, _ step: inout StepContext) {
        let limit = release.limit
        apply(lane.handle(.takenUp(release.grant, limit: limit, at: step.time)), &step)
        isInService ? detectPersonInRotor(&step) : apply(lane.handle(.suspended), &step)
    }
}

// The ledger.
extension Gate {
    /// Takes over the credit from before the start. It releases the gate only for a passenger who
    /// was released before a short outage. Other credit waits for a coin or a push.
    ///
    /// A coin that was counted but not yet credited is credited now. A fare is used if its passage
    /// had begun or its passenger may have stood in the rotor; otherwise it is credit again.
    mutating func ledgerOpened(_ balances: Balances, _ step: inout StepContext) {
        guard past.ledger == .awaited else { return step.ignore("the ledger is open already") }
        past.ledger = .open
        step.change()
        apply(faults.handle(.gone(.storageFailed)), &step)
        if balances.isCountAwaited { isCountAwaited = equipment.inputs[.vaultPresent] }
        if balances.credit > 0 {
            apply(creditAccount.handle(.credited(balances.credit, at: step.time)), &step)
        }
        for acceptor in Acceptor.ordered {
            guard let coin = balances.counted[acceptor], !past.continuedCoins[acceptor.line] else {
                continue
            }
            apply(creditAccount.handle(.credited(coin.value, at: step.time)), &step)
            step.record(.coinInDoubt(coin))
            step.record(.coinLate(coin))
            // A later coin of the same acceptor replaces this one in the ledger.
            if !commitBarrier.isDurable { requestCommit(&step) }
            step.counts.money += coin.value / policy.meterUnit
        }
        resolveFareInUse(balances, &step)
        past.passage = nil
        past.wasOccupied = false
        past.isPassageOver = false
        past.continuedCoins = []
        if credit > 0 { step.record(.creditRecovered(value: credit)) }
    }

    /// Decides whether a fare in use before the start is used or given back.
    private mutating func resolveFareInUse(_ balances: Balances, _ step: inout StepContext) {
        let fare = debitFareInUse(balances, &step)
        guard fare > 0, !past.isPassageOver else { return }
        var isUsed = past.passage?.kind == .paid
        if past.passage == nil {
            isUsed = balances.isFareBegun || past.wasOccupied
        }
        if case .recovering(let passage) = lane.state {
            // If the fare is theirs, it is used once they have left the rotor.
            guard passage.kind != .paid else { return }
            if past.passage == nil {
                let paid = RetainedState.Passage(.entry, .paid, fare: fare)
                return apply(lane.handle(.found(paid)), &step)
            }
        }
        step.record(.passageInDoubt(.entry, .paid, isUsed ? .made : .notMade))
        if isUsed {
            past.forgetPayer()
            step.record(.passageLost(.entry, .paid))
            step.counts.passages += 1
        } else {
            giveBack(Lane.Grant(.entry, by: .credit(fare: fare)), &step)
        }
    }

    /// The passenger who paid before a short outage and has not come, once the ledger has opened
    /// with enough credit for the fare. The gate is released for them again.
    var duePayer: RetainedState.Payer? {
        guard past.ledger == .open, let payer = past.payer, payer.fare <= credit else { return nil }
        return payer
    }

    /// Releases the gate for ``duePayer``, once the ledger is open.
    mutating func releasePayer(_ step: inout StepContext) {
        guard past.ledger == .open else { return }
        past.payerUntil = nil
        if duePayer != nil { releaseOnCredit(&step) }
    }

    /// The fare in use, by the ledger or the retained state. A passage may have begun before its
    /// debit was durable: then the fare is debited now.
    private mutating func debitFareInUse(_ balances: Balances, _ step: inout StepContext) -> Int {
        guard balances.fareInUse == 0, let fare = past.passage?.fare, fare > 0, fare <= credit
        else { return balances.fareInUse }
        apply(creditAccount.handle(.debited(fare)), &step)
        step.record(past.isPassageOver ? .creditForfeited(value: fare) : .creditUsed(value: fare))
        return fare
    }
}
