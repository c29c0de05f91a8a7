import Seeds
import Turnstile

// Gates as installers leave them and owners set them up.

extension SeededGenerator {
    fileprivate mutating func one<T>(of things: [T]) -> T {
        things[Int.random(in: things.indices, using: &self)]
    }

    fileprivate mutating func duration(_ milliseconds: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: milliseconds, using: &self))
    }
}

extension Equipment {
    /// Some gate: a small one, one with everything, or anything between.
    static func random(_ chance: inout SeededGenerator) -> Equipment {
        if chance.oneIn(8) { return .oneWay }
        let isFull = chance.oneIn(3)
        let hasBeams = chance.oneIn(3)
        var equipment = Equipment(inputs: [], outputs: [])
        for input in Input.allCases where isFull || !chance.oneIn(3) {
            equipment.inputs[input] = true
        }
        for output in Output.allCases where isFull || !chance.oneIn(3) {
            equipment.outputs[output] = true
        }
        for sensor in [Input.beamA, .beamB] { equipment.inputs[sensor] = hasBeams }
        for sensor in [Input.rotorA, .rotorB] { equipment.inputs[sensor] = !hasBeams }
        for direction in Direction.allCases where !equipment.outputs[direction.lock] {
            equipment.inputs[direction.lockFeedback] = false
        }
        equipment.outputs[.lockEntryHold] = false
        equipment.outputs[.lockExitHold] = false
        return equipment
    }
}

extension Policy {
    /// Some policy, mostly one that leaves people something to do.
    static func random(_ chance: inout SeededGenerator) -> Policy {
        var policy = Policy(price: Int.random(in: 1...300, using: &chance), coinUnit: 50)
        for acceptor in Acceptor.allCases {
            if chance.oneIn(4) { policy.coins[acceptor].values = .exact([1: 50, 2: 100, 5: 500]) }
            policy.coins[acceptor].pulseWidth = .milliseconds(chance.one(of: [25, 50, 100]))
            policy.coins[acceptor].trainQuiet = chance.duration(120...500)
            policy.coins[acceptor].stuckAfter = chance.duration(300...2_000)
        }
        policy.meterUnit = chance.one(of: [10, 50, 100])
        policy.regime = .random(&chance)
        if chance.oneIn(2) {
            policy.schedule = (0...Int.random(in: 0...2, using: &chance)).map { _ in
                .random(&chance)
            }
        }
        policy.passWait = chance.duration(1_000...8_000)
        policy.maxStored = chance.one(of: [1, 2, 3, 5])
        policy.onWaitTimeout = chance.one(of: CreditPolicy.allCases)
        policy.overpay = chance.one(of: CreditPolicy.allCases)
        policy.coinWhileUnlocked = chance.one(of: UnlockedCoinPolicy.allCases)
        policy.creditExpiry = chance.oneIn(3) ? .zero : chance.duration(10_000...40_000)
        policy.lateCoinWindow = chance.duration(0...5_000)
        // Without a draw, so that earlier seeds keep their meaning.
        if policy.lateCoinWindow < .seconds(1) { policy.earlyCoinWindow = policy.lateCoinWindow }
        let longest = policy.lateCoinWindow * 20
        policy.contactStuckAfter = longest < .seconds(10) ? .zero : longest
        policy.vaultFull = chance.one(of: VaultFullPolicy.allCases)
        policy.relockAt = chance.one(of: RelockPoint.allCases)
        policy.passDelayAlarm = chance.duration(5_000...30_000)
        policy.tailgatingWindow = chance.duration(0...4_000)
        policy.rotorStep = .milliseconds(chance.one(of: [0, 10, 10, 40, 100]))
        policy.beamBlocked = chance.duration(3_000...15_000)
        policy.homeSettle = chance.duration(200...3_000)
        policy.lockResponse = chance.duration(50...900)
        policy.countPulse = chance.duration(50...1_000)
        policy.forcedPassage = chance.one(of: ForcedPassagePolicy.allCases)
        policy.alarmHold = chance.duration(1_000...9_000)
        policy.repairResumes = chance.one(of: RepairPolicy.allCases)
        policy.serviceHold = chance.duration(1_000...4_000)
        policy.fireReset = chance.one(of: FireResetPolicy.allCases)
        policy.remoteEmergencyReset = chance.one(of: RemotePolicy.allCases)
        policy.remoteRepair = chance.one(of: RemotePolicy.allCases)
        policy.remoteService = chance.one(of: RemotePolicy.allCases)
        return policy
    }
}

extension Regime {
    /// Mostly controlled ways.
    fileprivate static func random(_ chance: inout SeededGenerator) -> Regime {
        Regime(
            entry: chance.one(of: [.controlled, .controlled, .controlled, .free, .locked]),
            exit: chance.one(of: [.controlled, .controlled, .free, .locked]),
            enforcement: chance.one(of: Enforcement.allCases))
    }
}

extension WeekTime {
    /// Shortly before or after noon of some day.
    static func random(_ chance: inout SeededGenerator) -> WeekTime {
        WeekTime(
            second: chance.one(of: Weekday.allCases).rawValue * 86_400 + 43_200
                + Int.random(in: -400...400, using: &chance))
    }
}

extension ScheduleEntry {
    /// Something that begins or ends around noon.
    fileprivate static func random(_ chance: inout SeededGenerator) -> ScheduleEntry {
        let moment = 720 + Int.random(in: -6...8, using: &chance)
        let other = chance.oneIn(2) ? 0 : 720 + Int.random(in: -6...8, using: &chance)
        let isBeginning = Bool.random(using: &chance)
        var entry = ScheduleEntry(
            days: chance.oneIn(3) ? Weekdays(rawValue: .random(in: 0..<128, using: &chance)) : .all,
            from: isBeginning ? moment : other, to: isBeginning ? max(1, other) : moment)
        let regime = Regime.random(&chance)
        if !chance.oneIn(3) { entry.entry = regime.entry }
        if !chance.oneIn(3) { entry.exit = regime.exit }
        if !chance.oneIn(3) { entry.enforcement = regime.enforcement }
        return entry
    }
}
