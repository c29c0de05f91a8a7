import StateMachines

// The consequences of the regions' combined state.
extension Gate {
    mutating func updateRegions(_ step: inout StepContext) {
        guard hasStarted else { return }
        blockLane()
        suspendLane(&step)
        if isLaneClear {
            if emergency.state == .awaitingClearLane, isLaneSeen {
                apply(emergency.handle(.laneCleared), &step)
            }
            switch service.state {
            case .awaitingIdle where mayService(step):
                apply(service.handle(.idled(at: step.time)), &step)
            case .leaving where isLaneSeen: apply(service.handle(.laneCleared), &step)
            case .awaitingIdle, .leaving, .off, .turned, .testing, .on: break
            }
        }
        watchDoors(&step)
        watchRotor(&step)
        // The arm's fault may have ended.
        blockLane()
        releaseQueued(&step)
        if !isRotorHome, !standsOpen, lane.state == .locked { detectPersonInRotor(&step) }
        updateCreditExpiry(&step)
    }

    /// Blocks the lane, or no longer. In service mode it is shut: its locks are the mechanic's.
    mutating func blockLane() { lane.block(isBlocked, isShut: service.isOn) }

    /// Suspends a release that nobody has used yet, if the gate is blocked.
    private mutating func suspendLane(_ step: inout StepContext) {
        guard lane.isBlocked, !lane.isOccupied, case .released(let grant, _) = lane.state else {
            return
        }
        let way = grant.direction
        apply(lane.handle(isCut(way.lock) ? .lockCut(way) : .suspended), &step)
    }

    /// Whether service mode can begin.
    func mayService(_ step: borrowing StepContext) -> Bool {
        guard isLaneClear else { return false }
        switch lane.state {
        case .locked, .suspended:
            return !emergency.isActive && !levels[.stop] && counters.areIdle
                && step.counts.wired(in: equipment.outputs).isEmpty
        case .released, .passing, .recovering: return false
        }
    }

    /// Open doors and a missing vault are alarms, except in service mode.
    private mutating func watchDoors(_ step: inout StepContext) {
        let guards = InputLevels.guards
        let gone = guards.active.intersection(equipment.inputs).subtracting(levels)
        let moved = levels.subtracting(guards.active).union(gone)
        setAlarm(.cabinetOpen, !moved.isDisjoint(with: guards.cabinet), &step)
        setAlarm(.vaultOpen, !moved.isDisjoint(with: guards.vault), &step)
    }

    @inline(__always) private mutating func setAlarm(
        _ alarm: Alarm, _ isOpen: Bool, _ step: inout StepContext
    ) {
        let isRaised = isOpen && !service.isOn
        guard isRaised != alarms.up[alarm] else { return }
        apply(alarms.handle(isRaised ? .raised(alarm, .whileItLasts) : .over(alarm)), &step)
    }

    /// The home contact and the beams, where there are any.
    private mutating func watchRotor(_ step: inout StepContext) {
        if equipment.inputs[.home] {
            let hangs =
                equipment.outputs[.dropArm] && (emergency.isActive || service.tested == .dropArm)
            let event: ArmWatch.Event =
                hangs
                ? .suspended
                : .changed(isHome: levels[.home], sensorsAtRest: isRotorHome, at: step.time)
            apply(arm.handle(event), &step)
        }
        if !equipment.inputs.isDisjoint(with: .beams) {
            let isBroken = !isRotorHome && !standsOpen
            apply(beams.handle(.changed(isBroken: isBroken, at: step.time)), &step)
        }
        apply(loiterer.handle(isShown: !isRotorHome && !standsOpen, at: step.time), &step)
    }

    /// Compares the locks' feedback, if wired, with their outputs.
    mutating func watchLocks(_ step: inout StepContext) {
        guard hasStarted, !equipment.inputs.isDisjoint(with: .lockFeedback) else { return }
        if equipment.inputs[.lockFeedback] {
            let event = lockEvent(.entry, driven, at: step.time)
            apply(locks.entry.handle(event), &step)
        }
        if equipment.inputs[.lockFeedbackExit] {
            let event = lockEvent(.exit, driven, at: step.time)
            apply(locks.exit.handle(event), &step)
        }
    }

    private func lockEvent(
        _ direction: Direction, _ driven: OutputSet, at time: Instant
    ) -> LockWatch.Event {
        // An arm that the other lock releases may stand where no line shows it yet.
        let isArmHeld = !driven[direction.opposite.lock]
        return .changed(
            isCommanded: driven[direction.lock], isReleased: levels[direction.lockFeedback],
            canEngage: isArmHeld && isArmAtRest, at: time)
    }

    /// Whether the arm is at rest, as far as the lines show.
    private var isArmAtRest: Bool {
        isRotorHome && (levels[.home] || !equipment.inputs[.home])
    }

    /// Whether unused credit waits while the gate is idle: only then does it expire.
    private mutating func updateCreditExpiry(_ step: inout StepContext) {
        if credit > 0 {
            let isWaiting =
                lane.state == .locked && regime.entry == .controlled && isInService
                && !isChangeAwaited && !isCoinExpected
            apply(creditAccount.handle(.waited(isWaiting, at: step.time)), &step)
        }
        newFares = min(newFares, credit / policy.price)
        guard lane.state == .locked, isInService else {
            // A passenger held up by a block has the whole wait once it ends.
            if past.ledger == .open { past.payer?.limit = nil }
            return
        }
        // A passenger whose fare is not durable yet, or whose lock pauses, has not been served yet.
        let isAwaited = commitBarrier.state == .awaited || duties.entry.isPausing || isChangeAwaited
        guard !isAwaited else { return }
        newFares = 0
        if past.ledger == .open { past.forgetPayer() }
    }
}

// After all other consequences of an event: only then are the acceptors' outputs known.
extension Gate {
    /// Begins the windows for early and late coins, and records why coins are refused.
    mutating func updateAcceptors(_ step: inout StepContext) {
        guard hasStarted else { return }
        let isAccepting = acceptsCoins
        if isAccepting {
            lateUntil = nil
            toldRefusal = nil
            if !wasAccepting && policy.earlyCoinWindow > .zero {
                earlyUntil = step.time + policy.earlyCoinWindow
            }
        } else {
            earlyUntil = nil
            if wasAccepting && policy.lateCoinWindow > .zero {
                lateUntil = step.time + policy.lateCoinWindow
            }
        }
        wasAccepting = isAccepting
        if lane.state == .locked, isInService { recordCoinRefusal(&step) }
    }

    /// Records once why coins are refused, unless another record says so.
    private mutating func recordCoinRefusal(_ step: inout StepContext) {
        let refusal = equipment.inputs[.coinPulse] ? coinRefusal : nil
        guard refusal != toldRefusal else { return }
        toldRefusal = refusal
        switch refusal {
        case .entryLocked, .storeFull: refusal.map { step.record(.coinsRefused($0)) }
        case .fault, .ledgerAwaited, .released, .serviceAwaited, nil: break
        }
    }
}
