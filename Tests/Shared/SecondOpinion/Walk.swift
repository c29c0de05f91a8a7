import Seeds
import StateMachines
public import Turnstile

/// A gate, and a long row of things that happen to it: all from one seed.
public struct Walk: Sendable {
    /// What the row follows from.
    public let seed: UInt64
    /// What is wired.
    public let equipment: Equipment
    /// What the owner decided at first.
    public let policy: Policy
    /// How long a level must last to count, per input.
    public let debounce: [Input: Duration]
    /// For how long an output may be on without a break, where that is not for ever.
    public let maximumOnTimes: [Output: Duration]
    /// What the ledger holds for people at the start; nil without a ledger.
    public let ledger: Balances?
    /// What happens, the start first.
    private(set) var steps: [Step] = []

    /// The walk that `seed` stands for, of so many episodes.
    public init(seed: UInt64, episodes: Int) {
        self.seed = seed
        var chance = SeededGenerator(seed: seed)
        equipment = .random(&chance)
        policy = .random(&chance)
        debounce = chance.oneIn(2) ? [:] : Self.debounce(of: equipment)
        maximumOnTimes = Self.maximumOnTimes(seed)
        var disk = Disk(seed: seed)
        ledger = disk.balances(policy)
        var script = Script(equipment, policy, chance)
        for _ in 0..<episodes { script.addEpisode() }
        steps = Performance(script, self, disk).steps
    }

    /// Some outputs may be on for a few seconds.
    private static func maximumOnTimes(_ seed: UInt64) -> [Output: Duration] {
        var chance = SeededGenerator(seed: ~seed)
        let limited = Output.allCases.filter { _ in chance.oneIn(3) }
        return Dictionary(
            uniqueKeysWithValues: limited.map {
                ($0, .seconds(Int.random(in: 1...10, using: &chance)))
            })
    }

    private static func debounce(of equipment: Equipment) -> [Input: Duration] {
        var debounce: [Input: Duration] = [:]
        for input in Input.allCases where equipment.inputs[input] {
            switch input {
            case .coinPulse, .coinPulse2, .coinPulse3: break
            case .rotorA, .rotorB, .beamA, .beamB: debounce[input] = .milliseconds(5)
            case .fire: debounce[input] = .milliseconds(20)
            case .coinJam, .home, .intrusion, .releaseEntry, .releaseExit, .stop, .serviceKey,
                .emergencyResetKey, .externalFault, .powerLow, .cabinetTamper, .vaultDoor,
                .vaultPresent, .vaultFull, .lockFeedback, .lockFeedbackExit:
                debounce[input] = .milliseconds(100)
            }
        }
        return debounce
    }

    /// Which records the turnstile makes on the way, by name.
    public var kindsOfRecords: Set<String> {
        var kinds: Set<String> = []
        for record in Retelling(self).records {
            kinds.insert(String("\(record)".prefix { $0 != "(" }))
        }
        return kinds
    }

    /// The codes of the faults and alarms on the way.
    public var codes: Set<String> {
        let codes = Retelling(self).records.compactMap { record in
            switch record {
            case .faultRaised(let fault): fault.code
            case .alarmRaised(let alarm): alarm.code
            case _: nil
            }
        }
        return Set(codes)
    }

    /// States that the turnstile is in on the way, some events apart.
    public var states: [Turnstile] { Retelling(self, keepsStates: true).states }

    /// What the turnstile and the second opinion do not agree on, told as the shortest story that
    /// still leads there; nil when they agree all along.
    public func disagreement() -> String? {
        guard let first = Retelling(self).end else { return nil }
        let shortest = shortened(to: first.steps)
        let retelling = Retelling(shortest, isTold: true)
        guard let end = retelling.end else { preconditionFailure("the story ends as it did") }
        return """
            inputs: \(Input.allCases.filter { equipment.inputs[$0] }.map(\.name))
            outputs: \(Output.allCases.filter { equipment.outputs[$0] }.map(\.name))
            policy: \("\(policy)".replacing("Turnstile.", with: ""))
            debounce: \(debounce.isEmpty ? "none" : "as usual")
            on at most for: \(maximumOnTimes.map { "\($0.name) \($1)" }.sorted())
            ledger: \(ledger.map { "\($0)".replacing("Turnstile.", with: "") } ?? "none")
            \(retelling.story.joined(separator: "\n"))
            \(end.complaint)
            TURNSTILED_SEED=\(seed) tells it again.
            """
    }

    /// The same walk without everything that the disagreement has no need of: ever smaller pieces
    /// are left out, for as long as something is still not agreed on.
    private func shortened(to count: Int) -> Walk {
        var walk = self
        walk.steps.removeSubrange(count...)
        var size = walk.steps.count / 2
        while size > 0 {
            var start = 1
            while start < walk.steps.count {
                var shorter = walk
                shorter.steps.removeSubrange(start..<min(start + size, shorter.steps.count))
                if let end = Retelling(shorter).end {
                    shorter.steps.removeSubrange(end.steps...)
                    walk = shorter
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return walk
    }
}
