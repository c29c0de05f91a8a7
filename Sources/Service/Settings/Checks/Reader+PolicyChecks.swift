import Hardware
import Turnstile

/// Contradictions between keys, and with the wiring.
extension Reader {
    mutating func checkPolicy(_ draft: Draft) {
        for conflict in draft.policy.conflicts(with: draft.installation) {
            switch conflict {
            case .noWayIn, .noWayOut, .resetKey, .serviceKey, .buzzer:
                reportMissing(conflict, draft)
            case .freeWay(let direction): reportFreeWay(direction, draft)
            case .wait(let direction):
                report(
                    holdCoil(of: direction), isCutBefore: draft.policy.passWait,
                    "passage.pass_wait",
                    "a fail_secure lock is energised while the gate waits for the passenger, "
                        + "and", draft)
            case .pull(let direction):
                report(
                    direction.lock, isCutBefore: draft.policy.lockPull, "mechanism.lock_pull",
                    "the pull", draft)
            case .alarm(let output):
                report(
                    output, isCutBefore: draft.policy.alarmHold, "alarm.alarm_hold", "the alarm",
                    draft)
            case .latchedAlarm(let output): reportLatchedAlarm(output)
            case .countPulse(let output):
                report(
                    output, isCutBefore: draft.policy.countPulse, "mechanism.count_pulse",
                    "every pulse of it", draft)
            case .feedback(let direction): reportFeedback(direction.lockFeedback, draft)
            case .debounce(let acceptor): reportDebounce(acceptor, draft)
            case .worth(let acceptor, let pulses): reportWorth(acceptor, pulses, draft)
            case .meterUnit, .meterSteps: break
            case .ejector: reportEjector()
            case .scheduleEntry(let index): reportEntry(index, draft)
            }
        }
        checkMeter(draft)
    }

    private mutating func reportMissing(_ conflict: PolicyConflict, _ draft: Draft) {
        switch conflict {
        case .noWayIn:
            guard let place = place(where: .controlled, .entry, draft), !has(.releaseEntry) else {
                return
            }
            reportMissing(
                .coinPulse,
                "'\(place)' is controlled, and without this or 'release_entry' nobody could be let "
                    + "in")
        case .noWayOut:
            guard let place = place(where: .controlled, .exit, draft) else { return }
            reportMissing(
                .releaseExit,
                "'\(place)' is controlled, and without this contact nobody could be let out; wire "
                    + "it, or choose free or locked")
        case .buzzer:
            guard
                let weak = draft.enforcements.first(where: {
                    $0.value == .weak && isValid($0.place)
                })
            else { return }
            reportMissing(
                .buzzer, "'\(weak.place)' is weak, and weak enforcement uses the buzzer")
        case .resetKey where isValid("emergency.fire_reset"):
            reportMissing(
                .emergencyResetKey,
                "'emergency.fire_reset' is manual, so nothing else ends an emergency; wire the "
                    + "key or write 'fire_reset: auto'")
        case .serviceKey where isValid("alarm.forced_passage"):
            reportMissing(
                .serviceKey,
                "'alarm.forced_passage' is latch, so nothing else silences the alarm; wire the "
                    + "key or write 'forced_passage: alarm'")
        case _: break
        }
    }

    // MARK: What is driven

    private mutating func reportFreeWay(_ direction: Direction, _ draft: Draft) {
        let duty = "\(place(of: holdCoil(of: direction))).duty"
        guard let free = place(where: .free, direction, draft),
            isValid("\(place(of: direction.lock)).power_loss", duty)
        else { return }
        report(
            "'\(free)' is free, and a fail_secure lock is energised all the time that it "
                + "is open, so it must be rated for that: write 'duty: continuous' if its "
                + "data sheet says so (100 % ED), or else choose controlled", at: duty)
    }

    private mutating func reportLatchedAlarm(_ output: Output) {
        let duty = "\(place(of: output)).duty"
        guard isValid(duty, "alarm.forced_passage") else { return }
        report(
            "'alarm.forced_passage' is latch, which sounds the alarm without end: write "
                + "'duty: continuous' if the device is rated for that, or else "
                + "'forced_passage: alarm'", at: duty)
    }

    /// Reports an intermittent output that would be cut within `duration`, stated at `key`; `what`
    /// names its effect.
    mutating func report(
        _ output: Output, isCutBefore duration: Duration, _ key: String, _ what: String,
        _ draft: Draft
    ) {
        let place = place(of: output)
        guard let limit = draft.outputs[output]?.maximumOnTime,
            isValid("\(place).duty", "\(place).max_on", "\(place).power_loss", key)
        else { return }
        report(
            "\(shown(limit, at: "\(place).max_on")) must be longer than '\(key)' "
                + "(\(shown(duration, at: key))): \(what) would be cut before",
            at: "\(place).max_on")
    }

    private mutating func reportFeedback(_ input: Input, _ draft: Draft) {
        let place = "\(place(of: input)).debounce"
        guard let debounce = draft.inputs[input]?.debounce,
            isValid(place, "mechanism.lock_response")
        else { return }
        let response = shown(draft.policy.lockResponse, at: "mechanism.lock_response")
        report(
            "\(debounce.written) must be shorter than 'mechanism.lock_response' "
                + "(\(response)): the lock would never answer in time", at: place)
    }

    // MARK: Coins

    private mutating func reportDebounce(_ acceptor: Acceptor, _ draft: Draft) {
        let place = "\(place(of: acceptor.line)).debounce"
        let width = origin(of: "pulse_width", acceptor)
        guard let debounce = draft.inputs[acceptor.line]?.debounce, isValid(place, width)
        else { return }
        report(
            "\(debounce.written) must be shorter than half of '\(width)' "
                + "(\(shown(draft.policy.coins[acceptor].pulseWidth, at: width))): it would "
                + "swallow pulses that count", at: place)
    }

    /// A coin worth more passages than a gate can owe means a mistaken unit.
    private mutating func reportWorth(_ acceptor: Acceptor, _ pulses: Int?, _ draft: Draft) {
        guard has("fare.price"), isValid("fare.price") else { return }
        let price = draft.policy.price
        for (place, value) in draft.coins[acceptor].worth(in: acceptor.section, pulses)
        where isValid(place) {
            report(
                "\(value) pays for \(value / price) passages at 'fare.price' (\(price)): allowed "
                    + "are \(Policy.mostStored), as many as a gate can hold", at: place)
        }
    }

    private mutating func reportEjector() {
        guard isValid(place(of: .coinReject), "passage.coin_while_unlocked") else { return }
        report(
            "nothing would ever use it: choose 'passage.coin_while_unlocked: reject', wire "
                + "'coin_jam', or leave it out", at: place(of: .coinReject))
    }

    // MARK: The schedule

    private mutating func reportEntry(_ index: Int, _ draft: Draft) {
        // An invalid entry might be the one in force.
        guard draft.policy.schedule.count == draft.schedule.count else { return }
        report("never applies: later entries overrule it all the time", at: "schedule.\(index + 1)")
    }
}
