import StateMachines

// Who is let pass.
extension Gate {
    /// A contact asks for a passage: at once where nobody is before it, else in its turn.
    mutating func requested(
        _ direction: Direction, by contact: Input, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        if let refusal = refusal(direction) { return log.record(.refused(contact, refusal)) }
        if mayAuthorise {
            return authorise(Lane.Grant(direction, by: .contact), at: time, &log, perform)
        }
        switch direction {
        case .entry: stored.entry += 1
        case .exit: stored.exit += 1
        }
        log.record(.stored(direction))
    }

    /// Why a contact is refused, or nil.
    private func refusal(_ direction: Direction) -> Refusal? {
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
        case .controlled: return mayAuthorise || canStore ? nil : .storeFull
        }
    }

    /// Lets in whoever the credit pays for, if anybody may pass now, and as soon as what is held
    /// is stored.
    mutating func releaseOnCredit(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        guard let grant = openOnCredit(at: time, &log, perform) else { return }
        account(for: grant, at: time, &log)
    }

    /// Opens the way for whoever the credit pays for, and returns for whom: they are to be
    /// accounted for, once the coin is that lets them in.
    mutating func openOnCredit(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) -> Lane.Grant? {
        guard mayAuthorise, credit >= policy.price, regime.entry == .controlled, isInService
        else { return nil }
        guard safekeeping.isStored else {
            note(safekeeping.handle(.withheld), at: time, &log, perform)
            return nil
        }
        let grant = Lane.Grant(.entry, by: .credit(fare: policy.price))
        open(for: grant, at: time, &log, perform)
        return grant
    }

    /// Lets in or out whoever waits for the one before them.
    mutating func releaseStored(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        guard stored.total > 0, mayAuthorise, isInService else { return }
        if stored.entry > 0 {
            stored.entry -= 1
            authorise(Lane.Grant(.entry, by: .contact), at: time, &log, perform)
        } else {
            stored.exit -= 1
            authorise(Lane.Grant(.exit, by: .contact), at: time, &log, perform)
        }
    }

    /// The lane is free again: the next one's turn. Credit that was there before, and that nobody
    /// came for, waits until somebody pushes.
    mutating func releaseNext(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        releaseStored(at: time, &log, perform)
        if newFares > 0 { releaseOnCredit(at: time, &log, perform) }
    }

    /// The gate is no longer blocked: what was authorised before is good again.
    mutating func resume(at time: Instant, _ log: inout Log) {
        note(lane.handle(.resumed(at: time)), at: time, &log)
        noticePerson(at: time, &log)
    }

    /// Those who wait for their turn wait in vain.
    mutating func dropStored(_ log: inout Log) {
        guard stored.total > 0 else { return }
        log.record(.storedDropped(stored.total))
        stored = Stored()
    }

    /// Lets one person pass: what that means is driven before it is accounted for.
    private mutating func authorise(
        _ grant: Lane.Grant, at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        open(for: grant, at: time, &log, perform)
        account(for: grant, at: time, &log)
    }

    @inline(__always) private mutating func open(
        for grant: Lane.Grant, at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        let outcome = lane.handle(.authorised(grant, at: time))
        openWay(&log, perform)
        note(outcome, at: time, &log)
    }

    /// Accounts for whoever the way was opened for.
    mutating func account(for grant: Lane.Grant, at time: Instant, _ log: inout Log) {
        if case .credit(let fare) = grant.authorisation {
            note(purse.handle(.debited(fare)), at: time, &log)
            log.record(.creditUsed(value: fare))
            newFares = max(0, newFares - 1)
            surplus = policy.overpay == .forfeit ? credit % policy.price : 0
        }
        log.record(.released(grant.direction, by: grant.authorisation))
        noticePerson(at: time, &log)
    }

    /// Whoever leant on the arm before it was released, or before the gate was free, is on the way
    /// already. So may be whoever nobody saw, but on nobody else's fare.
    mutating func noticePerson(at time: Instant, _ log: inout Log) {
        let isReleased = if case .released = lane.state { true } else { false }
        guard isReleased || lane.state == .locked && !lane.isBlocked else { return }
        switch rotor {
        case .turning(let direction) where isReleased || lane.isFree(direction):
            note(lane.handle(.moved(.begin(direction), at: time)), at: time, &log)
        case .lost where isReleased:
            // They were there before whoever it is released for, who waits until they are gone.
            guard let other = lane.grant?.direction.opposite else { return }
            note(lane.handle(.moved(.begin(other), at: time)), at: time, &log)
        case .lost where lane.freeEntry || lane.freeExit:
            note(lane.handle(.moved(.loseTrack, at: time)), at: time, &log)
        case .home, .turning, .lost: break
        }
    }

    /// Somebody passed.
    mutating func count(
        _ direction: Direction, _ kind: PassageKind, at time: Instant, _ log: inout Log
    ) {
        log.record(.passageCompleted(direction, kind))
        log.counts.passages += 1
    }

    /// An authorisation that was not used: a fare is credit again.
    mutating func giveBack(_ grant: Lane.Grant, at time: Instant, _ log: inout Log) {
        switch grant.authorisation {
        case .free: break
        case .contact: log.record(.authorisationDropped(grant.direction))
        case .credit(let fare):
            note(purse.handle(.credited(fare, at: time)), at: time, &log)
            log.record(.creditReturned(value: fare))
            surplus = 0
        }
    }

    /// Credit falls to the operator.
    mutating func forfeit(_ value: Int, at time: Instant, _ log: inout Log) {
        note(purse.handle(.debited(value)), at: time, &log)
        log.record(.creditForfeited(value: value))
    }
}
