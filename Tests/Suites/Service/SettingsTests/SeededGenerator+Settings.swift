import Hardware
import Seeds
import Turnstile

@testable import Settings

extension SeededGenerator {
    /// Settings that contradict nothing.
    mutating func settings() -> Settings {
        let policy = policy()
        return Settings(
            gate: "gate \(Int.random(in: 0...99, using: &self))", policy: policy,
            wiring: wiring(policy), registerSnapshot: milliseconds(300_000...86_400_000),
            ledger: Bool.random(using: &self)
                ? "/ledger \(Int.random(in: 0...9, using: &self))" : nil,
            ledgerLimits: ledgerLimits(), trace: trace(),
            vaultCapacity: oneIn(2) ? .random(in: 1...1_000_000, using: &self) : nil)
    }

    /// What is kept of all that the gate decided.
    mutating func trace() -> TraceSettings {
        var trace = TraceSettings()
        trace.size = oneIn(4) ? nil : 1_000_000 * .random(in: 2...1000, using: &self)
        trace.age = .seconds(Int.random(in: 3_600...2_592_000, using: &self))
        return trace
    }

    /// What a ledger keeps.
    mutating func ledgerLimits() -> LedgerLimits {
        var limits = LedgerLimits()
        limits.records = .random(in: 10_000...100_000_000, using: &self)
        if oneIn(2) { limits.age = .seconds(Int.random(in: 2_592_000...631_152_000, using: &self)) }
        if oneIn(2) { limits.room = 1_000_000 * .random(in: 16...1_000_000, using: &self) }
        return limits
    }

    private mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: range, using: &self))
    }

    private mutating func one<Choice: CaseIterable>(of type: Choice.Type) -> Choice {
        type.allCases.randomElement(using: &self)!
    }
}

// The policy.
extension SeededGenerator {
    private mutating func policy() -> Policy {
        var policy = Policy(price: 1, coinUnit: 1)
        policy.meterUnit = .random(in: 1...1000, using: &self)
        // No coin below is worth more than 1,000 steps of the meter, nor pays for more than 50.
        policy.price = .random(in: 20 * policy.meterUnit...1_000_000, using: &self)
        for acceptor in Acceptor.allCases {
            policy.coins[acceptor] = coins(inStepsOf: policy.meterUnit)
        }
        policy.lateCoinWindow = milliseconds(0...5000)
        policy.earlyCoinWindow = milliseconds(0...5000)
        policy.regime = Regime(
            entry: one(of: Mode.self), exit: one(of: Mode.self),
            enforcement: one(of: Enforcement.self))
        policy.schedule = schedule()
        choosePassages(&policy)
        policy.forcedPassage = one(of: ForcedPassagePolicy.self)
        policy.alarmHold = milliseconds(1000...200_000)
        policy.beamBlocked = milliseconds(3000...255_000)
        policy.contactStuckAfter = oneIn(5) ? .zero : milliseconds(10_000...86_400_000)
        policy.fireReset = one(of: FireResetPolicy.self)
        policy.remoteEmergencyReset = one(of: RemotePolicy.self)
        policy.remoteRepair = one(of: RemotePolicy.self)
        policy.remoteService = one(of: RemotePolicy.self)
        policy.serviceHold = milliseconds(1000...10_000)
        policy.lockPull = milliseconds(50...1000)
        policy.lockResponse = milliseconds(50...900)
        policy.homeSettle = milliseconds(200...10_000)
        policy.countPulse = milliseconds(50...1000)
        return policy
    }

    private mutating func choosePassages(_ policy: inout Policy) {
        policy.passWait = milliseconds(1000...60_000)
        policy.maxStored = .random(in: 1...50, using: &self)
        policy.onWaitTimeout = one(of: CreditPolicy.self)
        policy.overpay = one(of: CreditPolicy.self)
        policy.coinWhileUnlocked = one(of: UnlockedCoinPolicy.self)
        policy.creditExpiry = oneIn(5) ? .zero : milliseconds(10_000...7_200_000)
        policy.vaultFull = one(of: VaultFullPolicy.self)
        policy.relockAt = one(of: RelockPoint.self)
        policy.passDelayAlarm = milliseconds(5000...120_000)
        policy.tailgatingWindow = milliseconds(0...10_000)
        policy.rotorStep = milliseconds(0...100)
        policy.repairResumes = one(of: RepairPolicy.self)
    }

