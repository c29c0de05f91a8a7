import StateMachines

// Authorisations.
extension Gate {
    /// Why an unpaid authorisation is refused, or nil.
    func refusal(_ direction: Direction) -> Refusal? {
        switch standing {
        case .emergency: return .emergency
        case .stopped: return .stopped
        case .service: return .service
        case .outOfService: return .outOfService
        case .inService: break
        }
        switch regime[direction] {
        case .locked: return .modeLocked
        case .free: return .modeFree
        case .controlled: return mayAuthorise(direction) || hasCapacity ? nil : .storeFull
        }
    }

    /// Releases the gate for one fare of the credit, if it is idle, once the credit is durable.
    /// ``duePayer`` comes first, for the fare they had paid.
    mutating func releaseOnCredit(_ step: inout StepContext) {
        let payer = duePayer
        let fare = payer?.fare ?? policy.price
        guard mayAuthorise(.entry), credit >= fare, regime.entry == .controlled, isInService
        else { return }
        guard mayRelease(.entry, step) else { return }
        guard commitBarrier.isDurable else { return apply(commitBarrier.handle(.withheld), &step) }
        authorise(Lane.Grant(.entry, by: .credit(fare: fare)), limit: payer?.limit, &step)
    }

    /// Releases the gate for the next authorisation in the queue.
    mutating func releaseQueued(_ step: inout StepContext) {
        guard queue.total > 0, isInService, let next = queue.first,
            mayAuthorise(next.direction), mayRelease(next.direction, step)
        else { return }
        queue.removeFirst()
        authorise(next, &step)
    }

    /// The lane is free for the next passenger. Credit left from earlier waits for a push.
    mutating func releaseNext(_ step: inout StepContext) {
        releaseQueued(&step)
        if newFares > 0 || duePayer != nil { releaseOnCredit(&step) }
    }

    /// The gate is no longer blocked: renews a suspended authorisation, and releases those that
    /// came due meanwhile.
    mutating func resume(_ step: inout StepContext) {
        // A person in the rotor comes before the queue.
        blockLane()
        apply(lane.handle(.resumed(at: step.time)), &step)
        detectPersonInRotor(&step)
        if lane.state == .locked { releaseNext(&step) }
    }

    /// Drops the queued authorisations for these directions; credit waits for a push then.
    mutating func dropQueued(
        where isVoid: (Direction) -> Bool = { _ in true }, _ step: inout StepContext
    ) {
        if isVoid(.entry) {
            newFares = 0
            past.forgetPayer()
        }
        for (count, number) in queue.removeAll(where: isVoid) {
            step.record(.storedDropped(count, grantedBy: number))
        }
    }

    /// Releases the gate for one person; backing out restarts the wait until `limit` at most.
    mutating func authorise(
        _ grant: Lane.Grant, limit: Instant? = nil, _ step: inout StepContext
    ) {
        let event: Lane.Event =
            limit == nil
            ? .authorised(grant, at: step.time)
            : .takenUp(grant, limit: limit, at: step.time)
        apply(lane.handle(event), &step)
        if case .credit(let fare) = grant.authorisation {
            if let payer = duePayer {
                surplus = policy.overpay == .forfeit ? payer.surplus : 0
                past.forgetPayer()
            } else {
                surplus = policy.overpay == .forfeit ? (credit - fare) % policy.price : 0
                newFares = max(0, newFares - 1)
            }
            apply(creditAccount.handle(.debited(fare)), &step)
            step.record(.creditUsed(value: fare))
        }
        step.record(.released(grant.direction, by: grant.authorisation))
        detectPersonInRotor(&step)
    }

    /// A person who leant on the arm before the release, or before the direction was free, is
    /// already passing. So may be one in a lost rotor, but not on another passenger's fare.
    mutating func detectPersonInRotor(_ step: inout StepContext) {
        let isReleased = if case .released = lane.state { true } else { false }
        guard isReleased || lane.state == .locked && !lane.isBlocked else { return }
        switch rotor {
        case .turning(let direction) where isReleased || lane.isFree(direction):
            apply(lane.handle(.moved(.begin(direction), at: step.time)), &step)
        case .lost where isReleased:
            // They were there first: the passenger of the release waits until they have left.
            guard let other = lane.grant?.direction.opposite else { return }
            apply(lane.handle(.moved(.begin(other), at: step.time)), &step)
        case .lost where lane.freeEntry || lane.freeExit:
            apply(lane.handle(.moved(.loseTrack, at: step.time)), &step)
        case .home, .turning, .lost: break
        }
    }

    mutating func count(_ direction: Direction, _ kind: PassageKind, _ step: inout StepContext) {
        step.record(.passageCompleted(direction, kind))
        step.counts.passages += 1
    }

    /// Gives back an unused authorisation: a fare is credit again.
    mutating func giveBack(_ grant: Lane.Grant, _ step: inout StepContext) {
        switch grant.authorisation {
        case .free: break
        case .contact, .person:
            let number = grant.authorisation.operatorNumber
            step.record(.authorisationDropped(grant.direction, grantedBy: number))
        case .credit(let fare):
            apply(creditAccount.handle(.credited(fare, at: step.time)), &step)
            step.record(.creditReturned(value: fare))
            surplus = 0
        }
    }

    mutating func forfeit(_ value: Int, _ step: inout StepContext) {
        apply(creditAccount.handle(.debited(value)), &step)
        step.record(.creditForfeited(value: value))
    }
}
