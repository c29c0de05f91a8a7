import StateMachines

// What people ask for, at the gate or from afar.
extension Gate {
    /// Does what somebody asks for, or says why not.
    mutating func process(
        _ request: Request, by requester: Requester, _ step: inout StepContext
    ) {
        step.change()
        let result = respond(to: request, by: requester, &step)
        step.answer(Answer(request.kind, by: requester, result))
    }

    private mutating func respond(
        to request: Request, by requester: Requester, _ step: inout StepContext
    ) -> Answer.Result {
        if requester.person != nil, let refusal = refusalFromAfar(request, by: requester) {
            return .refused(refusal)
        }
        switch request {
        case .grant(let direction): return grant(direction, by: requester, &step)
        case .withdraw(let direction): return withdraw(direction, &step)
        case .setMode(let direction, let mode, let until):
            return set(Term(mode, until: until, isAwaited: true, by: requester), direction, &step)
        case .setModeUntil(let direction, let mode, let clock):
            guard let until = timetable.next(clock, after: step.time) else {
                return .refused(.outOfRange)
            }
            let term = Term(mode, until: until, timeOfDay: clock, isAwaited: true, by: requester)
            return set(term, direction, &step)
        case .setEnforcement(let enforcement, let until):
            return set(Term(enforcement, until: until, isAwaited: true, by: requester), &step)
        case .setEnforcementUntil(let enforcement, let clock):
            guard let until = timetable.next(clock, after: step.time) else {
                return .refused(.outOfRange)
            }
            let term = Term(
                enforcement, until: until, timeOfDay: clock, isAwaited: true, by: requester)
            return set(term, &step)
        case .confirmRepair: return confirmRepair(&step)
        case .acknowledgeAlarms:
            apply(alarms.handle(.acknowledged), &step)
            return .done
        case .resetEmergency: return resetEmergency(&step)
        case .beginService: return beginService(by: requester, &step)
        case .endService: return endService(by: requester, &step)
        case .selfTest: return test(nil, for: nil, &step)
        case .test(let output, let length): return test(output, for: length, &step)
        case .collectCoins(let counted): return collectCoins(counted, by: requester, &step)
        case .adopt: preconditionFailure("a policy is the whole turnstile's")
        }
    }

    /// What somebody at a desk must not do to people at the gate, unless the owner says so.
    private func refusalFromAfar(_ request: Request, by requester: Requester) -> Refusal? {
        switch request.kind.entry.remote {
        case .allowed: return nil
        case .repair:
            // With the repair a loop that could not be read is judged anew.
            if emergency.isActive, policy.remoteEmergencyReset == .never { return .notFromAfar }
            return faults.needRepair && policy.remoteRepair == .never ? .notFromAfar : nil
        case .emergencyReset:
            guard emergency.isActive else { return nil }
            if policy.remoteEmergencyReset == .never { return .notFromAfar }
            return emergency.state == .loopOpen || isLaneClear && isLaneSeen ? nil : .occupied
        case .service: return policy.remoteService == .never ? .notFromAfar : nil
        case .leaving where service.isOn && service.requester == requester && !isLaneSeen:
            return .occupied
        case .leaving, .ownService:
            // Whoever is at the machine must not be surprised by it.
            return service.requester.map { $0 == requester } ?? true ? nil : .service
        }
    }
}

// Passages.
extension Gate {
    /// One person may pass: at once where nobody is before them, else in their turn.
    private mutating func grant(
        _ direction: Direction, by requester: Requester, _ step: inout StepContext
    ) -> Answer.Result {
        if let refusal = refusal(direction) { return .refused(refusal) }
        let authorisation = Authorisation(requester)
        if mayAuthorise(direction), mayRelease(direction, step) {
            authorise(Lane.Grant(direction, by: authorisation), &step)
            return .done
        }
        guard hasCapacity else { return .refused(.storeFull) }
        queue.append(Lane.Grant(direction, by: authorisation))
        step.record(.stored(direction))
        return .deferred
    }