    /// An acceptor whose coins a meter of this step can count.
    private mutating func coins(inStepsOf step: Int) -> CoinPolicy {
        var coins = CoinPolicy(unit: step * .random(in: 1...1000, using: &self))
        if oneIn(2) {
            let pulses = (0...Int.random(in: 0...8, using: &self)).map { _ in
                Int.random(in: 1...255, using: &self)
            }
            let table = pulses.map { ($0, step * .random(in: 1...1000, using: &self)) }
            coins.values = .exact(Dictionary(table) { $1 })
        }
        let width = Int.random(in: 20...500, using: &self)
        coins.pulseWidth = .milliseconds(width)
        coins.stuckAfter = milliseconds(max(300, 2 * width + 1)...5000)
        coins.trainQuiet = milliseconds(120...500)
        return coins
    }

    /// A schedule in which each entry counts at some time, since each begins on a day of its own.
    private mutating func schedule() -> [ScheduleEntry] {
        (0..<Int.random(in: 0...3, using: &self)).map { number in
            let days = Weekday.allCases[2 * number...2 * number + (oneIn(2) ? 1 : 0)]
            var entry = ScheduleEntry(
                days: Weekdays(days), from: .random(in: 0...1439, using: &self),
                to: .random(in: 1...1440, using: &self))
            if oneIn(2) { entry.entry = one(of: Mode.self) }
            if oneIn(2) { entry.exit = one(of: Mode.self) }
            if entry.entry == nil && entry.exit == nil || oneIn(2) {
                entry.enforcement = one(of: Enforcement.self)
            }
            return entry
        }
    }
}

extension Policy {
    /// Whether a direction ever has this mode.
    fileprivate func hasMode(_ mode: Mode, _ direction: Direction) -> Bool {
        regime[direction] == mode || schedule.contains { $0[direction] == mode }
    }

    /// Whether enforcement is ever weak.
    fileprivate var hasWeakEnforcement: Bool {
        regime.enforcement == .weak || schedule.contains { $0.enforcement == .weak }
    }
}

// The wiring.
extension SeededGenerator {
    private mutating func wiring(_ policy: Policy) -> Wiring {
        let equipment = equipment(policy)
        var wiring = Wiring(chip: chip(), inputs: [:], outputs: [:])
        for input in Input.allCases where equipment.inputs[input] {
            wiring.inputs[input] = line(of: input, policy)
        }
        for output in Output.allCases where equipment.outputs[output] {
            wiring.outputs[output] = line(of: output, policy, equipment)
        }
        limitHoldingCoils(of: &wiring, policy)
        return wiring
    }

    /// What holds a lock may be cut where it is energised for a passage alone.
    private mutating func limitHoldingCoils(of wiring: inout Wiring, _ policy: Policy) {
        for direction in Direction.allCases where !policy.hasMode(.free, direction) {
            guard wiring.outputs[direction.lock]?.powerLoss == .failSecure, oneIn(2) else {
                continue
            }
            let hold: Output = direction == .entry ? .lockEntryHold : .lockExitHold
            wiring.outputs[hold]?.maximumOnTime = milliseconds(60_001...300_000)
        }
    }

