public import StateMachines

/// The way through the gate: who may pass now.
///
/// It knows nothing of money, emergencies or faults; the ``Gate`` round it authorises, suspends
/// and closes it.
public struct Lane: StateMachine, Hashable, Sendable {
    /// What may happen to the lane.
    public enum Event: Hashable, Sendable {
        /// One person may come in.
        case authorised(Authorisation, at: Instant)
        /// Somebody in the rotor moved.
        case moved(RotorDecoder.Command, at: Instant)
        /// The gate went out of service.
        case suspended
        /// The gate is in service again; a suspended authorisation is good again.
        case resumed(at: Instant)
        /// Whatever was authorised is over.
        case closed
        /// The lock can no longer be held open.
        case lockCut
        /// Time passed.
        case timePassed(Instant)
    }

    /// What becomes of an authorisation, for the gate to account for.
    public enum Command: Hashable, Sendable {
        /// Somebody set out.
        case start(Direction)
        /// Somebody passed, and the authorisation is used.
        case complete(Direction)
        /// Somebody went back, and the authorisation is still good.
        case backOut(Direction)
        /// Nobody can tell whether somebody passed: the authorisation counts as used.
        case loseTrack(Direction)
        /// Somebody takes too long.
        case reportDelay
        /// The one who took too long is gone.
        case reportDelayOver
        /// Nobody came: the authorisation is given back.
        case expire(Authorisation)
        /// The authorisation was not used: it is given back.
        case giveBack(Authorisation)
        /// Somebody came half-way through without an authorisation for this direction.
        case reportIntruder(Direction)
        /// Somebody passed without an authorisation for this direction.
        case completeUnauthorised(Direction)
    }

    /// Who may pass now.
    public enum State: Hashable, Sendable {
        /// Nobody. An authorisation follows.
        case locked
        /// One person may come in until then, or, while somebody comes the wrong way, for as long
        /// as that takes. A passage follows, or the wait runs out.
        case released(Authorisation, until: Instant?)
        /// The gate went out of service before anybody came. It resumes or is closed.
        case suspended(Authorisation)
        /// Somebody is coming in. Completion or a back-out follows.
        case passing(Passage)
    }

    /// A passage that has begun and is not over.
    public struct Passage: Hashable, Sendable {
        /// What it was granted by.
        public var authorisation: Authorisation
        /// When it becomes an alarm, or nil when it is one already.
        public var delayedAt: Instant?
        /// Whether the lock is engaged already, to catch the next arm.
        public var isRelocked = false
    }

    /// Who may pass now.
    public private(set) var state = State.locked
    private var timing: Timing

    /// The times and choices of a passage.
    struct Timing: Hashable, Sendable {
        var wait: Duration
        var delayAlarm: Duration
        var relocksAtMiddle: Bool

        init(_ policy: Policy) {
            wait = policy.passWait
            delayAlarm = policy.passDelayAlarm
            relocksAtMiddle = policy.relockAt == .middle
        }
    }

    /// A locked lane.
    public init(policy: Policy) {
        timing = Timing(policy)
    }

    /// Whether the lock has to be released.
    public var isReleased: Bool {
        switch state {
        case .locked, .suspended: false
        case .released: true
        case .passing(let passage): !passage.isRelocked
        }
    }

    /// Whether somebody is in the rotor who came into it while it was released, whichever way.
    public var isOccupied: Bool {
        switch state {
        case .locked, .suspended: false
        case .released(_, let until): until == nil
        case .passing: true
        }
    }

    /// When nobody has come for too long, or somebody has stood in the rotor for too long.
    public var deadline: Instant? {
        switch state {
        case .locked, .suspended: nil
        case .released(_, let until): until
        case .passing(let passage): passage.delayedAt
        }
    }

    /// Takes the times of a new policy, for the passages to come.
    mutating func adopt(_ policy: Policy) {
        timing = Timing(policy)
    }

