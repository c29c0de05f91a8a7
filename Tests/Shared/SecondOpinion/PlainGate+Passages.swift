import StateMachines
import Turnstile

// The rotor and whoever is in it.
extension PlainGate {
    /// Which of the two sensors are active, of a rotor or of light beams.
    private var showsFirst: Bool { isActive[.rotorA] || isActive[.beamA] }
    private var showsSecond: Bool { isActive[.rotorB] || isActive[.beamB] }
    /// On the way in the rotor shows neither, A, both, B, neither.
    var shown: Int { showsFirst ? (showsSecond ? 2 : 1) : (showsSecond ? 3 : 0) }
    var showsTurn: Bool { believed != 0 }
    private static let longestNoise: Duration = .milliseconds(500)

    private static let longestUnrest: Duration = .seconds(5)

    /// When the sensors tell more: what they show is believed, they are at rest, or they do not
    /// work since they come to no rest.
    var sensorsDue: Instant? {
        unrest.map { min(believedAt ?? $0.until, $0.since + Self.longestUnrest) }
    }

    /// When it is known whether somebody moves; nil when it is.
    var knownAt: Instant? {
        let waiting = [Input.rotorA, .rotorB, .beamA, .beamB].map { countsAt[$0.index] }
        return (waiting + [sensorsDue]).compactMap { $0 }.min()
    }

    /// Nobody is in the rotor, nor may have begun to move.
    var isStill: Bool { position == 0 && knownAt == nil }

    /// A wait that was over while nobody knew whether somebody moved is over now.
    mutating func endWait(_ now: Instant) {
        if let due = waitEnds, due <= now, knownAt == nil { stopWaiting() }
    }

    /// One sensor changed. Nobody is so fast that both do within a moment.
    mutating func sense(_ now: Instant) {
        guard policy.rotorStep > .zero else {
            follow(shown, now)
            return endWait(now)
        }
        unrest = (unrest?.since ?? now, now + policy.rotorStep)
        if isDoubtful {
            guard shown == believed else {
                (shownBefore, shownSince) = (shown, now)
                return
            }
            // Back as they came, both at once, or somebody may have gone through.
            guard now - shownSince <= policy.rotorStep else {
                skip(to: shownBefore, now, rest: (now, now + policy.rotorStep))
                believedAt = now + policy.rotorStep
                return
            }
            isDoubtful = false
            believedAt = nil
            records.append(.rotorNoise)
        } else if believedAt == nil {
            believedAt = now + policy.rotorStep
        } else if shown == believed {
            // It has only bounced.
            believedAt = nil
        } else {
            isDoubtful = true
            (shownBefore, shownSince) = (shown, now)
            believedAt = now + Self.longestNoise
        }
    }

    /// What the sensors show is where the rotor is, or they are at rest, or they do not work.
    mutating func judgeSensors(_ now: Instant) {
        guard let unrest else { return }
        let isOver = (believedAt ?? unrest.until) <= now
        let isAtRest = believedAt == nil
        believedAt = nil
        self.unrest = nil
        if isDoubtful || !isOver {
            skip(to: shown, now)
        } else if !isAtRest {
            follow(shown, now)
        }
        endWait(now)
    }

    /// Both sensors changed at once, and it was no noise.
    private mutating func skip(
        to place: Int, _ now: Instant, rest: (since: Instant, until: Instant)? = nil
    ) {
        isDoubtful = false
        believedAt = nil
        unrest = rest
        believed = place
        abortTest()
        // Nobody can tell whether somebody is in it, who must not be locked in.
        position = nil
        loseSight(now)
        noticeFreePerson(now)
        fail(.illegalRotorTransition, now)
        if !showsTurn { findHome(now) }
    }

    private mutating func follow(_ place: Int, _ now: Instant) {
        believed = place
        abortTest()
        turn(now)
    }