    /// Roles that make a gate for this policy.
    private mutating func equipment(_ policy: Policy) -> Equipment {
        var inputs = InputLevels(Input.allCases.filter { _ in oneIn(2) })
        var outputs = OutputSet(Output.allCases.filter { _ in oneIn(2) })
        let sensors: [Input] = oneIn(2) ? [.rotorA, .rotorB] : [.beamA, .beamB]
        for input in [Input.rotorA, .rotorB, .beamA, .beamB] {
            inputs[input] = sensors.contains(input)
        }
        inputs[.fire] = true
        outputs[.lockEntry] = true
        if policy.fireReset == .manual { inputs[.emergencyResetKey] = true }
        if policy.forcedPassage == .latch { inputs[.serviceKey] = true }
        if policy.hasWeakEnforcement { outputs[.buzzer] = true }

        if inputs[.coinPulse] {
            outputs[.coinEnable] = true
            if policy.coinWhileUnlocked != .reject, !inputs[.coinJam] {
                outputs[.coinReject] = false
            }
        } else {
            if policy.hasMode(.controlled, .entry) { inputs[.releaseEntry] = true }
            inputs.subtract(InputLevels([.coinPulse2, .coinPulse3, .coinJam]))
            outputs.subtract(OutputSet([.coinEnable, .coinReject, .coinMeter]))
        }
        if !outputs[.lockExit] {
            outputs[.lockExitHold] = false
            inputs[.lockFeedbackExit] = false
        } else if policy.hasMode(.controlled, .exit) {
            inputs[.releaseExit] = true
        }
        return Equipment(inputs: inputs, outputs: outputs)
    }

    private mutating func line(of input: Input, _ policy: Policy) -> InputLine {
        var line = InputLine(
            chip: oneIn(3) ? chip() : nil, line: selector(input.index), activeLow: oneIn(2),
            bias: one(of: Bias.self))
        let range = input.entry.debounce.range
        var longest = Int(range.upperBound.wholeMilliseconds)
        if let acceptor = Acceptor.allCases.first(where: { $0.line == input }) {
            longest = min(
                longest, (Int(policy.coins[acceptor].pulseWidth.wholeMilliseconds) - 1) / 2)
        } else if Direction.allCases.contains(where: { $0.lockFeedback == input }) {
            longest = min(longest, Int(policy.lockResponse.wholeMilliseconds) - 1)
        } else if input == .fire {
            if line.bias == .pullUp { line.activeLow = false }
            if line.bias == .pullDown { line.activeLow = true }
        }
        line.debounce = milliseconds(Int(range.lowerBound.wholeMilliseconds)...longest)
        return line
    }

    private mutating func line(
        of output: Output, _ policy: Policy, _ equipment: Equipment
    ) -> OutputLine {
        var line = OutputLine(
            chip: oneIn(3) ? chip() : nil, line: selector(Input.allCases.count + output.index),
            activeLow: oneIn(2), maximumOnTime: oneIn(2) ? milliseconds(60_001...300_000) : nil)
        switch output {
        case .lockEntry, .lockExit:
            line.powerLoss = one(of: PowerLoss.self)
            let direction: Direction = output == .lockEntry ? .entry : .exit
            let isHeld = equipment.outputs[output == .lockEntry ? .lockEntryHold : .lockExitHold]
            if !isHeld, line.powerLoss == .failSafe || policy.hasMode(.free, direction) {
                line.maximumOnTime = nil
            }
            if oneIn(2) {
                line.emergencyDuty = EmergencyDuty(
                    on: milliseconds(1_000...60_000), off: milliseconds(1_000...300_000))
            }
        case .lockEntryHold, .lockExitHold: line.maximumOnTime = nil
        case .dropArm:
            line.powerLoss = one(of: PowerLoss.self)
            if line.powerLoss == .failSafe { line.maximumOnTime = nil }
        case .alarm, .buzzer:
            let canBeCut = policy.forcedPassage == .alarmForHold && oneIn(2)
            line.maximumOnTime = canBeCut ? milliseconds(200_001...300_000) : nil
        case .coinEnable: line.maximumOnTime = nil
        case .lampGo, .lampStop, .coinReject, .ready, .countPulse, .coinMeter: break
        }
        return line
    }

    /// A line that no other number gives.
    private mutating func selector(_ number: Int) -> LineSelector {
        oneIn(2) ? .offset(number) : .name(oneIn(2) ? "LINE \(number)" : "\(number)")
    }

    private mutating func chip() -> ChipSelector {
        let number = Int.random(in: 0...9, using: &self)
        switch Int.random(in: 0...2, using: &self) {
        case 0: return .label("label-\(number)")
        case 1: return .name("gpiochip\(number)")
        default: return .path("/dev/gpiochip\(number)")
        }
    }
}