    /// Decides what the event means for whoever is authorised.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .authorised(let authorisation, let time): authorise(authorisation, at: time)
        case .moved(let movement, let time): move(movement, at: time)
        case .suspended: suspend()
        case .resumed(let time): resume(at: time)
        case .closed: close()
        case .lockCut: cutLock()
        case .timePassed(let now): passTime(now)
        }
    }

    /// Moves every instant that the state holds.
    mutating func shiftInstants(by duration: Duration) {
        switch state {
        case .locked, .suspended: break
        case .released(let authorisation, let until):
            state = .released(authorisation, until: until.map { $0 + duration })
        case .passing(var passage):
            passage.delayedAt = passage.delayedAt.map { $0 + duration }
            state = .passing(passage)
        }
    }

    private mutating func authorise(
        _ authorisation: Authorisation, at time: Instant
    ) -> Outcome<Command> {
        switch state {
        case .locked:
            state = .released(authorisation, until: time + timing.wait)
            return .handled
        case .released, .suspended, .passing:
            return .ignored("one person at a time: the gate is released already")
        }
    }

    private mutating func suspend() -> Outcome<Command> {
        switch state {
        case .released(let authorisation, _):
            state = .suspended(authorisation)
            return .handled
        case .locked, .suspended: return .ignored("nothing is authorised")
        case .passing: return .ignored("somebody is in the rotor")
        }
    }

    private mutating func resume(at time: Instant) -> Outcome<Command> {
        switch state {
        case .suspended(let authorisation):
            state = .released(authorisation, until: time + timing.wait)
            return .handled
        case .locked, .released, .passing: return .ignored("nothing is suspended")
        }
    }

    private mutating func close() -> Outcome<Command> {
        switch state {
        case .locked: return .ignored("the lane is closed")
        case .released(let authorisation, _), .suspended(let authorisation):
            state = .locked
            return .handled(.giveBack(authorisation))
        case .passing(let passage):
            state = .locked
            return .handled(ending(passage, with: .giveBack(passage.authorisation)))
        }
    }

    private mutating func cutLock() -> Outcome<Command> {
        switch state {
        case .locked, .suspended: return .ignored("the lock is engaged")
        case .released(let authorisation, _):
            state = .locked
            return .handled(.giveBack(authorisation))
        case .passing(var passage):
            passage.isRelocked = true
            state = .passing(passage)
            return .handled
        }
    }

    private mutating func passTime(_ now: Instant) -> Outcome<Command> {
        guard let deadline, deadline <= now else { return .ignored("nothing is due") }
        switch state {
        case .locked, .suspended: return .ignored("nothing is due")
        case .released(let authorisation, _):
            state = .locked
            return .handled(.expire(authorisation))
        case .passing(var passage):
            passage.delayedAt = nil
            state = .passing(passage)
            return .handled(.reportDelay)
        }
    }
}

// Movements of the rotor.
extension Lane {
    private mutating func move(
        _ movement: RotorDecoder.Command, at time: Instant
    ) -> Outcome<Command> {
        switch state {
        case .locked, .suspended: return intruded(movement)
        case .released(let authorisation, let until):
            switch movement {
            case .begin(.entry):
                state = passing(with: authorisation, since: time)
                return .handled(.start(.entry))
            case .loseTrack, .reportIllegalTransition:
                // Somebody is in the rotor: the wait must not lock onto them, and they may be
                // through when it is home again.
                state = passing(with: authorisation, since: time)
                return .handled
            case .begin(.exit):
                // The wait must not end by locking onto whoever comes the wrong way.
                state = .released(authorisation, until: nil)
                return .handled
            case .complete, .backOut, .findHome:
                state = .released(authorisation, until: until ?? time + timing.wait)
                let intrusion = intruded(movement)
                return until == nil ? .handled(intrusion.commands) : intrusion
            case .reachMiddle: return intruded(movement)
            }
        case .passing(let passage): return moved(passage, movement, at: time)
        }
    }

    private func passing(with authorisation: Authorisation, since time: Instant) -> State {
        .passing(Passage(authorisation: authorisation, delayedAt: time + timing.delayAlarm))
    }

    private mutating func moved(
        _ passage: Passage, _ movement: RotorDecoder.Command, at time: Instant
    ) -> Outcome<Command> {
        switch movement {
        case .begin: return .ignored("somebody is in the rotor")
        case .reachMiddle:
            guard timing.relocksAtMiddle else { return .ignored("the lock waits for completion") }
            var passage = passage
            passage.isRelocked = true
            state = .passing(passage)
            return .handled
        case .complete(let direction):
            state = .locked
            return .handled(ending(passage, with: .complete(direction)))
        case .backOut(let direction):
            state = .released(passage.authorisation, until: time + timing.wait)
            return .handled(ending(passage, with: .backOut(direction)))
        case .reportIllegalTransition, .loseTrack:
            return .ignored("the passage is judged when the rotor is home")
        case .findHome:
            state = .locked
            return .handled(ending(passage, with: .loseTrack(.entry)))
        }
    }

    private func intruded(_ movement: RotorDecoder.Command) -> Outcome<Command> {
        switch movement {
        case .reachMiddle(let direction): .handled(.reportIntruder(direction))
        case .complete(let direction): .handled(.completeUnauthorised(direction))
        case .begin, .backOut: .ignored("a locked rotor has some play")
        case .reportIllegalTransition, .loseTrack, .findHome: .ignored("nobody is authorised")
        }
    }

    /// What is to be said when a passage ends: how it ended, and that a delay is over.
    private func ending(_ passage: Passage, with end: Command) -> Commands<Command> {
        passage.delayedAt == nil ? Commands(end, .reportDelayOver) : Commands(end)
    }
}
