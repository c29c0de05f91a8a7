import Hardware
import Turnstile

extension Schema {
    /// The section `hardware.outputs`.
    static let outputs = Section(initial: Draft(), Output.allCases.map(key))

    /// The key of an output.
    private static func key(_ output: Output) -> Key<Draft> {
        let initial = OutputDraft(
            line: OutputLine(line: .offset(0), maximumOnTime: nil), duty: duty(of: output),
            maximumOnTime: maximumOnTime(of: output))
        var keys: [Key<OutputDraft>] = [
            lineKey(\.line.line), chipKey(\.line.chip),
            Key("active_low", \.line.activeLow, .flag, "whether a low level means energised"),
        ]
        if let reason = reasonForPowerLoss(of: output) {
            keys.append(
                Key(
                    "power_loss", \.line.powerLoss, .choice, need: .required(because: reason),
                    "what happens without power: fail_safe opens or drops and is energised to "
                        + "lock or hold up, fail_secure stays as it is and is energised to "
                        + "release or drop"))
        }
        if output != .coinEnable { keys += limits }
        if output.way?.lock == output { keys += emergencyLimits }
        return Key(
            output.name, \.outputs[output], Section(initial: initial, keys),
            need: need(of: output), summary(of: output),
            finish: { draft, _, _ in
                var draft = draft
                draft.line.maximumOnTime = draft.duty == .continuous ? nil : draft.maximumOnTime
                let duty = EmergencyDuty(on: draft.emergencyOn, off: draft.emergencyOff)
                draft.line.emergencyDuty = duty == EmergencyDuty() ? nil : duty
                return draft
            }, draft: { $0 })
    }

    /// Why `power_loss` must be stated, for an output that has it.
    private static func reasonForPowerLoss(of output: Output) -> String? {
        switch output {
        case .lockEntry, .lockExit:
            "what the lock does without power has no default, since only its data sheet tells; "
                + "write fail_safe if it opens (it is energised to lock) or fail_secure if it "
                + "stays locked (it is energised to release)"
        case .dropArm:
            "what the arm does without power has no default, since only its data sheet tells; "
                + "write fail_safe if it drops (it is energised to hold the arm up) or "
                + "fail_secure if it stays up (it is energised to drop the arm)"
        case .alarm, .buzzer, .lampGo, .lampStop, .coinEnable, .coinReject, .ready, .countPulse,
            .coinMeter, .lockEntryHold, .lockExitHold:
            nil
        }
    }

    private static let limits: [Key<OutputDraft>] = [
        Key("duty", \.duty, .choice, "whether the device is rated to be energised without end"),
        Key(
            "max_on", \.maximumOnTime, .duration(.seconds(1)...(.seconds(300))),
            need: .optional,
            "the longest time for which an intermittent device is energised; then it is cut"),
    ]

    private static let emergencyLimits: [Key<OutputDraft>] = [
        Key(
            "emergency_on", \.emergencyOn, .duration(.seconds(1)...(.seconds(300))),
            need: .conditional("as 'max_on'"),
            "how long a fail_secure lock that is not rated for continuous duty stays released at "
                + "a time in an emergency"),
        Key(
            "emergency_off", \.emergencyOff, .duration(.seconds(1)...(.seconds(300))),
            need: .conditional("as 'max_on'"),
            "how long its coil rests then, before the lock is released again"),
    ]

    /// What an output is taken for whose data sheet nobody read: coils burn, lamps do not.
    private static func duty(of output: Output) -> Duty {
        switch output {
        case .lockEntry, .lockExit, .dropArm, .lockEntryHold, .lockExitHold, .coinReject,
            .countPulse, .coinMeter:
            .intermittent
        case .alarm, .buzzer, .lampGo, .lampStop, .coinEnable, .ready: .continuous
        }
    }

    /// How long an output may be energised of which nothing is said. A lock is not cut on somebody
    /// before the alarm says that they are stuck, by the defaults of the policy.
    private static func maximumOnTime(of output: Output) -> Duration {
        switch output {
        case .lockEntry, .lockExit, .lockEntryHold, .lockExitHold: .seconds(60)
        case .dropArm, .coinReject, .countPulse, .coinMeter, .alarm, .buzzer, .lampGo, .lampStop,
            .coinEnable, .ready:
            .seconds(30)
        }
    }

    private static func need(of output: Output) -> Need {
        switch output {
        case .lockEntry: .required(because: "without a lock there is nothing to release")
        case .lockExit: .conditional("needed with 'lock_exit_hold' and 'lock_feedback_exit'")
        case .buzzer: .conditional("needed where enforcement is weak")
        case .coinEnable: .conditional("needed with 'coin_pulse'")
        case .lockEntryHold, .lockExitHold: .conditional("for a pull-and-hold lock alone")
        case .dropArm, .alarm, .lampGo, .lampStop, .coinReject, .ready, .countPulse, .coinMeter:
            .conditional("optional")
        }
    }

    private static func summary(of output: Output) -> String {
        switch output {
        case .lockEntry:
            "the lock of the way in; of a pull-and-hold lock the coil, or circuit, that pulls"
        case .lockExit: "the lock of the way out, likewise"
        case .dropArm: "what holds the arm up, which drops in an emergency"
        case .alarm: "the siren: energised means sounding"
        case .buzzer: "the buzzer that reminds people while enforcement is weak"
        case .lampGo: "the lamp that says go to those who come in"
        case .lampStop: "the lamp that says stop to them, while somebody is let out as well"
        case .coinEnable:
            "the coin acceptors' inhibit input: energised means that coins are accepted"
        case .coinReject: "what ejects a coin or token from the acceptor; it is pulsed"
        case .ready: "energised while the gate is healthy, its acceptors too, and serves people"
        case .countPulse: "a counter of passages, one pulse for each"
        case .coinMeter: "the electromechanical counter of money, a pulse per 'coin.meter_unit'"
        case .lockEntryHold:
            "what holds a pull-and-hold lock of the way in, once it was pulled for "
                + "'mechanism.lock_pull'"
        case .lockExitHold: "what holds a pull-and-hold lock of the way out, likewise"
        }
    }
}
