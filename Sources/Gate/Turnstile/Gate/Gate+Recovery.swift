import StateMachines

// What was before the start, and what must be known after the end.
extension Gate {
    /// What is known of the time before the start, for as long as something may come of it.
    struct Past: Hashable, Sendable {
        /// Where the ledger is.
        var ledger: PastLedger
        /// What the gate before this one retained, until the start.
        var recovery: PastRecovery
        /// Whether somebody stood in the rotor at the start, until the ledger is open.
        var wasOccupied = false
        /// Who was on the way through before the start, until the ledger is open.
        var passage: RetainedState.Passage?
        /// Whether that passage was paid for, and was over before the ledger was open.
        var isPassageOver = false
        /// At which acceptors the coin that the ledger has counted is one that is counted on.
        var continuedCoins = InputLevels()
        /// Whom the gate was released for who had paid, until it is again: see ``Gate/duePayer``.
        var payer: RetainedState.Payer?
        /// When their wait would be over, while the ledger is not open.
        var payerUntil: Instant?

        mutating func forgetPayer() { (payer, payerUntil) = (nil, nil) }
    }

    // No deeper: what is generic over a type nested in `Past` compiles for no microcontroller.

    /// Where the ledger is. What it held is out of the way of all that happens later.
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

    /// What the gate before this one retained.
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

    /// What the end of the service must not take away.
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
            // A limit that is over is none any more, and stays over.
            state.keep(grant, limit: lane.waitLimit ?? .zero, surplus: surplus)
            // Without an end while somebody comes the other way.
            guard until == nil else { break }
            let other = grant.direction.opposite
            state.passage = .init(other, lane.isFree(other) ? .free : .unauthorised)
        case .suspended(let grant): state.keep(grant, surplus: surplus)
        case .passing(let passage):
            state.passage = RetainedState.Passage(passage.grant)
        case .recovering(let passage): state.passage = passage
        }
        // Whoever has paid and is gone is the ledger's as soon as it is open, and not before.
        if state.passage == nil, past.passage?.kind == .paid { state.passage = past.passage }
        if state.payer == nil { state.payer = past.payer }
        // Without a ledger nobody knows what they had paid.
        if past.ledger == .none { state.payer = nil }
        return state
    }
}

extension RetainedState.Passage {
    /// Somebody on the way through by this grant.
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
    /// Goes on from where the gate before this one ended; the lines carry `levels`.
    /// Whom the gate was released for may still come: they are left to ``restoreRelease(_:_:)``.
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

    /// Goes on with what people asked to have in force before the start, and tells of it.
    mutating func recoverTerms(_ step: inout StepContext) {
        guard case .state(let before) = past.recovery else { return }
        regime = timetable.regime
        apply(timetable.restore(permitted(before.terms, &step), at: step.time), &step)
        confirmMetTerms(&step)
        recordChanges(to: timetable.regime, &step)
        timetable.confirm(timetable.regime) { _, _ in }
    }

