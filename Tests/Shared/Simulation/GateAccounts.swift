import Controller
import SimulatedHardware
import StateMachines
import Turnstile

/// Money and people: what the records say, beside what is in the box and who went through.
///
/// They are balanced whenever the gate is at rest and the service has heard of everything. What
/// cannot be known, since a wire was broken or no service ran, is left out: from the next rest on
/// the count is begun anew. What could be known and is missing must have been recorded as such.
struct GateAccounts {
    /// What the records say of coins that an acceptor took.
    private var value = 0
    private var people: [Direction: Int] = [:]
    private var granted = 0, used = 0

    /// The difference that is explained: what was taken or went through, and is not recorded.
    private var valueUnknown = 0
    private var peopleUnknown: [Direction: Int] = [:]

    /// Nobody can tell what the coin lines, or the rotor, do.
    private var isCoinBlind = false, isRotorBlind = false
    /// The records admit that pulses, or quarters, are missing.
    private var admitsCoins = false, admitsRotor = false

    mutating func enter(_ record: Record) {
        switch record {
        case .coinAccepted(let coin), .coinLate(let coin), .coinInhibited(let coin),
            .coinEarly(let coin), .coinRejected(let coin):
            value += coin.value
        case .coinNoise, .coinUnknown, .faultRaised(.coinLineStuck), .faultRaised(.noiseBurst):
            admitsCoins = true
        case .faultRaised(.edgesLost): loseEdges()
        case .released(_, .credit): granted += 1
        case .creditReturned: granted -= 1
        case .passageCompleted(let direction, let kind): pass(direction, kind)
        case .passageLost(let direction, let kind):
            pass(direction, kind)
            admitsRotor = true
        case .passageRecovered(let direction, let kind):
            pass(direction, kind)
            // Which way they went, nobody can tell, nor whether they did.
            isRotorBlind = true
        default: break
        }
    }

    private mutating func pass(_ direction: Direction, _ kind: PassageKind) {
        people[direction, default: 0] += 1
        if kind == .paid { used += 1 }
    }

    mutating func loseEdges() {
        admitsCoins = true
        admitsRotor = true
    }

    /// Nobody can tell what comes from the acceptors: somebody plays with a coin on a string.
    mutating func disturbCoins() { isCoinBlind = true }

    /// Nobody can tell what the rotor does: noise looks like a person, or hides one.
    mutating func disturbRotor() { isRotorBlind = true }

    /// A service begins, and takes over what is held and who is on the way.
    mutating func begin(with balances: Balances, _ recovery: Recovery) {
        interrupt()
        used = 0
        granted = balances.fareInUse > 0 ? 1 : 0
        if case .known(let state) = recovery, state.passage?.kind == .paid { granted = 1 }
    }

    /// No service hears of anything.
    mutating func interrupt() {
        isCoinBlind = true
        isRotorBlind = true
    }

    mutating func disturb(by defect: Defect) {
        switch defect {
        case .brokenWire(let input), .stuckActive(let input), .unreadable(let input):
            if input.isOfCoins { isCoinBlind = true }
            if input.isOfRotor { isRotorBlind = true }
        case .jammedAcceptor: isCoinBlind = true
        case .undrivable, .stuckOutput, .jammedBolt, .bentArm: break
        }
    }

    /// An edge goes missing unseen. One of the rotor looks like a back-out; of the coin line, a
    /// whole pulse does when both its edges are missing.
    mutating func miss(_ input: Input, of world: World) {
        if input.isOfRotor { isRotorBlind = true }
        if input.isOfCoins && world.levels[input] { isCoinBlind = true }
    }

    mutating func look(at service: Service) throws(Violation) {
        if used > granted { throw Violation(description: "more paid passages than releases") }
        guard let process = service.process, process.bank.nextWakeUp == nil else { return }
        let turnstile = process.controller.turnstile
        guard !turnstile.isCounting, turnstile.inputs == process.bank.world.levels,
            turnstile.sensors == turnstile.inputs.shown
        else { return }
        let held = process.controller.registers.sinceInit.creditHeld
        if held != Int64(turnstile.status.credit) {
            throw Violation(
                description: "credit \(turnstile.status.credit), but the registers say \(held)")
        }
        try balance(process.bank.world, isHome: turnstile.sensors == .home)
    }

    private mutating func balance(_ world: World, isHome: Bool) throws(Violation) {
        if world.losesEdges || !world.defects.isDisjoint(with: Self.blinding) { return }
        let taken = world.valueInBox + world.valueEjected
        let missing = taken - value - valueUnknown
        if missing != 0 && !isCoinBlind && (missing < 0 || !admitsCoins) {
            throw Violation(description: "\(missing) of \(taken) that was taken is in no record")
        }
        valueUnknown += missing
        for direction in Direction.allCases {
            let missing =
                world.passages(direction) - people[direction, default: 0]
                - peopleUnknown[direction, default: 0]
            if missing != 0 && !isRotorBlind && !admitsRotor {
                throw Violation(
                    description: "\(missing) of \(world.passages(direction)) who went through "
                        + "(\(direction)) are in no record, at \(world.now)")
            }
            peopleUnknown[direction, default: 0] += missing
        }
        isCoinBlind = false
        admitsCoins = false
        // What becomes of somebody in the rotor shows when they are out of it.
        guard isHome else { return }
        isRotorBlind = false
        admitsRotor = false
    }

    /// Defects with which nobody can tell what the coin lines or the rotor do.
    private static let blinding = Defects(
        Input.allCases.filter { $0.isOfCoins || $0.isOfRotor }.flatMap {
            [Defect.brokenWire($0), .stuckActive($0), .unreadable($0)]
        } + Acceptor.allCases.map { .jammedAcceptor($0) })
}

extension InputLevels {
    /// What the sensors of the rotor, or the beams in their place, show.
    fileprivate var shown: RotorDecoder.Sensors {
        .init(a: self[.rotorA] || self[.beamA], b: self[.rotorB] || self[.beamB])
    }
}

extension Input {
    /// Whether an acceptor sends its pulses over this line.
    fileprivate var isOfCoins: Bool { Acceptor.allCases.contains { $0.line == self } }

    /// Whether the line tells of the rotor, or of light beams.
    fileprivate var isOfRotor: Bool { [.rotorA, .rotorB, .beamA, .beamB].contains(self) }
}
