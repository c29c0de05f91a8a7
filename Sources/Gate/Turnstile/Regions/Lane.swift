public import StateMachines

/// Who may pass now, and in which direction.
///
/// One person passes at a time, and one direction is released at a time, in addition to free ones.
/// The lane knows nothing of money, emergencies or faults: the ``Gate`` authorises, suspends and
/// closes it.
public struct Lane: TimedMachine, Hashable, Sendable {
    /// The events of the lane.
    public enum Event: Hashable, Sendable {
        case authorised(Grant, at: Instant)
        case moved(RotorDecoder.Command, at: Instant)
        /// A release from before the start is renewed. `limit` is its ``Lane/waitLimit``; nil if
        /// its wait had not begun.
        case takenUp(Grant, limit: Instant?, at: Instant)
        /// The gate is blocked.
        case suspended
        /// The gate is no longer blocked; a suspended authorisation is valid again.
        case resumed(at: Instant)
        /// The authorisation ends.
        case closed
        /// The lock of this direction can no longer be held open.
        case lockCut(Direction)
        /// A person stands in the rotor as the gate starts.
        case found(RetainedState.Passage)
        case timePassed(Instant)
    }

    /// The outcome of an authorisation, for the gate to account for.
    public enum Command: Hashable, Sendable {
        /// A passage began.
        case start(Direction)
        /// A passage was completed, and its authorisation used.
        case complete(Grant)
        /// The passenger went back; the authorisation is still valid.
        case backOut(Direction, pastMiddle: Bool)
        /// The outcome of a passage is unknown: the authorisation counts as used.
        case loseTrack(Grant)
        /// The wait timed out: the authorisation is given back.
        case expire(Grant)
        /// The authorisation was not used: it is given back.
        case giveBack(Grant)
        /// A person without an authorisation for their direction is half-way through.
        case reportIntruder(Alarm)
        /// A person passed without an authorisation for this direction.
        case completeUnauthorised(Direction)
        /// The person found in the rotor at the start has left it, and counts as passed.
        case recover(RetainedState.Passage)
    }

    /// One person may pass in this direction.
    public struct Grant: Hashable, Sendable {
        /// The direction.
        public var direction: Direction
        /// Its source.
        public var authorisation: Authorisation

        /// One person may pass.
        public init(_ direction: Direction, by authorisation: Authorisation) {
            self.direction = direction
            self.authorisation = authorisation
        }
    }

    /// Who may pass now.
    public enum State: Hashable, Sendable {
        /// Nobody, except in free directions. An authorisation follows, or a free passage.
        case locked
        /// One person may pass until then; nil while another comes the other way. A passage
        /// follows, or the wait times out.
        case released(Grant, until: Instant?)
        /// The gate was blocked before the passenger came. It resumes or is closed.
        case suspended(Grant)
        /// A person is passing. Completion or a back-out follows.
        case passing(Passage)
        /// A person stood in the rotor as the gate started, and may leave it either way. A rotor at
        /// home follows.
        case recovering(RetainedState.Passage)
    }

    /// A passage in progress.
    public struct Passage: Hashable, Sendable {
        /// Its authorisation and direction.
        public var grant: Grant
        /// Whether the direction is unknown, since the other one is free too.
        public var isLost = false
        /// Whether the person has been at the middle.
        public var isPastMiddle = false
        /// Whether the lock is engaged already, to catch the next arm.
        public var isRelocked = false
    }

    /// A passage has just ended: a person who follows until then is tailgating.
    struct TailgatingWindow: Hashable, Sendable {
        var direction: Direction
        var until: Instant
    }

    /// Who may pass now.
    public internal(set) var state = State.locked
    var tailgating: TailgatingWindow?
    private(set) var timing: Timing
    private(set) var freeEntry = false
    private(set) var freeExit = false
    /// Whether the lane admits no further people, even in a free direction. See
    /// ``block(_:isShut:)``.
    private(set) var isBlocked = false
    /// Until when a movement is undecided; nil when it is decided.
    var movementUndecidedUntil: Instant?
    /// Until when backing out restarts the wait; nil once that has passed, and while no passenger
    /// is authorised.
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

    /// Whether the next person may enter: by a release that nobody uses yet, or a free entry while
    /// nobody passes out.
    public var letsNextIn: Bool {
        switch state {
        case .locked, .suspended: freeEntry
        case .passing(let passage): freeEntry && passage.grant.direction == .entry
        case .recovering: false
        case .released(let grant, let until): grant.direction == .entry && until != nil
        }
    }

    /// Whether the lock stays released now: as in service until the lane is blocked, then for a
    /// person only.
    @inline(__always) func staysReleased(_ direction: Direction) -> Bool {
        isBlocked ? isHeldOpen(direction) : isReleased(direction)
    }

