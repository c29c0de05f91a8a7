import Hardware
import Turnstile

/// What no key can know alone.
extension Reader {
    /// Checks what the keys say together.
    mutating func check(_ draft: Draft) {
        checkLinesAreUsedOnce(draft)
        // The other checks conclude from what is not there, and it may yet stand below a mistake
        // in the syntax.
        guard isComplete else { return }
        checkPayment()
        checkResets(draft)
        checkFire(draft)
        checkCoinTimes(draft)
        checkLock(draft)
        checkAlarm(draft)
        for output in Output.allCases { checkDuty(of: output, draft) }
    }

    /// A line has one role.
    private mutating func checkLinesAreUsedOnce(_ draft: Draft) {
        struct Use: Hashable {
            var chip: ChipSelector?
            var line: LineSelector
        }
        var uses: [(place: String, use: Use)] = []
        for (role, line) in draft.inputs {
            uses.append(
                ("\(inputs).\(role.rawValue)", Use(chip: line.chip ?? draft.chip, line: line.line)))
        }
        for (role, output) in draft.outputs {
            let (chip, line) = (output.line.chip ?? draft.chip, output.line.line)
            uses.append(("\(outputs).\(role.rawValue)", Use(chip: chip, line: line)))
        }
        uses.removeAll { !isSound("\($0.place).line", "\($0.place).chip") }
        uses.sort { position(of: "\($0.place).line") < position(of: "\($1.place).line") }

        var first: [Use: String] = [:]
        for (place, use) in uses {
            guard let other = first[use] else {
                first[use] = place
                continue
            }
            let line =
                switch use.line {
                case .name(let name): quoted(name)
                case .offset(let offset): "\(offset)"
                }
            report(
                "\(line) is already the line of '\(other)' at \(position(of: "\(other).line"))",
                at: "\(place).line")
        }
    }

    /// Somebody must be able to get in, and coins need an acceptor that can be told to refuse.
    private mutating func checkPayment() {
        let takesCoins = has("\(inputs).coin_pulse")
        if !takesCoins, !has("\(inputs).release_entry") {
            reportMissing(
                "coin_pulse", in: inputs,
                "without this or 'release_entry' nobody could ever be let in")
        }
        if takesCoins {
            reportMissing(
                "coin_inhibit", in: outputs,
                "'coin_pulse' is wired, and an acceptor that cannot be told to refuse takes money "
                    + "while the gate is out of service")
            for (name, section) in [("price", "fare"), ("unit", "coin")] {
                reportMissing(
                    name, in: section,
                    "'coin_pulse' is wired, and nobody can guess \(summary(name, section))")
            }
        } else if has("\(outputs).coin_inhibit") {
            reportMissing(
                "coin_pulse", in: inputs,
                "'coin_inhibit' is wired, so there is an acceptor, whose coins nobody would count")
        }
    }

    /// What is latched needs a key that ends it.
    private mutating func checkResets(_ draft: Draft) {
        if draft.policy.fireReset == .manual, isSound("emergency.fire_reset") {
            reportMissing(
                "emergency_reset_key", in: inputs,
                "'emergency.fire_reset' is manual, so nothing else ends an emergency; wire the "
                    + "key or choose auto")
        }
        if draft.policy.forcedPassage == .latch, isSound("alarm.forced_passage") {
            reportMissing(
                "service_key", in: inputs,
                "'alarm.forced_passage' is latch, so nothing else silences the alarm; wire the "
                    + "key or choose alarm")
        }
    }

    /// A broken wire must read as an open loop.
    private mutating func checkFire(_ draft: Draft) {
        let place = "\(inputs).fire"
        guard let fire = draft.inputs[.fire], isSound("\(place).bias", "\(place).active_low")
        else { return }
        let level: String
        switch (fire.bias, fire.activeLow) {
        case (.pullUp, true): level = "high"
        case (.pullDown, false): level = "low"
        case (.pullUp, false), (.pullDown, true), (.asIs, _), (.disabled, _): return
        }
        report(
            "a broken wire must be an emergency, but with bias \(fire.bias.rawValue) it reads "
                + "\(level), which is inactive here; a loop that closes to ground takes pull_up "
                + "and active_low: false, one that closes to the supply pull_down and "
                + "active_low: true",
            at: "\(place).active_low")
    }

