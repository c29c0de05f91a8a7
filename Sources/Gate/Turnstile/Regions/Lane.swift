public import StateMachines

/// The way through the gate: who may pass now, and which way.
///
/// One person passes at a time, and one direction is released at a time; a direction that is free
/// is open besides. The lane knows nothing of money, emergencies or faults; the ``Gate`` round it
/// authorises, suspends and closes it.
public struct Lane: StateMachine, Hashable, Sendable {
    /// What may happen to the lane.
    public enum Event: Hashable, Sendable {
        /// One person may pass.
        case authorised(Grant, at: Instant)
        /// Somebody in the rotor moved.
        case moved(RotorDecoder.Command, at: Instant)
        /// One person was let pass before the start, and may have the wait begin anew until then,
        /// where it had begun.
        case takenUp(Grant, limit: Instant?, at: Instant)
        /// The gate is blocked.
        case suspended
        /// The gate is no longer blocked; a suspended authorisation is good again.
        case resumed(at: Instant)
        /// Whatever was authorised is over.
        case closed
        /// The lock of this direction can no longer be held open.
        case lockCut(Direction)
        /// Somebody stands in the rotor as the gate starts, and this is what is known of them.
        case found(RetainedState.Passage)
        /// Time passed.
        case timePassed(Instant)
    }

    /// What becomes of an authorisation, for the gate to account for.
    public enum Command: Hashable, Sendable {
        /// Somebody set out.
        case start(Direction)
        /// Somebody passed, and what they had for it is used.
        case complete(Grant)
        /// Somebody went back, and the authorisation is still good.
        case backOut(Direction, pastMiddle: Bool)
        /// Nobody can tell whether somebody passed: the authorisation counts as used.
        case loseTrack(Grant)
        /// Nobody came: the authorisation is given back.
        case expire(Grant)
        /// The authorisation was not used: it is given back.
        case giveBack(Grant)
        /// Somebody came half-way through without an authorisation for this direction.
        case reportIntruder(Alarm)
        /// Somebody passed without an authorisation for this direction.
        case completeUnauthorised(Direction)
        /// Whoever was found in the rotor at the start is out of it: they count as through.
        case recover(RetainedState.Passage)
    }

    /// One person may pass, this way, for this reason.
    public struct Grant: Hashable, Sendable {
        /// Which way.
        public var direction: Direction
        /// What it was granted by.
        public var authorisation: Authorisation

        /// One person may pass.
        public init(_ direction: Direction, by authorisation: Authorisation) {
            self.direction = direction
            self.authorisation = authorisation
        }
    }

    /// Who may pass now.
    public enum State: Hashable, Sendable {
        /// Nobody, but for those who are free to. An authorisation follows, or a free passage.
        case locked
        /// One person may pass until then, or, while somebody comes the other way, for as long as
        /// that takes. A passage follows, or the wait runs out.
        case released(Grant, until: Instant?)
        /// The gate was blocked before anybody came. It resumes or is closed.
        case suspended(Grant)
        /// Somebody is passing. Completion or a back-out follows.
        case passing(Passage)
        /// Somebody stood in the rotor as the gate started, and may leave it either way. A rotor
        /// at home follows.
        case recovering(RetainedState.Passage)
    }

    /// A passage that has begun and is not over.
    public struct Passage: Hashable, Sendable {
        /// What it was granted by.
        public var grant: Grant
        /// Whether nobody knows which way the person goes, where both are free.
        public var isLost = false
        /// Whether the person has been at the middle.
        public var isPastMiddle = false
        /// Whether the lock is engaged already, to catch the next arm.
        public var isRelocked = false
    }

    /// Somebody has just passed; who follows at their heels has slipped in behind them.
    struct TailgatingWindow: Hashable, Sendable {
        var direction: Direction
        var until: Instant
    }

    /// Who may pass now.
    public internal(set) var state = State.locked
    var tailgating: TailgatingWindow?
    private(set) var timing: Timing
    /// Which directions are free.
    private(set) var freeEntry = false
    private(set) var freeExit = false
    /// Whether nobody new may pass, not even where it is free. It begins when it is known whether
    /// somebody moves: until then they may have begun to.
    private(set) var isBlocked = false
    /// When it is known whether somebody moves; nil when it is.
    var movementKnown: Instant?
    /// Until when somebody who goes back can have the wait begin anew; nil once that is over, and
    /// while nobody is authorised.
    private(set) var waitLimit: Instant?

    /// The times and choices of a passage.
    struct Timing: Hashable, Sendable {
        var wait: Duration
        var delayAlarm: Duration
        var tailgatingWindow: Duration
        var relocksAtMiddle: Bool

        init(_ policy: Policy) {
            wait = policy.passWait
            delayAlarm = policy.passDelayAlarm
            tailgatingWindow = policy.tailgatingWindow
            relocksAtMiddle = policy.relockAt == .middle
        }
    }

