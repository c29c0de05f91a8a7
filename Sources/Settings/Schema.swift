import Hardware
import Turnstile

/// What the configuration file is read into, before it is known to be whole.
struct Draft: Sendable {
    /// The gate's name.
    var gate = "turnstile"
    /// The policy. The two prices are stated wherever coins are taken; see ``Reader/check(_:)``.
    var policy = Policy(price: 1, coinUnit: 1)
    /// The chip of the lines that name none.
    var chip: ChipSelector?
    /// The inputs that are wired.
    var inputs: [Input: InputLine] = [:]
    /// The outputs that are wired.
    var outputs: [Output: OutputDraft] = [:]

    /// The settings, if there is all that they need.
    var settings: Settings? {
        guard let chip else { return nil }
        return Settings(
            gate: gate, policy: policy,
            wiring: Wiring(
                chip: chip, inputs: inputs,
                outputs: outputs.mapValues(\.line)))
    }
}

/// The one description of the configuration file.
enum Schema {
    /// The whole file.
    static let root = Section(
        initial: Draft(),
        [
            Key("gate", gate, "which gate this is"),
            Key("fare", fare, "what a passage costs"),
            Key("coin", coin, "what the coin acceptor sends"),
            Key("passage", passage, "how long people may take, and what becomes of credit"),
            Key("alarm", alarm, "what an alarm does"),
            Key("emergency", emergency, "how an emergency ends"),
            Key("hardware", hardware, need: .required(), "which line has which role"),
        ])

    /// The sections in which a key of this name is at home.
    static func places(of name: String) -> [String] { homes[name] ?? [] }

    /// The key at `place`, or nil where there is none.
    static func entry(at place: String) -> SchemaEntry? {
        var entries = root.entries
        var found: SchemaEntry?
        for name in place.split(separator: ".") {
            found = entries.first { $0.name == name }
            guard case .section(let inner) = found?.form else { continue }
            entries = inner
        }
        return found
    }

    private static let homes: [String: [String]] = {
        var homes: [String: [String]] = [:]
        func visit(_ entries: [SchemaEntry], in place: String) {
            for entry in entries {
                homes[entry.name, default: []].append(place)
                guard case .section(let inner) = entry.form else { continue }
                visit(inner, in: place.isEmpty ? entry.name : "\(place).\(entry.name)")
            }
        }
        visit(root.entries, in: "")
        return homes
    }()

    private static let gate = Section(
        initial: Draft(),
        [
            Key("name", \.gate, .name(limit: 64), "the gate's name in the log")
        ])

    private static let fare = Section(
        initial: Draft(),
        [
            Key(
                "price", \.policy.price, .amount(1...1_000_000), need: whereCoinsAreTaken,
                "what one passage costs, in minor units of the currency (150 is 1.50)")
        ])

    private static let coin = Section(
        initial: Draft(),
        [
            Key(
                "unit", \.policy.coinUnit, .amount(1...1_000_000), need: whereCoinsAreTaken,
                "what one pulse of the acceptor is worth, in minor units of the currency"),
            Key(
                "pulse_width", \.policy.pulseWidth,
                .duration(.milliseconds(20)...(.milliseconds(500))),
                "the acceptor's nominal pulse width; half to double of it is taken for a pulse"),
            Key(
                "train_quiet", \.policy.trainQuiet,
                .duration(.milliseconds(120)...(.milliseconds(500))),
                "the silence that ends the pulses of a coin"),
            Key(
                "stuck_after", \.policy.coinStuckAfter,
                .duration(.milliseconds(300)...(.seconds(5))),
                "how long a pulse may last before the coin line counts as stuck"),
        ])

    private static let passage = Section(
        initial: Draft(),
        [
            Key(
                "pass_wait", \.policy.passWait, .duration(.seconds(1)...(.seconds(60))),
                "how long a released gate waits for somebody to come"),
            Key(
                "on_wait_timeout", \.policy.onWaitTimeout, .choice,
                "whether the fare stays as credit or falls to the operator when nobody came"),
            Key(
                "overpay", \.policy.overpay, .choice,
                "whether credit above the fare stays or falls to the operator"),
            Key(
                "relock_at", \.policy.relockAt, .choice,
                "whether the gate locks again at the middle of a passage or once it is complete"),
            Key(
                "pass_delay_alarm", \.policy.passDelayAlarm,
                .duration(.seconds(5)...(.seconds(120))),
                "how long a passage may take before somebody counts as stuck in it"),
            Key(
                "repair_resumes", \.policy.repairResumes, .choice,
                "whether a repaired gate is locked or as it was when it broke"),
        ])

    private static let alarm = Section(
        initial: Draft(),
        [
            Key(
                "forced_passage", \.policy.forcedPassage, .choice,
                "whether a forced passage sounds the alarm for 'alarm_hold' or latches it until "
                    + "the mechanic's key is turned"),
            Key(
                "alarm_hold", \.policy.alarmHold, .duration(.seconds(1)...(.seconds(300))),
                "how long the alarm sounds"),
        ])

    private static let emergency = Section(
        initial: Draft(),
        [
            Key(
                "fire_reset", \.policy.fireReset, .choice,
                "whether the emergency ends by the reset key or by itself, once the loop is "
                    + "closed again")
        ])

    private static let whereCoinsAreTaken = Need.conditional("needed where 'coin_pulse' is wired")
}
