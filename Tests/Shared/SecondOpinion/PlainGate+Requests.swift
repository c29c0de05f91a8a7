import StateMachines
import Turnstile

// What people ask for, at the gate or from afar.
extension PlainGate {
    mutating func ask(_ request: Request, _ requester: Requester, _ now: Instant) {
        let result = hasStarted ? answer(request, requester, now) : .refused(.starting)
        give(request.kind, requester, result)
    }

    /// Who asks has an answer; most of them are written down.
    mutating func give(_ request: Request.Kind, _ requester: Requester, _ result: Answer.Result) {
        answers.append(Answer(request, by: requester, result))
        switch result {
        case .refused(let refusal): records.append(.refused(request, by: requester, refusal))
        case .deferred:
            if requester == .settings {
                records.append(.policyDeferred)
            } else if requester == .schedule {
                records.append(.scheduleDeferred)
            } else if request != .grant || requester.person != nil {
                records.append(.deferred(request, by: requester))
            }
        case .done:
            if requester.person != nil { records.append(.done(request, by: requester)) }
        }
    }

    /// What ends by the clock on the wall is asked for until then, and knows by what.
    private mutating func answer(
        untilTime request: Request, _ requester: Requester, _ now: Instant
    ) -> Answer.Result {
        switch request {
        case .setModeUntil(let way, let mode, let clock):
            guard let until = nextTime(clock, now) else { return .refused(.outOfRange) }
            let result = answer(.setMode(way, mode, until: until), requester, now)
            if modes[way]?.until == until { modes[way]?.timeOfDay = clock }
            return result
        case .setEnforcementUntil(let value, let clock):
            guard let until = nextTime(clock, now) else { return .refused(.outOfRange) }
            let result = answer(.setEnforcement(value, until: until), requester, now)
            if enforcement?.until == until { enforcement?.timeOfDay = clock }
            return result
        case _: preconditionFailure("it ends by no clock")
        }
    }

    private mutating func answer(
        _ request: Request, _ requester: Requester, _ now: Instant
    ) -> Answer.Result {
        let isFar = requester.person != nil
        switch request {
        case .grant(let way): return grant(way, requester, now)
        case .grantGroup(let way, let count): return grantGroup(way, count, requester, now)
        case .withdraw(let way): return withdraw(way)
        case .setMode(let way, let mode, let until):
            var asked = policy
            if way == .entry { asked.regime.entry = mode ?? asked.regime.entry }
            if way == .exit { asked.regime.exit = mode ?? asked.regime.exit }
            return ask(until, now, asked) {
                $0.giveWay($0.modes[way], .setMode, .setModeUntil)
                $0.modes[way] = Term(mode, until: until, isAwaited: true, by: requester)
                return $0.wanted[way] == $0.regime[way]
            }
        case .setModeUntil, .setEnforcementUntil: return answer(untilTime: request, requester, now)
        case .setEnforcement(let enforcement, let until):
            var asked = policy
            asked.regime.enforcement = enforcement ?? asked.regime.enforcement
            return ask(until, now, asked) {
                $0.giveWay($0.enforcement, .setEnforcement, .setEnforcementUntil)
                $0.enforcement = Term(enforcement, until: until, isAwaited: true, by: requester)
                return $0.wanted.enforcement == $0.regime.enforcement
            }
        case .confirmRepair:
            if isFar, isEmergency, policy.remoteEmergencyReset == .never {
                return .refused(.notFromAfar)
            }
            if isFar, isBroken, policy.remoteRepair == .never { return .refused(.notFromAfar) }
            return repair(now)
        case .acknowledgeAlarms:
            acknowledge()
            return .done
        case .resetEmergency: return reset(isFar: isFar)
        case .beginService:
            if isFar, policy.remoteService == .never { return .refused(.notFromAfar) }
            return beginService(requester)
        case .endService: return giveBackService(requester)
        case .selfTest: return test(nil, for: nil, requester, now)
        case .test(let output, let length): return test(output, for: length, requester, now)
        case .collectCoins(let counted): return collect(counted)
        case .adopt(var new):
            if isFar {
                let old = newPolicy ?? policy
                new.remoteEmergencyReset = old.remoteEmergencyReset
                new.remoteRepair = old.remoteRepair
                new.remoteService = old.remoteService
                // Who must be at the gate to end an emergency is not replaced by nobody.
                if old.remoteEmergencyReset == .never, new.fireReset != old.fireReset {
                    return .refused(.notFromAfar)
                }
                if let refusal = refusal(new, instead: old) { return .refused(refusal) }
            }
            if newPolicy != nil {
                records.append(.refused(.adopt, by: newPolicyRequester, .superseded))
            }
            newPolicy = new
            newPolicyRequester = requester
            return isIdle ? .done : .deferred
        }
    }

