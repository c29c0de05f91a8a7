import Hardware
import Turnstile

/// How long an output may stay energised.
enum Duty: String, CaseIterable, Hashable, Sendable {
    /// Without end: the device is rated for it.
    case continuous
    /// For a limited time, after which it is cut.
    case intermittent
}

/// An output as it is written.
struct OutputDraft: Sendable {
    /// What the bank needs of it.
    var line: OutputLine
    /// Whether the device is rated to be energised without end.
    var duty = Duty.continuous
    /// The longest time for which one that is not may be energised.
    var maximumOnTime = Duration.seconds(30)
}

extension Schema {
    /// The section `hardware`.
    static let hardware = Section(
        initial: Draft(),
        [
            Key(
                "chip", \.chip, chip, need: .required(),
                "the GPIO chip of the lines, by 'label', 'name' or 'path'", finish: oneSelector),
            Key(
                "inputs", Section(initial: Draft(), Input.allCases.map(key)), need: .required(),
                "the lines that are read"),
            Key(
                "outputs", Section(initial: Draft(), Output.allCases.map(key)), need: .required(),
                "the lines that are driven"),
        ])

    // MARK: Chips and lines

    /// The key of a role's line, kept at `path`.
    private static func lineKey<Target>(
        _ path: any WritableKeyPath<Target, LineSelector> & Sendable
    ) -> Key<Target> {
        Key(
            "line", path, .line, need: .required(),
            "the line: its name as gpioinfo shows it, or its offset")
    }

    /// The key of a role's own chip, kept at `path`.
    private static func chipKey<Target>(
        _ path: any WritableKeyPath<Target, ChipSelector?> & Sendable
    ) -> Key<Target> {
        Key(
            "chip", path, chip, need: .conditional("that of `hardware.chip`"),
            "the chip of this line, where it is another one", finish: oneSelector)
    }

    /// A chip as it is written.
    struct ChipDraft: Sendable {
        var label: String?
        var name: String?
        var path: String?
    }

    private static let chip = Section(
        initial: ChipDraft(),
        [
            Key(
                "label", \.label, .name(limit: kernelNameLimit), need: oneOfThree,
                "its label, which gpiodetect shows in brackets: the best choice, since it stays"),
            Key(
                "name", \.name, .name(limit: kernelNameLimit), need: oneOfThree,
                "its name, such as gpiochip0, which can change with the kernel"),
            Key("path", \.path, .devicePath, need: oneOfThree, "the path of its device"),
        ])

    private static let oneOfThree = Need.conditional("one of the three")

    /// The chip that the draft says, which must be said in exactly one way.
    @Sendable private static func oneSelector(
        _ draft: ChipDraft, place: String, reader: inout Reader
    ) -> ChipSelector? {
        let selectors = [
            draft.label.map(ChipSelector.label), draft.name.map(ChipSelector.name),
            draft.path.map(ChipSelector.path),
        ].compactMap { $0 }
        let stated = ["label", "name", "path"].filter { reader.has("\(place).\($0)") }
        if stated.count != 1, reader.isComplete, reader.isSound(place) {
            let found = stated.isEmpty ? "none" : stated.joined(separator: " and ")
            reader.report("takes exactly one of label, name or path, here is \(found)", at: place)
        }
        return selectors.first
    }

    // MARK: Inputs

    /// The key of an input.
    private static func key(_ input: Input) -> Key<Draft> {
        let wiring = wiring(of: input)
        let initial = InputLine(
            line: .offset(0), activeLow: wiring.activeLow, bias: .pullUp, debounce: wiring.debounce)
        let section = Section(
            initial: initial,
            [
                lineKey(\.line), chipKey(\.chip),
                Key("active_low", \.activeLow, .flag, "whether a low level means active"),
                Key(
                    "bias", \.bias, .choice,
                    "the resistor that holds the line while nothing drives it"),
                Key(
                    "debounce", \.debounce, .duration(wiring.debounceRange),
                    "how long a level must last to count"),
            ])
        return Key(
            input.rawValue, \.inputs[input], section, need: wiring.need, wiring.summary
        ) { line, _, _ in line }
    }

    private static let bothSensors =
        "it takes two sensors, 'rotor_a' and 'rotor_b', to tell which way somebody passes"

