import StateMachines

// What each event means to a gate.
extension Gate {
    mutating func react(to event: Event, _ log: inout Log) {
        let time = event.time
        switch event.kind {
        case .started(let levels):
            hasStarted = true
            follow(levels[.rotorA] || levels[.rotorB] ? .lost : .home, &log)
            log.record(.started)
            if levels[.fire] { touched(.fire, true, at: time, &log) }
            if levels[.externalFault] { touched(.externalFault, true, at: time, &log) }
        case .moved(let movement): moved(movement, at: time, &log)
        case .coin(let coin): heard(coin, at: time, &log)
        case .contact(let input, let isActive): touched(input, isActive, at: time, &log)
        case .edgesLost: happened(.edgesLost, at: time, &log)
        case .lineFailed(let line, let failure): happened(.line(line, failure), at: time, &log)
        case .outputCut(let output):
            happened(.energisedTooLong(output), at: time, &log)
            if output == .lockEntry { note(lane.handle(.lockCut), at: time, &log) }
        case .timePassed:
            note(lane.handle(.timePassed(time)), at: time, &log)
            note(alarms.handle(.timePassed(time)), at: time, &log)
        }
    }

    private mutating func touched(
        _ input: Input, _ isActive: Bool, at time: Instant, _ log: inout Log
    ) {
        switch (input, isActive) {
        case (.fire, true): note(emergency.handle(.loopOpened), at: time, &log)
        case (.fire, false): note(emergency.handle(.loopClosed), at: time, &log)
        case (.emergencyResetKey, true):
            note(emergency.handle(.resetRequested), at: time, &log)
            if emergency.state == .loopOpen { log.record(.refused(.emergencyResetKey, .loopOpen)) }
        case (.externalFault, true): note(faults.handle(.found(.external)), at: time, &log)
        case (.externalFault, false): note(faults.handle(.gone(.external)), at: time, &log)
        case (.serviceKey, true):
            let reported = faults.handle(.repaired)
            note(reported, at: time, &log)
            note(alarms.handle(.acknowledged), at: time, &log)
            if !reported.isHandled && faults.reason != nil {
                log.record(.refused(.serviceKey, .causePresent))
            }
        case (.releaseEntry, true): contactGranted(at: time, &log)
        case (.emergencyResetKey, false), (.serviceKey, false), (.releaseEntry, false):
            log.ignore("a key or contact counts when it closes")
        case (_, _):
            preconditionFailure("\(input) is decoded before it reaches the gate")
        }
    }

    private mutating func heard(
        _ coin: CoinDecoder.Command, at time: Instant, _ log: inout Log
    ) {
        switch coin {
        case .credit(let pulses):
            let value = policy.coins[.first].values.value(ofPulses: pulses) ?? 0
            let coin = Coin(.first, pulses: pulses, value: value)
            credit += value
            let isLate = drive?.acceptsCoins != true
            log.record(
                isLate
                    ? .coinLate(coin)
                    : .coinAccepted(coin))
            releaseOnCredit(at: time, &log)
        case .reportNoise(let width): log.record(.coinNoise(.first, width: width))
        case .reportStuck: note(faults.handle(.found(.coinLineStuck(.first))), at: time, &log)
        case .reportReleased: note(faults.handle(.gone(.coinLineStuck(.first))), at: time, &log)
        }
    }

    private mutating func moved(
        _ movement: RotorDecoder.Command, at time: Instant, _ log: inout Log
    ) {
        switch movement {
        case .begin(let direction): follow(.turning(direction), &log)
        case .reachMiddle: break
        case .complete, .backOut, .findHome: follow(.home, &log)
        case .loseTrack: follow(.lost, &log)
        case .reportIllegalTransition:
            follow(.lost, &log)
            happened(.illegalRotorTransition, at: time, &log)
        }
        guard !emergency.isActive else {
            if case .complete(let direction) = movement {
                log.record(.passageCompleted(direction, .emergency))
            } else {
                log.ignore("the gate stands open")
            }
            return
        }
        // Whoever pushes a locked gate that holds a fare for them has come to use it.
        if movement == .begin(.entry) && lane.state == .locked {
            releaseOnCredit(at: time, &log)
            if lane.isOccupied { return }
        }
        note(lane.handle(.moved(movement, at: time)), at: time, &log)
        if case .complete(.entry) = movement { releaseOnCredit(at: time, &log) }
    }

    private mutating func follow(_ place: Rotor, _ log: inout Log) {
        guard rotor != place else { return }
        rotor = place
        log.change()
    }

    /// Something happened that is a fault and is over as soon as it has been noticed, though the
    /// gate may stay out of service for it.
    private mutating func happened(_ fault: Fault, at time: Instant, _ log: inout Log) {
        note(faults.handle(.found(fault)), at: time, &log)
        note(faults.handle(.gone(fault)), at: time, &log)
    }

    // MARK: Authorisations

    private mutating func contactGranted(at time: Instant, _ log: inout Log) {
        if emergency.isActive {
            log.record(.refused(.releaseEntry, .emergency))
        } else if faults.reason != nil {
            log.record(.refused(.releaseEntry, .outOfService))
        } else if lane.state != .locked {
            log.record(.refused(.releaseEntry, .storeFull))
        } else {
            authorise(.contact, at: time, &log)
        }
    }

