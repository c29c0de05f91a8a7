import Controller
import SimulatedHardware
import StateMachines
import Turnstile

/// The mechanical counters beside the records: a pulse for everybody who went through, and one for
/// every step that a coin is worth.
///
/// They are compared whenever a counter has been silent for long enough to have nothing left to
/// count. What it counted while its line was broken, while the mechanic tried it, or when the
/// process ended in the middle, nobody can tell: from the next silence on the count is begun anew.
struct CounterWatch {
    private var counters: [Counter]
    /// What a step of the coin meter is worth.
    private var meterUnit: Int

    /// The counters of a gate whose service begins with this policy.
    init(_ equipment: Equipment, policy: Policy) {
        counters = [Counter(output: .countPulse), Counter(output: .coinMeter)]
            .filter { equipment.outputs[$0.output] }
        meterUnit = policy.meterUnit
    }

    /// A fresh process: what the one before was about to count is gone.
    mutating func begin(policy: Policy) {
        meterUnit = policy.meterUnit
        for index in counters.indices { counters[index].isBlind = true }
    }

    /// Takes a record, under a policy that is in force from its own record on.
    mutating func enter(_ record: Record, policy: Policy?) {
        switch record {
        case .passageCompleted, .passageLost, .passageRecovered: ask(.countPulse, for: 1)
        case .coinAccepted(let coin), .coinLate(let coin):
            ask(.coinMeter, for: coin.value / meterUnit)
        case .policyChanged: meterUnit = policy?.meterUnit ?? meterUnit
        default: break
        }
    }

    private mutating func ask(_ output: Output, for pulses: Int) {
        for index in counters.indices where counters[index].output == output {
            counters[index].asked += pulses
        }
    }

    /// Compares; to be called after everything that happens.
    mutating func look(at service: Service) throws(Violation) {
        let isTested = service.process?.controller.turnstile.gate.service.isOn ?? true
        for index in counters.indices {
            try counters[index].look(at: service.world, isTested, heldUp: service.heldUpUntil)
        }
    }
}

/// One of the counters.
private struct Counter {
    /// Longer than any pulse, and the pause after it.
    private static let silence: Duration = .seconds(2)

    let output: Output
    /// How many pulses the records ask for since the last silence.
    var asked = 0
    /// Nobody can tell what was counted since the last silence.
    var isBlind = false
    private var counted = 0
    private var silentSince = Instant.zero
    private var askedBefore = 0

    init(output: Output) { self.output = output }

    mutating func look(
        at world: World, _ isTested: Bool, heldUp: Instant
    ) throws(Violation) {
        let isBroken =
            world.defects.contains(.stuckOutput(output))
            || world.defects.contains(.undrivable(output))
        if isBroken || isTested { isBlind = true }
        if isBroken || isTested || world.energised[output] || asked != askedBefore {
            silentSince = world.now
        }
        askedBefore = asked
        guard world.now > max(silentSince, heldUp) + Self.silence else { return }
        let pulses = output == .countPulse ? world.countPulses : world.meterPulses
        if pulses - counted != asked && !isBlind {
            throw Violation(
                description: "\(output.name) has counted \(pulses - counted), and the records "
                    + "tell of \(asked)")
        }
        counted = pulses
        asked = 0
        askedBefore = 0
        isBlind = false
    }
}
