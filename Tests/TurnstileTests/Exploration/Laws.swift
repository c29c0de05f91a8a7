import StateMachines
import Turnstile

/// Something that must hold of every step that a turnstile can take.
///
/// A number is that of an invariant in docs/invariants.md, which says who keeps the others.
struct Law: Sendable {
    let name: String
    let holds: @Sendable (Step<Situation>) -> Bool

    static let all = outputs + passages + money + form

    /// What the lines carry.
    static let outputs = [
        Law(name: "an open loop releases the gate and refuses coins (1)") { step in
            guard let drive = step.gate.drive else { return true }
            guard step.inputs[.fire] || step.gate.emergency.isActive else { return true }
            // A lock that was cut is not driven before the repair: the hardware has to see to it.
            let wasCut = step.gate.faults.isUp(.energisedTooLong(.lockEntry))
            let commands = step.outcome.commands
            return drive.isReleased != wasCut && !drive.acceptsCoins
                && !commands.contains(.acceptCoins) && (wasCut || !commands.contains(.lock))
        },
        Law(name: "an emergency ends with a reset, a closed loop and a clear lane (2)") { step in
            guard step.gateBefore.emergency.isActive, !step.gate.emergency.isActive else {
                return true
            }
            let isReset = step.gate.policy.fireReset == .auto || step.world.wasReset
            return isReset && !step.inputs[.fire] && step.inputs.isRotorHome
        },
        Law(name: "no lock closes on somebody in the rotor (5)") { step in
            guard step.gateBefore.drive?.isReleased == true, step.gate.drive?.isReleased == false
            else { return true }
            if step.inputs.isRotorHome { return true }
            if step.event == .outputCut(.lockEntry) { return true }
            return step.world.quarters == 2 && step.gate.policy.relockAt == .middle
        },
        Law(name: "coins are taken only by a gate that is locked, healthy and quiet (7)") { step in
            guard step.gate.drive?.acceptsCoins == true else { return true }
            return step.gate.lane.state == .locked && step.gate.faults.reason == nil
                && !step.inputs[.fire] && !step.inputs[.externalFault]
        },
        Law(name: "emergency before fault before authorisation before lock (14)") { step in
            let gate = step.gate
            guard gate.drive?.isReleased == true, !gate.emergency.isActive else { return true }
            return gate.lane.isReleased && (gate.faults.reason == nil || gate.lane.isOccupied)
        },
        Law(name: "the commands are the difference of what is driven") { step in
            var drive = Shadow(step.gateBefore.drive)
            for command in step.outcome.commands where !drive.follow(command) { return false }
            return drive == Shadow(step.gate.drive)
        },
        // More may be needed by a key that ends many faults, by a gap that ends a coin and a
        // passage, and where a coin or a wait and an alarm happen to become due in the same
        // nanosecond.
        Law(name: "the records of a gate in service fit without an allocation") { step in
            step.records.count <= Commands<Record>.inlineCapacity
                || step.gateBefore.faults.reason != nil || step.gate.faults.reason != nil
                || step.records.contains(.faultRaised(.edgesLost))
                || (step.records.contains { $0.isOfCoin || $0 == .waitTimedOut }
                    && step.records.contains { $0.isOfAlarm })
        },
    ]

    /// Who passed.
    static let passages = [
        Law(name: "one authorisation, at most one passage; a back-out uses up none (6)") { step in
            var isAuthorised = step.gateBefore.lane.state != .locked
            for record in step.records {
                switch record {
                case .released:
                    guard !isAuthorised else { return false }
                    isAuthorised = true
                case .passageCompleted, .passageLost, .waitTimedOut:
                    guard isAuthorised else { return false }
                    isAuthorised = false
                case .passageBackedOut:
                    guard step.gate.lane.authorisation != nil else { return false }
                default: break
                }
            }
            return isAuthorised || step.gate.lane.state == .locked
        },
        Law(name: "every turn of the rotor is one passage, in its direction") { step in
            let passages = step.records.compactMap(\.passage)
            return passages == (step.world.passage.map { [$0] } ?? [])
        },
        Law(name: "whoever comes half-way without an authorisation raises the alarm") { step in
            guard let quarters = step.world.quarters, abs(quarters) == 2,
                abs(step.before.world.quarters ?? 2) == 1, !step.gate.emergency.isActive
            else { return true }
            return step.gate.alarms.isSounding
                || (step.gateBefore.lane.isOccupied && quarters > 0)
        },
        Law(name: "whoever uses an authorisation raises no alarm") { step in
            guard case .changed(.turned) = step.event, step.gateBefore.lane.isReleased,
                step.gateBefore.faults.reason == nil, (step.world.quarters ?? 0) > 0
            else { return true }
            return !step.records.contains(.alarmRaised(.forcedPassage))
        },
        Law(name: "a gap is a fault, and only a gap loses a passage (12)") { step in
            if case .edgesLost = step.event, step.outcome.isHandled {
                return step.records.contains(.faultRaised(.edgesLost))
            }
            return step.before.world.quarters == nil
                || !step.records.contains(.passageLost(.entry))
        },
    ]
}

extension Step<Situation> {
    var gateBefore: Gate { before.turnstile.gate }
    var gate: Gate { after.turnstile.gate }
    var inputs: InputLevels { after.turnstile.inputs }
    var world: World { after.world }
    var records: [Record] { outcome.commands.compactMap(\.record) }
}

extension Record {
    fileprivate var isOfCoin: Bool {
        switch self {
        case .coinAccepted, .coinLate: true
        default: false
        }
    }

    fileprivate var isOfAlarm: Bool {
        switch self {
        case .alarmRaised, .alarmCleared: true
        default: false
        }
    }
}

/// What the lines carry by the commands so far; nil while nothing was commanded.
private struct Shadow: Equatable {
    var isReleased: Bool?
    var acceptsCoins: Bool?
    var soundsAlarm: Bool?

    init(_ drive: Gate.Drive?) {
        isReleased = drive?.isReleased
        acceptsCoins = drive?.acceptsCoins
        soundsAlarm = drive?.soundsAlarm
    }

    /// Runs a command; false when it says what is so already.
    mutating func follow(_ command: Command) -> Bool {
        let before = self
        switch command {
        case .release: isReleased = true
        case .lock: isReleased = false
        case .acceptCoins: acceptsCoins = true
        case .inhibitCoins: acceptsCoins = false
        case .soundAlarm: soundsAlarm = true
        case .silenceAlarm: soundsAlarm = false
        case .record: return true
        }
        return self != before
    }
}
