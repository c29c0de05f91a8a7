public import StateMachines

// The list of the gate's regions, and everything that goes through all of them.
extension Gate: ComposedMachine {
    /// The regions, and four deadlines that belong to none. Deadlines due at the same moment are
    /// handled in the order of the cases.
    public enum Region: UInt8, Enumerated {
        case lane, emergency, faults, alarms, creditAccount, commitBarrier, beams, arm
        /// The two of ``Gate/locks``.
        case entryLock, exitLock
        case service, timetable, loiterer, heldContacts, duties
        /// ``Gate/outageEnd``.
        case outage
        /// ``Gate/lateUntil``.
        case lateCoins
        /// ``Gate/earlyUntil``.
        case earlyCoins
        /// ``Gate/Past/payerUntil``.
        case payer
        /// Driven by ``Gate/count(_:)``, so that late pulses keep their length.
        case counters
    }

    /// When something is due in a region; nil for the counters, which come after all others.
    @inline(__always) public func deadline(of region: Region) -> Instant? {
        switch region {
        case .lane: lane.deadline
        case .alarms: alarms.deadline
        case .creditAccount: creditAccount.deadline
        case .beams: beams.deadline
        case .arm: arm.deadline
        case .entryLock: locks.entry.deadline
        case .exitLock: locks.exit.deadline
        case .service: service.deadline
        case .timetable: timetable.deadline
        case .loiterer: loiterer.deadline
        case .heldContacts: heldContacts.deadline
        case .duties: duties.deadline
        case .outage: outageEnd
        case .lateCoins: lateUntil
        case .earlyCoins: earlyUntil
        case .payer: past.payerUntil
        case .emergency, .faults, .commitBarrier, .counters: nil
        }
    }

    /// Lets time pass in a region that has something due.
    mutating func passTime(in region: Region, _ step: inout StepContext) {
        let now = step.time
        switch region {
        case .lane: apply(lane.handle(.timePassed(now)), &step)
        case .alarms: apply(alarms.handle(.timePassed(now)), &step)
        case .creditAccount: apply(creditAccount.handle(.timePassed(now)), &step)
        case .beams: apply(beams.handle(.timePassed(now)), &step)
        case .arm: apply(arm.handle(.timePassed(now)), &step)
        case .entryLock: apply(locks.entry.handle(.timePassed(now)), &step)
        case .exitLock: apply(locks.exit.handle(.timePassed(now)), &step)
        case .service: apply(service.handle(.timePassed(now)), &step)
        case .timetable: apply(timetable.handle(.timePassed(now)), &step)
        case .loiterer: apply(loiterer.handle(.timePassed(now)), &step)
        case .heldContacts: apply(heldContacts.handle(.timePassed(now)), &step)
        case .duties:
            duties.passTime(now)
            step.change()
            releaseNext(&step)
        case .outage:
            outageEnd = nil
            step.change()
        case .lateCoins:
            lateUntil = nil
            step.change()
        case .earlyCoins:
            earlyUntil = nil
            step.change()
        case .payer:
            past.forgetPayer()
            step.change()
        case .emergency, .faults, .commitBarrier, .counters:
            preconditionFailure("nothing is ever due in \(region)")
        }
    }

    /// Moves every instant that a region holds.
    public mutating func shiftInstants(of region: Region, by duration: Duration) {
        switch region {
        case .lane: lane.shiftInstants(by: duration)
        case .alarms: alarms.shiftInstants(by: duration)
        case .creditAccount: creditAccount.shiftInstants(by: duration)
        case .beams: beams.shiftInstants(by: duration)
        case .arm: arm.shiftInstants(by: duration)
        case .entryLock: locks.entry.shiftInstants(by: duration)
        case .exitLock: locks.exit.shiftInstants(by: duration)
        case .service: service.shiftInstants(by: duration)
        case .timetable: timetable.shiftInstants(by: duration)
        case .loiterer: loiterer.shiftInstants(by: duration)
        case .heldContacts: heldContacts.shiftInstants(by: duration)
        case .duties: duties.shiftInstants(by: duration)
        case .outage: outageEnd = outageEnd.map { $0 + duration }
        case .lateCoins: lateUntil = lateUntil.map { $0 + duration }
        case .earlyCoins: earlyUntil = earlyUntil.map { $0 + duration }
        case .payer:
            past.payerUntil = past.payerUntil.map { $0 + duration }
            if let limit = past.payer?.limit { past.payer?.limit = limit + duration }
        case .counters: counters.shiftInstants(by: duration)
        case .emergency, .faults, .commitBarrier: break
        }
    }

    /// Applies a new policy to a region; the gate is idle.
    mutating func adopt(_ policy: Policy, in region: Region, at time: Instant) {
        switch region {
        case .lane: lane.adopt(policy)
        case .emergency: emergency.adopt(policy)
        case .faults: faults.adopt(policy)
        case .creditAccount: creditAccount.adopt(policy)
        case .beams: beams.adopt(policy)
        case .arm: arm.adopt(policy)
        case .entryLock: locks.entry.adopt(policy)
        case .exitLock: locks.exit.adopt(policy)
        case .service: service.adopt(policy)
        case .timetable: timetable.adopt(policy, at: time)
        case .loiterer: loiterer.delay = policy.passDelayAlarm
        case .heldContacts: heldContacts.adopt(policy, at: time)
        case .counters: counters.adopt(policy)
        case .alarms, .commitBarrier, .duties, .outage, .lateCoins, .earlyCoins, .payer:
            break
        }
    }

    /// Whether a region waits for people or locks to follow the outputs.
    private func followsOutputs(_ region: Region) -> Bool {
        switch region {
        case .lane, .entryLock, .exitLock, .loiterer, .duties, .payer: true
        case .emergency, .faults, .alarms, .creditAccount, .commitBarrier, .beams, .arm, .service,
            .timetable, .heldContacts, .outage, .lateCoins, .earlyCoins, .counters:
            false
        }
    }

    mutating func postpone(by duration: Duration) {
        forEachRegion { gate, region in
            if gate.followsOutputs(region) { gate.shiftInstants(of: region, by: duration) }
        }
        updateDeadline()
    }

    mutating func shiftInstants(by duration: Duration) {
        forEachRegion { $0.shiftInstants(of: $1, by: duration) }
        updateDeadline()
    }
}
