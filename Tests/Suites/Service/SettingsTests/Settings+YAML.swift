import Hardware
import Turnstile

@testable import Settings

extension Settings {
    /// The settings as a file that states everything.
    var yaml: String {
        let lines =
            [
                "gate: {name: '\(gate)'}", "fare: {price: \(policy.price)}",
                "records: {register_snapshot: \(registerSnapshot.yaml)}",
                "ledger: {path: \(ledger ?? "off"), \(ledgerLimits.yaml)}",
                "trace: {size: \(trace.size.map { "\($0 / 1_000_000)MB" } ?? "off"), "
                    + "age: \(trace.age.written)}",
            ] + policy.yaml(vaultCapacity) + wiring.yaml
        return lines.joined(separator: "\n") + "\n"
    }
}

extension LedgerLimits {
    /// The keys, as in braces.
    fileprivate var yaml: String {
        var keys = ["records: \(records)"]
        if let age { keys.append("age: \(age.written)") }
        if let room { keys.append("room: \(room / 1_000_000)MB") }
        return keys.joined(separator: ", ")
    }
}

extension Policy {
    /// The policy's sections, but for the price, with how many coins the vault holds.
    fileprivate func yaml(_ vaultCapacity: Int?) -> [String] {
        ["coin:"] + (vaultCapacity.map { ["  vault_capacity: \($0)"] } ?? []) + [
            "  \(coins[.first].yaml)",
            "  second: {\(coins[.second].yaml.replacing("\n  ", with: ", "))}",
            "  third: {\(coins[.third].yaml.replacing("\n  ", with: ", "))}",
            "  late_coin_window: \(lateCoinWindow.yaml)",
            "  early_coin_window: \(earlyCoinWindow.yaml)",
            "  vault_full: \(vaultFull.rawValue)",
            "  meter_unit: \(meterUnit)",
            "modes: {entry: \(regime.entry.rawValue), exit: \(regime.exit.rawValue), "
                + "enforcement: \(regime.enforcement.rawValue)}",
        ] + (schedule.isEmpty ? [] : ["schedule:"] + schedule.map { "- {\($0.yaml)}" }) + [
            "passage:",
            "  pass_wait: \(passWait.yaml)",
            "  max_stored: \(maxStored)",
            "  on_wait_timeout: \(onWaitTimeout.rawValue)",
            "  overpay: \(overpay.rawValue)",
            "  coin_while_unlocked: \(coinWhileUnlocked.rawValue)",
            "  credit_expiry: \(creditExpiry.yaml)",
            "  relock_at: \(relockAt.rawValue)",
            "  pass_delay_alarm: \(passDelayAlarm.yaml)",
            "  tailgating_window: \(tailgatingWindow.yaml)",
            "  rotor_step: \(rotorStep.yaml)",
            "  repair_resumes: \(repairResumes.rawValue)",
            "alarm: {forced_passage: \(forcedPassage.rawValue), "
                + "alarm_hold: \(alarmHold.yaml), beam_blocked: \(beamBlocked.yaml), "
                + "contact_stuck_after: \(contactStuckAfter.yaml)}",
            "emergency: {fire_reset: \(fireReset.rawValue)}",
            "service: {service_hold: \(serviceHold.yaml)}",
            "remote:",
            "  emergency_reset: \(remoteEmergencyReset.rawValue)",
            "  repair: \(remoteRepair.rawValue)",
            "  service: \(remoteService.rawValue)",
            "mechanism:",
            "  lock_pull: \(lockPull.yaml)",
            "  lock_response: \(lockResponse.yaml)",
            "  home_settle: \(homeSettle.yaml)",
            "  count_pulse: \(countPulse.yaml)",
        ]
    }
}

extension CoinPolicy {
    /// The acceptor's keys, each in a line of a section.
    fileprivate var yaml: String {
        let worth =
            switch values {
            case .proportional(let unit): "unit: \(unit)"
            case .exact(let table):
                "values: {\(table.map { "\($0.key): \($0.value)" }.joined(separator: ", "))}"
            }
        return [
            worth, "pulse_width: \(pulseWidth.yaml)", "train_quiet: \(trainQuiet.yaml)",
            "stuck_after: \(stuckAfter.yaml)",
        ].joined(separator: "\n  ")
    }
}

extension ScheduleEntry {
    /// The entry's keys, as in braces.
    fileprivate var yaml: String {
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        let days = Weekday.allCases.filter(days.contains).map { names[$0.rawValue] }
        var keys = ["days: [\(days.joined(separator: ", "))]"]
        for (name, minutes) in [("from", from), ("to", to)] {
            let (hour, minute) = (String(100 + minutes / 60), String(100 + minutes % 60))
            keys.append("\(name): \(hour.dropFirst()):\(minute.dropFirst())")
        }
        if let entry { keys.append("entry: \(entry.rawValue)") }
        if let exit { keys.append("exit: \(exit.rawValue)") }
        if let enforcement { keys.append("enforcement: \(enforcement.rawValue)") }
        return keys.joined(separator: ", ")
    }
}

extension Wiring {
    /// The section `hardware`.
    fileprivate var yaml: [String] {
        var lines = ["hardware:", "  chip: \(chip.yaml)", "  inputs:"]
        for (input, line) in inputs {
            lines.append(
                "    \(input.name): {\(common(line.chip, line.line, line.activeLow)), "
                    + "bias: \(line.bias.rawValue), debounce: \(line.debounce.yaml)}")
        }
        lines.append("  outputs:")
        for (output, line) in outputs {
            var keys = [common(line.chip, line.line, line.activeLow)]
            if let powerLoss = line.powerLoss { keys.append("power_loss: \(powerLoss.rawValue)") }
            if let limit = line.maximumOnTime {
                keys += ["duty: intermittent", "max_on: \(limit.yaml)"]
            } else if output != .coinEnable {
                keys.append("duty: continuous")
            }
            if let on = line.emergencyDuty?.on { keys.append("emergency_on: \(on.yaml)") }
            if let off = line.emergencyDuty?.off { keys.append("emergency_off: \(off.yaml)") }
            lines.append("    \(output.name): {\(keys.joined(separator: ", "))}")
        }
        return lines
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