    /// Every pulse that counts must be seen, and be over before the line counts as stuck.
    private mutating func checkCoinTimes(_ draft: Draft) {
        let policy = draft.policy
        let width = shown(policy.pulseWidth, at: "coin.pulse_width")
        if policy.coinStuckAfter <= policy.pulseWidth * 2,
            isSound("coin.stuck_after", "coin.pulse_width")
        {
            let stuck = shown(policy.coinStuckAfter, at: "coin.stuck_after")
            report(
                "\(stuck) must be longer than twice 'pulse_width' (\(width)): a pulse of that "
                    + "length still counts", at: "coin.stuck_after")
        }
        let place = "\(inputs).coin_pulse.debounce"
        guard let debounce = draft.inputs[.coinPulse]?.debounce, debounce >= policy.pulseWidth / 2,
            isSound(place, "coin.pulse_width")
        else { return }
        report(
            "\(debounce.written) must be shorter than half of 'coin.pulse_width' (\(width)): it "
                + "would swallow pulses that count", at: place)
    }

    /// The lock must stand what it is asked to do.
    private mutating func checkLock(_ draft: Draft) {
        let place = "\(outputs).lock_entry"
        guard let lock = draft.outputs[.lockEntry], lock.duty == .intermittent,
            isSound("\(place).power_loss", "\(place).duty")
        else { return }
        switch lock.line.powerLoss {
        case nil: return
        case .failSafe:
            report(
                "a fail_safe lock is energised all the time that it is locked, so it must be "
                    + "rated for that: write 'duty: continuous' if its data sheet says so (100 % "
                    + "ED), or else fit another lock", at: "\(place).duty")
        case .failSecure:
            guard lock.maximumOnTime <= draft.policy.passWait,
                isSound("\(place).max_on", "passage.pass_wait")
            else { return }
            let limit = shown(lock.maximumOnTime, at: "\(place).max_on")
            let wait = shown(draft.policy.passWait, at: "passage.pass_wait")
            report(
                "\(limit) must be longer than 'passage.pass_wait' (\(wait)): a fail_secure lock "
                    + "is energised while the gate waits for somebody to come, and would be cut "
                    + "before", at: "\(place).max_on")
        }
    }

    /// The siren must stand what the policy asks of it.
    private mutating func checkAlarm(_ draft: Draft) {
        let place = "\(outputs).alarm"
        guard let alarm = draft.outputs[.alarm], alarm.duty == .intermittent,
            isSound("\(place).duty", "\(place).max_on")
        else { return }
        if alarm.maximumOnTime <= draft.policy.alarmHold, isSound("alarm.alarm_hold") {
            let limit = shown(alarm.maximumOnTime, at: "\(place).max_on")
            let hold = shown(draft.policy.alarmHold, at: "alarm.alarm_hold")
            report(
                "\(limit) must be longer than 'alarm.alarm_hold' (\(hold)), or the alarm would "
                    + "be cut before", at: "\(place).max_on")
        }
        if draft.policy.forcedPassage == .latch, isSound("alarm.forced_passage") {
            report(
                "'alarm.forced_passage' is latch, which sounds the alarm without end: write "
                    + "'duty: continuous' if the device is rated for that, or else choose alarm",
                at: "\(place).duty")
        }
    }

    /// A device that may be energised without end has no longest time.
    private mutating func checkDuty(of output: Output, _ draft: Draft) {
        let place = "\(outputs).\(output.rawValue)"
        guard draft.outputs[output]?.duty == .continuous, has("\(place).max_on"),
            isSound("\(place).duty")
        else { return }
        report(
            "contradicts 'duty: continuous', which means no limit: leave out one of the two",
            at: "\(place).max_on")
    }

    private var inputs: String { "hardware.inputs" }
    private var outputs: String { "hardware.outputs" }

    /// What the key says of itself.
    private func summary(_ name: String, _ section: String) -> String {
        Schema.entry(at: "\(section).\(name)")?.summary ?? name
    }
}
