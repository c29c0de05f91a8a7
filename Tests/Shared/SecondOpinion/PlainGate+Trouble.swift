import StateMachines
import Turnstile

/// A state of things that is nothing for a while, and then a fault or an alarm.
enum Trouble: CaseIterable {
    case beamBlocked, standing, armNotHome, sensorStuck, entryLockStrays, exitLockStrays
}

// Emergency, stop, faults and alarms.
extension PlainGate {
    /// It was open, however shortly.
    mutating func breakLoop(_ now: Instant) {
        openLoop()
        settleDown(now)
        closeLoop()
    }

    mutating func openLoop() {
        isLoopOpen = true
        isReset = false
        guard !isEmergency else { return }
        isEmergency = true
        records.append(.emergencyStarted)
        refuseWaitingService(.emergency)
        endService()
        close()
        dropQueued()
    }

    mutating func closeLoop() {
        // A loop that could not be read is judged anew when the repair is complete.
        guard isLoopOpen, !faults.contains(.line(.input(.fire), .unreadable)) else { return }
        isLoopOpen = false
        records.append(.emergencyLoopClosed)
        if policy.fireReset == .auto { isReset = true }
        clearLane()
    }

    /// Whether somebody in the rotor would be seen.
    var isSeen: Bool {
        [Input.rotorA, .rotorB, .beamA, .beamB, .home].allSatisfy {
            !faults.contains(.line(.input($0), .unreadable))
        }
    }

    /// An emergency ends when it was reset and nobody is in the rotor.
    mutating func clearLane() {
        guard isEmergency, isReset, isStill, isSeen else { return }
        isEmergency = false
        isReset = false
        records.append(.emergencyReset)
    }

    mutating func beginStop() {
        isStopped = true
        records.append(.stopBegan)
        refuseWaitingService(.stopped)
        if isService && !(isStill && isSeen) {
            // Nobody is locked in: the locks stay released until the rotor is known to be home.
            abortTest()
            leavesService = true
        } else {
            endService()
        }
        suspend()
    }

    mutating func endStop(_ now: Instant) {
        guard isStopped else { return }
        isStopped = false
        records.append(.stopEnded)
        resume(now)
    }

    // MARK: Faults

    mutating func beginFault(_ fault: Fault, _ now: Instant) {
        causes.insert(fault)
        guard !faults.contains(fault) else { return }
        let wasInService = !isOutOfService
        faults.insert(fault)
        records.append(.faultRaised(fault))
        if wasInService && isOutOfService {
            records.append(.outOfService(fault))
            shortOutageEnds = now + policy.passWait
        }
        if isOutOfService { suspend() }
    }

    mutating func endFault(_ fault: Fault, _ now: Instant) {
        guard causes.remove(fault) != nil, !fault.isLatching else { return }
        forget([fault], now)
    }

    /// A fault without a lasting cause.
    mutating func fail(_ fault: Fault, _ now: Instant) {
        beginFault(fault, now)
        endFault(fault, now)
    }

    mutating func failLine(_ line: Line, _ failure: LineFailure, _ now: Instant) {
        switch line {
        case .input(let input):
            if !equipment.inputs[input] { return }
            // A loop that nobody can read may be open.
            if input == .fire { openLoop() }
        case .output(let output):
            if !equipment.outputs[output] { return }
            failTest(of: output)
        }
        beginFault(.line(line, failure), now)
        guard failure == .unreadable, case .input(let input) = line else { return }
        settleDown(now)
        switch input {
        case .rotorA, .rotorB, .beamA, .beamB: if way == .passing { loseTrack(now) }
        case _:
            guard let acceptor = Acceptor(line: input) else { return }
            let coin = coinLines[acceptor.place]
            if coin.pulseBegan != nil || coin.trainEnds != nil {
                recountCoins(acceptor, isActive[input], now)
            }
        }
    }

    mutating func recoverLine(_ line: Line, _ now: Instant) {
        for failure in LineFailure.allCases { endFault(.line(line, failure), now) }
    }