    private mutating func turn(_ now: Instant) {
        guard let before = position else {
            if !showsTurn { findHome(now) }
            return
        }
        let isForward = (before + 1 - believed) % 4 == 0
        let after = before + (isForward ? 1 : -1)
        position = abs(after) == 4 ? 0 : after
        let direction: Direction = before + after > 0 ? .entry : .exit
        switch (abs(before), abs(after)) {
        case (0, _): begin(direction, now)
        case (1, 0): backOut(direction, now)
        case (1, 2): reachMiddle(direction, now)
        case (2, 1): isRelocked = false
        case (3, 4): complete(direction, now)
        default: break
        }
        if position == 0 {
            passesBeside = nil
            clearLane()
        }
    }

    private func isFree(_ direction: Direction) -> Bool {
        letsPeoplePass && regime[direction] == .free
    }

    /// Whether whoever is on the way this way may be, though nobody let them through.
    private func isOpen(_ way: Direction) -> Bool {
        regime[way] == .free && (letsPeoplePass || self.way == .released)
    }

    private mutating func begin(_ way: Direction, _ now: Instant) {
        guard letsPeoplePass || self.way == .released else { return }
        switch self.way {
        case .locked where isFree(way):
            direction = way
            authorisation = .free
            records.append(.passageStarted(way))
            enter(now)
        case .locked:
            // Who pushes a gate that holds a fare for them has come to use it.
            if way == .entry { sell(now) }
        case .released where way == direction:
            records.append(.passageStarted(way))
            enter(now)
        case .released:
            // The wait must not end by locking onto whoever comes the wrong way.
            waitEnds = nil
            // It was open to them, whatever has happened since.
            if regime[way] == .free { passesBeside = way }
        case .suspended, .passing, .recovering: break
        }
    }

    /// Nobody sees which way somebody in the rotor goes: they may go where it is free.
    private mutating func loseSight(_ now: Instant) {
        if way == .released, waitEnds != nil { enter(now) }
        guard way == .passing else { return }
        isRelocked = false
        passesUnseen = passesUnseen || regime[direction.opposite] == .free
    }

    mutating func enter(_ now: Instant) {
        way = .passing
        waitEnds = nil
        passesUnseen = false
        isRelocked = false
        passedMiddle = false
    }

    private mutating func reachMiddle(_ way: Direction, _ now: Instant) {
        passedMiddle = true
        if isEmergency || isService { return }
        if self.way == .passing {
            // Nothing is engaged where it is free, nor on somebody who may be going back.
            let engages = policy.relockAt == .middle && authorisation != .free
            if engages, knownAt == nil { isRelocked = true }
        } else if isOpen(way) {
            return
        } else if let followed, followed.way == way, now < followed.until {
            raise(.tailgating, until: now + policy.alarmHold)
        } else if self.way != .locked && direction != way {
            raise(.reversePassage, until: now + policy.alarmHold)
        } else {
            if policy.forcedPassage == .latch { isForcedLatched = true }
            raise(.forcedPassage, until: isForcedLatched ? nil : now + policy.alarmHold)
        }
    }

    /// Somebody is above or below the arm who has no leave to pass, nor had it a moment ago.
    mutating func seeIntruder(_ now: Instant) {
        if isEmergency || isService { return }
        guard way == .locked || way == .suspended else { return }
        if let followed, now < followed.until { return }
        if isFree(.entry) || isFree(.exit) { return }
        raise(.intrusion, until: now + policy.alarmHold)
    }

    private mutating func complete(_ way: Direction, _ now: Instant) {
        pulse(.countPulse, 1)
        if isEmergency || isService {
            records.append(.passageCompleted(way, isEmergency ? .emergency : .service))
            return
        }
        if self.way == .passing {
            followed = (way, now + policy.tailgatingWindow)
            endPassage(.locked, recorded: .passageCompleted(way, authorisation.kind))
            if policy.overpay == .forfeit, authorisation.kind == .paid {
                if surplus > 0 { forfeit(surplus) }
            }
            serveNext(now)
        } else {
            records.append(.passageCompleted(way, isOpen(way) ? .free : .unauthorised))
            goOnWaiting(now)
        }
    }

    private mutating func backOut(_ way: Direction, _ now: Instant) {
        goOnWaiting(now)
        guard self.way == .passing else { return }
        let isGranted = authorisation != .free
        endPassage(isGranted ? .released : .locked, recorded: .passageBackedOut(way))
        if passedMiddle { raise(.backOutPastMiddle, until: now + policy.alarmHold) }
        guard isGranted else { return serveNext(now) }
        waitAgain(now)
    }

