import StateMachines
import Turnstile

// The rotor and whoever is in it.
extension PlainGate {
    /// One sensor changed. On the way in the rotor shows neither, A, both, B, neither.
    mutating func turn(_ now: Instant) {
        let a = isActive[Input.rotorA.index]
        let b = isActive[Input.rotorB.index]
        guard let before = position else {
            if !a && !b { findHome(now) }
            return
        }
        let quarter = a ? (b ? 2 : 1) : (b ? 3 : 0)
        let isForward = (before + 1 - quarter) % 4 == 0
        let after = before + (isForward ? 1 : -1)
        position = abs(after) == 4 ? 0 : after
        let direction: Direction = before + after > 0 ? .entry : .exit
        switch (abs(before), abs(after)) {
        case (0, _): begin(direction, now)
        case (1, 0): backOut(direction, now)
        case (1, 2): reachMiddle(direction, now)
        case (3, 4): complete(direction, now)
        default: break
        }
        if position == 0 { clearLane() }
    }

    private mutating func begin(_ direction: Direction, _ now: Instant) {
        guard !isEmergency else { return }
        if direction == .exit {
            // The wait must not end by locking onto whoever comes the wrong way.
            if way == .released { waitEnds = nil }
            return
        }
        // Who pushes a gate that holds a fare for them has come to use it.
        if way == .locked {
            sell(now)
        } else if way == .released {
            records.append(.passageStarted(.entry))
            enter(now)
        }
    }

    mutating func enter(_ now: Instant) {
        way = .passing
        waitEnds = nil
        delayBegins = now + policy.passDelayAlarm
        isDelayed = false
        isRelocked = false
    }

    private mutating func reachMiddle(_ direction: Direction, _ now: Instant) {
        if isEmergency { return }
        if way == .passing {
            if policy.relockAt == .middle { isRelocked = true }
        } else if way == .locked || direction == .entry {
            let isLatched = policy.forcedPassage == .latch
            if isLatched { isForcedLatched = true }
            raise(.forcedPassage, until: isForcedLatched ? nil : now + policy.alarmHold)
        } else {
            raise(.reversePassage, until: now + policy.alarmHold)
        }
    }

    private mutating func complete(_ direction: Direction, _ now: Instant) {
        if isEmergency {
            records.append(.passageInEmergency(direction))
            return
        }
        if way == .passing {
            endPassage(.locked, recorded: .passageCompleted(direction))
            if policy.overpay == .forfeit && credit > 0 { forfeit(credit) }
        } else {
            records.append(.passageUnauthorised(direction))
            goOnWaiting(now)
        }
        if direction == .entry { sell(now) }
    }

    private mutating func backOut(_ direction: Direction, _ now: Instant) {
        goOnWaiting(now)
        guard way == .passing, !isEmergency else { return }
        endPassage(.released, recorded: .passageBackedOut(direction))
        waitEnds = now + policy.passWait
        if isOutOfService { suspend() }
    }

    /// The rotor is home again after nobody could tell where it was.
    mutating func findHome(_ now: Instant) {
        position = 0
        goOnWaiting(now)
        if way == .passing && !isEmergency { endPassage(.locked, recorded: .passageLost(.entry)) }
        clearLane()
    }

    private mutating func endPassage(_ next: Way, recorded record: Record?) {
        way = next
        delayBegins = nil
        if let record { records.append(record) }
        if isDelayed { clear(.passageDelayed) }
        isDelayed = false
    }

    // MARK: Authorisations

    mutating func grant(_ now: Instant) {
        if isEmergency {
            records.append(.refused(.releaseEntry, .emergency))
        } else if isOutOfService {
            records.append(.refused(.releaseEntry, .outOfService))
        } else if way != .locked {
            records.append(.refused(.releaseEntry, .alreadyReleased))
        } else {
            release(.contact, now)
        }
    }

    mutating func release(_ by: Authorisation, _ now: Instant) {
        way = .released
        authorisation = by
        waitEnds = now + policy.passWait
        records.append(.released(by: by))
        noticePerson(now)
    }

    /// Who leant on the arm of a gate that is released now is on the way already, and so may be
    /// whoever nobody saw.
    mutating func noticePerson(_ now: Instant) {
        guard let position else { return enter(now) }
        if position > 0 {
            records.append(.passageStarted(.entry))
            enter(now)
        }
        if position < 0 { waitEnds = nil }
    }

    /// Whoever came the wrong way is gone: the wait for the right one begins.
    private mutating func goOnWaiting(_ now: Instant) {
        guard way == .released, waitEnds == nil else { return }
        waitEnds = now + policy.passWait
        if isOutOfService { suspend() }
    }

    mutating func stopWaiting() {
        way = .locked
        waitEnds = nil
        records.append(.waitTimedOut)
        giveBack()
        if policy.onWaitTimeout == .forfeit, case .credit(let fare) = authorisation {
            forfeit(fare)
        }
    }

    mutating func suspend() {
        // Whoever is in the rotor is not locked in.
        guard way == .released, waitEnds != nil else { return }
        way = .suspended
        waitEnds = nil
    }

    /// Whatever was granted is taken back.
    mutating func close() {
        guard way != .locked else { return }
        endPassage(.locked, recorded: nil)
        waitEnds = nil
        giveBack()
    }

    mutating func cut(_ output: Output, _ now: Instant) {
        fail(.energisedTooLong(output), now)
        guard output == .lockEntry else { return }
        if way == .passing {
            isRelocked = true
        } else {
            // A lock that was cut holds no promise, whether its fault has suspended it or not.
            close()
        }
    }
}
