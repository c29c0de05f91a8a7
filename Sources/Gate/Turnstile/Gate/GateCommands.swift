import StateMachines

/// A command of a region.
protocol GateCommand: Sendable {
    func run(in gate: inout Gate, _ step: inout StepContext)
}

extension Gate {
    /// Carries out a region's commands, and accounts for its verdict.
    mutating func apply(_ outcome: consuming Outcome<some GateCommand>, _ step: inout StepContext) {
        let verdict = outcome.read { $0.run(in: &self, &step) }
        step.account(verdict)
    }
}

// People and money.

extension Lane.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        switch self {
        case .start(let direction): step.record(.passageStarted(direction))
        case .complete(let grant):
            gate.count(grant.direction, grant.authorisation.kind, &step)
            guard case .credit = grant.authorisation else { return }
            let overpaid = min(gate.surplus, gate.credit)
            gate.surplus = 0
            if overpaid > 0 { gate.forfeit(overpaid, &step) }
        case .backOut(let direction, let pastMiddle):
            step.record(.passageBackedOut(direction))
            if pastMiddle { gate.raise(.backOutPastMiddle, &step) }
        case .loseTrack(let grant):
            gate.surplus = 0
            step.record(.passageLost(grant.direction, grant.authorisation.kind))
            step.counts.passages += 1
        case .expire(let grant):
            step.record(.waitTimedOut(grant.direction))
            guard case .credit(let fare) = grant.authorisation else { return }
            gate.giveBack(grant, &step)
            if gate.policy.onWaitTimeout == .forfeit { gate.forfeit(fare, &step) }
        case .giveBack(let grant): gate.giveBack(grant, &step)
        case .reportIntruder(let alarm): gate.raise(alarm, &step)
        case .completeUnauthorised(let direction): gate.count(direction, .unauthorised, &step)
        case .recover(let passage): gate.countRecovered(passage, &step)
        }
    }
}

extension CreditAccount.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        switch self {
        case .expire(let value):
            gate.apply(gate.creditAccount.handle(.debited(value)), &step)
            step.record(.creditExpired(value: value))
        }
    }
}

extension CommitBarrier.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        switch self {
        case .store: step.store()
        case .release: gate.releaseOnCredit(&step)
        }
    }
}

// Emergency, service mode and schedule.

extension Emergency.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        switch self {
        case .begin:
            step.record(.emergencyStarted)
            gate.refuseWaitingService(.emergency, &step)
            gate.apply(gate.service.handle(.ended), &step)
            gate.apply(gate.lane.handle(.closed), &step)
            gate.dropQueued(&step)
        case .reportLoopClosed: step.record(.emergencyLoopClosed)
        case .end: step.record(.emergencyReset)
        }
    }
}

extension ServiceMode.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        switch self {
        case .request: gate.process(.beginService, by: .contact(.serviceKey), &step)
        case .start(let requester):
            step.record(.serviceStarted(by: requester))
            gate.apply(gate.lane.handle(.closed), &step)
            gate.dropQueued(&step)
        case .end: step.record(.serviceEnded)
        case .reportTestFailed(let output): step.record(.selfTestFailed(output))
        case .reportTestFinished: step.record(.selfTestFinished)
        case .reportTestAborted: step.record(.selfTestAborted)
        }
    }
}

extension Timetable.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        switch self {
        // The timetable's regime is looked up once it can come into force.
        case .change: break
        case .reportOverdue(let kind, let requester):
            step.record(.refused(kind, by: requester, .timeOver))
        }
    }
}

// Faults and alarms.

extension FaultBoard.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        switch self {
        case .reportRaised(let fault): step.record(.faultRaised(fault))
        case .reportCleared(let fault):
            step.record(.faultCleared(fault))
            if case .energisedTooLong(let output) = fault, let way = output.way {
                gate.duties[way].repair()
            }
        case .reportOutOfService(let fault):
            step.record(.outOfService(fault))
            gate.outageEnd = step.time + gate.policy.passWait
        case .reportInService:
            step.record(.inService)
            gate.endOutage(asBefore: gate.outageEnd != nil, &step)
        }
    }
}

extension AlarmPanel.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        switch self {
        case .reportRaised(let alarm): step.record(.alarmRaised(alarm))
        case .reportCleared(let alarm): step.record(.alarmCleared(alarm))
        }
    }
}

extension LockWatch.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        switch self {
        case .reportNotResponding(let direction):
            gate.apply(gate.faults.handle(.found(.lockNotResponding(direction))), &step)
            gate.apply(gate.service.handle(.failed(direction.lock)), &step)
        case .reportFollowing(let direction):
            gate.apply(gate.faults.handle(.gone(.lockNotResponding(direction))), &step)
        }
    }
}

extension ArmWatch.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        let event: FaultBoard.Event =
            switch self {
            case .reportAway: .found(.armNotHome)
            case .reportAwayOver: .gone(.armNotHome)
            case .reportStuck: .found(.sensorStuck)
            case .reportStuckOver: .gone(.sensorStuck)
            }
        gate.apply(gate.faults.handle(event), &step)
    }
}

extension BeamWatch.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        let event: AlarmPanel.Event =
            switch self {
            case .reportBlocked: .raised(.beamBlocked, .whileItLasts)
            case .reportFree: .over(.beamBlocked)
            }
        gate.apply(gate.alarms.handle(event), &step)
    }
}

extension ContactWatch.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        switch self {
        case .reportStuck(let input): step.record(.contactStuck(input))
        case .reportAtRest(let input): step.record(.contactAtRest(input))
        }
    }
}

// The gate's ``Gate/loiterer``.
extension OnDelay.Command: GateCommand {
    func run(in gate: inout Gate, _ step: inout StepContext) {
        let event: AlarmPanel.Event =
            switch self {
            case .report: .raised(.passageDelayed, .whileItLasts)
            case .reportOver: .over(.passageDelayed)
            }
        gate.apply(gate.alarms.handle(event), &step)
    }
}