    /// The wait begins anew, but nobody holds the gate for ever by rocking the arm.
    private mutating func waitAgain(_ now: Instant) {
        let end = now + policy.passWait
        waitEnds = lastWaitEnds.map { min(end, $0) } ?? end
        if let waitEnds, waitEnds <= now { return stopWaiting() }
        if isBlocked { suspend() }
    }

    /// Whoever is authorised has a whole wait, or what is left of the one before the start.
    mutating func beginWait(_ now: Instant, until limit: Instant? = nil) {
        let end = now + policy.passWait
        let last = end + policy.passDelayAlarm
        waitEnds = min(end, limit ?? end)
        lastWaitEnds = min(last, limit ?? last)
    }

    /// Edges are missing: what the sensors show now tells where the rotor is only at rest.
    mutating func loseTrack(_ now: Instant) {
        if position == 0, !showsTurn { return }
        if showsTurn {
            abortTest()
            position = nil
            loseSight(now)
        } else if position != 0 {
            findHome(now)
        }
    }

    /// The rotor is home again after nobody could tell where it was.
    private mutating func findHome(_ now: Instant) {
        position = 0
        passesBeside = nil
        goOnWaiting(now)
        if way == .passing {
            followed = (direction, now + policy.tailgatingWindow)
            endPassage(.locked, recorded: .passageLost(direction, authorisation.kind))
            pulse(.countPulse, 1)
            serveNext(now)
        } else if way == .recovering {
            letOut()
            serveNext(now)
        }
        clearLane()
    }

    /// Somebody stands in the rotor as the gate starts: they may leave it either way.
    mutating func find(_ passage: RetainedState.Passage, _ now: Instant) {
        way = .recovering
        // They hold nothing that is counted.
        authorisation = .free
        found = passage
    }

    /// Whoever stood in the rotor at the start is out of it, or everybody may leave.
    private mutating func letOut() {
        guard let passage = found else { return }
        found = nil
        endPassage(.locked, recorded: .passageRecovered(passage.direction, passage.kind))
        pulse(.countPulse, 1)
        guard passage.kind == .paid, isLedgerAwaited else { return }
        passageBefore = passage
        isPassageOver = true
    }

    private mutating func endPassage(_ next: Way, recorded record: Record?) {
        way = next
        if let record { records.append(record) }
    }

    // MARK: Authorisations

    /// Why nobody is let pass this way, however much room there is for those who wait.
    private func objection(to way: Direction) -> Refusal? {
        if isEmergency { return .emergency }
        if isStopped { return .stopped }
        if isService { return .service }
        if isOutOfService { return .outOfService }
        switch regime[way] {
        case .locked: return .modeLocked
        case .free: return .modeFree
        case .controlled: return nil
        }
    }

    /// Of a group everybody is let pass, or nobody; one alone is none.
    mutating func grantGroup(
        _ way: Direction, _ count: Int, _ requester: Requester, _ now: Instant
    ) -> Answer.Result {
        if count < 1 || count > 50 { return .refused(.outOfRange) }
        if let refusal = objection(to: way) { return .refused(refusal) }
        if count > 1, policy.maxStored - held < count { return .refused(.storeFull) }
        for _ in 1...count {
            if case .refused(let refusal) = grant(way, requester, now) { return .refused(refusal) }
        }
        return .done
    }

    mutating func grant(
        _ way: Direction, _ requester: Requester, _ now: Instant
    ) -> Answer.Result {
        if let refusal = objection(to: way) { return .refused(refusal) }
        if self.way != .locked || wantsService || keepsForChange(way), held >= policy.maxStored {
            return .refused(.storeFull)
        }
        let number = requester.person?.number
        if self.way == .locked && !wantsService && !keepsForChange(way), mayRelease(way, now) {
            release(way, number.map { .person($0) } ?? .contact, now)
            return .done
        }
        if held >= policy.maxStored { return .refused(.storeFull) }
        if let number {
            people.append(Gate.Queue.Person(way, by: number))
        } else {
            stored[way, default: 0] += 1
        }
        records.append(.stored(way))
        return .deferred
    }

