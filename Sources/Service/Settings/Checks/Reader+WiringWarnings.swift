import Hardware
import Turnstile

/// Warnings about valid wirings.
extension Reader {
    mutating func warnOfWiring(_ draft: Draft) {
        for input in Input.allCases {
            guard let line = draft.inputs[input] else { continue }
            warn(of: line, input)
        }
        warn(ofPair: .rotorA, .rotorB, draft)
        warn(ofPair: .beamA, .beamB, draft)
        warn(ofPair: .lockFeedback, .lockFeedbackExit, draft)
        for (first, second) in Self.outputPairs { warn(ofPair: first, second, draft) }
        warnOfFire(draft)
        for direction in Direction.allCases { warnOfPull(of: direction, draft) }
        warnOfWayOut(draft)
        for direction in Direction.allCases { warnOfCut(of: direction, draft) }
    }

    /// The key that states the meaning of `input`'s level; the input's place if both have defaults.
    private func polarity(of input: Input) -> String {
        let place = place(of: input)
        return ["active_low", "bias"].map { "\(place).\($0)" }.first(where: has) ?? place
    }

    /// At most one warning for a line, the most important.
    private mutating func warn(of line: InputLine, _ input: Input) {
        let polarity = polarity(of: input)
        if let isActive = line.isActiveWhenCut {
            if isActive, let deed = input.entry.grants {
                return warn(
                    .cutWireGrants,
                    "a cut wire \(deed): \(line.cutWireText); \(line.contactsText)", at: polarity)
            }
            if let calm = input.entry.guards?.calm, isActive == input.entry.isActiveAtRest {
                return warn(
                    .cutWireHides,
                    "a cut wire reads as \(calm), so nothing would raise the alarm: "
                        + "\(line.cutWireText); "
                        + "a contact to ground that is closed while all is well takes pull_up and "
                        + "active_low: \(isActive), one to the supply pull_down and "
                        + "active_low: \(!isActive)",
                    at: polarity)
            }
        }
        if line.bias == .pullDown, line.activeLow, !has("\(place(of: input)).active_low") {
            warn(
                .pullDownAlone,
                "with pull_down and the default of active_low: true the line is active while "
                    + "nothing is connected, and a contact to ground changes nothing; a contact "
                    + "that closes to the supply takes active_low: false; write active_low: true "
                    + "if this is intended",
                at: polarity)
        }
    }

    private mutating func warn(ofPair first: Input, _ second: Input, _ draft: Draft) {
        guard let one = draft.inputs[first], let other = draft.inputs[second],
            one.bias == other.bias, one.activeLow != other.activeLow
        else { return }
        // At least one of the two is stated.
        let saysSo = has("\(place(of: second)).active_low")
        let (stated, silent) = saysSo ? (second, first) : (first, second)
        let value = saysSo ? other.activeLow : one.activeLow
        warn(
            .pairDiffers,
            "\(value), while '\(silent.name)' has \(!value) and the same bias: at rest one of "
                + "the two would be active; write the same for both, as the sensors' data sheet "
                + "says",
            at: "\(place(of: stated)).active_low")
    }

    private static var outputPairs: [(Output, Output)] {
        [
            (.lockEntry, .lockEntryHold), (.lockExit, .lockExitHold), (.lockEntry, .lockExit),
            (.lampGo, .lampStop),
        ]
    }

    /// Warns if two similar outputs on one chip have different polarities.
    private mutating func warn(ofPair first: Output, _ second: Output, _ draft: Draft) {
        guard let one = draft.outputs[first]?.line, let other = draft.outputs[second]?.line,
            one.chip == other.chip, one.activeLow != other.activeLow
        else { return }
        let (stated, silent) = other.activeLow ? (second, first) : (first, second)
        warn(
            .pairDiffers,
            "true, while '\(silent.name)' has false: one of the two would be energised when it is "
                + "to be safe; write the same for both, as their drivers' data sheet says",
            at: "\(place(of: stated)).active_low")
    }

    /// Warns of active_low, by which a cut wire is no emergency without an external pull-down.
    private mutating func warnOfFire(_ draft: Draft) {
        guard let fire = draft.inputs[.fire], fire.activeLow, fire.isActiveWhenCut == nil
        else { return }
        warn(
            .fireActiveLow,
            "true, while bias is \(fire.bias.rawValue): a loop that closes to ground would be an "
                + "emergency while all is well, and none once its wire breaks; write false, unless "
                + "a resistor outside pulls the line down and the loop closes to the supply",
            at: "\(place(of: .fire)).active_low")
    }

    private mutating func warnOfPull(of direction: Direction, _ draft: Draft) {
        let hold = direction.holdingCoil
        guard has(hold), draft.outputs[direction.lock]?.duty == .continuous else { return }
        warn(
            .pullCoilContinuous,
            "continuous, while '\(hold.name)' is wired: this is then the coil that pulls, which "
                + "burns under full power; leave 'duty' out here, and write it at '\(hold.name)'",
            at: "\(place(of: direction.lock)).duty")
    }

    private mutating func warnOfWayOut(_ draft: Draft) {
        guard draft.outputs[.lockEntry]?.line.powerLoss == .failSafe,
            draft.outputs[.lockExit]?.line.powerLoss == .failSecure
        else { return }
        warn(
            .lockedInWithoutPower,
            "without power the way out stays locked while 'lock_entry' opens: people get in, and "
                + "not out again; fit a lock that opens (fail_safe), or see that there is another "
                + "way out",
            at: "\(place(of: .lockExit)).power_loss")
    }

    /// Warns if a lock may be energised for a passage longer than its on-time.
    private mutating func warnOfCut(of direction: Direction, _ draft: Draft) {
        let holdCoil = holdCoil(of: direction)
        let (wait, delay) = ("passage.pass_wait", "passage.pass_delay_alarm")
        let longest = draft.policy.passWait + draft.policy.passDelayAlarm
        guard draft.outputs[direction.lock]?.line.powerLoss == .failSecure,
            let coil = draft.outputs[holdCoil], coil.duty == .intermittent,
            let limit = coil.maximumOnTime, limit <= longest
        else { return }
        let place = "\(place(of: holdCoil)).max_on"
        warn(
            .cutOnTheWay,
            "\(shown(limit, at: place)) is not longer than '\(wait)' "
                + "(\(shown(draft.policy.passWait, at: wait))) and '\(delay)' "
                + "(\(shown(draft.policy.passDelayAlarm, at: delay))) together: the lock would be "
                + "cut while a passenger is in the gate, before the alarm; write more than "
                + "\(longest.written) if its data sheet allows it, or shorten the others",
            at: place)
    }
}

extension InputLine {
    /// Whether the line is active with a cut wire; nil if an external resistor decides.
    var isActiveWhenCut: Bool? {
        switch bias {
        case .pullUp: !activeLow
        case .pullDown: activeLow
        case .asIs, .disabled: nil
        }
    }

    /// The effect of a cut wire, for a sentence.
    fileprivate var cutWireText: String {
        "with bias \(bias.rawValue) it reads \(bias == .pullUp ? "high" : "low"), which is "
            + "\(isActiveWhenCut == true ? "active" : "inactive") here"
    }

    /// The wiring of a closing contact, for a sentence.
    fileprivate var contactsText: String {
        "a contact that closes to ground takes pull_up and active_low: true, one that closes to "
            + "the supply pull_down and active_low: false"
    }
}