    /// Whether the lock stays released for a person only, who is or may be in the rotor.
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

    /// Whether a person is, or may be, in the rotor because of a release.
    @inline(__always) public var isOccupied: Bool {
        switch state {
        case .locked, .suspended: false
        case .released(_, let until): until == nil || movementUndecidedUntil != nil
        case .passing, .recovering: true
        }
    }

    /// Whether a person in the lane has leave to be there, as far as the lane knows: somebody may
    /// pass or does, or has just passed.
    func isInUse(at time: Instant) -> Bool {
        switch state {
        case .released, .passing, .recovering: return true
        case .locked, .suspended: break
        }
        if let tailgating, time < tailgating.until { return true }
        return !isBlocked && (freeEntry || freeExit)
    }

    /// The authorisation that is not used up; nil for none, and for a free passage.
    public var grant: Grant? {
        switch state {
        case .locked, .recovering: nil
        case .released(let grant, _), .suspended(let grant): grant
        case .passing(let passage):
            passage.grant.authorisation == .free ? nil : passage.grant
        }
    }

    /// The next end of the wait, its limit, or the tailgating window.
    public var deadline: Instant? {
        switch state {
        case .locked, .suspended, .recovering: tailgating?.until
        case .released(_, let until):
            .earliest(.earliest(until.map(whenKnown), waitLimit), tailgating?.until)
        case .passing: .earliest(waitLimit, tailgating?.until)
        }
    }

    /// `time` or, if a movement is undecided then, when that is decided.
    private func whenKnown(_ time: Instant) -> Instant { max(time, movementUndecidedUntil ?? time) }

    /// Applies a new policy to later passages.
    mutating func adopt(_ policy: Policy) {
        timing = Timing(policy)
    }

    /// Opens the directions that are free by `regime`; the lane must be locked.
    mutating func open(_ regime: Regime) {
        freeEntry = regime.entry == .free
        freeExit = regime.exit == .free
    }

    /// Blocks or unblocks the lane. An open lane is not blocked while a movement is undecided; a
    /// shut one (service mode) is blocked at once.
    mutating func block(_ isToBeBlocked: Bool, isShut: Bool) {
        isBlocked = isToBeBlocked && (isBlocked || isShut || movementUndecidedUntil == nil)
    }

    /// Applies the event to the authorisation.
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

    @inline(__always) private mutating func forgetWaitLimit() {
        switch state {
        case .released, .passing: break
        case .locked, .suspended, .recovering: waitLimit = nil
        }
    }

    mutating func shiftInstants(by duration: Duration) {
        if let tailgating { self.tailgating?.until = tailgating.until + duration }
        waitLimit = waitLimit.map { $0 + duration }
        movementUndecidedUntil = movementUndecidedUntil.map { $0 + duration }
        switch state {
        case .locked, .suspended, .passing, .recovering: break
        case .released(let grant, let until):
            state = .released(grant, until: until.map { $0 + duration })
        }
    }
}

// Decisions of the gate.
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

    /// Renews the wait of a release from before the start, as after backing out.
    private mutating func restore(
        _ grant: Grant, limit: Instant?, at time: Instant
    ) -> Outcome<Command> {
        guard state == .locked else { return .ignored("the rotor is occupied") }
        guard let limit else { return authorise(grant, at: time) }
        waitLimit = min(limit, time + timing.wait + timing.delayAlarm)
        return .handled(wait(for: grant, at: time))
    }

    private mutating func release(for grant: Grant, at time: Instant) {
        let end = time + timing.wait
        state = .released(grant, until: end)
        waitLimit = end + timing.delayAlarm
    }

    /// Restarts the wait after backing out, until `waitLimit`: repeated backing out must not hold
    /// the gate for ever.
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
            // The open ledger may tell more of the person found before.
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
        case .passing, .recovering: return .ignored("the rotor is occupied")
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
            // First the movement has to be decided.
            guard until == nil || movementUndecidedUntil == nil else {
                return .ignored("the rotor may be occupied")
            }
            // A person on a free passage the other way is not locked in.
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
    /// The name of the type in the vocabulary.
    public static var title: String { "lane" }
    /// A locked one.
    public static var blank: Lane { Lane(policy: .blank) }

    /// The state. Timing is the policy's and free directions the regime's; `isBlocked` also depends
    /// on when the block began.
    public func visit(_ fields: inout some FieldVisitor) -> Lane {
        var lane = self
        lane.state = fields.inline(state, as: .phase)
        lane.isBlocked = fields.field(.isBlocked, isBlocked)
        lane.tailgating = fields.optional(.tailgating, tailgating)
        lane.movementUndecidedUntil = fields.optional(.movementKnown, movementUndecidedUntil)
        lane.waitLimit = fields.optional(.waitLimit, waitLimit)
        return lane
    }
}
