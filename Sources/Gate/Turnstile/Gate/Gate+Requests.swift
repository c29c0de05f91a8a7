import StateMachines

// Requests, at the gate or remote.
extension Gate {
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
        case .grantGroup(let direction, let count):
            return grant(direction, times: count, by: requester, &step)
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

    /// Refuses a remote request that could endanger people at the gate, unless the policy permits.
    private func refusalFromAfar(_ request: Request, by requester: Requester) -> Refusal? {
        switch request.kind.entry.remote {
        case .allowed: return nil
        case .repair:
            // The repair can end the emergency of an unreadable loop.
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
            // The machine must not surprise a mechanic who works on it.
            return service.requester.map { $0 == requester } ?? true ? nil : .service
        }
    }
}

// Passages.
extension Gate {
    /// Authorises one person: at once if the gate is idle, otherwise queued.
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

    /// Authorises so many people, as many grants would, or nobody if there is not room for all of
    /// them. It is done once the gate holds their authorisations.
    private mutating func grant(
        _ direction: Direction, times count: Int, by requester: Requester,
        _ step: inout StepContext
    ) -> Answer.Result {
        guard (1...Policy.mostStored).contains(count) else { return .refused(.outOfRange) }
        if count > 1, held + count > policy.maxStored {
            return .refused(refusal(direction) ?? .storeFull)
        }
        for _ in 0..<count {
            let result = grant(direction, by: requester, &step)
            // The first alone can be: there is room for the others.
            if case .refused = result { return result }
        }
        return .done
    }

    /// Withdraws the last queued authorisation for this direction, or else the one in use. Paid
    /// ones stay, and a gate with a person in it is not locked.
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
    /// Why the settings would refuse the policy with this change; nil if they would not, or if
    /// they would object without it too.
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

    /// Puts `term` into force once the gate is idle, unless there is a `refusal`. It supersedes
    /// `before`, which may still be pending. `ask` sets it, and returns whether it is in force.
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
        // A term that is in force already makes no change to record.
        timetable.confirm(regime) { _, _ in }
        return isInForce || isIdle && !isCoinExpected ? .done : .deferred
    }
}

// The mechanic.
extension Gate {
    /// Clears the faults that await the repair; refused only if none can be cleared.
    private mutating func confirmRepair(_ step: inout StepContext) -> Answer.Result {
        // A loop that counted as open while unreadable, and can be read again, is judged anew.
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
        // Not left to propagate(_:): service mode has ended before the request is done.
        if service.state == .leaving, isLaneClear {
            apply(service.handle(.laneCleared), &step)
        }
        return service.isOn && !isLaneClear ? .deferred : .done
    }

    /// Whether this output may be tested for `length`: within its longest on-time, and five minutes
    /// at most, so that none is left on. A lock that cannot be held open keeps some of its on-time.
    private func mayTest(_ output: Output, for length: Duration, at time: Instant) -> Bool {
        let longestTest = Duration.seconds(300)
        guard length > .zero && length <= longestTest else { return false }
        if let way = output.way { return duties[way].canStayOn(for: length, at: time) }
        return length <= installation.maximumOnTimes[output] ?? longestTest
    }

    /// Tests one output or, for nil, all of them; the locks not under test engage.
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

    /// The coins were collected. If the vault has a switch, the switch alone begins a collection,
    /// and each is counted once.
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
    /// The unpaid authorisation that a request of `requester` gives.
    fileprivate init(_ requester: Requester) {
        self = requester.person.map { .person($0.number) } ?? .contact
    }
}
