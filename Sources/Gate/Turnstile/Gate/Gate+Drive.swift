import StateMachines

// What the outputs of a gate carry, as its state has it.
extension Gate {
    /// What the gate does, in the order of priority: the first that is the case hides the rest.
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

    /// What the gate does.
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

    /// Whether nobody new may pass, and nothing opens the gate either.
    @inline(__always) var isBlocked: Bool {
        !emergency.isActive && (levels[.stop] || !service.isOn && faults.isOutOfService)
    }

    /// Whether everybody may pass, for the emergency or for the mechanic.
    @inline(__always) var standsOpen: Bool { emergency.isActive || service.isOn }

    /// Which outputs are on in this state, of those that are wired; nil before the start.
    public var drive: OutputSet? {
        guard hasStarted else { return nil }
        let standing = standing
        let on = wayOutputs(standing).union(indicatorOutputs(standing))
        return on.intersection(equipment.outputs)
    }

    /// What lets people through: of the locks and the arm, those that are on.
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
            // Nobody is let in, but nobody is locked in either, be it one of the mechanic's people.
            on[.lockEntry] = isOpenInService(.entry) || staysReleased(.entry)
            on[.lockExit] = isOpenInService(.exit) || staysReleased(.exit)
        case .inService:
            on[.lockEntry] = lane.isReleased(.entry)
            on[.lockExit] = lane.isReleased(.exit)
        }
        return on
    }

    /// What tells people of the gate, takes their coins and counts them: of all but the locks and
    /// the arm, those that are on.
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

    /// Whether it, or a coil of the lock that it is, was on for too long and waits for the repair.
    @inline(__always) func isCut(_ output: Output) -> Bool {
        if output == .lockEntry { return faults.isUp(anyOf: .entryLockCut) }
        if output == .lockExit { return faults.isUp(anyOf: .exitLockCut) }
        return faults.isUp(.energisedTooLong(output))
    }

    /// Whether the lock stays released for the mechanic, and whoever is in the rotor: one that
    /// cannot be held open keeps all of its time for an emergency.
    @inline(always) private func isOpenInService(_ direction: Direction) -> Bool {
        service.isOn && !isCut(direction.lock)
            && (duties[direction].canHoldOpen || !isRotorHome)
    }

    /// Whether the lock is off for a rest, and opens again in an emergency.
    public func isResting(_ direction: Direction) -> Bool { duties[direction].isResting }

    /// Whether the lock would close on somebody, and may still be on.
    @inline(always) private func staysReleased(_ direction: Direction) -> Bool {
        (lane.staysReleased(direction) || direction == .entry && holdsBothWays)
            && !isCut(direction.lock)
    }

    /// Whether the only lock, released as somebody set out the other way, may hold them too.
    @inline(__always) private var holdsBothWays: Bool {
        !equipment.outputs[.lockExit] && lane.isHeldOpen(.exit) && lane.isReleased(.entry)
    }

    /// What tells people of the gate, and counts them.
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

// Whether the gate takes coins, and so whether the acceptors are inhibited.
extension Gate {
    @inline(always) var acceptsCoins: Bool {
        hasStarted && isInService && takesCoins
    }

    @inline(__always) private var takesCoins: Bool {
        regime.entry == .controlled && coinRefusal == nil
    }

    /// Why a gate in service refuses coins; nil while it takes them, or nobody who comes needs any.
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

    /// Whether somebody can be let pass this way now: nobody has the gate, and neither service
    /// mode nor new terms are pending. These are pending as well while somebody leans on the arm,
    /// who may pass the way they lean.
    @inline(__always) func mayAuthorise(_ direction: Direction) -> Bool {
        lane.state == .locked && !service.isAwaited
            && (!isChangeAwaited || rotor == .turning(direction))
    }

    /// Whether the lock can be released for the next one; one that was on for too long without a
    /// break is let go first.
    @inline(__always) mutating func mayRelease(
        _ direction: Direction, _ step: borrowing StepContext
    ) -> Bool {
        duties[direction].canHoldOpen
            || duties[direction].mayRelease(
                for: policy.passWait, pause: policy.lockResponse, at: step.time)
    }

    /// Whether somebody may come in already, and has it from a coin or a contact.
    @inline(__always) var isUnlocked: Bool {
        isInService && lane.grant?.direction == .entry
    }

    /// How many authorisations are held: the one that is being used, those by contact that wait,
    /// and those that the credit pays for.
    @inline(__always) public var held: Int {
        (lane.grant == nil ? 0 : 1) + queue.total + credit / policy.price
    }

    @inline(__always) var hasCapacity: Bool { held < policy.maxStored }
}
