import Controller
import SecondOpinion
import SimulatedHardware
import StateMachines
import Turnstile

/// People who stay in the rotor: they are an alarm in time, they are one before a lock is cut, and
/// no lock of a gate in service holds in whoever was let in.
struct StayWatch {
    /// What an alarm may be late by: contacts, and noise that is not told from a person at first.
    private static let noticeTime: Duration = .milliseconds(600)

    private let equipment: Equipment
    /// Since when somebody has been in the rotor of a gate that does not stand open.
    private var presentSince: Instant?
    /// Who was let in and has not been to the middle, by their way.
    private var inside: Direction?
    /// Whether nobody can tell who was let in, until the rotor is home.
    private var isUnknown = true
    /// The outputs of which it was said that they are cut soon, until they are off: one that a
    /// broken line keeps on is cut again without another warning.
    private var warned = OutputSet()

    init(_ equipment: Equipment) { self.equipment = equipment }

    /// A process begins.
    mutating func begin() {
        presentSince = nil
        inside = nil
        isUnknown = true
        warned = []
    }

    /// Hears of an event, after which the gate is this one; returns what is wrong with it.
    mutating func observe(_ event: Event, _ gate: Gate) -> String? {
        switch event.kind {
        case .onTimeWarning(let output):
            warned[output] = true
            for direction in Direction.allCases
            where [direction.lock, direction.holdingCoil].contains(output)
                && !gate.isRotorHome && gate.lane.isHeldOpen(direction)
                && !gate.alarms.up[.passageDelayed]
                && (equipment.inputs[.rotorA] || gate.lane.isPassing)
            {
                return "\(output) is cut soon with somebody in the rotor, and that is no alarm"
            }
        case .outputCut(let output):
            guard warned[output] else { return "\(output) was cut without a warning" }
        case .requested(.adopt, _): presentSince = nil
        default: break
        }
        return nil
    }

    /// Looks at the truth; to be called after everything that happens.
    mutating func look(
        at service: Service, _ on: OutputSet, isBlind: Bool
    ) throws(Violation) {
        guard let controller = service.process?.controller else { return }
        warned.formIntersection(controller.energised)
        let isTroubled =
            isBlind || !service.world.defects.isEmpty || service.world.losesEdges
            || service.heldUpUntil > service.now || !service.world.armIsUp
        try lookAtAlarm(service, controller.turnstile, isTroubled)
        try lookAtLocks(service, controller.turnstile.gate, on, isTroubled)
    }

    private mutating func lookAtAlarm(
        _ service: Service, _ turnstile: Turnstile, _ isTroubled: Bool
    ) throws(Violation) {
        let gate = turnstile.gate
        let levels = service.world.levels
        let isPresent =
            (levels[.rotorA] || levels[.rotorB]) && turnstile.sensors != .home
            && !gate.emergency.isActive && !gate.service.isOn && !isTroubled
        presentSince = isPresent ? presentSince ?? service.now : nil
        guard let since = presentSince, !gate.alarms.up[.passageDelayed],
            service.now > since + gate.policy.passDelayAlarm + Self.noticeTime
        else { return }
        throw Violation(
            description: "somebody has been in the rotor for \(service.now - since) at "
                + "\(service.world.rotorDegrees)°, and that is no alarm")
    }

    private mutating func lookAtLocks(
        _ service: Service, _ gate: Gate, _ on: OutputSet, _ isTroubled: Bool
    ) throws(Violation) {
        let degrees = service.world.rotorDegrees
        if abs(degrees) < 15 {
            inside = nil
            isUnknown = isTroubled
        }
        if isTroubled || abs(degrees) >= 54 {
            inside = nil
            isUnknown = true
        }
        guard !isUnknown, abs(degrees) >= 26 else { return }
        let way: Direction = degrees > 0 ? .entry : .exit
        let lock = equipment.outputs[way.lock] ? way.lock : way.opposite.lock
        if on[lock] { inside = way }
        let isCut = Direction.allCases.contains {
            gate.faults.isUp(.energisedTooLong($0.lock))
                || gate.faults.isUp(.energisedTooLong($0.holdingCoil))
        }
        guard inside == way, !on[lock], gate.standing == .inService, !isCut else { return }
        throw Violation(description: "the lock holds whoever was let in, at \(degrees)°")
    }
}

extension Lane {
    /// Whether somebody is on the way through.
    fileprivate var isPassing: Bool { if case .passing = state { true } else { false } }
}
