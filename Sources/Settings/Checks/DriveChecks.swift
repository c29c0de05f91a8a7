import Hardware
import Turnstile

/// Whether what is driven stands what it is asked to do.
extension Reader {
    /// Checks every output's limits.
    mutating func checkDrives(_ draft: Draft) {
        if has(.lockExitHold) {
            reportMissing(
                .lockExit, "'lock_exit_hold' is wired, and there is no lock for it to hold")
        }
        for direction in Direction.allCases { checkLock(of: direction, draft) }
        checkArm(draft)
        checkAlarms(draft)
        for output in [Output.coinReject, .countPulse, .coinMeter] {
            check(
                output, outlasts: draft.policy.countPulse, "mechanism.count_pulse",
                "every pulse of it", draft)
        }
        for output in Output.allCases { checkDuty(of: output, draft) }
    }

    /// A lock, or what holds it once it was pulled, must stand being energised all the time that
    /// it is locked (fail_safe), or open (fail_secure).
    private mutating func checkLock(of direction: Direction, _ draft: Draft) {
        let lock = direction.lock
        let hold: Output = direction == .entry ? .lockEntryHold : .lockExitHold
        let bearer = has(hold) ? hold : lock
        if has(hold) {
            check(
                lock, outlasts: draft.policy.lockPull, "mechanism.lock_pull", "the pull", draft)
        }
        guard let powerLoss = draft.outputs[lock]?.line.powerLoss, let coil = draft.outputs[bearer],
            coil.duty == .intermittent,
            isValid("\(place(of: lock)).power_loss", "\(place(of: bearer)).duty")
        else { return }
        switch powerLoss {
        case .failSafe:
            report(
                "a fail_safe lock is energised all the time that it is locked, so it must be "
                    + "rated for that: write 'duty: continuous' if its data sheet says so (100 % "
                    + "ED), or else fit another lock", at: "\(place(of: bearer)).duty")
        case .failSecure:
            if let free = place(where: .free, direction, draft) {
                report(
                    "'\(free)' is free, and a fail_secure lock is energised all the time that it "
                        + "is open, so it must be rated for that: write 'duty: continuous' if its "
                        + "data sheet says so (100 % ED), or else choose controlled",
                    at: "\(place(of: bearer)).duty")
            }
            check(
                bearer, outlasts: draft.policy.passWait, "passage.pass_wait",
                "a fail_secure lock is energised while the gate waits for somebody to come, and",
                draft)
        }
    }

    /// What holds the arm up must stand it.
    private mutating func checkArm(_ draft: Draft) {
        let place = place(of: .dropArm)
        guard let arm = draft.outputs[.dropArm], arm.duty == .intermittent,
            arm.line.powerLoss == .failSafe, isValid("\(place).power_loss", "\(place).duty")
        else { return }
        report(
            "a fail_safe arm is energised all the time that it is up, so it must be rated for "
                + "that: write 'duty: continuous' if its data sheet says so (100 % ED)",
            at: "\(place).duty")
    }

    /// Siren and buzzer must stand what the policy asks of them.
    private mutating func checkAlarms(_ draft: Draft) {
        let sounding: [Output] =
            draft.enforcements.contains { $0.value == .weak } ? [.alarm, .buzzer] : [.alarm]
        for output in sounding {
            let duty = "\(place(of: output)).duty"
            check(output, outlasts: draft.policy.alarmHold, "alarm.alarm_hold", "the alarm", draft)
            if draft.outputs[output]?.duty == .intermittent,
                draft.policy.forcedPassage == .latch, isValid(duty, "alarm.forced_passage")
            {
                report(
                    "'alarm.forced_passage' is latch, which sounds the alarm without end: write "
                        + "'duty: continuous' if the device is rated for that, or else choose "
                        + "alarm", at: duty)
            }
        }
    }

    /// An intermittent output is not cut before `duration`, which `key` states, is over; `what`
    /// would be.
    private mutating func check(
        _ output: Output, outlasts duration: Duration, _ key: String, _ what: String,
        _ draft: Draft
    ) {
        let place = place(of: output)
        guard let limited = draft.outputs[output], limited.duty == .intermittent,
            let limit = limited.maximumOnTime, limit <= duration,
            isValid("\(place).duty", "\(place).max_on", key)
        else { return }
        report(
            "\(shown(limit, at: "\(place).max_on")) must be longer than '\(key)' "
                + "(\(shown(duration, at: key))): \(what) would be cut before",
            at: "\(place).max_on")
    }

    /// A device that may be energised without end has no longest time.
    private mutating func checkDuty(of output: Output, _ draft: Draft) {
        let place = place(of: output)
        guard draft.outputs[output]?.duty == .continuous, has("\(place).max_on"),
            isValid("\(place).duty")
        else { return }
        report(
            "contradicts 'duty: continuous', which means no limit: leave out one of the two",
            at: "\(place).max_on")
    }
}