    /// What the schema says of an input.
    private struct InputWiring {
        let summary: String
        let need: Need
        var activeLow = true
        var debounce = Duration.milliseconds(100)
        var debounceRange = Duration.milliseconds(20)...(.milliseconds(1000))
    }

    private static func wiring(of input: Input) -> InputWiring {
        switch input {
        case .coinPulse:
            InputWiring(
                summary: "the coin acceptor's pulse output",
                need: .conditional(
                    "needed with 'coin_inhibit'; this or 'release_entry' must be wired"),
                debounce: .zero, debounceRange: .zero...(.milliseconds(50)))
        case .rotorA:
            InputWiring(
                summary: "the rotor's first sensor on the way in",
                need: .required(because: bothSensors),
                debounce: .milliseconds(5), debounceRange: .zero...(.milliseconds(50)))
        case .rotorB:
            InputWiring(
                summary: "the rotor's second sensor on the way in",
                need: .required(because: bothSensors),
                debounce: .milliseconds(5), debounceRange: .zero...(.milliseconds(50)))
        case .fire:
            InputWiring(
                summary: "the emergency loop, normally closed: active is an open or broken loop",
                need: .required(
                    because: "a gate that people pass must open when the fire alarm says so, and "
                        + "when the wire to it breaks; wire the normally closed loop"),
                activeLow: false, debounce: .milliseconds(20),
                debounceRange: .zero...(.milliseconds(100)))
        case .releaseEntry:
            InputWiring(
                summary: "the contact of a validator, reader or attendant: lets one person in",
                need: .conditional("this or 'coin_pulse' must be wired"))
        case .emergencyResetKey:
            InputWiring(
                summary: "the key that ends an emergency",
                need: .conditional("needed where 'fire_reset' is manual"))
        case .serviceKey:
            InputWiring(
                summary: "the mechanic's key, which says that a repair is complete",
                need: .conditional("needed where 'forced_passage' is latch"))
        case .externalFault:
            InputWiring(summary: "the machine's own fault contact", need: .conditional("optional"))
        }
    }

    // MARK: Outputs

    /// The key of an output.
    private static func key(_ output: Output) -> Key<Draft> {
        let isLock = output == .lockEntry
        let initial = OutputDraft(
            line: OutputLine(line: .offset(0), maximumOnTime: nil),
            duty: isLock ? .intermittent : .continuous)
        var keys: [Key<OutputDraft>] = [
            lineKey(\.line.line), chipKey(\.line.chip),
            Key("active_low", \.line.activeLow, .flag, "whether a low level means energised"),
        ]
        if isLock { keys.append(powerLoss) }
        if output != .coinInhibit { keys += limits }
        return Key(
            output.rawValue, \.outputs[output], Section(initial: initial, keys),
            need: need(of: output), summary(of: output)
        ) { draft, _, _ in
            var draft = draft
            draft.line.maximumOnTime = draft.duty == .continuous ? nil : draft.maximumOnTime
            return draft
        }
    }

    private static let powerLoss = Key<OutputDraft>(
        "power_loss", \.line.powerLoss, .choice,
        need: .required(
            because: "what the lock does without power has no default, since only its data sheet "
                + "tells; write fail_safe if it opens (it is energised to lock) or fail_secure if "
                + "it stays locked (it is energised to release)"),
        "what the lock does without power: fail_safe opens and is energised to lock, fail_secure "
            + "stays locked and is energised to release")

    private static let limits: [Key<OutputDraft>] = [
        Key("duty", \.duty, .choice, "whether the device is rated to be energised without end"),
        Key(
            "max_on", \.maximumOnTime, .duration(.seconds(1)...(.seconds(300))),
            "the longest time for which an intermittent device is energised; then it is cut"),
    ]

    private static func need(of output: Output) -> Need {
        switch output {
        case .lockEntry: .required(because: "without a lock there is nothing to release")
        case .coinInhibit: .conditional("needed with 'coin_pulse'")
        case .alarm: .conditional("optional")
        }
    }

    private static func summary(of output: Output) -> String {
        switch output {
        case .lockEntry: "the lock of the way in"
        case .coinInhibit:
            "the coin acceptor's inhibit input: energised means that coins are accepted"
        case .alarm: "the siren or buzzer: energised means sounding"
        }
    }
}
