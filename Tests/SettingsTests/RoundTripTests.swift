import Hardware
import Seeds
import Testing
import Turnstile

@testable import Settings

/// Settings that are written out read as they were, whatever they are: each key fills in what it
/// is named after.
@Suite struct RoundTripTests {
    @Test func whatIsWrittenReadsTheSame() throws {
        var random = SeededGenerator.announced()
        for _ in 0..<300 {
            let settings = random.settings()
            let text = settings.yaml
            do throws(SettingsErrors) {
                let read = try Settings.parse(text, file: "gate.yaml")
                #expect(read == settings, "\(random)\n\(text)")
                if read != settings { return }
            } catch {
                Issue.record("\(random): \(error)\n\(text)")
                return
            }
        }
    }
}

extension SeededGenerator {
    private mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: range, using: &self))
    }

    private mutating func one<Choice: CaseIterable>(of type: Choice.Type) -> Choice {
        type.allCases.randomElement(using: &self)!
    }

    /// Settings that contradict nothing.
    fileprivate mutating func settings() -> Settings {
        let policy = policy()
        return Settings(
            gate: "gate \(Int.random(in: 0...99, using: &self))", policy: policy,
            wiring: wiring(policy))
    }

    private mutating func policy() -> Policy {
        var policy = Policy(
            price: .random(in: 1...1_000_000, using: &self),
            coinUnit: .random(in: 1...1_000_000, using: &self))
        let width = Int.random(in: 20...500, using: &self)
        policy.pulseWidth = .milliseconds(width)
        policy.coinStuckAfter = milliseconds(max(300, 2 * width + 1)...5000)
        policy.trainQuiet = milliseconds(120...500)
        policy.passWait = milliseconds(1000...60_000)
        policy.onWaitTimeout = one(of: CreditPolicy.self)
        policy.overpay = one(of: CreditPolicy.self)
        policy.relockAt = one(of: RelockPoint.self)
        policy.passDelayAlarm = milliseconds(5000...120_000)
        policy.repairResumes = one(of: RepairPolicy.self)
        policy.forcedPassage = one(of: ForcedPassagePolicy.self)
        policy.alarmHold = milliseconds(1000...200_000)
        policy.fireReset = one(of: FireResetPolicy.self)
        return policy
    }

    private mutating func wiring(_ policy: Policy) -> Wiring {
        var roles = Set(Input.allCases)
        if policy.fireReset == .auto, oneIn(2) { roles.remove(.emergencyResetKey) }
        if policy.forcedPassage == .alarmForHold, oneIn(2) { roles.remove(.serviceKey) }
        if oneIn(2) { roles.remove(.externalFault) }
        if oneIn(3) { roles.remove(oneIn(2) ? .coinPulse : .releaseEntry) }

        var wiring = Wiring(chip: chip(), inputs: [:], outputs: [:])
        for input in Input.allCases where roles.contains(input) {
            wiring.inputs[input] = line(of: input, policy)
        }
        wiring.outputs[.lockEntry] = lock(policy)
        if roles.contains(.coinPulse) {
            wiring.outputs[.coinInhibit] = output(20, maximumOnTime: nil)
        }
        let canBeCut = policy.forcedPassage == .alarmForHold && oneIn(2)
        wiring.outputs[.alarm] = output(
            21, maximumOnTime: canBeCut ? milliseconds(200_001...300_000) : nil)
        return wiring
    }

    private mutating func line(of input: Input, _ policy: Policy) -> InputLine {
        var line = InputLine(
            chip: oneIn(3) ? chip() : nil, line: selector(input.index), activeLow: oneIn(2),
            bias: one(of: Bias.self))
        switch input {
        case .coinPulse:
            let width = Int(policy.pulseWidth.wholeMilliseconds)
            line.debounce = milliseconds(0...min(50, (width - 1) / 2))
        case .rotorA, .rotorB: line.debounce = milliseconds(0...50)
        case .fire:
            line.debounce = milliseconds(0...100)
            if line.bias == .pullUp { line.activeLow = false }
            if line.bias == .pullDown { line.activeLow = true }
        case .releaseEntry, .emergencyResetKey, .serviceKey, .externalFault:
            line.debounce = milliseconds(20...1000)
        }
        return line
    }

    private mutating func lock(_ policy: Policy) -> OutputLine {
        let powerLoss = one(of: PowerLoss.self)
        let isContinuous = powerLoss == .failSafe || oneIn(2)
        var lock = output(
            22, maximumOnTime: isContinuous ? nil : milliseconds(60_001...300_000))
        lock.powerLoss = powerLoss
        return lock
    }

    private mutating func output(_ number: Int, maximumOnTime: Duration?) -> OutputLine {
        OutputLine(
            chip: oneIn(3) ? chip() : nil, line: selector(number), activeLow: oneIn(2),
            maximumOnTime: maximumOnTime)
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

extension Settings {
    /// The settings as a file that states everything.
    fileprivate var yaml: String {
        var lines = [
            "gate: {name: '\(gate)'}",
            "fare: {price: \(policy.price)}",
            "coin: {unit: \(policy.coinUnit), pulse_width: \(policy.pulseWidth.yaml), "
                + "train_quiet: \(policy.trainQuiet.yaml), "
                + "stuck_after: \(policy.coinStuckAfter.yaml)}",
            "passage:",
            "  pass_wait: \(policy.passWait.yaml)",
            "  on_wait_timeout: \(policy.onWaitTimeout.rawValue)",
            "  overpay: \(policy.overpay.rawValue)",
            "  relock_at: \(policy.relockAt.rawValue)",
            "  pass_delay_alarm: \(policy.passDelayAlarm.yaml)",
            "  repair_resumes: \(policy.repairResumes.rawValue)",
            "alarm: {forced_passage: \(policy.forcedPassage.rawValue), "
                + "alarm_hold: \(policy.alarmHold.yaml)}",
            "emergency: {fire_reset: \(policy.fireReset.rawValue)}",
            "hardware:",
            "  chip: \(wiring.chip.yaml)",
            "  inputs:",
        ]
        for (input, line) in wiring.inputs {
            lines.append(
                "    \(input.rawValue): {\(common(line.chip, line.line, line.activeLow)), "
                    + "bias: \(line.bias.rawValue), debounce: \(line.debounce.yaml)}")
        }
        lines.append("  outputs:")
        for (output, line) in wiring.outputs {
            var keys = [common(line.chip, line.line, line.activeLow)]
            if let powerLoss = line.powerLoss { keys.append("power_loss: \(powerLoss.rawValue)") }
            if let limit = line.maximumOnTime {
                keys += ["duty: intermittent", "max_on: \(limit.yaml)"]
            } else if output != .coinInhibit {
                keys.append("duty: continuous")
            }
            lines.append("    \(output.rawValue): {\(keys.joined(separator: ", "))}")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func common(_ chip: ChipSelector?, _ line: LineSelector, _ activeLow: Bool) -> String {
        let text =
            switch line {
            case .name(let name): "'\(name)'"
            case .offset(let offset): "\(offset)"
            }
        let own = chip.map { ", chip: \($0.yaml)" } ?? ""
        return "line: \(text)\(own), active_low: \(activeLow)"
    }
}

extension Duration {
    fileprivate var yaml: String { "\(wholeMilliseconds)ms" }
}

extension ChipSelector {
    fileprivate var yaml: String {
        switch self {
        case .label(let label): "{label: \(label)}"
        case .name(let name): "{name: \(name)}"
        case .path(let path): "{path: \(path)}"
        }
    }
}
