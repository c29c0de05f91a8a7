import StateMachines
public import Turnstile

// What every output carries.
extension PlainGate {
    /// The outputs that are on, of those that are wired.
    public var on: OutputSet {
        guard hasStarted else { return [] }
        let wired = equipment.outputs
        if let tested {
            let counting = OutputSet(pulses.filter { $0.value.isOn }.map(\.key))
            return (isCut(tested) ? [] : OutputSet(tested)).union(counting).intersection(wired)
        }
        return OutputSet(Output.allCases.filter { wired[$0] && isOn($0) })
    }

    private func isOn(_ output: Output) -> Bool {
        switch output {
        case .lockEntry: isReleased(.entry)
        case .lockExit: isReleased(.exit)
        case .dropArm: isEmergency
        case .alarm: alarms.contains { !$0.isAboutPassage || regime.enforcement == .strong }
        case .buzzer: alarms.contains { $0.isAboutPassage && regime.enforcement == .weak }
        case .lampGo: showsGo
        case .lampStop: !showsGo
        case .coinEnable: acceptsCoins
        case .ready: mayServe && !faults.contains { refusesCoins($0.effect) }
        case .coinReject, .countPulse, .coinMeter: pulses[output]?.isOn ?? false
        case .lockEntryHold, .lockExitHold: false
        }
    }

    /// Whether the output, or the coil that holds it, was on for too long, and nobody has repaired
    /// it.
    func isCut(_ output: Output) -> Bool {
        let coils = [output] + Direction.allCases.filter { $0.lock == output }.map(\.holdingCoil)
        return coils.contains { faults.contains(.energisedTooLong($0)) }
    }

    private func isReleased(_ way: Direction) -> Bool {
        if isEmergency { return lockRests[way] == nil }
        if isCut(way.lock) { return false }
        // The mechanic has a lock open that can be held so; another one opens for who is inside.
        if isService { return !isLimited(way) || position != 0 }
        if self.way == .recovering { return true }
        if passesBeside == way && self.way == .released { return true }
        if self.way == .passing && direction == way && !isRelocked { return true }
        // The only lock may hold both ways.
        let isOnly = way == .entry && !equipment.outputs[.lockExit]
        if isOnly && self.way == .passing && direction == .exit && !isRelocked
            && regime.entry == .free
        {
            return true
        }
        if self.way == .passing && passesUnseen && regime[way] == .free { return true }
        // Somebody is in the rotor the wrong way while no wait runs: they are not locked in.
        let mayMove = self.way == .released && knownAt != nil
        if self.way == .released && direction == way {
            return !isShut || waitEnds == nil || mayMove
        }
        return (!isShut || mayMove) && regime[way] == .free
    }

    private var showsGo: Bool {
        if isEmergency { return true }
        if isService || isBlocked { return false }
        switch way {
        case .released: return direction == .entry && waitEnds != nil
        case .recovering: return false
        case .passing where direction == .exit: return false
        case .locked, .suspended, .passing: return regime.entry == .free
        }
    }
}

/// Pulses for a counter: each as long as the pause after it.
struct PulseTrain {
    private(set) var isOn = false
    private(set) var changesAt: Instant?
    private var left = 0
    var isIdle: Bool { changesAt == nil && left == 0 }

    mutating func add(_ count: Int) { left += count }

    mutating func passTime(_ now: Instant, _ length: Duration) {
        if let due = changesAt, due > now { return }
        if isOn {
            isOn = false
            changesAt = now + length
        } else if left > 0 {
            left -= 1
            isOn = true
            changesAt = now + length
        } else {
            changesAt = nil
        }
    }
}
