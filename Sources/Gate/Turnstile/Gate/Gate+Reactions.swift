import StateMachines

// How the gate reacts to each event.
extension Gate {
    mutating func react(to event: Event, _ step: inout StepContext) {
        let wasLocked = lane.state == .locked
        switch event.kind {
        case .moved(let movement): moved(movement, &step)
        case .rotorNoise: step.record(.rotorNoise)
        case .coin(let acceptor, let said): receive(said, from: acceptor, &step)
        case .forwarded(let kind): handleForwarded(kind, &step)
        }
        if wasLocked || lane.state != .locked {
            releaseQueued(&step)
        } else {
            releaseNext(&step)
        }
    }

    @inline(__always) private mutating func handleForwarded(
        _ kind: Turnstile.Event.Kind, _ step: inout StepContext
    ) {
        switch kind {
        case .started(let levels): start(levels, &step)
        case .changed(let input, let isActive): contactChanged(input, isActive, &step)
        case .edgesLost: reportTransientFault(.edgesLost, &step)
        case .timePassed:
            let wasAnyDue = forEachRegion(dueBy: step.time) { $0.passTime(in: $1, &step) }
            if !wasAnyDue { step.ignore("nothing is due") }
        case .lineFailed(let line, let failure): failed(line, failure, &step)
        case .lineRecovered(let line): recovered(line, &step)
        case .onTimeWarning(let output): expectCut(of: output, &step)
        case .outputCut(let output): cut(output, &step)
        case .clockRead(let weekTime):
            apply(timetable.handle(.clockRead(weekTime, at: step.time)), &step)
        case .clockStepped(let duration):
            step.record(.clockAdjusted(by: duration))
            reportTransientFault(.clockStepped, &step)
            apply(timetable.handle(.clockStepped(by: duration)), &step)
        case .requested(let request, let requester): process(request, by: requester, &step)
        case .durable: ledgerCommitted(&step)
        case .storageFailed: apply(faults.handle(.found(.storageFailed)), &step)
        case .ledgerOpened(let balances):
            ledgerOpened(balances, &step)
            releasePayer(&step)
        case .stopped: step.record(.stopped)
        }
    }

    private mutating func start(_ levels: InputLevels, _ step: inout StepContext) {
        hasStarted = true
        apply(timetable.handle(.timePassed(step.time)), &step)
        recoverTerms(&step)
        regime = timetable.regime
        lane.open(regime)
        if policy.lateCoinWindow > .zero { lateUntil = step.time + policy.lateCoinWindow }
        setRotor(levels.isDisjoint(with: .sensors) ? .home : .lost, &step)
        step.record(.started)
        self.levels = levels.subtracting(.decoded)
        let release = recover(levels, &step)
        if levels[.fire] { contactChanged(.fire, true, &step) }
        for input in Input.ordered where equipment.inputs[input] && input.indicatesFault(levels) {
            updateFault(input, &step)
        }
        if levels[.stop] { step.record(.stopBegan) }
        for input in Input.ordered where equipment.inputs[input] && levels[input] {
            watchContact(input, true, &step)
        }
        if let release { restoreRelease(release, &step) }
        releasePayer(&step)
    }

    // MARK: Contacts

    private mutating func contactChanged(
        _ input: Input, _ isActive: Bool, _ step: inout StepContext
    ) {
        levels[input] = isActive
        step.change()
        switch input {
        case .fire: moveLoop(isOpen: isActive, &step)
        case .serviceKey: turnedKey(isActive, &step)
        case .stop: stopped(isActive, &step)
        case .vaultPresent: step.record(isActive ? .vaultReplaced : .vaultRemoved)
        case .vaultDoor: step.record(isActive ? .vaultOpened : .vaultClosed)
        case .intrusion:
            let isAllowed = standsOpen || lane.isInUse(at: step.time)
            if isActive, !isAllowed { raise(.intrusion, &step) }
        case .releaseEntry, .releaseExit, .emergencyResetKey, .externalFault, .powerLow, .coinJam,
            .vaultFull, .cabinetTamper, .home, .lockFeedback, .lockFeedbackExit:
            // They are requests or faults, handled below, or levels for updateRegions(_:).
            break
        case .coinPulse, .coinPulse2, .coinPulse3, .rotorA, .rotorB, .beamA, .beamB:
            preconditionFailure("\(input) is decoded before it reaches the gate")
        }
        let role = input.role
        if isActive, let request = role.request { process(request, by: .contact(input), &step) }
        if role.fault != nil { updateFault(input, &step) }
        watchContact(input, isActive, &step)
    }

    /// Notes that a contact is active that is so for a moment at a time, or no longer.
    private mutating func watchContact(
        _ input: Input, _ isActive: Bool, _ step: inout StepContext
    ) {
        guard input.role.isMomentary else { return }
        let event: ContactWatch.Event =
            isActive ? .pressed(input, at: step.time) : .released(input)
        apply(heldContacts.handle(event), &step)
    }

    private mutating func turnedKey(_ isTurned: Bool, _ step: inout StepContext) {
        guard isTurned else { return apply(service.handle(.keyReleased), &step) }
        let mechanic = Requester.contact(.serviceKey)
        process(.acknowledgeAlarms, by: mechanic, &step)
        process(.confirmRepair, by: mechanic, &step)
        // An operator's pending service mode gives way to the mechanic at the gate.
        let isTaken = service.requester.map { !service.isAwaited || $0 == mechanic } ?? false
        if service.requester != nil { process(.endService, by: mechanic, &step) }
        if !isTaken { apply(service.handle(.keyTurned(at: step.time)), &step) }
    }

