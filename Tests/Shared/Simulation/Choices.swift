import SimulatedHardware
import StateMachines
import Turnstile

// What owners decide.

extension SplitMix64 {
    /// One of these.
    mutating func one<T>(of things: [T]) -> T {
        things[Int.random(in: things.indices, using: &self)]
    }

    /// So many seconds.
    fileprivate mutating func seconds(_ range: ClosedRange<Int>) -> Duration {
        .seconds(Int.random(in: range, using: &self))
    }
}

extension Installation {
    /// Some policy; what describes the acceptors is the same in all of them.
    static func policy(_ day: Simulation.Day, _ randomness: inout SplitMix64) -> Policy {
        var policy = Policy(price: 50 * Int.random(in: 1...6, using: &randomness), coinUnit: 50)
        policy.coins[.third].values = .exact([1: 50, 2: 100, 4: 200])
        policy.passWait = randomness.seconds(2...8)
        policy.onWaitTimeout = randomness.one(of: CreditPolicy.allCases)
        policy.overpay = randomness.one(of: CreditPolicy.allCases)
        policy.relockAt = randomness.one(of: RelockPoint.allCases)
        policy.passDelayAlarm = randomness.seconds(5...30)
        policy.forcedPassage = randomness.one(of: ForcedPassagePolicy.allCases)
        policy.alarmHold = randomness.seconds(1...8)
        policy.repairResumes = randomness.one(of: RepairPolicy.allCases)
        policy.fireReset = randomness.one(of: FireResetPolicy.allCases)
        guard day == .troubled else { return policy }
        policy.regime = Regime(
            entry: randomness.one(of: [.controlled, .controlled, .controlled, .free, .locked]),
            exit: randomness.one(of: Mode.allCases),
            enforcement: randomness.one(of: Enforcement.allCases))
        if Bool.random(using: &randomness) { policy.schedule = [schedule(&randomness)] }
        policy.maxStored = randomness.one(of: [1, 3, 5])
        policy.coinWhileUnlocked = randomness.one(of: UnlockedCoinPolicy.allCases)
        policy.vaultFull = randomness.one(of: VaultFullPolicy.allCases)
        policy.remoteEmergencyReset = randomness.one(of: RemotePolicy.allCases)
        policy.remoteRepair = randomness.one(of: RemotePolicy.allCases)
        policy.remoteService = randomness.one(of: RemotePolicy.allCases)
        policy.creditExpiry = randomness.one(of: [.zero, .seconds(10), .seconds(60)])
        policy.lateCoinWindow = randomness.seconds(1...5)
        policy.contactStuckAfter = policy.passDelayAlarm * 2
        policy.tailgatingWindow = randomness.seconds(0...4)
        policy.beamBlocked = randomness.seconds(3...15)
        policy.meterUnit = randomness.one(of: [10, 50])
        policy.serviceHold = randomness.seconds(1...4)
        policy.countPulse = .milliseconds(randomness.one(of: [50, 250, 600]))
        return policy
    }

    /// Something that is otherwise for some minutes of every day; the day begins at midnight.
    private static func schedule(_ randomness: inout SplitMix64) -> ScheduleEntry {
        let from = Int.random(in: 0...20, using: &randomness)
        var entry = ScheduleEntry(
            days: .all, from: from, to: from + Int.random(in: 1...20, using: &randomness))
        entry.entry = randomness.one(of: [nil, .controlled, .free, .locked])
        entry.exit = randomness.one(of: [nil, .controlled, .free, .locked])
        entry.enforcement = randomness.one(of: [nil, .weak, .strong])
        return entry
    }
}
