import StateMachines

@testable import Turnstile

extension Law {
    /// Who can pass, by what the locks carry.
    static let locks = [
        Law(name: "an open loop releases both ways, drops the arm, refuses coins (1)") { seen in
            guard seen.drive != nil else { return true }
            guard seen.inputs[.fire] || seen.gate.emergency.isActive else { return true }
            // A lock that was on for as long as it may be rests: the hardware has to see to it.
            let stand = seen.locks.allSatisfy { seen.isOn($0.lock) != seen.rests($0) }
            return stand && seen.isOn(.dropArm) == seen.equipment.outputs[.dropArm]
                && !seen.isOn(.coinEnable)
                && !seen.commands.contains(.set(.coinEnable, isOn: true))
                && !seen.commands.contains(.set(.dropArm, isOn: false))
                && seen.locks.allSatisfy {
                    seen.rests($0) || !seen.commands.contains(.set($0.lock, isOn: false))
                }
        },
        Law(name: "a lock rests in an emergency only after it was on for as long as it may be (1)")
        {
            seen in
            guard seen.gate.emergency.isActive else { return true }
            return seen.locks.allSatisfy { direction in
                guard seen.rests(direction), !seen.gateBefore.duties[direction].isResting else {
                    return true
                }
                return seen.event == .outputCut(direction.lock)
                    || seen.event == .ticked && seen.before.world.lockTicks[direction] >= 2
            }
        },
        Law(name: "no lock closes since an emergency begins (1, 5)") { seen in
            guard !seen.gateBefore.emergency.isActive, seen.gate.emergency.isActive else {
                return true
            }
            return seen.locks.allSatisfy {
                !seen.wasOn($0.lock) || seen.isOn($0.lock) || seen.event == .outputCut($0.lock)
            }
        },
        Law(name: "nobody who asks has a lock cut, but whoever stands in the rotor (1)") { seen in
            guard seen.event == .ticked, !seen.gateBefore.emergency.isActive else { return true }
            return seen.locks.allSatisfy { direction in
                !seen.records.contains(.faultRaised(.energisedTooLong(direction.lock)))
                    || !seen.world.rotor.isHome || !seen.before.world.rotor.isHome
                    // A test right after somebody who stood there.
                    || seen.gateBefore.service.tested == direction.lock
                    || seen.gate.service.tested == direction.lock
            }
        },
        Law(name: "no way is free that cannot be held open, whoever asks") { seen in
            seen.locks.allSatisfy {
                seen.gate.duties[$0].canHoldOpen || seen.gate.regime[$0] != .free
            }
        },
        Law(name: "a loop that cannot be read is open (1)") { seen in
            !seen.world.isLoopUnreadable || seen.drive == nil || seen.gate.emergency.isActive
        },
        Law(name: "an emergency ends with a reset, a closed loop and a clear lane (2)") { seen in
            guard seen.gateBefore.emergency.isActive, !seen.gate.emergency.isActive else {
                return true
            }
            if seen.hasForgottenEmergency { return true }
            let isReset = seen.policy.fireReset == .auto || seen.world.wasReset
            return isReset && !seen.inputs[.fire] && seen.inputs.isRotorHome
                && seen.world.rotor.isHome
                && !seen.gate.faults.isUp(.line(.input(.fire), .unreadable))
        },
        Law(name: "a start ends no emergency, and begins one where nobody knows (2)") { seen in
            guard let past = seen.past, seen.equipment.inputs[.fire] else { return true }
            switch past.recovery {
            case .known(let state):
                if !state.isEmergency { return true }
            case .unknown: break
            }
            let isOver =
                seen.policy.fireReset == .auto && !seen.inputs[.fire] && seen.inputs.isRotorHome
            return isOver || seen.gate.emergency.isActive
        },
        Law(name: "whoever is in the rotor at the start may leave either way (5)") { seen in
            guard seen.past != nil, !seen.inputs.isRotorHome, !seen.isArmAtRest else { return true }
            return seen.locks.allSatisfy {
                seen.isOn($0.lock) || seen.isCut($0) || seen.rests($0)
            }
        },
        Law(name: "no lock closes on somebody in the rotor (5)") { seen in
            seen.locks.allSatisfy { direction in
                guard seen.wasOn(direction.lock), !seen.isOn(direction.lock) else { return true }
                if seen.world.rotor.isHome || seen.gateBefore.service.tested == direction.lock
                    || seen.event == .outputCut(direction.lock)
                    || seen.gate.duties[direction].isResting
                    || seen.past != nil && (seen.isCut(direction) || seen.isArmAtRest)
                {
                    return true
                }
                guard let turned = seen.world.rotor.quarters else { return false }
                let quarters = direction == .entry ? turned : -turned
                if quarters == 2 && seen.policy.relockAt == .middle { return true }
                // Whoever leans on the other lock is not on their way through a free one.
                return quarters < 0 && seen.gate.regime[direction] == .free
            }
        },
        Law(name: "no way closes while nobody knows whether somebody moves (2, 5)") { seen in
            guard !seen.world.rotor.isKnown, seen.past == nil else { return true }
            return [Output.lockEntry, .lockExit, .dropArm].allSatisfy {
                !seen.wasOn($0) || seen.isOn($0) || seen.event == .outputCut($0)
                    || seen.gateBefore.service.tested == $0
            }
        },
        Law(name: "emergency, stop, service, fault, mode, authorisation, lock (14)") { seen in
            guard seen.drive != nil, !seen.gate.emergency.isActive else { return true }
            return seen.locks.allSatisfy { seen.isOn($0.lock) == seen.mustRelease($0) }
        },
        Law(name: "an arm drops in an emergency alone") { seen in
            !seen.isOn(.dropArm) || seen.gate.emergency.isActive
                || seen.gate.service.tested == .dropArm
        },
        Law(name: "a lock that does not engage is a fault only with the arm held at rest") { seen in
            seen.locks.allSatisfy { direction in
                let fault = Fault.lockNotResponding(direction)
                guard seen.records.contains(.faultRaised(fault)), !seen.wasOn(direction.lock)
                else { return true }
                let showsRest = !seen.equipment.inputs[.home] || seen.before.inputs[.home]
                return showsRest && seen.before.world.rotor.isHome
                    && !seen.wasOn(direction.opposite.lock)
            }
        },
    ]