    private mutating func releaseOnCredit(at time: Instant, _ log: inout Log) {
        guard !emergency.isActive, faults.reason == nil, lane.state == .locked,
            credit >= policy.price
        else { return }
        credit -= policy.price
        log.record(.creditUsed(value: policy.price))
        authorise(.credit(fare: policy.price), at: time, &log)
    }

    private mutating func authorise(
        _ authorisation: Authorisation, at time: Instant, _ log: inout Log
    ) {
        note(lane.handle(.authorised(authorisation, at: time)), at: time, &log)
        log.record(.released(.entry, by: authorisation))
        noticePerson(at: time, &log)
    }

    /// The lane is released: whoever leant on the arm meanwhile is on the way already, and so may
    /// be whoever nobody saw.
    private mutating func noticePerson(at time: Instant, _ log: inout Log) {
        guard case .released = lane.state else { return }
        switch rotor {
        case .home: break
        case .turning(let direction):
            note(lane.handle(.moved(.begin(direction), at: time)), at: time, &log)
        case .lost: note(lane.handle(.moved(.loseTrack, at: time)), at: time, &log)
        }
    }

    private mutating func giveBack(_ authorisation: Authorisation, _ log: inout Log) {
        switch authorisation {
        case .contact, .free: break
        case .credit(let fare):
            credit += fare
            log.record(.creditReturned(value: fare))
        }
    }

    private mutating func forfeit(_ value: Int, _ log: inout Log) {
        credit -= value
        log.record(.creditForfeited(value: value))
    }
}

// What the regions of a gate say, accounted for.
extension Gate {
    mutating func note(_ outcome: Outcome<Lane.Command>, at time: Instant, _ log: inout Log) {
        guard let commands = log.commands(of: outcome) else { return }
        for command in commands { note(command, at: time, &log) }
    }

    private mutating func note(_ command: Lane.Command, at time: Instant, _ log: inout Log) {
        switch command {
        case .start(let direction): log.record(.passageStarted(direction))
        case .complete(let direction):
            log.record(.passageCompleted(direction, .paid))
            if policy.overpay == .forfeit && credit > 0 { forfeit(credit, &log) }
        case .backOut(let direction): log.record(.passageBackedOut(direction))
        case .loseTrack(let direction): log.record(.passageLost(direction, .paid))
        case .reportDelay:
            note(alarms.handle(.raised(.passageDelayed, .whileItLasts)), at: time, &log)
        case .reportDelayOver:
            note(alarms.handle(.over(.passageDelayed)), at: time, &log)
        case .expire(let authorisation):
            log.record(.waitTimedOut(.entry))
            giveBack(authorisation, &log)
            if policy.onWaitTimeout == .forfeit, case .credit(let fare) = authorisation {
                forfeit(fare, &log)
            }
        case .giveBack(let authorisation): giveBack(authorisation, &log)
        case .reportIntruder(let direction): raise(intrusion(direction), at: time, &log)
        case .completeUnauthorised(let direction):
            log.record(.passageCompleted(direction, .unauthorised))
        }
    }

    /// A locked gate is forced; through a released one somebody came the wrong way.
    private func intrusion(_ direction: Direction) -> Alarm {
        lane.state == .locked || direction == .entry ? .forcedPassage : .reversePassage
    }

    private mutating func raise(_ alarm: Alarm, at time: Instant, _ log: inout Log) {
        let lasting: AlarmPanel.Lasting =
            alarm == .forcedPassage && policy.forcedPassage == .latch
            ? .latched : .until(time + policy.alarmHold)
        note(alarms.handle(.raised(alarm, lasting)), at: time, &log)
    }

    mutating func note(_ outcome: Outcome<Emergency.Command>, at time: Instant, _ log: inout Log) {
        guard let commands = log.commands(of: outcome) else { return }
        for command in commands {
            switch command {
            case .begin:
                log.record(.emergencyStarted)
                note(lane.handle(.closed), at: time, &log)
            case .reportLoopClosed: log.record(.emergencyLoopClosed)
            case .end: log.record(.emergencyReset)
            }
        }
    }

    mutating func note(_ outcome: Outcome<FaultBoard.Command>, at time: Instant, _ log: inout Log) {
        guard let commands = log.commands(of: outcome) else { return }
        for command in commands {
            switch command {
            case .reportRaised(let fault): log.record(.faultRaised(fault))
            case .reportCleared(let fault): log.record(.faultCleared(fault))
            case .reportOutOfService(let fault): log.record(.outOfService(fault))
            case .reportInService:
                log.record(.inService)
                switch policy.repairResumes {
                case .previous:
                    note(lane.handle(.resumed(at: time)), at: time, &log)
                    noticePerson(at: time, &log)
                case .locked where !lane.isOccupied:
                    note(lane.handle(.closed), at: time, &log)
                case .locked: break
                }
            }
        }
    }

    mutating func note(_ outcome: Outcome<AlarmPanel.Command>, at time: Instant, _ log: inout Log) {
        guard let commands = log.commands(of: outcome) else { return }
        for command in commands {
            switch command {
            case .reportRaised(let alarm): log.record(.alarmRaised(alarm))
            case .reportCleared(let alarm): log.record(.alarmCleared(alarm))
            }
        }
    }
}
