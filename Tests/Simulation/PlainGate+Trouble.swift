import StateMachines
import Turnstile

// Emergency, faults and alarms.
extension PlainGate {
    mutating func openLoop() {
        isLoopOpen = true
        isReset = false
        guard !isEmergency else { return }
        isEmergency = true
        records.append(.emergencyStarted)
        close()
    }

    mutating func closeLoop() {
        guard isLoopOpen else { return }
        isLoopOpen = false
        records.append(.emergencyLoopClosed)
        if policy.fireReset == .auto { isReset = true }
        clearLane()
    }

    mutating func turnResetKey() {
        guard isEmergency else { return }
        if isLoopOpen {
            records.append(.refused(.emergencyResetKey, .loopOpen))
        } else {
            isReset = true
            clearLane()
        }
    }

    /// An emergency ends when it was reset and nobody is in the rotor.
    mutating func clearLane() {
        guard isEmergency, isReset, position == 0 else { return }
        isEmergency = false
        isReset = false
        records.append(.emergencyReset)
    }

    // MARK: Faults

    mutating func find(_ fault: Fault) {
        causes.insert(fault)
        guard !faults.contains(fault) else { return }
        let wasInService = !isOutOfService
        faults.insert(fault)
        records.append(.faultRaised(fault))
        if wasInService && fault.takesOutOfService { records.append(.outOfService(fault)) }
        if isOutOfService { suspend() }
    }

    mutating func lose(_ fault: Fault, _ now: Instant) {
        guard causes.remove(fault) != nil, !fault.isLatching else { return }
        forget([fault], now)
    }

    /// A fault without a lasting cause.
    mutating func fail(_ fault: Fault, _ now: Instant) {
        find(fault)
        lose(fault, now)
    }

    private mutating func forget(_ over: Set<Fault>, _ now: Instant) {
        let wasOut = isOutOfService
        faults.subtract(over)
        for fault in over { records.append(.faultCleared(fault)) }
        guard wasOut, !isOutOfService else { return }
        records.append(.inService)
        if way == .suspended {
            if policy.repairResumes == .previous {
                way = .released
                waitEnds = now + policy.passWait
                noticePerson(now)
            } else {
                close()
            }
        }
    }

    mutating func turnServiceKey(_ now: Instant) {
        let over = faults.subtracting(causes)
        if !over.isEmpty {
            forget(over, now)
        } else if isOutOfService {
            records.append(.refused(.serviceKey, .causePresent))
        }
        isForcedLatched = false
        for alarm in Alarm.allCases where alarms[alarm] != nil { clear(alarm) }
    }

    // MARK: Alarms

    mutating func raise(_ alarm: Alarm, until end: Instant?) {
        if alarms[alarm] == nil { records.append(.alarmRaised(alarm)) }
        alarms[alarm] = .some(end)
    }

    mutating func clear(_ alarm: Alarm) {
        guard alarms.removeValue(forKey: alarm) != nil else { return }
        records.append(.alarmCleared(alarm))
    }
}