    /// Who waits behind somebody else comes next: those at the gate before those whom somebody else
    /// lets pass, and those who go in before those who go out.
    mutating func releaseQueued(_ now: Instant) {
        guard mayServe, !wantsService, way == .locked else { return }
        for next in [Direction.entry, .exit] {
            if let number = stored[next], number > 0 {
                guard !keepsForChange(next), mayRelease(next, now) else { return }
                stored[next] = number - 1
                return release(next, .contact, now)
            }
        }
        for next in [Direction.entry, .exit] {
            if let first = people.firstIndex(where: { $0.direction == next }) {
                guard !keepsForChange(next), mayRelease(next, now) else { return }
                return release(next, .person(people.remove(at: first).number), now)
            }
        }
    }

    /// The lane is locked again since somebody moved: who waits comes next, then who has paid.
    mutating func serveNext(_ now: Instant) {
        releaseQueued(now)
        if freshFares > 0 || duePayer != nil { sell(now) }
    }

    mutating func release(
        _ way: Direction, _ by: Authorisation, _ now: Instant, until limit: Instant? = nil
    ) {
        self.way = .released
        direction = way
        authorisation = by
        beginWait(now, until: limit)
        records.append(.released(way, by: by))
        detectPersonInRotor(now)
    }

    /// Who leant on the arm of a gate that is released now is on the way already. Whoever came the
    /// wrong way, or was there before anybody saw them, is not: nor are they locked in.
    mutating func detectPersonInRotor(_ now: Instant) {
        if position == 0 { return }
        if let position, (position > 0) == (direction == .entry) {
            records.append(.passageStarted(direction))
            enter(now)
        } else {
            waitEnds = nil
            if isFree(direction.opposite) { passesBeside = direction.opposite }
        }
    }

    /// Who leant on the arm of a gate that is free now is on the way already; where nobody saw
    /// which way, whichever is free may be it.
    mutating func noticeFreePerson(_ now: Instant) {
        guard way == .locked, letsPeoplePass else { return }
        guard let position else {
            guard regime.entry == .free || regime.exit == .free else { return }
            direction = regime.entry == .free ? .entry : .exit
            authorisation = .free
            enter(now)
            passesUnseen = true
            return
        }
        let way: Direction = position > 0 ? .entry : .exit
        guard position != 0, regime[way] == .free else { return }
        direction = way
        authorisation = .free
        records.append(.passageStarted(way))
        enter(now)
    }

    /// Whoever came the wrong way is gone: the wait for the right one begins.
    private mutating func goOnWaiting(_ now: Instant) {
        guard way == .released, waitEnds == nil else { return }
        waitEnds = now + policy.passWait
        if isBlocked { suspend() }
    }

    mutating func stopWaiting() {
        way = .locked
        waitEnds = nil
        records.append(.waitTimedOut(direction))
        guard case .credit(let fare) = authorisation else { return }
        giveBack(fare)
        if policy.onWaitTimeout == .forfeit { forfeit(fare) }
    }

    mutating func suspend() {
        // Whoever is in the rotor is not locked in.
        guard way == .released, waitEnds != nil, knownAt == nil else { return }
        // A lock that was cut holds no promise.
        if isCut(direction.lock) { return close() }
        way = .suspended
        waitEnds = nil
    }

    /// Nothing blocks any more: what was suspended is released again.
    mutating func resume(_ now: Instant) {
        guard mayServe else { return }
        if way == .suspended {
            way = .released
            beginWait(now)
            detectPersonInRotor(now)
        } else if way == .locked {
            noticeFreePerson(now)
            if way == .locked { serveNext(now) }
        }
    }

    /// Whatever was granted is taken back.
    mutating func close() {
        guard way != .locked else { return }
        if way == .recovering { return letOut() }
        endPassage(.locked, recorded: nil)
        waitEnds = nil
        switch authorisation {
        case .credit(let fare): giveBack(fare)
        case .contact: records.append(.authorisationDropped(direction))
        case .person(let number):
            records.append(.authorisationDropped(direction, grantedBy: number))
        case .free: break
        }
    }
}