    /// Something is out of order, and waits for the mechanic.
    var isBroken: Bool { isOutOfService || faults.contains(where: \.isLatching) }

    // MARK: Passages

    private mutating func withdraw(_ way: Direction) -> Answer.Result {
        if let last = people.lastIndex(where: { $0.direction == way }) {
            records.append(.storedDropped(1, grantedBy: people.remove(at: last).number))
            return .done
        }
        if let number = stored[way], number > 0 {
            stored[way] = number - 1
            records.append(.storedDropped(1))
            return .done
        }
        let isUnpaid =
            switch authorisation {
            case .contact, .person: true
            case .credit, .free: false
            }
        guard isUnpaid, direction == way else { return .refused(.nothingToWithdraw) }
        switch self.way {
        case .locked, .recovering: return .refused(.nothingToWithdraw)
        case .passing: return .refused(.occupied)
        case .released where waitEnds == nil: return .refused(.occupied)
        case .released, .suspended: break
        }
        guard isStill else { return .refused(.occupied) }
        close()
        return .done
    }

    // MARK: Rules

    private mutating func ask(
        _ until: Instant?, _ now: Instant, _ asked: Policy, _ change: (inout PlainGate) -> Bool
    ) -> Answer.Result {
        if let until, until <= now { return .refused(.timeOver) }
        if let until, until > now + .seconds(3660 * 86_400) { return .refused(.outOfRange) }
        if let refusal = refusal(asked, instead: policy) { return .refused(refusal) }
        let isSo = change(&self)
        _ = serve()
        return isSo || isIdle ? .done : .deferred
    }

    /// Whoever waits for this waits in vain: it gives way to something else.
    private mutating func giveWay(
        _ term: Term<some Hashable>?, _ request: Request.Kind, _ byClock: Request.Kind
    ) {
        guard let term, term.isAwaited else { return }
        let kind = term.timeOfDay == nil ? request : byClock
        records.append(.refused(kind, by: term.requester, .superseded))
    }

    /// Those who waited for what is in force now wait no longer, and who asked for what is so
    /// without anybody asking has it.
    mutating func serve() -> [(request: Request.Kind, requester: Requester)] {
        var served: [(Request.Kind, Requester)] = []
        for way in [Direction.entry, .exit] where wanted[way] == regime[way] {
            if let term = modes[way], term.isAwaited {
                served.append((term.timeOfDay == nil ? .setMode : .setModeUntil, term.requester))
            }
            modes[way]?.isAwaited = false
            if modes[way]?.value == nil { modes[way] = nil }
        }
        guard wanted.enforcement == regime.enforcement else { return served }
        if let term = enforcement, term.isAwaited {
            let byClock = term.timeOfDay != nil
            served.append((byClock ? .setEnforcementUntil : .setEnforcement, term.requester))
        }
        enforcement?.isAwaited = false
        if enforcement?.value == nil { enforcement = nil }
        return served
    }

    /// What somebody asked for until then is over.
    mutating func endRules(_ now: Instant) {
        for way in [Direction.entry, .exit] {
            guard let term = modes[way], let until = term.until, until <= now else { continue }
            if term.isAwaited {
                let kind: Request.Kind = term.timeOfDay == nil ? .setMode : .setModeUntil
                records.append(.refused(kind, by: term.requester, .timeOver))
            }
            modes[way] = nil
        }
        guard let term = enforcement, let until = term.until, until <= now else { return }
        if term.isAwaited {
            let kind: Request.Kind = term.timeOfDay == nil ? .setEnforcement : .setEnforcementUntil
            records.append(.refused(kind, by: term.requester, .timeOver))
        }
        enforcement = nil
    }

    /// When the next one is over.
    var rulesEnd: Instant? {
        (modes.values.map(\.until) + [enforcement?.until]).compactMap { $0 }.min()
    }

    /// What was asked for before the start is in force again.
    mutating func takeUpRules(_ now: Instant) {
        guard case .known(let before) = recovery else { return }
        modes[.entry] = before.terms.entry
        modes[.exit] = before.terms.exit
        enforcement = before.terms.enforcement
        lookAtClock(now)
        dropRulesThatCannotBe(now)
        endRules(now)
        regime = scheduled
        for (request, requester) in serve() { records.append(.done(request, by: requester)) }
        changeRegime(.schedule)
    }

