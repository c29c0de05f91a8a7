import Hardware
import Turnstile

extension Schema {
    static let outputs = Section(initial: Draft(), Output.allCases.map(key))

    private static func key(_ output: Output) -> Key<Draft> {
        let entry = output.entry
        let initial = OutputDraft(
            line: OutputLine(line: .offset(0), maximumOnTime: nil),
            duty: entry.isContinuous ? .continuous : .intermittent,
            maximumOnTime: entry.maximumOnTime)
        var keys: [Key<OutputDraft>] = [
            lineKey(\.line.line), chipKey(\.line.chip),
            Key("active_low", \.line.activeLow, .flag, "whether a low level means energised"),
        ]
        if let reason = entry.powerLossReason {
            keys.append(
                Key(
                    "power_loss", \.line.powerLoss, .choice, need: .required(because: reason),
                    "what happens without power: a fail_safe lock opens and a fail_safe arm "
                        + "drops; a fail_secure lock stays locked and a fail_secure arm stays up"))
        }
        if entry.device != .acceptors { keys += limits }
        if case .lock = entry.device { keys += emergencyLimits }
        return Key(
            entry.name, \.outputs[output], Section(initial: initial, keys),
            need: Need(entry.need), entry.summary,
            finish: { draft, _, _ in
                var draft = draft
                draft.line.maximumOnTime = draft.duty == .continuous ? nil : draft.maximumOnTime
                let duty = EmergencyDuty(on: draft.emergencyOn, off: draft.emergencyOff)
                draft.line.emergencyDuty = duty == EmergencyDuty() ? nil : duty
                return draft
            }, draft: { $0 })
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
}
