import StateMachines

// The outputs, derived from the gate's state.
extension Gate {
    /// The gate's state, highest priority first: only the first that applies is shown.
    public enum Standing: Hashable, Sendable {
        /// It stands open in an emergency.
        case emergency
        /// The stop contact blocks both directions.
        case stopped
        /// The mechanic has it.
        case service
        /// Nobody may pass, because of this fault.
        case outOfService(Fault)
        /// It serves people.
        case inService
    }

    /// The gate's state.
    @inline(__always) public var standing: Standing {
        if emergency.isActive { return .emergency }
        if levels[.stop] { return .stopped }
        if service.isOn { return .service }
        if let fault = faults.reason { return .outOfService(fault) }
        return .inService
    }

    @inline(__always) var isInService: Bool {
        !emergency.isActive && !levels[.stop] && !service.isOn && !faults.isOutOfService
    }

    /// Whether the gate admits no further people: stopped, or out of service.
    @inline(__always) var isBlocked: Bool {
        !emergency.isActive && (levels[.stop] || !service.isOn && faults.isOutOfService)
    }

    /// Whether everybody may pass, in an emergency or in service mode.
    @inline(__always) var standsOpen: Bool { emergency.isActive || service.isOn }

    /// The wired outputs that are on in this state; nil before the start.
    public var drive: OutputSet? {
        guard hasStarted else { return nil }
        let standing = standing
        let on = wayOutputs(standing).union(indicatorOutputs(standing))
        return on.intersection(equipment.outputs)
    }

    /// Which of the locks and the arm are on.
    @inline(always) func wayOutputs(_ standing: Standing) -> OutputSet {
        var on = OutputSet()
        switch standing {
        case .emergency:
            on[.lockEntry] = !duties.entry.isResting
            on[.lockExit] = !duties.exit.isResting
            on.insert(OutputSet(.dropArm))
        case .service:
            if service.tested != nil { return tested.intersection(.ways) }
            on[.lockEntry] = isOpenInService(.entry)
            on[.lockExit] = isOpenInService(.exit)
        case .stopped, .outOfService:
            // Nobody is let in, but nobody is locked in either, also after service mode.
            on[.lockEntry] = isOpenInService(.entry) || staysReleased(.entry)
            on[.lockExit] = isOpenInService(.exit) || staysReleased(.exit)
        case .inService:
            on[.lockEntry] = lane.isReleased(.entry)
            on[.lockExit] = lane.isReleased(.exit)
        }
        return on
    }

    /// Which outputs other than the locks and the arm are on: lamps, acceptors, counters.
    @inline(always) func indicatorOutputs(_ standing: Standing) -> OutputSet {
        var on = OutputSet()
        switch standing {
        case .emergency: driveIndicators(&on, mayEnter: true)
        case .service:
            if service.tested != nil { return tested.subtracting(.ways).union(counters.on) }
            driveIndicators(&on, mayEnter: false)
        case .stopped, .outOfService: driveIndicators(&on, mayEnter: false)
        case .inService:
            on[.coinEnable] = acceptsCoins
            on[.ready] = !faults.refusesCoins
            driveIndicators(&on, mayEnter: lane.letsNextIn)
        }
        return on
    }

    /// The output under test, unless it was cut.
    @inline(always) private var tested: OutputSet {
        guard let tested = service.tested, !isCut(tested) else { return [] }
        return OutputSet(tested)
    }

    /// Whether the output, or any coil of its lock, was cut and awaits the repair.
    @inline(__always) func isCut(_ output: Output) -> Bool {
        if output == .lockEntry { return faults.isUp(anyOf: .entryLockCut) }
        if output == .lockExit { return faults.isUp(anyOf: .exitLockCut) }
        return faults.isUp(.energisedTooLong(output))
    }

    /// Whether the lock is released in service mode. One that cannot be held open is only for a
    /// person in the rotor: its on-time is kept for an emergency.
    @inline(always) private func isOpenInService(_ direction: Direction) -> Bool {
        service.isOn && !isCut(direction.lock)
            && (duties[direction].canHoldOpen || !isRotorHome)
    }

    /// Whether the lock is off for a rest after its longest on-time.
    public func isResting(_ direction: Direction) -> Bool { duties[direction].isResting }

    /// Whether the lock stays on for a person in the rotor; not once it was cut.
    @inline(always) private func staysReleased(_ direction: Direction) -> Bool {
        (lane.staysReleased(direction) || direction == .entry && holdsBothWays)
            && !isCut(direction.lock)
    }

    /// Whether the gate has one lock for both ways, and a person passing out depends on it.
    @inline(__always) private var holdsBothWays: Bool {
        !equipment.outputs[.lockExit] && lane.isHeldOpen(.exit) && lane.isReleased(.entry)
    }

    @inline(__always) private func driveIndicators(_ on: inout OutputSet, mayEnter: Bool) {
        on[.lampGo] = mayEnter
        on[.lampStop] = !mayEnter
        on.formUnion(counters.on)
        guard !alarms.up.isEmpty else { return }
        let isWeak = regime.enforcement == .weak
        on[.alarm] = !(isWeak ? alarms.up.subtracting(.aboutPassages) : alarms.up).isEmpty
        on[.buzzer] = isWeak && !alarms.up.isDisjoint(with: .aboutPassages)
    }
}

// Whether the gate takes coins, and whether it can release a lock.
extension Gate {
    @inline(always) var acceptsCoins: Bool {
        hasStarted && isInService && takesCoins
    }

    @inline(__always) private var takesCoins: Bool {
        regime.entry == .controlled && coinRefusal == nil
    }

    /// Why a gate in service refuses coins; nil while it takes them, or passages need none.
    @inline(__always) var coinRefusal: CoinRefusal? {
        if let fault = faults.coinReason { return .fault(fault) }
        switch regime.entry {
        case .locked: return .entryLocked
        case .free: return nil
        case .controlled: break
        }
        if past.ledger == .awaited { return .ledgerAwaited }
        if service.isAwaited { return .serviceAwaited }
        if isUnlocked {
            switch policy.coinWhileUnlocked {
            case .store: break
            case .reject: return .released
            case .thank: return nil
            }
        }
        return hasCapacity ? nil : .storeFull
    }

    /// Whether the gate can be released this way now: it is locked, and neither service mode nor
    /// new terms are pending. A person who leans on the arm delays new terms, and may pass first.
    @inline(__always) func mayAuthorise(_ direction: Direction) -> Bool {
        lane.state == .locked && !service.isAwaited
            && (!isChangeAwaited || rotor == .turning(direction))
    }

    /// Whether the lock can be released for the next passage; if its on-time would not last, it is
    /// paused first.
    @inline(__always) mutating func mayRelease(
        _ direction: Direction, _ step: borrowing StepContext
    ) -> Bool {
        duties[direction].canHoldOpen
            || duties[direction].mayRelease(
                for: policy.passWait, pause: policy.lockResponse, at: step.time)
    }

    /// Whether the entry is released already, for a fare or by an operator or contact.
    @inline(__always) var isUnlocked: Bool {
        isInService && lane.grant?.direction == .entry
    }

    /// How many authorisations are held: the one in use, the queue, and the fares of the credit.
    @inline(__always) public var held: Int {
        (lane.grant == nil ? 0 : 1) + queue.total + credit / policy.price
    }

    @inline(__always) var hasCapacity: Bool { held < policy.maxStored }
}
