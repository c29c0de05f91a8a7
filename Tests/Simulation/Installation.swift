import Hardware
import SimulatedHardware
import Turnstile

/// A gate as its installer left it and its owner set it up: what differs from seed to seed before
/// anything happens.
struct Installation {
    /// The longest that a service manager waits for a sign of life.
    static let watchdogInterval: Duration = .seconds(2)
    /// How long a level must last to count, per input.
    static let debounce: [Input: Duration] = [
        .rotorA: .milliseconds(5), .rotorB: .milliseconds(5), .fire: .milliseconds(20),
        .releaseEntry: .milliseconds(100), .emergencyResetKey: .milliseconds(100),
        .serviceKey: .milliseconds(100), .externalFault: .milliseconds(100),
    ]

    /// What the owner decided at first.
    let policy: Policy
    /// All lines are wired; a lock that opens without power is rated for continuous duty.
    let wiring: Wiring
    /// How the gate behaves.
    let physics: Physics

    /// Some gate.
    init(_ randomness: inout Randomness) {
        policy = Self.policy(&randomness)
        let lock = PowerLoss.allCases.randomElement(using: &randomness) ?? .failSecure
        let isIntermittent = lock == .failSecure && Bool.random(using: &randomness)
        var wiring = Wiring(chip: .label("simulation"), inputs: [:], outputs: [:])
        for input in Input.allCases {
            wiring.inputs[input] = InputLine(
                line: .name(input.rawValue), debounce: Self.debounce[input] ?? .zero)
        }
        for output in Output.allCases {
            wiring.outputs[output] = OutputLine(line: .name(output.rawValue), maximumOnTime: nil)
        }
        wiring.outputs[.lockEntry]?.powerLoss = lock
        wiring.outputs[.lockEntry]?.maximumOnTime = isIntermittent ? .seconds(20) : nil
        wiring.outputs[.alarm]?.maximumOnTime =
            policy.forcedPassage == .latch ? nil : .seconds(30)
        self.wiring = wiring
        physics = Physics(wiring: wiring, policy: policy)
    }

    /// Some policy; what describes the acceptor is the same in all of them.
    static func policy(_ randomness: inout Randomness) -> Policy {
        var policy = Policy(
            price: 50 * Int.random(in: 1...6, using: &randomness), coinUnit: 50)
        policy.passWait = .seconds(Int.random(in: 2...8, using: &randomness))
        policy.onWaitTimeout = .allCases.randomElement(using: &randomness) ?? .retain
        policy.overpay = .allCases.randomElement(using: &randomness) ?? .retain
        policy.relockAt = .allCases.randomElement(using: &randomness) ?? .middle
        policy.passDelayAlarm = .seconds(Int.random(in: 5...30, using: &randomness))
        policy.forcedPassage = .allCases.randomElement(using: &randomness) ?? .alarmForHold
        policy.alarmHold = .seconds(Int.random(in: 1...8, using: &randomness))
        policy.repairResumes = .allCases.randomElement(using: &randomness) ?? .locked
        policy.fireReset = .allCases.randomElement(using: &randomness) ?? .manual
        return policy
    }
}