    mutating func refuseWaitingService(_ refusal: Refusal, _ step: inout StepContext) {
        guard service.isAwaited, let requester = service.requester else { return }
        step.record(.refused(.beginService, by: requester, refusal))
    }

    private mutating func moveLoop(isOpen: Bool, _ step: inout StepContext) {
        // An unreadable loop is judged when it is repaired.
        guard isOpen || !faults.isUp(.line(.input(.fire), .unreadable)) else { return }
        apply(emergency.handle(isOpen ? .loopOpened : .loopClosed), &step)
    }

    private mutating func stopped(_ isActive: Bool, _ step: inout StepContext) {
        step.record(isActive ? .stopBegan : .stopEnded)
        guard isActive else {
            if isInService { resume(&step) }
            return
        }
        refuseWaitingService(.stopped, &step)
        apply(service.handle(.blocked), &step)
    }

    // MARK: Faults

    /// A fault lasts while its contact indicates it.
    private mutating func updateFault(_ input: Input, _ step: inout StepContext) {
        guard let fault = input.indicatedFault else { return }
        let isPresent = input.indicatesFault(levels)
        apply(faults.handle(isPresent ? .found(fault) : .gone(fault)), &step)
        if isPresent, fault == .coinJam { step.counts.rejects += 1 }
    }

    /// Reports a fault whose cause is over at once; the gate may stay out of service for it.
    mutating func reportTransientFault(_ fault: Fault, _ step: inout StepContext) {
        apply(faults.handle(.found(fault)), &step)
        apply(faults.handle(.gone(fault)), &step)
    }

    private mutating func failed(_ line: Line, _ failure: LineFailure, _ step: inout StepContext) {
        apply(faults.handle(.found(.line(line, failure))), &step)
        switch line {
        case .output(let output): apply(service.handle(.failed(output)), &step)
        case .input(.fire):
            // An unreadable loop counts as open.
            apply(emergency.handle(.loopOpened), &step)
        case .input: break
        }
    }

    /// The causes of all the line's faults are gone; the faults await the repair.
    private mutating func recovered(_ line: Line, _ step: inout StepContext) {
        for failure in LineFailure.allCases {
            apply(faults.handle(.gone(.line(line, failure))), &step)
        }
    }

    mutating func raise(_ alarm: Alarm, _ step: inout StepContext) {
        let lasting: AlarmPanel.Lasting =
            alarm == .forcedPassage && policy.forcedPassage == .latch
            ? .latched : .until(step.time + policy.alarmHold)
        apply(alarms.handle(.raised(alarm, lasting)), &step)
    }

    /// Resumes after an outage: as before it if it was short, otherwise by the policy.
    mutating func endOutage(asBefore: Bool, _ step: inout StepContext) {
        outageEnd = nil
        if asBefore || policy.repairResumes == .previous {
            if isInService { resume(&step) }
        } else {
            if !lane.isOccupied { apply(lane.handle(.closed), &step) }
            dropQueued(&step)
        }
    }

    private mutating func expectCut(of output: Output, _ step: inout StepContext) {
        if let way = output.way, rests(way) { return step.ignore("the lock rests in its turn") }
        step.record(.onTimeWarning(output))
        guard let way = output.way, lane.isHeldOpen(way) else { return }
        apply(loiterer.handle(.hastened), &step)
    }

    private mutating func cut(_ output: Output, _ step: inout StepContext) {
        guard let way = output.way else {
            reportTransientFault(.energisedTooLong(output), &step)
            return apply(service.handle(.cut(output)), &step)
        }
        duties[way].cut(at: step.time, isEmergency: emergency.isActive)
        // It opens again after its rest: no fault.
        if rests(way) { return step.change() }
        reportTransientFault(.energisedTooLong(output), &step)
        apply(service.handle(.cut(way.lock)), &step)
        apply(lane.handle(.lockCut(way)), &step)
    }

    /// Whether the lock is cycled, in an emergency.
    private func rests(_ way: Direction) -> Bool {
        emergency.isActive && !duties[way].canHoldOpen
    }

    // MARK: The rotor

    private mutating func moved(_ movement: RotorDecoder.Command, _ step: inout StepContext) {
        switch movement {
        case .begin(let direction): setRotor(.turning(direction), &step)
        case .reachMiddle, .leaveMiddle: break
        case .complete, .backOut, .findHome: setRotor(.home, &step)
        case .loseTrack: setRotor(.lost, &step)
        case .reportIllegalTransition:
            setRotor(.lost, &step)
            reportTransientFault(.illegalRotorTransition, &step)
        }
        guard !standsOpen else { return movedInOpenGate(movement, &step) }
        // A push on a locked gate with credit for a fare uses the credit.
        if movement == .begin(.entry) && lane.state == .locked {
            releaseOnCredit(&step)
            if lane.isOccupied { return }
        }
        apply(lane.handle(.moved(movement, at: step.time)), &step)
    }

    private mutating func movedInOpenGate(
        _ movement: RotorDecoder.Command, _ step: inout StepContext
    ) {
        if service.isOn { apply(service.handle(.rotorMoved), &step) }
        guard case .complete(let direction) = movement else {
            return step.ignore("the gate stands open")
        }
        count(direction, emergency.isActive ? .emergency : .service, &step)
    }

    private mutating func setRotor(_ place: Rotor, _ step: inout StepContext) {
        guard rotor != place else { return }
        rotor = place
        step.change()
    }
}
