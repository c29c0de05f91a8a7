import Controller
import SimulatedHardware
import StateMachines
import Turnstile

/// Money and people: what the records say, beside what is in the box and who went through.
///
/// They are balanced whenever the gate is at rest and the service has heard of everything. What
/// cannot be known, since a wire was broken or no service ran, is left out: from the next rest on
/// the count is begun anew. What could be known and is missing must have been recorded as such.
struct Books {
    /// What the records say.
    private var value = 0
    private var people: [Direction: Int] = [:]
    private var released = 0, used = 0

    /// The difference that is explained: what is in the box or went through, and is not recorded.
    private var valueUnknown = 0
    private var peopleUnknown: [Direction: Int] = [:]

    /// Nobody can tell what the coin line, or the rotor, does.
    private var isCoinBlind = false, isRotorBlind = false
    /// The records admit that pulses, or quarters, are missing.
    private var admitsCoins = false, admitsRotor = false

    mutating func enter(_ record: Record) {
        switch record {
        case .coinAccepted(let value, _), .coinLate(let value, _): self.value += value
        case .coinNoise, .faultRaised(.coinLineStuck): admitsCoins = true
        case .faultRaised(.edgesLost): loseEdges()
        case .released: released += 1
        case .passageCompleted(let direction):
            used += 1
            people[direction, default: 0] += 1
        case .passageUnauthorised(let direction), .passageInEmergency(let direction):
            people[direction, default: 0] += 1
        case .passageLost(let direction):
            used += 1
            people[direction, default: 0] += 1
            admitsRotor = true
        default: break
        }
    }

    mutating func loseEdges() {
        admitsCoins = true
        admitsRotor = true
    }

    /// No service hears of anything.
    mutating func interrupt() {
        isCoinBlind = true
        isRotorBlind = true
    }

    mutating func disturb(by defect: Defect) {
        switch defect {
        case .brokenWire(let input), .stuckActive(let input), .unreadable(let input):
            if input == .coinPulse { isCoinBlind = true }
            if input == .rotorA || input == .rotorB { isRotorBlind = true }
        case .undrivable, .stuckOutput: break
        }
    }

    /// An edge goes missing unseen. One of the rotor looks like a back-out; of the coin line, a
    /// whole pulse does when both its edges are missing.
    mutating func miss(_ input: Input, of world: World) {
        if input == .rotorA || input == .rotorB { isRotorBlind = true }
        if input == .coinPulse && world.levels[.coinPulse] { isCoinBlind = true }
    }

    mutating func look(at service: Service) throws(Violation) {
        if used > released { throw Violation(description: "more passages than releases") }
        guard let process = service.process, process.bank.nextWakeUp == nil else { return }
        let turnstile = process.controller.turnstile
        guard !turnstile.isCounting, turnstile.inputs == process.bank.world.levels else { return }
        try balance(process.bank.world)
    }

    private mutating func balance(_ world: World) throws(Violation) {
        if world.losesEdges || !world.defects.isDisjoint(with: Self.blinding) { return }
        let missing = world.valueInBox - value - valueUnknown
        if missing != 0 && !isCoinBlind && (missing < 0 || !admitsCoins) {
            throw Violation(
                description: "\(missing) of \(world.valueInBox) in the box is in no record")
        }
        valueUnknown += missing
        for direction in Direction.allCases {
            let missing =
                world.passages(direction) - people[direction, default: 0]
                - peopleUnknown[direction, default: 0]
            if missing != 0 && !isRotorBlind && !admitsRotor {
                throw Violation(
                    description: "\(missing) of \(world.passages(direction)) who went through "
                        + "(\(direction)) are in no record")
            }
            peopleUnknown[direction, default: 0] += missing
        }
        isCoinBlind = false
        isRotorBlind = false
        admitsCoins = false
        admitsRotor = false
    }

    /// Defects with which nobody can tell what the coin line or the rotor does.
    private static let blinding: Set<Defect> = Set(
        [Input.coinPulse, .rotorA, .rotorB].flatMap {
            [Defect.brokenWire($0), .stuckActive($0), .unreadable($0)]
        })
}
