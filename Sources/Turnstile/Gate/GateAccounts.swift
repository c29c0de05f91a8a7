import StateMachines

// What the regions of a gate say, accounted for.
extension Gate {
    mutating func note(
        _ outcome: consuming Outcome<Lane.Command>, at time: Instant, _ log: inout Log
    ) {
        let verdict = outcome.read { note($0, at: time, &log) }
        log.note(verdict)
    }

    private mutating func note(_ command: Lane.Command, at time: Instant, _ log: inout Log) {
        switch command {
        case .start(let direction): log.record(.passageStarted(direction))
        case .complete(let grant):
            count(grant.direction, grant.authorisation.kind, at: time, &log)
            guard case .credit = grant.authorisation else { return }
            let overpaid = min(surplus, credit)
            surplus = 0
            if overpaid > 0 { forfeit(overpaid, at: time, &log) }
        case .backOut(let direction, let pastMiddle):
            log.record(.passageBackedOut(direction))
            if pastMiddle { raise(.backOutPastMiddle, at: time, &log) }
        case .loseTrack(let grant):
            surplus = 0
            log.record(.passageLost(grant.direction, grant.authorisation.kind))
            log.counts.passages += 1
        case .expire(let grant):
            log.record(.waitTimedOut(grant.direction))
            guard case .credit(let fare) = grant.authorisation else { return }
            giveBack(grant, at: time, &log)
            if policy.onWaitTimeout == .forfeit { forfeit(fare, at: time, &log) }
        case .giveBack(let grant): giveBack(grant, at: time, &log)
        case .reportIntruder(let alarm): raise(alarm, at: time, &log)
        case .completeUnauthorised(let direction):
            count(direction, .unauthorised, at: time, &log)
        case .recover(let passage):
            log.record(.passageRecovered(passage.direction, passage.kind))
            log.counts.passages += 1
            guard passage.kind == .paid, past.ledger == .awaited else { return }
            past.passage = passage
            past.isPassageOver = true
        }
    }

    mutating func raise(_ alarm: Alarm, at time: Instant, _ log: inout Log) {
        let lasting: AlarmPanel.Lasting =
            alarm == .forcedPassage && policy.forcedPassage == .latch
            ? .latched : .until(time + policy.alarmHold)
        note(alarms.handle(.raised(alarm, lasting)), at: time, &log)
    }

    mutating func note(
        _ outcome: consuming Outcome<Emergency.Command>, at time: Instant, _ log: inout Log,
        _ perform: (Command) -> Void
    ) {
        let verdict = outcome.read { said in
            // The way out first, the books after.
            if said == .begin { command(&log, perform) }
            note(said, at: time, &log)
        }
        log.note(verdict)
    }

    mutating func note(_ command: Emergency.Command, at time: Instant, _ log: inout Log) {
        switch command {
        case .begin:
            log.record(.emergencyStarted)
            if service.isAwaited { log.record(.refused(.serviceKey, .emergency)) }
            note(service.handle(.ended), at: time, &log)
            note(lane.handle(.closed), at: time, &log)
            dropStored(&log)
        case .reportLoopClosed: log.record(.emergencyLoopClosed)
        case .end: log.record(.emergencyReset)
        }
    }

    mutating func note(
        _ outcome: consuming Outcome<FaultBoard.Command>, at time: Instant, _ log: inout Log
    ) {
        let verdict = outcome.read { command in
            switch command {
            case .reportRaised(let fault): log.record(.faultRaised(fault))
            case .reportCleared(let fault): log.record(.faultCleared(fault))
            case .reportOutOfService(let fault):
                log.record(.outOfService(fault))
                outageEnd = time + policy.passWait
            case .reportInService:
                log.record(.inService)
                goOn(asBefore: outageEnd != nil, at: time, &log)
            }
        }
        log.note(verdict)
    }

    /// Goes on after an outage: as before it, or as the policy has it after a repair.
    private mutating func goOn(asBefore: Bool, at time: Instant, _ log: inout Log) {
        outageEnd = nil
        if asBefore || policy.repairResumes == .previous {
            if isInService { resume(at: time, &log) }
        } else {
            if !lane.isOccupied { note(lane.handle(.closed), at: time, &log) }
            dropStored(&log)
        }
    }

