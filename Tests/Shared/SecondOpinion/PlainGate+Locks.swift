import StateMachines
import Turnstile

// Locks that cannot be held open.
extension PlainGate {
    /// For how long the lock of this way can be on; nil for ever. Of two coils the second holds it.
    private func longestOn(_ way: Direction) -> Duration? {
        let hasTwo = equipment.outputs[way.holdingCoil]
        return maximumOnTimes[hasTwo ? way.holdingCoil : way.lock]
    }

    func isLimited(_ way: Direction) -> Bool { longestOn(way) != nil }

    /// How long it stays off after it was on for as long as it may be.
    private func restTime(_ way: Direction) -> Duration {
        emergencyDuties[way.lock]?.off ?? longestOn(way) ?? .seconds(60)
    }

    /// The lock was cut: whether that is all, since an emergency has it on again later.
    mutating func rest(_ way: Direction, _ now: Instant) -> Bool {
        if isEmergency || isLimited(way) {
            lockRests[way] = now + restTime(way)
            (lockIsOnUntil[way], lockPauses[way]) = (nil, nil)
        }
        return isEmergency && isLimited(way)
    }

    /// What a lock does after an hour in which nobody was there it does then.
    mutating func leaveOutLocks(until end: Instant) {
        let hourAgo = end - .seconds(3_600)
        for way in Direction.allCases {
            if let due = lockRests[way], due < hourAgo { lockRests[way] = end }
            if let due = lockPauses[way], due < hourAgo { lockPauses[way] = end }
            if let due = lockIsOnUntil[way], due < hourAgo { lockIsOnUntil[way] = end }
        }
    }

    /// What locks do when time passes.
    mutating func passTimeOfLocks(_ now: Instant) {
        var isOver = false
        for way in Direction.allCases {
            if let due = lockRests[way], due <= now {
                lockRests[way] = nil
                isOver = true
            }
            if let due = lockPauses[way], due <= now {
                lockPauses[way] = nil
                isOver = true
            }
            if let due = lockIsOnUntil[way], due <= now {
                lockIsOnUntil[way] = nil
                lockRests[way] = now + restTime(way)
                isOver = true
            }
        }
        if isOver { serveNext(now) }
    }

    /// Sees which locks are on, and since when.
    mutating func watchLocks(_ now: Instant) {
        for way in Direction.allCases {
            guard let longest = longestOn(way) else { continue }
            if !isEmergency {
                lockIsOnUntil[way] = nil
                if on[way.lock] { lockRests[way] = nil }
            } else if lockIsOnUntil[way] == nil, lockRests[way] == nil {
                lockPauses[way] = nil
                let most = min(emergencyDuties[way.lock]?.on ?? longest, longest)
                let left = lockOnSince[way].map { longest - (now - $0) } ?? most
                lockIsOnUntil[way] = now + (left > .zero ? min(left, most) : most)
            }
            lockOnSince[way] = on[way.lock] ? lockOnSince[way] ?? now : nil
        }
    }

    /// Whether half of its time is enough for so long more.
    func hasTime(_ way: Direction, for length: Duration, _ now: Instant) -> Bool {
        guard let longest = longestOn(way) else { return true }
        return (lockOnSince[way].map { now - $0 } ?? .zero) + length <= longest / 2
    }

    /// Whether the next one can be let pass; a lock that was on for long is let go first.
    mutating func mayRelease(_ way: Direction, _ now: Instant) -> Bool {
        guard isLimited(way) else { return true }
        if lockPauses[way] != nil { return false }
        guard lockOnSince[way] != nil, !hasTime(way, for: policy.passWait, now) else { return true }
        lockRests[way] = nil
        lockPauses[way] = now + policy.lockResponse
        return false
    }

    // MARK: What nobody may ask for

    /// Why nobody may have this instead of what is so.
    func refusal(_ asked: Policy, instead: Policy) -> Refusal? {
        let gate = Installation(
            equipment: equipment, maximumOnTimes: maximumOnTimes, debounce: debounceTimes)
        let before = instead.conflicts(with: gate)
        for conflict in asked.conflicts(with: gate) where !before.contains(conflict) {
            if case .freeWay = conflict { return .cannotHoldOpen }
            return .contradiction
        }
        return nil
    }

    /// The lock of this way, or the coil that holds it.
    private func way(of coil: Output) -> Direction? {
        Direction.allCases.first { coil == $0.lock || coil == $0.holdingCoil }
    }

    /// A lock is cut soon: somebody should look for whoever is in the rotor.
    mutating func warn(_ output: Output, _ now: Instant) {
        guard equipment.outputs[output] else { return }
        if let lock = way(of: output), isEmergency, isLimited(lock) { return }
        records.append(.onTimeWarning(output))
        guard let lock = way(of: output) else { return }
        let isTheirs = direction == lock
        let isHeld =
            switch way {
            case .locked, .suspended: false
            case .released: waitEnds == nil && (isTheirs || regime[lock] == .free)
            case .passing: !isRelocked && (isTheirs || passesUnseen && regime[lock] == .free)
            case .recovering: true
            }
        guard isHeld else { return }
        if isSomebodyThere && !isThereForLong { lastTooLong(.standing, now) }
    }

    mutating func cut(_ output: Output, _ now: Instant) {
        guard equipment.outputs[output] else { return }
        if let lock = way(of: output), rest(lock, now) { return }
        let promised = way
        fail(.energisedTooLong(output), now)
        let whole = way(of: output)?.lock ?? output
        failTest(of: whole)
        // Who wanted this one output driven can have no more of it.
        if testsOne && tested == whole { abortTest() }
        guard way(of: output) == direction else { return }
        switch promised {
        // A lock that was cut holds no promise; who goes the other way is let finish.
        case .released:
            // Whoever may have begun to move is told from nobody first.
            guard waitEnds == nil || knownAt == nil else { return }
            close()
            guard let other = passesBeside else { return }
            way = .passing
            direction = other
            authorisation = .free
            isRelocked = false
            passedMiddle = false
        case .locked, .suspended, .passing, .recovering: break
        }
    }
}