    /// What tells people of the gate, and how outputs are commanded.
    static let indicators = [
        Law(name: "the lamps say whether the next one may go in") { seen in
            guard seen.isNormal else { return true }
            let mayGo =
                seen.gate.emergency.isActive
                || seen.gate.standing == .inService && seen.gate.lane.letsNextIn
            return seen.shows(.lampGo, mayGo) && seen.shows(.lampStop, !mayGo)
        },
        Law(name: "a gate is ready that serves people, and has no fault that keeps it") { seen in
            guard seen.isNormal else { return true }
            return seen.shows(
                .ready, seen.gate.standing == .inService && !seen.gate.faults.refusesCoins)
        },
        Law(name: "a vault that is full refuses coins where the policy says so, or warns") { seen in
            guard seen.isNormal, seen.gate.standing == .inService else { return true }
            let faults = seen.gate.faults
            let isUnread = faults.isUp(.line(.input(.vaultFull), .unreadable))
            guard seen.inputs[.vaultFull] || isUnread else { return true }
            let isElse = [.coinJam, .coinLineStuck(.first), .noiseBurst(.first)].contains {
                faults.isUp($0)
            }
            let isReason =
                seen.after.turnstile.status.limitation == .coinsRefused(.fault(.vaultFull))
            switch seen.policy.vaultFull {
            case .warn: return !isReason && seen.shows(.ready, !isElse)
            case .refuse:
                return !seen.gate.acceptsCoins && seen.shows(.ready, false)
                    && (isReason || isElse || isUnread)
            }
        },
        Law(name: "the siren sounds, or the buzzer, as the enforcement has it") { seen in
            guard seen.isNormal else { return true }
            let isWeak = seen.gate.regime.enforcement == .weak
            let up = Alarm.allCases.filter { seen.gate.alarms[$0] != nil }
            let buzzes = isWeak && up.contains(where: \.isAboutPassage)
            let sounds = isWeak ? up.contains { !$0.isAboutPassage } : !up.isEmpty
            return seen.shows(.alarm, sounds) && seen.shows(.buzzer, buzzes)
        },
        Law(name: "the self-test has one output on, and all others off") { seen in
            guard let tested = seen.gate.service.tested, let drive = seen.drive else {
                return true
            }
            let pulses = OutputSet([.countPulse, .coinMeter, .coinReject])
            let on = drive.subtracting(pulses)
            return on == OutputSet(tested).subtracting(pulses) || on.isEmpty && seen.isCut(tested)
        },
        Law(name: "the commands are the difference of what is driven") { seen in
            var drive = seen.wasDriven ?? []
            for (output, isOn) in seen.targets {
                guard seen.wasDriven == nil || drive[output] != isOn else { return false }
                drive[output] = isOn
            }
            return drive == seen.drive ?? []
        },
        Law(name: "an edge commands no output twice, none that is not wired, all at first") {
            seen in
            // Of several things that are due at once, or come to light, each is driven on its own.
            // So is what waited for the end of a passage: the mechanic, the policy, the schedule.
            let waited = seen.gateBefore.service.isOn != seen.gate.service.isOn || seen.changesTerms
            let isEdge = if case .changed = seen.event { !waited } else { false }
            var commanded = OutputSet()
            for (output, _) in seen.targets {
                guard seen.equipment.commanded[output] else { return false }
                guard !isEdge || !commanded[output] else { return false }
                commanded[output] = true
            }
            let isFirst = seen.wasDriven == nil && seen.drive != nil
            return !isFirst || commanded == seen.equipment.commanded
        },
        Law(name: "what is done comes before what is said") { seen in
            // What the shell does about a lock that was on for too long is an event of its own.
            if seen.event == .ticked, seen.after.scene.lockTicks != nil { return true }
            let targets = seen.commands.map { if case .set = $0 { true } else { false } }
            return !targets.drop { $0 }.contains(true)
        },
    ]
}