    mutating func forget(_ over: Set<Fault>, _ now: Instant) {
        let wasOut = isOutOfService
        faults.subtract(over)
        for fault in over {
            records.append(.faultCleared(fault))
            for way in Direction.allCases
            where fault == .energisedTooLong(way.lock)
                || fault == .energisedTooLong(way.holdingCoil)
            {
                lockRests[way] = nil
            }
            if fault.line == .input(.fire), !isActive[.fire] { closeLoop() }
        }
        guard wasOut, !isOutOfService else { return }
        records.append(.inService)
        let isShort = shortOutageEnds.map { now < $0 } ?? false
        if policy.repairResumes == .locked && !isShort {
            if way == .suspended { close() }
            dropQueued()
        }
        resume(now)
    }

    // MARK: What should not last

    private func isTrue(_ trouble: Trouble) -> Bool {
        switch trouble {
        case .beamBlocked:
            !isEmergency && !isService && hasBeams && showsTurn
        case .standing: isSomebodyThere
        case .armNotHome: judgesArm && !isActive[.home] && !showsTurn
        case .sensorStuck: judgesArm && isActive[.home] && showsTurn
        case .entryLockStrays: strays(.entry)
        case .exitLockStrays: strays(.exit)
        }
    }

    private var hasBeams: Bool { equipment.inputs[.beamA] || equipment.inputs[.beamB] }

    /// Whether somebody is in the rotor of a gate that does not stand open.
    var isSomebodyThere: Bool { !isEmergency && !isService && position != 0 }

    /// Whether a lock does not stand as it was commanded to. One that is to engage does so when
    /// the arm is at rest, which nobody can tell while the other way is released.
    private func strays(_ direction: Direction) -> Bool {
        guard equipment.inputs[direction.lockFeedback], equipment.outputs[direction.lock] else {
            return false
        }
        let isReleased = on[direction.lock]
        let isAtRest = position == 0 && (isActive[.home] || !equipment.inputs[.home])
        return isActive[direction.lockFeedback] != isReleased
            && (isReleased || isAtRest && !on[direction.opposite.lock])
    }

    /// Whether anybody can tell whether the arm is where it should be; one that hangs is no news.
    private var judgesArm: Bool {
        let hangs = equipment.outputs[.dropArm] && (isEmergency || tested == .dropArm)
        return equipment.inputs[.home] && !hangs
    }

    private func limit(of trouble: Trouble) -> Duration {
        switch trouble {
        case .beamBlocked: policy.beamBlocked
        case .standing: policy.passDelayAlarm
        case .armNotHome, .sensorStuck: policy.homeSettle
        case .entryLockStrays, .exitLockStrays: policy.lockResponse
        }
    }

    private func fault(of trouble: Trouble) -> Fault? {
        switch trouble {
        case .beamBlocked, .standing: nil
        case .armNotHome: .armNotHome
        case .sensorStuck: .sensorStuck
        case .entryLockStrays: .lockNotResponding(.entry)
        case .exitLockStrays: .lockNotResponding(.exit)
        }
    }

    mutating func watch(_ now: Instant) {
        for trouble in Trouble.allCases {
            let fault = fault(of: trouble)
            let isUp =
                switch trouble {
                case .beamBlocked: alarms.contains(.beamBlocked)
                case .standing: isThereForLong
                default: fault.map { causes.contains($0) } ?? false
                }
            if !isTrue(trouble) {
                tooLongAt[trouble] = nil
                guard isUp else { continue }
                if let fault {
                    endFault(fault, now)
                } else if trouble == .standing {
                    isThereForLong = false
                    clear(.passageDelayed)
                } else {
                    clear(.beamBlocked)
                }
            } else if !isUp && tooLongAt[trouble] == nil {
                tooLongAt[trouble] = now + limit(of: trouble)
            }
        }
        let isVaultGone = equipment.inputs[.vaultPresent] && !isActive[.vaultPresent]
        hold(.vaultOpen, while: (isActive[.vaultDoor] || isVaultGone) && !isService)
        hold(.cabinetOpen, while: isActive[.cabinetTamper] && !isService)
    }