    /// Takes back the last authorisation for this way that waits, or the one that the gate is
    /// released for. What was paid stays, and nobody is locked onto.
    private mutating func withdraw(
        _ direction: Direction, _ step: inout StepContext
    ) -> Answer.Result {
        if let last = queue.removeLast(direction) {
            step.record(.storedDropped(1, grantedBy: last.operatorNumber))
            return .done
        }
        guard let grant = lane.grant, grant.direction == direction, grant.authorisation.isGranted
        else { return .refused(.nothingToWithdraw) }
        guard isLaneClear, !lane.isOccupied else { return .refused(.occupied) }
        apply(lane.handle(.closed), &step)
        return .done
    }
}

// Modes.
extension Gate {
    /// Why the settings would refuse a policy that was changed like this; nil where they would not,
    /// or what they would say of it is so already.
    func objection(toPolicyWith change: (inout Policy) -> Void) -> Refusal? {
        var asked = policy
        change(&asked)
        return asked == policy ? nil : asked.refusal(inPlaceOf: policy, at: installation)
    }

    private mutating func set(
        _ term: Term<Mode>, _ direction: Direction, _ step: inout StepContext
    ) -> Answer.Result {
        let refusal = term.value.flatMap { mode in
            objection(toPolicyWith: { $0.regime[direction] = mode })
        }
        return change(term, from: timetable.terms[direction], unless: refusal, &step) { gate in
            gate.timetable.set(term, of: direction)
            return gate.timetable.regime[direction] == gate.regime[direction]
        }
    }

    private mutating func set(
        _ term: Term<Enforcement>, _ step: inout StepContext
    ) -> Answer.Result {
        let refusal = term.value.flatMap { enforcement in
            objection(toPolicyWith: { $0.regime.enforcement = enforcement })
        }
        return change(term, from: timetable.terms.enforcement, unless: refusal, &step) { gate in
            gate.timetable.set(term)
            return gate.timetable.regime.enforcement == gate.regime.enforcement
        }
    }

    /// Has something else in force as soon as the gate is idle, for good or until then: in place of
    /// `before`, which somebody may still wait for, unless there is a `refusal`. `ask` says whether
    /// it is in force already.
    private mutating func change<Value: TermValue>(
        _ term: Term<Value>, from before: Term<Value>?, unless refusal: Refusal?,
        _ step: inout StepContext, _ ask: (inout Gate) -> Bool
    ) -> Answer.Result {
        if let until = term.until {
            guard until > step.time else { return .refused(.timeOver) }
            guard until - step.time <= Term<Mode>.longest else { return .refused(.outOfRange) }
        }
        if let refusal { return .refused(refusal) }
        if let before, before.isAwaited {
            step.record(.refused(before.kind, by: before.requester, .superseded))
        }
        let isInForce = ask(&self)
        // What is so already is no change, and nobody's.
        timetable.confirm(regime) { _, _ in }
        return isInForce || isIdle && !isCoinExpected ? .done : .deferred
    }
}

// The mechanic.
extension Gate {
    /// Ends what waits for the repair. What lasts is told by the state: it is refused only where
    /// nothing ends.
    private mutating func confirmRepair(_ step: inout StepContext) -> Answer.Result {
        // A loop that could not be read and was taken for an open one is judged anew.
        let isLoopRead =
            emergency.state == .loopOpen && !levels[.fire]
            && !faults.isPresent(.line(.input(.fire), .unreadable))
        guard faults.isAnyOver || isLoopRead || !faults.needRepair else {
            return .refused(.causePresent)
        }
        outageEnd = nil
        apply(faults.handle(.repaired), &step)
        if isLoopRead { apply(emergency.handle(.loopClosed), &step) }
        return .done
    }

