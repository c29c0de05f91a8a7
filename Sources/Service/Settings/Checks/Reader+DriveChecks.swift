import Hardware
import Turnstile

/// Whether the outputs' devices withstand their use.
extension Reader {
    mutating func checkDrives(_ draft: Draft) {
        if has(.lockExitHold) {
            reportMissing(
                .lockExit, "'lock_exit_hold' is wired, and there is no lock for it to hold")
        }
        for direction in Direction.allCases {
            checkLock(of: direction, draft)
            checkEmergencyDuty(of: direction, draft)
        }
        checkArm(draft)
        for output in Output.allCases { checkDuty(of: output, draft) }
    }

    /// The coil that is energised while a lock is held locked (fail_safe), or open (fail_secure).
    func holdCoil(of direction: Direction) -> Output {
        has(direction.holdingCoil) ? direction.holdingCoil : direction.lock
    }

    /// A fail_safe lock must be rated for being energised while it is locked.
    private mutating func checkLock(of direction: Direction, _ draft: Draft) {
        let (lock, holdCoil) = (direction.lock, holdCoil(of: direction))
        guard draft.outputs[lock]?.line.powerLoss == .failSafe else { return }
        if holdCoil != lock, let limit = draft.outputs[lock]?.line.maximumOnTime,
            limit <= draft.policy.lockPull
        {
            report(
                lock, isCutBefore: draft.policy.lockPull, "mechanism.lock_pull", "the pull", draft)
        }
        guard draft.outputs[holdCoil]?.duty == .intermittent,
            isValid("\(place(of: lock)).power_loss", "\(place(of: holdCoil)).duty")
        else { return }
        report(
            "a fail_safe lock is energised all the time that it is locked, so it must be "
                + "rated for that: write 'duty: continuous' if its data sheet says so (100 % "
                + "ED), or else fit another lock", at: "\(place(of: holdCoil)).duty")
    }

    private mutating func checkEmergencyDuty(of direction: Direction, _ draft: Draft) {
        let key = "\(place(of: direction.lock)).emergency_on"
        let limit = "\(place(of: holdCoil(of: direction))).max_on"
        guard let on = draft.outputs[direction.lock]?.emergencyOn,
            let longest = draft.installation.longestOpen(direction), on > longest,
            isValid(key, limit)
        else { return }
        report(
            "\(on.written) must not be longer than 'max_on' (\(shown(longest, at: limit))): the "
                + "lock would be cut before", at: key)
    }

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
