import Hardware
import SecondOpinion
import SimulatedHardware
import StateMachines
import Turnstile

/// A gate as its installer left it and its owner set it up: what differs from seed to seed before
/// anything happens.
struct Installation {
    /// The longest that a service manager waits for a sign of life.
    static let watchdogInterval: Duration = .seconds(2)

    /// What the owner decided at first.
    let policy: Policy
    /// A lock that opens without power is rated for continuous duty.
    let wiring: Wiring
    /// How the gate behaves.
    let physics: Physics

    /// What is wired.
    let equipment: Equipment

    /// Some gate: on a calm day the smallest that takes coins, else any.
    init(_ day: Simulation.Day, _ randomness: inout SplitMix64) {
        policy = Self.policy(day, &randomness)
        let equipment = day == .calm ? .oneWay : Self.equipment(&randomness)
        var wiring = Wiring(chip: .label("simulation"), inputs: [:], outputs: [:])
        for input in Input.allCases where equipment.inputs[input] {
            wiring.inputs[input] = InputLine(
                line: .name(input.name), debounce: Self.debounce(of: input))
        }
        for output in Output.allCases where equipment.outputs[output] {
            wiring.outputs[output] = OutputLine(line: .name(output.name), maximumOnTime: nil)
        }
        for direction in Direction.allCases {
            let loss = PowerLoss.allCases.randomElement(using: &randomness) ?? .failSecure
            let isIntermittent = loss == .failSecure && Bool.random(using: &randomness)
            wiring.outputs[direction.lock]?.powerLoss = loss
            let limit: Duration? = isIntermittent ? .seconds(20) : nil
            // Of two coils the one that pulls must not be energised for long.
            if wiring.outputs[direction.holdingCoil] == nil {
                wiring.outputs[direction.lock]?.maximumOnTime = limit
            } else {
                wiring.outputs[direction.lock]?.maximumOnTime = .seconds(2)
                wiring.outputs[direction.holdingCoil]?.maximumOnTime = limit
            }
        }
        wiring.outputs[.dropArm]?.powerLoss = .failSafe
        self.wiring = wiring
        self.equipment = equipment
        physics = Physics(wiring: wiring, policy: policy)
    }

    private static func equipment(_ randomness: inout SplitMix64) -> Equipment {
        if Int.random(in: 0..<4, using: &randomness) == 0 { return .oneWay }
        let isFull = Bool.random(using: &randomness)
        let hasBeams = Int.random(in: 0..<3, using: &randomness) == 0
        var equipment = Equipment(inputs: [.coinPulse, .fire, .serviceKey], outputs: [.lockEntry])
        for input in Input.allCases where isFull || Bool.random(using: &randomness) {
            equipment.inputs[input] = true
        }
        for output in Output.allCases where isFull || Bool.random(using: &randomness) {
            equipment.outputs[output] = true
        }
        for sensor in [Input.rotorA, .rotorB] { equipment.inputs[sensor] = !hasBeams }
        for sensor in [Input.beamA, .beamB] { equipment.inputs[sensor] = hasBeams }
        for direction in Direction.allCases where !equipment.outputs[direction.lock] {
            equipment.inputs[direction.lockFeedback] = false
            equipment.outputs[direction.holdingCoil] = false
        }
        return equipment
    }

    /// How long a level of this input must last to count.
    private static func debounce(of input: Input) -> Duration {
        switch input {
        case .coinPulse, .coinPulse2, .coinPulse3: .zero
        case .rotorA, .rotorB, .beamA, .beamB: .milliseconds(5)
        case .fire: .milliseconds(20)
        case .coinJam, .home, .intrusion, .releaseEntry, .releaseExit, .stop, .serviceKey,
            .emergencyResetKey, .externalFault, .powerLow, .cabinetTamper, .vaultDoor,
            .vaultPresent, .vaultFull, .lockFeedback, .lockFeedbackExit:
            .milliseconds(100)
        }
    }
}
