import StateMachines

// What each event means to a gate.
extension Gate {
    mutating func react(to event: Event, _ log: inout Log, _ perform: (Command) -> Void) {
        let time = event.time
        let wasLocked = lane.state == .locked
        switch event.kind {
        case .started(let levels): start(levels, at: time, &log, perform)
        case .moved(let movement): moved(movement, at: time, &log, perform)
        case .rotorNoise: log.record(.rotorNoise)
        case .coin(let acceptor, let said):
            heard(said, from: acceptor, at: time, &log, perform)
        case .contact(let input, let isActive):
            touched(input, isActive, at: time, &log, perform)
        case .edgesLost: happened(.edgesLost, at: time, &log)
        case .lineFailed(let line, let failure): failed(line, failure, at: time, &log, perform)
        case .lineRecovered(let line): recovered(line, at: time, &log)
        case .onTimeWarning(let output): expectCut(of: output, at: time, &log)
        case .outputCut(let output): cut(output, at: time, &log)
        case .clockRead(let weekTime):
            note(timetable.handle(.clockRead(weekTime, at: time)), &log)
        case .clockStepped(let step):
            log.record(.clockAdjusted(by: step))
            happened(.clockStepped, at: time, &log)
        case .stored: wasStored(at: time, &log, perform)
        case .storageFailed: note(faults.handle(.found(.storageFailed)), at: time, &log)
        case .ledgerOpened(let holdings): opened(holdings, at: time, &log)
        case .timePassed: timePassed(at: time, &log)
        }
        if wasLocked || lane.state != .locked {
            releaseStored(at: time, &log, perform)
        } else {
            releaseNext(at: time, &log, perform)
        }
    }

    private mutating func start(
        _ levels: InputLevels, at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        hasStarted = true
        note(timetable.handle(.timePassed(time)), &log)
        regime = timetable.regime
        lane.open(regime)
        if policy.lateCoinWindow > .zero { lateUntil = time + policy.lateCoinWindow }
        follow(levels.isDisjoint(with: .sensors) ? .home : .lost, &log)
        log.record(.started)
        self.levels = levels.subtracting(.decoded)
        recover(levels, at: time, &log)
        for input in [Input.fire, .externalFault, .powerLow, .coinJam] where levels[input] {
            touched(input, true, at: time, &log, perform)
        }
        if equipment.inputs[.vaultPresent] && !levels[.vaultPresent] {
            note(faults.handle(.found(.vaultMissing)), at: time, &log)
        }
        if levels[.stop] { log.record(.stopBegan) }
    }

    /// What is due at the same moment is told in this order: who may pass and what they paid, then
    /// what is out of order, then the mechanic and the schedule.
    private mutating func timePassed(at time: Instant, _ log: inout Log) {
        note(lane.handle(.timePassed(time)), at: time, &log)
        note(alarms.handle(.timePassed(time)), at: time, &log)
        note(purse.handle(.timePassed(time)), at: time, &log)
        note(beams.handle(.timePassed(time)), at: time, &log)
        note(arm.handle(.timePassed(time)), at: time, &log)
        note(locks.entry.handle(.timePassed(time)), of: .entry, at: time, &log)
        note(locks.exit.handle(.timePassed(time)), of: .exit, at: time, &log)
        note(service.handle(.timePassed(time)), at: time, &log)
        note(timetable.handle(.timePassed(time)), &log)
        note(loiterer.handle(.timePassed(time)), at: time, &log)
        if let end = outageEnd, end <= time {
            outageEnd = nil
            log.change()
        }
        if let end = lateUntil, end <= time {
            lateUntil = nil
            log.change()
        }
    }

    // MARK: Contacts

    private mutating func touched(
        _ input: Input, _ isActive: Bool, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        levels[input] = isActive
        log.change()
        switch input {
        case .fire: moveLoop(isOpen: isActive, at: time, &log, perform)
        case .emergencyResetKey:
            guard isActive else { return }
            resetEmergency(at: time, &log, perform)
        case .serviceKey: turnedKey(isActive, at: time, &log, perform)
        case .stop: stopped(isActive, at: time, &log)
        case .releaseEntry:
            if isActive { requested(.entry, by: input, at: time, &log, perform) }
        case .releaseExit:
            if isActive { requested(.exit, by: input, at: time, &log, perform) }
        case .externalFault: mark(.external, isActive, at: time, &log)
        case .powerLow: mark(.powerLow, isActive, at: time, &log)
        case .coinJam:
            mark(.coinJam, isActive, at: time, &log)
            if isActive { log.counts.rejects += 1 }
        case .vaultPresent:
            log.record(isActive ? .vaultReplaced : .vaultRemoved)
            mark(.vaultMissing, !isActive, at: time, &log)
        case .vaultDoor: log.record(isActive ? .vaultOpened : .vaultClosed)
        case .cabinetTamper, .home, .lockFeedback, .lockFeedbackExit:
            // They are looked at when the event is over: see settle(at:_:).
            break
        case .coinPulse, .coinPulse2, .coinPulse3, .rotorA, .rotorB, .beamA, .beamB:
            preconditionFailure("\(input) is decoded before it reaches the gate")
        }
    }