    private mutating func resetEmergency(_ step: inout StepContext) -> Answer.Result {
        apply(emergency.handle(.resetRequested), &step)
        switch emergency.state {
        case .none: return .refused(.noEmergency)
        case .loopOpen: return .refused(levels[.fire] ? .loopOpen : .repairFirst)
        case .awaitingReset, .awaitingClearLane:
            return isLaneClear && isLaneSeen ? .done : .deferred
        }
    }

    private mutating func beginService(
        by requester: Requester, _ step: inout StepContext
    ) -> Answer.Result {
        let refusal: Refusal? = emergency.isActive ? .emergency : levels[.stop] ? .stopped : nil
        if let refusal {
            if service.requester == requester { apply(service.handle(.blocked), &step) }
            return .refused(refusal)
        }
        if service.isOn { return service.requester == requester ? .done : .refused(.service) }
        if service.requester == nil { apply(service.handle(.requested(by: requester)), &step) }
        guard service.isAwaited, service.requester == requester else { return .refused(.service) }
        return mayService(step) ? .done : .deferred
    }

    private mutating func endService(
        by requester: Requester, _ step: inout StepContext
    ) -> Answer.Result {
        guard let holder = service.requester else { return .refused(.noService) }
        if service.isAwaited, holder.person != nil, holder != requester {
            step.record(.refused(.beginService, by: holder, .cancelled))
        }
        apply(service.handle(.givenBack), &step)
        // Now, not in propagate(_:): it is over before it is reported as done.
        if service.state == .leaving, isLaneClear {
            apply(service.handle(.laneCleared), &step)
        }
        return service.isOn && !isLaneClear ? .deferred : .done
    }

    /// Whether this output may be tested for so long: more than no time, no longer than it may be
    /// on without a break, and five minutes at most; of a lock that cannot be held open, half its
    /// time. Nobody is to come upon an output that was left on, or upon a lock that has to rest.
    private func mayTest(_ output: Output, for length: Duration, at time: Instant) -> Bool {
        let longestTest = Duration.seconds(300)
        guard length > .zero && length <= longestTest else { return false }
        if let way = output.way { return duties[way].canStayOn(for: length, at: time) }
        return length <= installation.maximumOnTimes[output] ?? longestTest
    }

    /// Tests one output or, for nil, all of them: locks engage meanwhile.
    private mutating func test(
        _ output: Output?, for length: Duration?, _ step: inout StepContext
    ) -> Answer.Result {
        guard service.isOn, service.state != .leaving else { return .refused(.noService) }
        if emergency.isActive { return .refused(.emergency) }
        if let output {
            if !equipment.commanded[output] { return .refused(.notWired) }
            if let length, !mayTest(output, for: length, at: step.time) {
                return .refused(.outOfRange)
            }
            if isCut(output) { return .refused(.repairFirst) }
        }
        guard isLaneClear else { return .refused(.occupied) }
        apply(service.handle(.testRequested(output, for: length, at: step.time)), &step)
        return .done
    }

    /// The coins were collected. Where a switch tells of the vault, it alone tells when, and what
    /// it told of is counted once.
    private mutating func collectCoins(
        _ counted: Int?, by requester: Requester, _ step: inout StepContext
    ) -> Answer.Result {
        if let counted, !(0...Request.mostCounted).contains(Int64(counted)) {
            return .refused(.outOfRange)
        }
        if !equipment.inputs[.vaultPresent] {
            step.record(.coinsCollected)
        } else if requester == .contact(.vaultPresent) {
            isCountAwaited = true
        } else if !isCountAwaited {
            return .refused(.nothingToCount)
        }
        if let counted {
            isCountAwaited = false
            step.record(.collectionCounted(value: counted))
        }
        return .done
    }
}

extension Authorisation {
    /// What somebody may pass by who did not pay, but was let pass by `requester`.
    fileprivate init(_ requester: Requester) {
        self = requester.person.map { .person($0.number) } ?? .contact
    }
}