extension Observation {
    var commands: Commands<Command> { outcome.commands }

    /// Whether a policy or a regime comes into force.
    fileprivate var changesTerms: Bool {
        gate.policy != gateBefore.policy || gate.regime != gateBefore.regime
    }

    /// The ways that have a lock.
    var locks: [Direction] { Direction.allCases.filter { equipment.outputs[$0.lock] } }

    /// Whether a disk is all that knows of an emergency, and had not heard of how far it is.
    fileprivate var hasForgottenEmergency: Bool {
        guard case .restarted(.older, _) = event else { return false }
        return !before.world.olderState.isEmergency
    }

    /// Whether the arm is at rest as the gate starts, and nobody was known to be in the rotor.
    fileprivate var isArmAtRest: Bool {
        guard equipment.inputs[.home], inputs[.home] else { return false }
        if case .known(let state)? = past?.recovery { return state.passage == nil }
        return true
    }

    /// Whether no output is being tested.
    fileprivate var isNormal: Bool { drive != nil && gate.service.tested == nil }

    fileprivate func shows(_ output: Output, _ isOn: Bool) -> Bool {
        self.isOn(output) == (isOn && equipment.outputs[output])
    }

    fileprivate func isCut(_ direction: Direction) -> Bool { isCut(direction.lock) }

    fileprivate func rests(_ direction: Direction) -> Bool { gate.duties[direction].isResting }

    func isCut(_ output: Output) -> Bool {
        gate.faults.isUp(.energisedTooLong(output))
    }

    /// Whether the lock is released by the rules, when there is no emergency.
    fileprivate func mustRelease(_ direction: Direction) -> Bool {
        let lane = gate.lane
        if isCut(direction) { return false }
        if case .recovering = lane.state { return true }
        // One that cannot be held open is so for whoever is in the rotor alone.
        let isOpenInService =
            gate.service.isOn && (gate.duties[direction].canHoldOpen || !gate.isRotorHome)
        if inputs[.stop] { return lane.staysReleased(direction) || isOpenInService }
        if gate.service.isOn {
            return gate.service.tested.map { $0 == direction.lock } ?? isOpenInService
        }
        if gate.faults.reason != nil { return lane.staysReleased(direction) }
        switch gate.regime[direction] {
        case .free: return true
        case .locked: return false
        case .controlled:
            switch lane.state {
            case .locked, .suspended: return false
            case .released(let grant, _): return grant.direction == direction
            case .passing(let passage):
                return passage.grant.direction == direction && !passage.isRelocked
            case .recovering: return true
            }
        }
    }
}