    private mutating func turnedKey(
        _ isTurned: Bool, at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        guard isTurned else { return note(service.handle(.keyReleased), at: time, &log) }
        outageEnd = nil
        note(faults.handle(.repaired), at: time, &log)
        note(alarms.handle(.acknowledged), at: time, &log)
        if faults.needRepair { log.record(.refused(.serviceKey, .causePresent)) }
        // A loop that could not be read and was taken for an open one is judged anew.
        if emergency.state == .loopOpen, !levels[.fire],
            !faults.isUp(.line(.input(.fire), .unreadable))
        {
            note(emergency.handle(.loopClosed), at: time, &log, perform)
        }
        note(service.handle(.keyTurned(at: time)), at: time, &log)
        // Now, not when stock is taken: the locks would be released in between.
        if service.state == .leaving, isLaneClear {
            note(service.handle(.laneCleared), at: time, &log)
        }
    }

    private mutating func resetEmergency(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        note(emergency.handle(.resetRequested), at: time, &log, perform)
        switch emergency.state {
        case .none: log.record(.refused(.emergencyResetKey, .noEmergency))
        case .loopOpen:
            log.record(.refused(.emergencyResetKey, levels[.fire] ? .loopOpen : .repairFirst))
        case .awaitingReset: break
        case .awaitingClearLane:
            if !isLaneClear { log.record(.deferred(.emergencyResetKey)) }
        }
    }

    private mutating func stopped(_ isActive: Bool, at time: Instant, _ log: inout Log) {
        log.record(isActive ? .stopBegan : .stopEnded)
        guard isActive else {
            if isInService { resume(at: time, &log) }
            return
        }
        if service.isAwaited { log.record(.refused(.serviceKey, .stopped)) }
        note(service.handle(.blocked), at: time, &log)
        if service.state == .leaving, isLaneClear {
            note(service.handle(.laneCleared), at: time, &log)
        }
    }

    // MARK: Faults

    /// A fault that lasts while its contact says so.
    private mutating func mark(
        _ fault: Fault, _ isPresent: Bool, at time: Instant, _ log: inout Log
    ) {
        note(faults.handle(isPresent ? .found(fault) : .gone(fault)), at: time, &log)
    }

    /// Something happened that is a fault and is over as soon as it has been noticed, though the
    /// gate may stay out of service for it.
    mutating func happened(_ fault: Fault, at time: Instant, _ log: inout Log) {
        note(faults.handle(.found(fault)), at: time, &log)
        note(faults.handle(.gone(fault)), at: time, &log)
    }

    private mutating func failed(
        _ line: Line, _ failure: LineFailure, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        note(faults.handle(.found(.line(line, failure))), at: time, &log)
        switch line {
        case .output(let output): note(service.handle(.failed(output)), at: time, &log)
        case .input(.fire):
            // Nobody can tell whether there is an emergency: then there is one.
            note(emergency.handle(.loopOpened), at: time, &log, perform)
        case .input: break
        }
    }

    /// Whatever failed about the line is over, and waits for the key.
    private mutating func recovered(_ line: Line, at time: Instant, _ log: inout Log) {
        for failure in LineFailure.allCases {
            note(faults.handle(.gone(.line(line, failure))), at: time, &log)
        }
    }

    private mutating func expectCut(of output: Output, at time: Instant, _ log: inout Log) {
        log.record(.onTimeWarning(output))
        guard let way = output.way, lane.isHeldOpen(way) else { return }
        note(loiterer.handle(.hastened), at: time, &log)
    }

    private mutating func cut(_ output: Output, at time: Instant, _ log: inout Log) {
        happened(.energisedTooLong(output), at: time, &log)
        guard let way = output.way else { return }
        note(lane.handle(.lockCut(way)), at: time, &log)
    }

    // MARK: The rotor

    private mutating func moved(
        _ movement: RotorDecoder.Command, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        switch movement {
        case .begin(let direction): follow(.turning(direction), &log)
        case .reachMiddle, .leaveMiddle: break
        case .complete, .backOut, .findHome: follow(.home, &log)
        case .loseTrack: follow(.lost, &log)
        case .reportIllegalTransition:
            follow(.lost, &log)
            happened(.illegalRotorTransition, at: time, &log)
        }
        guard !standsOpen else { return movedInOpenGate(movement, at: time, &log) }
        // Whoever pushes a locked gate that holds a fare for them has come to use it.
        if movement == .begin(.entry) && lane.state == .locked {
            releaseOnCredit(at: time, &log, perform)
            if lane.isOccupied { return }
        }
        note(lane.handle(.moved(movement, at: time)), at: time, &log)
    }

    private mutating func movedInOpenGate(
        _ movement: RotorDecoder.Command, at time: Instant, _ log: inout Log
    ) {
        if service.isOn { note(service.handle(.rotorMoved), at: time, &log) }
        guard case .complete(let direction) = movement else {
            return log.ignore("the gate stands open")
        }
        count(direction, emergency.isActive ? .emergency : .service, at: time, &log)
    }

    private mutating func follow(_ place: Rotor, _ log: inout Log) {
        guard rotor != place else { return }
        rotor = place
        log.change()
    }
}

extension Output {
    /// The direction whose lock it drives.
    fileprivate var way: Direction? {
        switch self {
        case .lockEntry, .lockEntryHold: .entry
        case .lockExit, .lockExitHold: .exit
        case .dropArm, .alarm, .buzzer, .lampGo, .lampStop, .coinInhibit, .coinReject, .ready,
            .countPulse, .coinMeter:
            nil
        }
    }
}