    private mutating func dropRulesThatCannotBe(_ now: Instant) {
        for way in [Direction.entry, .exit] {
            guard let term = modes[way], let mode = term.value else { continue }
            if let until = term.until, until <= now { continue }
            var asked = policy
            if way == .entry { asked.regime.entry = mode } else { asked.regime.exit = mode }
            guard let refusal = refusal(asked, instead: policy) else { continue }
            let kind: Request.Kind = term.timeOfDay == nil ? .setMode : .setModeUntil
            records.append(.refused(kind, by: term.requester, refusal))
            modes[way] = nil
        }
        guard let term = enforcement, let value = term.value else { return }
        if let until = term.until, until <= now { return }
        var asked = policy
        asked.regime.enforcement = value
        guard let refusal = refusal(asked, instead: policy) else { return }
        let kind: Request.Kind = term.timeOfDay == nil ? .setEnforcement : .setEnforcementUntil
        records.append(.refused(kind, by: term.requester, refusal))
        enforcement = nil
    }

    // MARK: The mechanic

    mutating func repair(_ now: Instant) -> Answer.Result {
        let over = faults.subtracting(causes)
        // A loop that nobody could read is looked at again.
        let fire = Fault.line(.input(.fire), .unreadable)
        let isLoopRead = isLoopOpen && !isActive[.fire] && !causes.contains(fire)
        if over.isEmpty, !isLoopRead, isBroken { return .refused(.causePresent) }
        // They have seen it: this is no short outage.
        shortOutageEnds = nil
        forget(over, now)
        return .done
    }

    private mutating func reset(isFar: Bool) -> Answer.Result {
        guard isEmergency else { return .refused(.noEmergency) }
        if isFar, policy.remoteEmergencyReset == .never { return .refused(.notFromAfar) }
        if isLoopOpen {
            let isUnread = faults.contains(.line(.input(.fire), .unreadable)) && !isActive[.fire]
            return .refused(isUnread ? .repairFirst : .loopOpen)
        }
        if isFar, !isStill || !isSeen { return .refused(.occupied) }
        isReset = true
        clearLane()
        return isEmergency ? .deferred : .done
    }

    mutating func beginService(_ requester: Requester) -> Answer.Result {
        if isEmergency { return .refused(.emergency) }
        if isStopped { return .refused(.stopped) }
        if isService { return serviceRequester == requester ? .done : .refused(.service) }
        if keyHeldUntil != nil { return .refused(.service) }
        if wantsService {
            guard serviceRequester == requester else { return .refused(.service) }
        } else {
            wantsService = true
            serviceRequester = requester
        }
        return mayBeginService ? .done : .deferred
    }

    mutating func giveBackService(_ requester: Requester) -> Answer.Result {
        guard let owner = serviceRequester else { return .refused(.noService) }
        if requester.person != nil, owner != requester { return .refused(.service) }
        if wantsService {
            wantsService = false
            serviceRequester = nil
            if owner.person != nil, owner != requester {
                records.append(.refused(.beginService, by: owner, .cancelled))
            }
            return .done
        }
        if requester.person != nil, !isSeen { return .refused(.occupied) }
        abortTest()
        leavesService = true
        // Whoever turns the key has looked.
        if isStill { endService() }
        return isService ? .deferred : .done
    }

    private mutating func test(
        _ output: Output?, for length: Duration?, _ requester: Requester, _ now: Instant
    ) -> Answer.Result {
        if requester.person != nil, let owner = serviceRequester, owner != requester {
            return .refused(.service)
        }
        guard isService, !leavesService else { return .refused(.noService) }
        if let output, !testable.contains(output) { return .refused(.notWired) }
        if let output, let length {
            let isTooLong =
                switch Direction.allCases.first(where: { $0.lock == output }) {
                case let way?: !hasTime(way, for: length, now)
                case nil: maximumOnTimes[output].map { length > $0 } ?? false
                }
            if length <= .zero || length > .seconds(300) || isTooLong {
                return .refused(.outOfRange)
            }
        }
        if let output, isCut(output) { return .refused(.repairFirst) }
        guard isStill else { return .refused(.occupied) }
        abortTest()
        beginTest(output, now, for: length)
        return .done
    }

    private mutating func collect(_ counted: Int?) -> Answer.Result {
        if let counted, counted < 0 || counted > 10_000_000_000 { return .refused(.outOfRange) }
        let hasSwitch = equipment.inputs[.vaultPresent]
        if hasSwitch, !isVaultUncounted { return .refused(.nothingToCount) }
        if !hasSwitch { records.append(.coinsCollected) }
        guard let counted else { return .done }
        records.append(.collectionCounted(value: counted))
        isVaultUncounted = false
        return .done
    }
}