    /// A locked lane.
    public init(policy: Policy) {
        timing = Timing(policy)
        open(policy.regime)
    }

    /// Whether everybody may pass in this direction.
    @inline(__always) public func isFree(_ direction: Direction) -> Bool {
        direction == .entry ? freeEntry : freeExit
    }

    /// Whether the lock of this direction has to be released.
    @inline(__always) public func isReleased(_ direction: Direction) -> Bool {
        if isFree(direction) { return true }
        switch state {
        case .locked, .suspended: return false
        case .released(let grant, _): return grant.direction == direction
        case .passing(let passage):
            return passage.grant.direction == direction && !passage.isRelocked
        case .recovering: return true
        }
    }

    /// Whether the next may come in: nobody has begun to, or everybody may, and nobody is let out.
    public var letsNextIn: Bool {
        switch state {
        case .locked, .suspended: freeEntry
        case .passing(let passage): freeEntry && passage.grant.direction == .entry
        case .recovering: false
        case .released(let grant, let until): grant.direction == .entry && until != nil
        }
    }

    /// Whether the lock of this direction stays released in a gate that is to be blocked.
    @inline(__always) func staysReleased(_ direction: Direction) -> Bool {
        isBlocked ? isHeldOpen(direction) : isReleased(direction)
    }

    /// Whether the lock of this direction stays released though the gate is blocked, for somebody.
    @inline(__always) public func isHeldOpen(_ direction: Direction) -> Bool {
        switch state {
        case .locked, .suspended: false
        case .released: isOccupied && isReleased(direction)
        case .passing(let passage):
            !passage.isRelocked
                && (passage.grant.direction == direction || passage.isLost && isFree(direction))
        case .recovering: true
        }
    }

    /// Whether somebody is, or may be, in the rotor who came into it while it was released.
    @inline(__always) public var isOccupied: Bool {
        switch state {
        case .locked, .suspended: false
        case .released(_, let until): until == nil || movementKnown != nil
        case .passing, .recovering: true
        }
    }

    /// What was authorised and is not used up; nil for nothing, and for a free passage.
    public var grant: Grant? {
        switch state {
        case .locked, .recovering: nil
        case .released(let grant, _), .suspended(let grant): grant
        case .passing(let passage):
            passage.grant.authorisation == .free ? nil : passage.grant
        }
    }

    /// When nobody has come for too long, or has gone back too often, or nobody has followed.
    public var deadline: Instant? {
        switch state {
        case .locked, .suspended, .recovering: tailgating?.until
        case .released(_, let until):
            .earliest(.earliest(until.map(whenKnown), waitLimit), tailgating?.until)
        case .passing: .earliest(waitLimit, tailgating?.until)
        }
    }

    /// This moment or, if it is not known then whether somebody moves, the one in which it is.
    private func whenKnown(_ time: Instant) -> Instant { max(time, movementKnown ?? time) }

    /// Takes the times of a new policy, for the passages to come.
    mutating func adopt(_ policy: Policy) {
        timing = Timing(policy)
    }

    /// Lets everybody pass where `regime` says so; the lane must be locked.
    mutating func open(_ regime: Regime) {
        freeEntry = regime.entry == .free
        freeExit = regime.exit == .free
    }

    /// Blocks the lane as soon as it is known whether somebody moves, or no longer blocks it. One
    /// that `isShut` so far opens for nobody who may but move.
    mutating func block(_ isToBeBlocked: Bool, isShut: Bool) {
        isBlocked = isToBeBlocked && (isBlocked || isShut || movementKnown == nil)
    }

    /// Decides what the event means for whoever is authorised.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        defer { forgetWaitLimit() }
        return switch event {
        case .authorised(let grant, let time): authorise(grant, at: time)
        case .takenUp(let grant, let limit, let time): restore(grant, limit: limit, at: time)
        case .moved(let movement, let time): move(movement, at: time)
        case .suspended: suspend()
        case .resumed(let time): resume(at: time)
        case .closed: close()
        case .lockCut(let direction): cutLock(of: direction)
        case .found(let passage): find(passage)
        case .timePassed(let now): passTime(now)
        }
    }

    /// There is no limit while nobody is authorised.
    @inline(__always) private mutating func forgetWaitLimit() {
        switch state {
        case .released, .passing: break
        case .locked, .suspended, .recovering: waitLimit = nil
        }
    }

    mutating func shiftInstants(by duration: Duration) {
        if let tailgating { self.tailgating?.until = tailgating.until + duration }
        waitLimit = waitLimit.map { $0 + duration }
        movementKnown = movementKnown.map { $0 + duration }
        switch state {
        case .locked, .suspended, .passing, .recovering: break
        case .released(let grant, let until):
            state = .released(grant, until: until.map { $0 + duration })
        }
    }
}

