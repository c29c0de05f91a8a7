import StateMachines

@testable import Turnstile

extension Law {
    /// What becomes of money.
    static let money = [
        Law(name: "value in is fares used, credit held, expired and forfeited (11)") { seen in
            var registers = Registers(before: seen)
            let knowsFares = seen.world.notebook.map { $0.closed == nil } ?? false
            for record in seen.records where !registers.follow(record, knowsFares) { return false }
            return registers == Registers(seen.gate, seen.world)
        },
        Law(name: "the records come to what the gate holds (10)") { seen in
            guard let notebook = seen.world.notebook, notebook.mayRestart, notebook.closed == nil,
                seen.drive != nil
            else { return true }
            let registers = Registers(seen.gate, seen.world)
            return notebook.all.credit == registers.credit
                && notebook.all.fareInUse == registers.fare
        },
    ]

    /// What holds of every machine of this kind, and of its log.
    static let form = [
        Law(name: "a new policy and a new regime come into force while the gate is idle (13)") {
            seen in
            let isNew = seen.gate.policy != seen.gateBefore.policy
            guard isNew || seen.gate.regime != seen.gateBefore.regime else { return true }
            guard seen.wasDriven != nil else { return true }
            // Who waited may be let pass by the new terms, in the same step.
            let isNext = seen.records.contains { if case .released = $0 { true } else { false } }
            return (isNext || seen.gate.lane.state == .locked) && seen.inputs.isRotorHome
                && !seen.after.turnstile.isCounting
                && !seen.gate.emergency.isActive && !seen.inputs[.stop] && !seen.gate.service.isOn
                && isNew == seen.records.contains(.policyChanged(by: .settings))
        },
        Law(name: "nobody is let pass before new terms that wait") { seen in
            guard seen.gateBefore.isChangeAwaited, seen.gate.isChangeAwaited,
                seen.inputs.isRotorHome
            else { return true }
            return !seen.records.contains { if case .released = $0 { true } else { false } }
        },
        Law(name: "nobody waits to pass a way that is not controlled") { seen in
            let stored = seen.gate.queue
            return Direction.allCases.allSatisfy { direction in
                seen.gate.regime[direction] == .controlled
                    || stored[direction] == 0
                        && !stored.people.contains { $0.direction == direction }
            }
        },
        Law(name: "no credit expires while a coin is counted (8)") { seen in
            let isExpired = seen.records.contains {
                if case .creditExpired = $0 { true } else { false }
            }
            return !isExpired || !seen.before.turnstile.gate.isCoinExpected
        },
        Law(name: "what is deferred leaves what is in force (13)") { seen in
            // What waited for something that was over in the same tick waits no longer.
            let isLate = seen.event == .ticked && seen.after.turnstile.isIdle
            if seen.records.contains(.policyDeferred) {
                return seen.gate.policy == seen.gateBefore.policy
            }
            return !seen.records.contains(.scheduleDeferred) || isLate
                || seen.gate.regime == seen.gateBefore.regime
        },
        Law(name: "what is not handled changes nothing") { seen in
            guard !seen.outcome.isHandled else { return true }
            var before = seen.before.turnstile
            if seen.event == .ticked { before.shiftInstants(by: .zero - seen.before.scene.tick) }
            return before == seen.after.turnstile
        },
        Law(name: "every event but a second start is decided") { seen in
            let hasStarted = seen.wasDriven != nil
            switch seen.event {
            case .started: return seen.outcome.isHandled == !seen.gateBefore.hasStarted
            case .restarted, .ledgerOpened: return seen.outcome.isHandled
            case .clockRead: return seen.outcome.isHandled
            case _: return seen.outcome != .unhandled || !hasStarted
            }
        },
        Law(name: "no deadline is left behind") { seen in
            seen.after.turnstile.deadline.map { $0 > .zero } ?? true
        },
        Law(name: "the records tell what became of the gate") { seen in
            var told = Told(seen.gateBefore, seen.before.inputs)
            if let past = seen.past { told = Told(past, seen.gate, seen.inputs) }
            for record in seen.records where !told.follow(record) { return false }
            told.knowsNothing = false
            return told == Told(seen.gate, seen.inputs)
        },
        Law(name: "a contact that tells of a fault is one, and an open door an alarm") { seen in
            guard seen.drive != nil else { return true }
            let faults = seen.gate.faults
            let isMissing = seen.equipment.inputs[.vaultPresent] && !seen.inputs[.vaultPresent]
            return (faults.isUp(.external) || !seen.inputs[.externalFault])
                && faults.isUp(.powerLow) == seen.inputs[.powerLow]
                && faults.isUp(.coinJam) == seen.inputs[.coinJam]
                && faults.isUp(.vaultMissing) == isMissing
                && faults.isUp(.vaultFull) == seen.inputs[.vaultFull]
                && seen.warns(.vaultOpen, seen.inputs[.vaultDoor] || isMissing)
                && seen.warns(.cabinetOpen, seen.inputs[.cabinetTamper])
        },
    ]
}