    /// Without what the settings would refuse by now, of which those who asked are told.
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
            // What waits for a key that there is not would last for ever.
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
        // A loop that could not be read is judged when the repair is complete; a reset that waited
        // for a clear lane was given before whatever ended the service.
        let isUnreadable = faults.isUp(.line(.input(.fire), .unreadable))
        emergency = Emergency(policy: policy, state: isUnreadable ? .loopOpen : .awaitingReset)
        step.record(.emergencyRecovered)
    }

    /// Whoever waited for service mode or a policy waits in vain; one from afar is not in force.
    private func dropRequests(_ state: RetainedState, _ step: inout StepContext) {
        if let requester = state.serviceRequester {
            step.record(.refused(.beginService, by: requester, .restarted))
        }
        if state.policySource != nil { step.record(.policyChanged(by: .settings)) }
        if let requester = state.policyRequester {
            step.record(.refused(.adopt, by: requester, .restarted))
        }
    }

    /// Whoever stands in the rotor is on the way through, unless everybody is.
    private mutating func recoverPassage(
        _ levels: InputLevels, _ before: RetainedState, _ step: inout StepContext
    ) {
        if past.ledger != .none { past.passage = before.passage }
        // An arm at rest with sensors that tell of a turn is a fault, unless somebody was known.
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

    /// The release that was in force shortly before, unless somebody else was known to be in the
    /// rotor: the person in the rotor counts as its passenger.
    private func recentRelease(_ before: RetainedState) -> Lane.Grant? {
        guard before.passage == nil, let released = before.released, released.limit != nil,
            isShortOutage(before), regime[released.grant.direction] == .controlled
        else { return nil }
        return released.grant
    }

    /// Whether the break was shorter than anybody waits.
    private func isShortOutage(_ before: RetainedState) -> Bool {
        before.absence.map { $0 < policy.passWait } ?? false
    }

    /// Nobody sees anything of a passage that was under way. One that was paid for is judged by its
    /// fare, once the ledger is open.
    private func recordVanished(_ passage: RetainedState.Passage, _ step: inout StepContext) {
        guard passage.kind != .paid || past.ledger == .none else { return }
        step.record(.passageInDoubt(passage.direction, passage.kind, .notMade))
    }

    /// Whoever stood in the rotor at the start is through.
    mutating func countRecovered(_ passage: RetainedState.Passage, _ step: inout StepContext) {
        step.record(.passageRecovered(passage.direction, passage.kind))
        step.counts.passages += 1
        guard passage.kind == .paid, past.ledger == .awaited else { return }
        past.passage = passage
        past.isPassageOver = true
    }

    /// Whoever paid has the wait anew, and the ledger until then to open; not so where somebody
    /// stands in the rotor.
    private mutating func awaitPayer(_ payer: RetainedState.Payer?, _ step: inout StepContext) {
        guard let payer, lane.state == .locked else { return }
        let end = step.time + policy.passWait
        let limit = payer.limit ?? end + policy.passDelayAlarm
        guard limit > step.time else { return }
        past.payer = payer
        past.payer?.limit = limit
        past.payerUntil = min(end, limit)
    }

    /// What it counts as if somebody is in the rotor of whom nothing is known.
    private func passageOfUnknown(wasInServiceMode: Bool) -> RetainedState.Passage {
        if wasInServiceMode { return .init(.entry, .service) }
        if lane.freeEntry { return .init(.entry, .free) }
        return lane.freeExit ? .init(.exit, .free) : .init(.entry, .unauthorised)
    }

    /// Authorisations survive a break shorter than `pass_wait`, except for a direction that is not
    /// controlled since the start. Returns the one that the gate is to be released for; whoever
    /// paid waits until the ledger is open.
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

    /// Releases the gate again for whom it was released before the start; where it is blocked, as
    /// soon as it is not.
    mutating func restoreRelease(_ release: RetainedState.Release, _ step: inout StepContext) {
        let limit = release.limit
        apply(lane.handle(.takenUp(release.grant, limit: limit, at: step.time)), &step)
        isInService ? detectPersonInRotor(&step) : apply(lane.handle(.suspended), &step)
    }
}

// The ledger.
extension Gate {
    /// Takes over what the gate before this one held for people. It lets nobody in by itself, but
    /// for whom the gate was released before a short break: the next coin does, or whoever pushes.
    ///
    /// A coin that was counted and not credited is credited now. A fare whose passage had begun, or
    /// whose passenger may have stood in the rotor, is used; else it is credit again.
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
            // The ledger forgets a counted coin once a later one of this acceptor is stored.
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

    /// Decides what becomes of a fare that was in use before the start.
    private mutating func resolveFareInUse(_ balances: Balances, _ step: inout StepContext) {
        let fare = debitFareInUse(balances, &step)
        guard fare > 0, !past.isPassageOver else { return }
        var isUsed = past.passage?.kind == .paid
        if past.passage == nil {
            isUsed = balances.isFareBegun || past.wasOccupied
        }
        if case .recovering(let passage) = lane.state {
            // It is used when they are out of the rotor, if it is theirs.
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

    /// Who had paid before a short break, has not come, and is let in again: now that the ledger
    /// says that their fare is credit, or in their turn.
    var duePayer: RetainedState.Payer? {
        guard past.ledger == .open, let payer = past.payer, payer.fare <= credit else { return nil }
        return payer
    }

    /// The ledger is open: who had paid before the start is let in again.
    mutating func releasePayer(_ step: inout StepContext) {
        guard past.ledger == .open else { return }
        past.payerUntil = nil
        if duePayer != nil { releaseOnCredit(&step) }
    }

    /// The fare that is in use by what the ledger holds, or by what was retained: somebody may have
    /// begun to pass before the ledger had written down that they paid. Then it is paid now.
    private mutating func debitFareInUse(_ balances: Balances, _ step: inout StepContext) -> Int {
        guard balances.fareInUse == 0, let fare = past.passage?.fare, fare > 0, fare <= credit
        else { return balances.fareInUse }
        apply(creditAccount.handle(.debited(fare)), &step)
        step.record(past.isPassageOver ? .creditForfeited(value: fare) : .creditUsed(value: fare))
        return fare
    }
}