// What the gate decides.
extension Lane {
    private mutating func authorise(_ grant: Grant, at time: Instant) -> Outcome<Command> {
        switch state {
        case .locked:
            release(for: grant, at: time)
            return .handled
        case .released, .suspended, .passing, .recovering:
            return .ignored("one person at a time: the gate is released already")
        }
    }

    /// Whoever was let pass has the wait anew, as somebody has who went back.
    private mutating func restore(
        _ grant: Grant, limit: Instant?, at time: Instant
    ) -> Outcome<Command> {
        guard state == .locked else { return .ignored("somebody is in the rotor") }
        guard let limit else { return authorise(grant, at: time) }
        waitLimit = min(limit, time + timing.wait + timing.delayAlarm)
        return .handled(wait(for: grant, at: time))
    }

    private mutating func release(for grant: Grant, at time: Instant) {
        let end = time + timing.wait
        state = .released(grant, until: end)
        waitLimit = end + timing.delayAlarm
    }

    /// Waits anew for somebody who has gone back, unless they did so again and again: nobody has
    /// the gate for ever by that.
    mutating func wait(for grant: Grant, at time: Instant) -> Commands<Command> {
        guard let waitLimit, time < waitLimit else {
            state = .locked
            return [.expire(grant)]
        }
        state = .released(grant, until: min(time + timing.wait, waitLimit))
        return []
    }

    private mutating func find(_ passage: RetainedState.Passage) -> Outcome<Command> {
        switch state {
        case .locked, .recovering:
            // Of whoever was found before, more may be known now.
            state = .recovering(passage)
            return .handled
        case .released, .suspended, .passing:
            return .ignored("the gate has started already")
        }
    }

    private mutating func suspend() -> Outcome<Command> {
        switch state {
        case .released(let grant, _):
            state = .suspended(grant)
            return .handled
        case .locked, .suspended: return .ignored("nothing is authorised")
        case .passing, .recovering: return .ignored("somebody is in the rotor")
        }
    }

    private mutating func resume(at time: Instant) -> Outcome<Command> {
        switch state {
        case .suspended(let grant):
            release(for: grant, at: time)
            return .handled
        case .locked, .released, .passing, .recovering:
            return .ignored("nothing is suspended")
        }
    }

    private mutating func close() -> Outcome<Command> {
        switch state {
        case .locked: return .ignored("the lane is closed")
        case .released(let grant, _), .suspended(let grant):
            state = .locked
            return .handled(.giveBack(grant))
        case .passing(let passage):
            state = .locked
            return .handled(.giveBack(passage.grant))
        case .recovering(let passage):
            state = .locked
            return .handled(.recover(passage))
        }
    }

    private mutating func cutLock(of direction: Direction) -> Outcome<Command> {
        switch state {
        case .locked, .suspended: return .ignored("the lock is engaged")
        case .released(let grant, let until):
            guard grant.direction == direction else { return .ignored("that lock is engaged") }
            // Whoever may have begun to move is told from nobody first.
            guard until == nil || movementKnown == nil else {
                return .ignored("somebody may be in the rotor")
            }
            // Whoever is on the way freely the other way is not locked in.
            let isOther = until == nil && isFree(direction.opposite)
            let other = Grant(direction.opposite, by: .free)
            state = isOther ? .passing(Passage(grant: other)) : .locked
            return .handled(.giveBack(grant))
        case .passing, .recovering:
            return .ignored("the person in the rotor is let out once the lock can be driven")
        }
    }

    private mutating func passTime(_ now: Instant) -> Outcome<Command> {
        guard let deadline, deadline <= now else { return .ignored("nothing is due") }
        if let end = tailgating?.until, end <= now { tailgating = nil }
        if let end = waitLimit, end <= now { waitLimit = nil }
        guard case .released(let grant, let until?) = state, whenKnown(until) <= now else {
            return .handled
        }
        state = .locked
        return .handled(.expire(grant))
    }
}

extension Lane: Composite {
    /// What it is called.
    public static var title: String { "lane" }
    /// A locked one.
    public static var blank: Lane { Lane(policy: .blank) }

    /// Who may pass now. The times and choices are the policy's; where it is free follows from the
    /// regime; whether it is blocked is the gate's as well, but not when that began.
    public func visit(_ fields: inout some FieldVisitor) -> Lane {
        var lane = self
        lane.state = fields.inline(state, as: .phase)
        lane.isBlocked = fields.field(.isBlocked, isBlocked)
        lane.tailgating = fields.optional(.tailgating, tailgating)
        lane.movementKnown = fields.optional(.movementKnown, movementKnown)
        lane.waitLimit = fields.optional(.waitLimit, waitLimit)
        return lane
    }
}