    mutating func lastTooLong(_ trouble: Trouble, _ now: Instant) {
        tooLongAt[trouble] = nil
        guard let fault = fault(of: trouble) else {
            isThereForLong = isThereForLong || trouble == .standing
            return raise(trouble == .standing ? .passageDelayed : .beamBlocked, until: nil)
        }
        if case .lockNotResponding(let direction) = fault { failTest(of: direction.lock) }
        beginFault(fault, now)
    }

    // MARK: Contacts that stick

    /// What is active for a moment at a time.
    static let pressed: [Input] = [.intrusion, .releaseEntry, .releaseExit, .emergencyResetKey]

    mutating func hold(_ input: Input, _ now: Instant) {
        guard Self.pressed.contains(input) else { return }
        if isActive[input] {
            if heldContacts.insert(input).inserted { countHeld(input, now) }
        } else if heldContacts.remove(input) != nil {
            heldUntil[input] = nil
            if toldHeld.remove(input) != nil { records.append(.contactAtRest(input)) }
        }
    }

    /// Nobody is told where the owner does not want that.
    private mutating func countHeld(_ input: Input, _ now: Instant) {
        let longest = policy.contactStuckAfter
        heldUntil[input] = longest > .zero ? now + longest : nil
    }

    /// Another time counts for those that are held already, from now on.
    mutating func countHeldAnew(_ now: Instant) {
        for input in heldContacts where !toldHeld.contains(input) { countHeld(input, now) }
    }

    mutating func tellHeld(_ now: Instant) {
        for input in Self.pressed {
            guard let due = heldUntil[input], due <= now else { continue }
            heldUntil[input] = nil
            toldHeld.insert(input)
            records.append(.contactStuck(input))
        }
    }

    // MARK: Alarms

    private mutating func hold(_ alarm: Alarm, while condition: Bool) {
        if condition { raise(alarm, until: nil) } else { clear(alarm) }
    }

    mutating func raise(_ alarm: Alarm, until end: Instant?) {
        if alarms.insert(alarm).inserted { records.append(.alarmRaised(alarm)) }
        alarmEnds[alarm] = end
    }

    mutating func clear(_ alarm: Alarm) {
        guard alarms.remove(alarm) != nil else { return }
        alarmEnds[alarm] = nil
        records.append(.alarmCleared(alarm))
    }

    /// The mechanic has seen what was there; what is still there stays.
    mutating func acknowledge() {
        isForcedLatched = false
        let lasting: Set<Alarm> = [.passageDelayed, .beamBlocked, .vaultOpen, .cabinetOpen]
        for alarm in Alarm.allCases where !lasting.contains(alarm) { clear(alarm) }
    }

    mutating func loseEdges(_ carried: InputLevels, _ now: Instant) {
        let levels = carried.intersection(equipment.inputs)
        fail(.edgesLost, now)
        let wasChattering =
            !isActive[.fire]
            && (countsAt[Input.fire.index] != nil || loopUnrest.map { now < $0.calm } ?? false)
        if !isActive[.fire], wasChattering || levels[.fire] {
            isActive[.fire] = levels[.fire]
            (countsAt[Input.fire.index], loopUnrest) = (nil, nil)
            openLoop()
            settleDown(now)
        }
        let decoded: [Input] = [
            .coinPulse, .coinPulse2, .coinPulse3, .rotorA, .rotorB, .beamA, .beamB,
        ]
        for input in decoded {
            isActive[input] = levels[input]
            countsAt[input.index] = nil
        }
        let rest: Instant? = policy.rotorStep > .zero ? now + policy.rotorStep : nil
        if rest == nil || shown != 0 || believed == 0 {
            believed = shown
            believedAt = nil
        } else {
            believedAt = rest
        }
        unrest = rest.map { (now, $0) }
        isDoubtful = false
        // Who was in the rotor is through before a coin lets in the next.
        loseTrack(now)
        settleDown(now)
        for acceptor in Acceptor.allCases where equipment.inputs[acceptor.line] {
            recountCoins(acceptor, levels[acceptor.line], now)
            settleDown(now)
        }
        for input in Input.allCases where !decoded.contains(input) {
            change(input, levels[input], now)
            settleDown(now)
        }
        if wasChattering, !isActive[.fire] {
            closeLoop()
            settleDown(now)
        }
    }
}