extension Observation {
    /// Whether the alarm is up if something is open, and no mechanic has the gate.
    fileprivate func warns(_ alarm: Alarm, _ isOpen: Bool) -> Bool {
        gate.alarms.up[alarm] == (isOpen && !gate.service.isOn)
    }
}

/// What people have paid and not used, by the records so far: the credit, and the fare of whoever
/// may pass now.
private struct Registers: Equatable {
    var credit: Int
    var fare: Int

    init(_ gate: Gate, _ world: World) {
        credit = gate.credit
        fare = world.notebook?.fareBefore ?? 0
        if case .credit(let fare)? = gate.lane.grant?.authorisation { self.fare = fare }
    }

    /// The books as a step begins, with what comes into them by itself.
    init(before seen: Observation) {
        self.init(seen.gateBefore, seen.before.world)
        if let past = seen.past {
            // The first start opens its ledger at once.
            credit = seen.gateBefore.hasStarted ? 0 : past.balances?.credit ?? 0
            fare = past.balances?.fareInUse ?? 0
        } else if seen.event == .ledgerOpened {
            credit += seen.before.world.notebook?.closed?.credit ?? 0
        }
    }

    /// Hears a record; false when it tells of money that is not there, as far as it is known what
    /// was paid before the start.
    mutating func follow(_ record: Record, _ knowsFares: Bool) -> Bool {
        switch record {
        case .coinAccepted(let coin), .coinLate(let coin): credit += coin.value
        case .creditUsed(let value):
            guard fare == 0 else { return false }
            credit -= value
            fare = value
        case .creditReturned(let value):
            guard fare == value else { return false }
            credit += value
            fare = 0
        case .creditForfeited(let value), .creditExpired(let value): credit -= value
        case .passageCompleted(_, .paid), .passageLost(_, .paid), .passageRecovered(_, .paid):
            guard fare > 0 || !knowsFares else { return false }
            fare = 0
        case _: break
        }
        return credit >= 0
    }
}

/// What is so by the records so far.
private struct Told: Equatable {
    var isEmergency: Bool
    var isOutOfService: Bool
    var isService: Bool
    var isStopped: Bool
    var alarms: AlarmSet
    var faults: FaultSet
    var regime: Regime
    /// Whether not to know is to have an emergency.
    var knowsNothing = false

    init(_ gate: Gate, _ levels: InputLevels) {
        isEmergency = gate.emergency.isActive
        isOutOfService = gate.faults.reason != nil
        isService = gate.service.isOn
        isStopped = levels[.stop] && gate.hasStarted
        alarms = gate.alarms.up
        faults = gate.faults.up
        regime = gate.regime
    }

    /// What is so as a gate starts that knows this of the one before, and has told nothing yet.
    init(_ past: Past, _ gate: Gate, _ levels: InputLevels) {
        isEmergency = false
        isOutOfService = false
        isStopped = false
        alarms = []
        faults = []
        // What the clock asks for before the start applies from the start.
        regime = gate.regime
        if case .known(let state) = past.recovery, state.terms != Terms() {
            regime = gate.policy.regime
        }
        let opensAnyway = !gate.equipment.inputs[.fire] || levels[.fire]
        switch past.recovery {
        case .known(let state): isService = state.isInServiceMode
        case .unknown: isService = false
        }
        knowsNothing = !opensAnyway
    }

    /// Hears a record; false when it tells what is so already.
    mutating func follow(_ record: Record) -> Bool {
        let before = self
        switch record {
        case .emergencyStarted, .emergencyRecovered: isEmergency = true
        case .stateUnknown:
            isEmergency = knowsNothing
            return true
        case .emergencyReset: isEmergency = false
        case .outOfService: isOutOfService = true
        case .inService: isOutOfService = false
        case .serviceStarted: isService = true
        case .serviceEnded: isService = false
        case .stopBegan: isStopped = true
        case .stopEnded: isStopped = false
        case .alarmRaised(let alarm), .alarmRecovered(let alarm): alarms[alarm] = true
        case .alarmCleared(let alarm): alarms[alarm] = false
        case .faultRaised(let fault), .faultRecovered(let fault): faults[fault] = true
        case .faultCleared(let fault): faults[fault] = false
        case .modeChanged(.entry, let mode, _): regime.entry = mode
        case .modeChanged(.exit, let mode, _): regime.exit = mode
        case .enforcementChanged(let enforcement, _): regime.enforcement = enforcement
        case _: return true
        }
        return self != before
    }
}
