import StateMachines

// New terms: the policy, and the schedule's modes.
extension Turnstile {
    /// Whether a coin is being counted.
    public var isCounting: Bool { Acceptor.ordered.contains { gate.isCounting[$0] } }

    /// Whether a new policy can come into force: the gate is idle and no coin is being counted.
    public var isIdle: Bool { gate.isIdle && !gate.isCoinExpected }

    /// The latest policy: the pending one, else the one in force. A request for another one changes
    /// this, since it replaces both.
    public var latestPolicy: Policy { pending.policy ?? gate.policy }

    /// The answer to settings that ask for this policy again; nil if it is neither in force by them
    /// nor pending.
    public func result(ofSettings policy: Policy) -> Answer.Result? {
        if case .policy(policy, by: .settings) = pending { return .deferred }
        let isInForce = !pending.isSomething && policySource == nil && gate.policy == policy
        return isInForce ? .done : nil
    }

    /// Whether new terms wait until they can come into force.
    @inline(__always) var isAnythingPending: Bool {
        pending.isSomething || gate.isScheduleDeferred || gate.timetable.regime != gate.regime
            || gate.timetable.terms.isAnyAwaited
    }

    /// A policy is taken here, where it concerns the decoders as well; all else is the gate's.
    mutating func process(
        _ request: Request, by requester: Requester, _ step: inout StepContext
    ) {
        guard case .adopt(var policy) = request else {
            return send(.requested(request, by: requester), &step)
        }
        step.change()
        if requester.person != nil {
            let before = latestPolicy
            // What is allowed from afar can only be changed at the gate.
            policy.keepRemote(of: before)
            if let refusal = refusalFromAfar(policy, inPlaceOf: before) {
                return step.answer(Answer(.adopt, by: requester, .refused(refusal)))
            }
        }
        if let earlier = policyRequester {
            step.record(.refused(.adopt, by: earlier, .superseded))
        }
        pending = .policy(policy, by: requester)
        step.answer(Answer(.adopt, by: requester, isIdle ? .done : .deferred))
    }

    /// Why an operator cannot have this policy; nil where they can.
    private func refusalFromAfar(_ policy: Policy, inPlaceOf before: Policy) -> Refusal? {
        guard policy.isPossible else { return .outOfRange }
        // An emergency that only a person at the gate may end cannot be made to end by itself.
        if before.remoteEmergencyReset == .never, policy.fireReset != before.fireReset {
            return .notFromAfar
        }
        return policy.refusal(inPlaceOf: before, at: gate.installation)
    }

    /// Applies pending terms, if they can come into force now.
    mutating func adoptPending(_ step: inout StepContext) {
        guard isAnythingPending || gate.isChangeAwaited else { return }
        let isIdle = isIdle
        if isIdle, case .policy(let policy, let requester) = pending {
            pending = .nothing
            policySource = requester.person == nil ? nil : requester
            step.record(.policyChanged(by: requester))
            for acceptor in Acceptor.ordered { coins[acceptor].adopt(policy.coins[acceptor]) }
            updateCoinDeadlines()
            filter.adopt(policy)
            gate.adopt(policy, by: requester, &step)
        } else {
            gate.applyTimetable(isIdle: isIdle, &step)
        }
        let wasAwaited = gate.isChangeAwaited
        gate.isChangeAwaited = isAnythingPending
        if wasAwaited, !gate.isChangeAwaited { gate.releaseNext(&step) }
        gate.propagate(&step)
    }
}

extension PerAcceptor<Instant?> {
    /// The first instant of all.
    @inline(__always) var first: Instant? {
        .earliest(self[.first], .earliest(self[.second], self[.third]))
    }

    /// The first acceptor with something to do then.
    @inline(__always) func firstAcceptor(dueAt due: Instant) -> Acceptor? {
        if self[.first] == due { return .first }
        if self[.second] == due { return .second }
        return self[.third] == due ? .third : nil
    }
}