    mutating func note(
        _ outcome: consuming Outcome<AlarmPanel.Command>, at time: Instant, _ log: inout Log
    ) {
        let verdict = outcome.read { command in
            switch command {
            case .reportRaised(let alarm): log.record(.alarmRaised(alarm))
            case .reportCleared(let alarm): log.record(.alarmCleared(alarm))
            }
        }
        log.note(verdict)
    }

    mutating func note(
        _ outcome: consuming Outcome<Purse.Command>, at time: Instant, _ log: inout Log
    ) {
        let verdict = outcome.read { command in
            switch command {
            case .expire(let value):
                note(purse.handle(.debited(value)), at: time, &log)
                log.record(.creditExpired(value: value))
            }
        }
        log.note(verdict)
    }

    mutating func note(
        _ outcome: consuming Outcome<ServiceMode.Command>, at time: Instant, _ log: inout Log
    ) {
        let verdict = outcome.read { command in
            switch command {
            case .request: requestService(at: time, &log)
            case .start:
                log.record(.serviceStarted)
                note(lane.handle(.closed), at: time, &log)
                dropStored(&log)
            case .end: log.record(.serviceEnded)
            case .reportTestFailed(let output): log.record(.selfTestFailed(output))
            case .reportTestFinished: log.record(.selfTestFinished)
            case .reportTestAborted: log.record(.selfTestAborted)
            }
        }
        log.note(verdict)
    }

    /// The key was held for service mode.
    private mutating func requestService(at time: Instant, _ log: inout Log) {
        let refusal: Refusal? = emergency.isActive ? .emergency : levels[.stop] ? .stopped : nil
        if let refusal {
            log.record(.refused(.serviceKey, refusal))
            note(service.handle(.blocked), at: time, &log)
        } else if !mayService(log) {
            log.record(.deferred(.serviceKey))
        }
    }

    mutating func note(
        _ outcome: consuming Outcome<LockWatch.Command>, of direction: Direction, at time: Instant,
        _ log: inout Log
    ) {
        let fault = Fault.lockNotResponding(direction)
        let verdict = outcome.read { command in
            switch command {
            case .reportNotResponding:
                note(faults.handle(.found(fault)), at: time, &log)
                note(service.handle(.failed(direction.lock)), at: time, &log)
            case .reportFollowing: note(faults.handle(.gone(fault)), at: time, &log)
            }
        }
        log.note(verdict)
    }

    mutating func note(
        _ outcome: consuming Outcome<ArmWatch.Command>, at time: Instant, _ log: inout Log
    ) {
        let verdict = outcome.read { command in
            let event: FaultBoard.Event =
                switch command {
                case .reportAway: .found(.armNotHome)
                case .reportAwayOver: .gone(.armNotHome)
                case .reportStuck: .found(.sensorStuck)
                case .reportStuckOver: .gone(.sensorStuck)
                }
            note(faults.handle(event), at: time, &log)
        }
        log.note(verdict)
    }

    mutating func note(
        _ outcome: consuming Outcome<BeamWatch.Command>, at time: Instant, _ log: inout Log
    ) {
        let verdict = outcome.read { command in
            switch command {
            case .reportBlocked:
                note(alarms.handle(.raised(.beamBlocked, .whileItLasts)), at: time, &log)
            case .reportFree: note(alarms.handle(.over(.beamBlocked)), at: time, &log)
            }
        }
        log.note(verdict)
    }

    mutating func note(
        _ outcome: consuming Outcome<Symptom.Command>, at time: Instant, _ log: inout Log
    ) {
        let verdict = outcome.read { command in
            switch command {
            case .report:
                note(alarms.handle(.raised(.passageDelayed, .whileItLasts)), at: time, &log)
            case .reportOver: note(alarms.handle(.over(.passageDelayed)), at: time, &log)
            }
        }
        log.note(verdict)
    }

    /// What the timetable says shows in what it asks for.
    mutating func note<Said>(_ outcome: consuming Outcome<Said>, _ log: inout Log) {
        log.note(outcome.read { _ in })
    }
}
