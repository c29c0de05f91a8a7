import StateMachines

// What follows from the regions' states as they are together.
extension Gate {
    mutating func settle(
        at time: Instant, _ log: inout Log, _ perform: (Command) -> Void
    ) {
        guard hasStarted else { return }
        let isBlocked = isBlocked
        lane.isBlocked = isBlocked
        if isBlocked, case .released = lane.state, !lane.isOccupied {
            note(lane.handle(.suspended), at: time, &log)
        }
        if isLaneClear {
            if emergency.state == .awaitingClearLane {
                note(emergency.handle(.laneCleared), at: time, &log, perform)
            }
            switch service.state {
            case .awaitingIdle where mayService(log):
                note(service.handle(.idled(at: time)), at: time, &log)
            case .leaving: note(service.handle(.laneCleared), at: time, &log)
            case .awaitingIdle, .off, .turned, .testing, .on: break
            }
        }
        watchDoors(at: time, &log)
        watchRotor(at: time, &log)
        // The arm may be home again, and the fault of it over.
        lane.isBlocked = self.isBlocked
        releaseStored(at: time, &log, perform)
        if !isLaneClear, !standsOpen, lane.state == .locked { noticePerson(at: time, &log) }
        followCredit(at: time, &log)
    }

    /// Whether the mechanic can have the gate.
    func mayService(_ log: borrowing Log) -> Bool {
        guard isLaneClear else { return false }
        switch lane.state {
        case .locked, .suspended:
            return !emergency.isActive && !levels[.stop] && counters.areIdle
                && log.counts.wired(in: equipment.outputs).isEmpty
        case .released, .passing, .recovering: return false
        }
    }

    /// Open doors and a vault that is gone are alarms, unless the mechanic has the gate.
    private mutating func watchDoors(at time: Instant, _ log: inout Log) {
        let isVaultGone = equipment.inputs[.vaultPresent] && !levels[.vaultPresent]
        show(.cabinetOpen, levels[.cabinetTamper], at: time, &log)
        show(.vaultOpen, levels[.vaultDoor] || isVaultGone, at: time, &log)
    }

    private mutating func show(
        _ alarm: Alarm, _ isOpen: Bool, at time: Instant, _ log: inout Log
    ) {
        let isRaised = isOpen && !service.isOn
        guard isRaised != alarms.up[alarm] else { return }
        note(alarms.handle(isRaised ? .raised(alarm, .whileItLasts) : .over(alarm)), at: time, &log)
    }

    /// The home contact and the beams, where there are any.
    private mutating func watchRotor(at time: Instant, _ log: inout Log) {
        if equipment.inputs[.home] {
            let hangs =
                equipment.outputs[.dropArm] && (emergency.isActive || service.tested == .dropArm)
            let event: ArmWatch.Event =
                hangs
                ? .suspended
                : .changed(isHome: levels[.home], sensorsAtRest: isLaneClear, at: time)
            note(arm.handle(event), at: time, &log)
        }
        if !equipment.inputs.isDisjoint(with: .beams) {
            let isBroken = !isLaneClear && !standsOpen
            note(beams.handle(.changed(isBroken: isBroken, at: time)), at: time, &log)
        }
        note(loiterer.handle(isShown: !isLaneClear && !standsOpen, at: time), at: time, &log)
    }

    /// The locks' feedback, where there is any, against what the locks are driven to now.
    mutating func watchLocks(at time: Instant, _ log: inout Log) {
        guard hasStarted, !equipment.inputs.isDisjoint(with: .lockFeedback) else { return }
        if equipment.inputs[.lockFeedback] {
            let event = lockEvent(.entry, driven, at: time)
            note(locks.entry.handle(event), of: .entry, at: time, &log)
        }
        if equipment.inputs[.lockFeedbackExit] {
            let event = lockEvent(.exit, driven, at: time)
            note(locks.exit.handle(event), of: .exit, at: time, &log)
        }
    }

    private func lockEvent(
        _ direction: Direction, _ driven: OutputSet, at time: Instant
    ) -> LockWatch.Event {
        .changed(
            isCommanded: driven[direction.lock], isReleased: levels[direction.lockFeedback],
            isRotorHome: isLaneClear, at: time)
    }

    /// Whether credit is held for nobody, and since when coins are no longer accepted.
    private mutating func followCredit(at time: Instant, _ log: inout Log) {
        if credit > 0 {
            let isWaiting =
                lane.state == .locked && regime.entry == .controlled && isInService
            note(purse.handle(.waited(isWaiting, at: time)), at: time, &log)
        }
        let isAccepting = acceptsCoins
        if isAccepting {
            lateUntil = nil
            toldRefusal = nil
        } else if wasAccepting && policy.lateCoinWindow > .zero {
            lateUntil = time + policy.lateCoinWindow
        }
        wasAccepting = isAccepting
        newFares = min(newFares, credit / policy.price)
        guard lane.state == .locked, isInService else { return }
        // Whoever has paid and waits until all is stored has not been served yet.
        if safekeeping.state != .awaited { newFares = 0 }
        tellRefusal(&log)
    }

    /// Tells why coins are refused, once, unless something else tells of it.
    private mutating func tellRefusal(_ log: inout Log) {
        let refusal = equipment.inputs[.coinPulse] ? coinRefusal : nil
        guard refusal != toldRefusal else { return }
        toldRefusal = refusal
        switch refusal {
        case .entryLocked, .storeFull: refusal.map { log.record(.coinsRefused($0)) }
        case .fault, .ledgerAwaited, .released, .serviceAwaited, nil: break
        }
    }
}
