import StateMachines

// Movements of the rotor.
extension Lane {
    mutating func move(
        _ movement: RotorDecoder.Command, at time: Instant
    ) -> Outcome<Command> {
        switch state {
        case .locked:
            return isBlocked ? intruded(movement, at: time) : moveFreely(movement, at: time)
        case .suspended: return intruded(movement, at: time)
        case .released(let grant, let until):
            return move(movement, before: grant, until: until, at: time)
        case .passing(let passage): return move(movement, in: passage, at: time)
        case .recovering(let passage): return move(movement, in: passage)
        }
    }

    /// Movement without an authorisation; the direction may be free.
    private mutating func moveFreely(
        _ movement: RotorDecoder.Command, at time: Instant
    ) -> Outcome<Command> {
        switch movement {
        case .begin(let direction) where isFree(direction):
            begin(Grant(direction, by: .free))
            return .handled(.start(direction))
        case .loseTrack where freeEntry || freeExit,
            .reportIllegalTransition where freeEntry || freeExit:
            // A person is in the rotor: they are taken to use the free direction.
            begin(Grant(freeEntry ? .entry : .exit, by: .free), isLost: true)
            return .handled
        case .begin, .reachMiddle, .leaveMiddle, .complete, .backOut, .reportIllegalTransition,
            .loseTrack, .findHome:
            return intruded(movement, at: time)
        }
    }

    /// Movement in a released lane.
    private mutating func move(
        _ movement: RotorDecoder.Command, before grant: Grant, until: Instant?, at time: Instant
    ) -> Outcome<Command> {
        switch movement {
        case .begin(let direction) where direction == grant.direction:
            begin(grant)
            return .handled(.start(direction))
        case .loseTrack, .reportIllegalTransition:
            // The person who came the other way still has the rotor.
            guard until != nil else { return .ignored("a person comes the other way") }
            // A person is in the rotor: the end of the wait must not lock them in, and they may
            // have passed when it is home again, either way if both are open.
            begin(grant, isLost: isFree(grant.direction.opposite))
            return .handled
        case .begin:
            // The end of the wait must not lock in the person who comes the other way.
            state = .released(grant, until: nil)
            return .handled
        case .complete, .backOut, .findHome:
            state = .released(grant, until: until ?? time + timing.wait)
            let intrusion = intruded(movement, at: time)
            return until == nil ? .handled(intrusion.commands) : intrusion
        case .reachMiddle, .leaveMiddle: return intruded(movement, at: time)
        }
    }

    private mutating func begin(_ grant: Grant, isLost: Bool = false) {
        state = .passing(Passage(grant: grant, isLost: isLost))
    }

    /// Movement of a passing person.
    private mutating func move(
        _ movement: RotorDecoder.Command, in passage: Passage, at time: Instant
    ) -> Outcome<Command> {
        switch movement {
        case .begin: return .ignored("the rotor is occupied")
        case .reachMiddle:
            var passage = passage
            passage.isPastMiddle = true
            // No relock on a free passage, nor while a sensor may still change back: they may be
            // going back.
            let relocks =
                timing.relocksAtMiddle && movementUndecidedUntil == nil
                && passage.grant.authorisation != .free
            passage.isRelocked = passage.isRelocked || relocks
            state = .passing(passage)
            return .handled
        case .leaveMiddle:
            // They may go back, or forward once more.
            var passage = passage
            passage.isRelocked = false
            state = .passing(passage)
            return .handled
        case .complete:
            finish(passage.grant.direction, at: time)
            return .handled(.complete(passage.grant))
        case .backOut(let direction):
            var commands = Commands<Command>(
                .backOut(direction, pastMiddle: passage.isPastMiddle))
            if passage.grant.authorisation == .free {
                state = .locked
            } else {
                commands.append(contentsOf: wait(for: passage.grant, at: time))
            }
            return .handled(commands)
        case .reportIllegalTransition, .loseTrack:
            // Judged once the rotor is home. Until then they may go back, or the other free way.
            var passage = passage
            passage.isRelocked = false
            passage.isLost = passage.isLost || isFree(passage.grant.direction.opposite)
            state = .passing(passage)
            return .handled
        case .findHome:
            finish(passage.grant.direction, at: time)
            return .handled(.loseTrack(passage.grant))
        }
    }

    /// Movement of the person found in the rotor at the start: their direction is unknown.
    private mutating func move(
        _ movement: RotorDecoder.Command, in passage: RetainedState.Passage
    ) -> Outcome<Command> {
        switch movement {
        case .begin, .reachMiddle, .leaveMiddle, .reportIllegalTransition, .loseTrack:
            return .ignored("the passage is judged when the rotor is home")
        case .complete, .backOut, .findHome:
            state = .locked
            return .handled(.recover(passage))
        }
    }

    private mutating func finish(_ direction: Direction, at time: Instant) {
        state = .locked
        tailgating =
            timing.tailgatingWindow > .zero
            ? TailgatingWindow(direction: direction, until: time + timing.tailgatingWindow) : nil
    }

    /// Movement without an authorisation for its direction.
    private func intruded(_ movement: RotorDecoder.Command, at time: Instant) -> Outcome<Command> {
        switch movement {
        case .reachMiddle(let direction):
            // The gate may be released for another person, whose turn is still to come.
            if isOpen(direction) { return .handled }
            return .handled(.reportIntruder(intrusion(direction, at: time)))
        case .complete(let direction):
            if isOpen(direction) { return .handled(.complete(Grant(direction, by: .free))) }
            return .handled(.completeUnauthorised(direction))
        case .begin, .leaveMiddle, .backOut: return .ignored("a locked rotor has some play")
        case .reportIllegalTransition, .loseTrack, .findHome:
            return .ignored("nobody is authorised")
        }
    }

    /// Whether this direction is free, and the lane was not blocked before they set out.
    private func isOpen(_ direction: Direction) -> Bool {
        guard isFree(direction) else { return false }
        if case .released = state { return true }
        return !isBlocked
    }

    /// The alarm for a person half-way through without an authorisation.
    private func intrusion(_ direction: Direction, at time: Instant) -> Alarm {
        if let tailgating, tailgating.direction == direction, time < tailgating.until {
            return .tailgating
        }
        return grant?.direction == direction.opposite ? .reversePassage : .forcedPassage
    }
}
