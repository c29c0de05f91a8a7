import StateMachines
import Turnstile

/// A turnstile in a world of its own, whose clock ticks: what the explorer explores.
///
/// All durations of its policy are whole ticks and every event comes on a tick, so that time has
/// few values; after each event all instants are moved so that it is 0 o'clock again, so that the
/// same situation later is the same situation. What the turnstile must not get wrong, the world
/// counts for itself, in the plainest way.
struct Situation: StateMachine, Hashable {
    /// The smallest time that passes.
    static let tick = Duration.seconds(1)

    private(set) var turnstile: Turnstile
    private(set) var world = World()
    /// The policy that the owner changes to.
    let otherPolicy: Policy

    init(_ policy: Policy, otherPolicy: Policy) {
        turnstile = Turnstile(policy: policy)
        self.otherPolicy = otherPolicy
    }

    mutating func handle(_ happening: Happening) -> Outcome<Command> {
        let outcome = happen(happening)
        world.advance(happening, turnstile.inputs)
        for command in outcome.commands {
            if let record = command.record { world.hear(record) }
        }
        return outcome
    }

    private mutating func happen(_ happening: Happening) -> Outcome<Command> {
        let levels = turnstile.inputs
        switch happening {
        case .started(let levels): return send(.started(levels))
        case .changed(let change):
            let (input, isActive) = change.applied(to: levels)
            return send(.changed(input, isActive: isActive))
        case .pressed(let key):
            let outcome = send(.changed(key, isActive: true))
            return outcome.joined(with: send(.changed(key, isActive: false)))
        case .edgesLost(let meanwhile):
            var now = levels
            for change in meanwhile {
                let (input, isActive) = change.applied(to: now)
                now[input] = isActive
            }
            return send(.edgesLost(now))
        case .lineFailed(let line): return send(.lineFailed(line, .unreadable))
        case .outputCut(let output): return send(.outputCut(output))
        case .policyChanged: return send(.policyChanged(otherPolicy))
        case .ticked:
            turnstile.shiftInstants(by: .zero - Self.tick)
            return send(.timePassed)
        }
    }

    private mutating func send(_ kind: Turnstile.Event.Kind) -> Outcome<Command> {
        turnstile.handle(Turnstile.Event(kind, at: .zero))
    }
}

/// What may happen to a turnstile in the world.
enum Happening: Hashable {
    case started(InputLevels)
    case changed(Change)
    /// A key was turned, a contact closed, and let go.
    case pressed(Input)
    /// These changes went unnoticed.
    case edgesLost([Change])
    case lineFailed(Line)
    case outputCut(Output)
    case policyChanged
    case ticked

    /// One edge.
    enum Change: Hashable {
        /// The line became active when it was not, inactive when it was.
        case toggled(Input)
        /// The rotor went on by a quarter.
        case turned(Direction)

        /// The input that changes, and what it is then.
        func applied(to levels: InputLevels) -> (Input, isActive: Bool) {
            switch self {
            case .toggled(let input): (input, !levels[input])
            case .turned(let direction):
                // In quadrature the sensors take turns; which one's it is depends on the way.
                if (levels[.rotorA] == levels[.rotorB]) == (direction == .entry) {
                    (.rotorA, !levels[.rotorA])
                } else {
                    (.rotorB, !levels[.rotorB])
                }
            }
        }
    }
}

/// What an onlooker knows who counts quarters of a turn, pulses and keys, and nothing else.
struct World: Hashable {
    /// How far the rotor has turned since it was home, counted on the way in; nil when nobody saw.
    private(set) var quarters: Int? = 0
    /// A whole turn that the last happening completed.
    private(set) var passage: Direction?
    /// For how many ticks the coin line has been active, 3 for that and more.
    private var pulseTicks: Int?
    /// Good pulses that were not credited yet.
    private(set) var uncreditedPulses = 0
    /// Whether the reset key was turned since the loop was last closed.
    private(set) var wasReset = false

    mutating func advance(_ happening: Happening, _ levels: InputLevels) {
        passage = nil
        switch happening {
        case .started:
            quarters = levels.isRotorHome ? 0 : nil
            pulseTicks = levels[.coinPulse] ? 0 : nil
        case .changed(.turned(let direction)): turn(direction, levels)
        case .changed(.toggled(.coinPulse)): changeCoinLine(levels)
        case .edgesLost:
            quarters = levels.isRotorHome ? 0 : nil
            if !levels[.coinPulse] { pulseTicks = nil } else if pulseTicks != 3 { pulseTicks = 0 }
        case .ticked: pulseTicks = pulseTicks.map { min($0 + 1, 3) }
        case .pressed(.emergencyResetKey): wasReset = true
        case .changed(.toggled), .pressed, .lineFailed, .outputCut, .policyChanged: break
        }
        if levels[.fire] { wasReset = false }
    }

    mutating func hear(_ record: Record) {
        switch record {
        case .coinAccepted(_, let pulses), .coinLate(_, let pulses): uncreditedPulses -= pulses
        default: break
        }
    }

    private mutating func turn(_ direction: Direction, _ levels: InputLevels) {
        if let turned = quarters {
            quarters = turned + (direction == .entry ? 1 : -1)
            if quarters == 4 { passage = .entry }
            if quarters == -4 { passage = .exit }
        }
        if levels.isRotorHome { quarters = 0 }
    }

    private mutating func changeCoinLine(_ levels: InputLevels) {
        if levels[.coinPulse] {
            pulseTicks = 0
        } else {
            if let width = pulseTicks, (1...2).contains(width) { uncreditedPulses += 1 }
            pulseTicks = nil
        }
    }
}

extension InputLevels {
    /// Whether the rotor's sensors show that nobody is in it.
    var isRotorHome: Bool { !self[.rotorA] && !self[.rotorB] }
}
