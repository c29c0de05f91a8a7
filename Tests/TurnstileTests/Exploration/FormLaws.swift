import StateMachines
import Turnstile

extension Law {
    /// What becomes of money.
    static let money = [
        Law(name: "every good pulse is credited, whenever it comes (8)") { step in
            let pulses = step.world.uncreditedPulses
            return pulses >= 0 && (pulses == 0 || step.after.turnstile.isCounting)
        },
        Law(name: "value in is fares used, credit held and credit forfeited (11)") { step in
            var held = step.gateBefore.held
            for record in step.records {
                switch record {
                case .coinAccepted(let value, _), .coinLate(let value, _): held += value
                case .creditForfeited(let value): held -= value
                case .passageCompleted, .passageLost:
                    held -= step.gateBefore.lane.authorisation?.fare ?? step.fareUsed
                default: break
                }
            }
            return held == step.gate.held && step.gate.credit >= 0
        },
        Law(name: "credit is what the records say") { step in
            var credit = step.gateBefore.credit
            for record in step.records {
                switch record {
                case .coinAccepted(let value, _), .coinLate(let value, _): credit += value
                case .creditReturned(let value): credit += value
                case .creditForfeited(let value), .creditUsed(let value): credit -= value
                default: break
                }
            }
            return credit == step.gate.credit
        },
    ]

    /// What holds of every machine of this kind, and of its log.
    static let form = [
        Law(name: "a new policy comes into force while the gate is idle (13)") { step in
            guard step.gate.policy != step.gateBefore.policy else { return true }
            return step.after.turnstile.isIdle && step.inputs.isRotorHome
                && step.records.contains(.policyChanged)
        },
        Law(name: "what is not handled changes nothing") { step in
            step.outcome.isHandled || step.before.turnstile == step.after.turnstile
        },
        Law(name: "every event but a second start is decided") { step in
            let hasStarted = step.gateBefore.drive != nil
            if case .started = step.event { return step.outcome.isHandled == !hasStarted }
            return step.outcome != .unhandled || !hasStarted
        },
        Law(name: "no deadline is left behind") { step in
            step.after.turnstile.deadline.map { $0 > .zero } ?? true
        },
        Law(name: "the records tell what became of emergency, faults and alarms") { step in
            var told = Told(step.gateBefore)
            for record in step.records where !told.follow(record) { return false }
            return told == Told(step.gate)
        },
    ]
}

/// What is up by the records so far.
private struct Told: Equatable {
    var isEmergency: Bool
    var isOutOfService: Bool
    var alarms: Set<Alarm>

    init(_ gate: Gate) {
        isEmergency = gate.emergency.isActive
        isOutOfService = gate.faults.reason != nil
        alarms = Set(Alarm.allCases.filter { gate.alarms[$0] != nil })
    }

    /// Hears a record; false when it tells what is so already.
    mutating func follow(_ record: Record) -> Bool {
        let before = self
        switch record {
        case .emergencyStarted: isEmergency = true
        case .emergencyReset: isEmergency = false
        case .outOfService: isOutOfService = true
        case .inService: isOutOfService = false
        case .alarmRaised(let alarm): alarms.insert(alarm)
        case .alarmCleared(let alarm): alarms.remove(alarm)
        default: return true
        }
        return self != before
    }
}

extension Gate {
    /// What people have paid and not used: the credit, and the fare of whoever may pass now.
    fileprivate var held: Int { credit + (lane.authorisation?.fare ?? 0) }
}

extension Step<Situation> {
    /// The fare of an authorisation that was given in this very step.
    fileprivate var fareUsed: Int {
        records.compactMap { if case .creditUsed(let fare) = $0 { fare } else { nil } }.first ?? 0
    }
}

extension Lane {
    /// What the one who may pass now was granted it by.
    var authorisation: Authorisation? {
        switch state {
        case .locked: nil
        case .released(let authorisation, _), .suspended(let authorisation): authorisation
        case .passing(let passage): passage.authorisation
        }
    }
}

extension Authorisation {
    /// What was paid for it.
    var fare: Int {
        switch self {
        case .credit(let fare): fare
        case .contact: 0
        }
    }
}

extension Record {
    /// The direction of the passage that the record tells, if it tells one.
    var passage: Direction? {
        switch self {
        case .passageCompleted(let direction), .passageUnauthorised(let direction),
            .passageInEmergency(let direction):
            direction
        default: nil
        }
    }
}
