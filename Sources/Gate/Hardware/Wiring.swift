public import Turnstile

/// The lines of all roles, and how each is wired.
public struct Wiring: Hashable, Sendable {
    /// The chip that lines come from unless they name one of their own.
    public var chip: ChipSelector
    /// The inputs that are wired.
    public var inputs: [Input: InputLine]
    /// The outputs that are wired.
    public var outputs: [Output: OutputLine]

    /// A wiring.
    public init(chip: ChipSelector, inputs: [Input: InputLine], outputs: [Output: OutputLine]) {
        self.chip = chip
        self.inputs = inputs
        self.outputs = outputs
    }
}

extension Wiring {
    /// Which roles are wired.
    public var equipment: Equipment { Equipment(inputs: inputs.keys, outputs: outputs.keys) }

    /// How locks that cannot be held open are driven in an emergency, where that is stated.
    public var emergencyDuties: [Output: EmergencyDuty] {
        outputs.compactMapValues(\.emergencyDuty)
    }

    /// The installation that a policy must fit.
    public var installation: Installation { Installation(inputs: inputs, outputs: outputs) }

    /// The lines that are wired, the inputs first.
    public var lines: [Line] {
        Line.all.filter { line in
            switch line {
            case .input(let input): inputs[input] != nil
            case .output(let output): outputs[output] != nil
            }
        }
    }

    /// The chip that a line is on.
    public func chip(of line: Line) -> ChipSelector {
        let own =
            switch line {
            case .input(let input): inputs[input]?.chip
            case .output(let output): outputs[output]?.chip
            }
        return own ?? chip
    }

    /// How long each input's level must last to count.
    public var debounce: [Input: Duration] { installation.debounce }
    /// For how long each output may be on without a break, where that is not for ever.
    public var maximumOnTimes: [Output: Duration] { installation.maximumOnTimes }
}

extension Installation {
    /// The installation of this wiring. A lock or an arm that opens without power needs no on-time.
    public init(inputs: [Input: InputLine], outputs: [Output: OutputLine]) {
        var times = outputs.compactMapValues(\.maximumOnTime)
        if outputs[.dropArm]?.powerLoss == .failSafe { times[.dropArm] = nil }
        for direction in Direction.allCases
        where outputs[direction.lock]?.powerLoss == .failSafe {
            (times[direction.lock], times[direction.holdingCoil]) = (nil, nil)
        }
        self.init(
            equipment: Equipment(inputs: inputs.keys, outputs: outputs.keys),
            maximumOnTimes: times,
            debounce: inputs.mapValues(\.debounce))
    }
}

/// How a chip is found. Chip numbers move between kernels, so a label is best.
public enum ChipSelector: Hashable, Sendable {
    /// By its label, as `gpiodetect` shows it in brackets.
    case label(String)
    /// By its name: `gpiochip0`.
    case name(String)
    /// By the path of its device: `/dev/gpiochip0`.
    case path(String)
}

/// How a line is found on its chip.
public enum LineSelector: Hashable, Sendable {
    /// By its name, as `gpioinfo` shows it.
    case name(String)
    /// By its offset, from 0.
    case offset(Int)
}

/// The resistor that holds an undriven input.
public enum Bias: String, CaseIterable, Hashable, Sendable {
    /// The chip's default.
    case asIs = "as_is"
    /// None.
    case disabled
    /// To the supply.
    case pullUp = "pull_up"
    /// To ground.
    case pullDown = "pull_down"
}

/// How an input is wired.
public struct InputLine: Hashable, Sendable {
    /// The chip, where it is not the wiring's own.
    public var chip: ChipSelector?
    /// The line.
    public var line: LineSelector
    /// Whether a low level means "active".
    public var activeLow: Bool
    /// The resistor that holds the line.
    public var bias: Bias
    /// How long a level must last to count; zero for no debounce.
    public var debounce: Duration

    /// An input's wiring.
    public init(
        chip: ChipSelector? = nil, line: LineSelector, activeLow: Bool = false, bias: Bias = .asIs,
        debounce: Duration = .zero
    ) {
        self.chip = chip
        self.line = line
        self.activeLow = activeLow
        self.bias = bias
        self.debounce = debounce
    }
}

/// How an output is wired, and the protection of its device.
public struct OutputLine: Hashable, Sendable {
    /// The chip, where it is not the wiring's own.
    public var chip: ChipSelector?
    /// The line.
    public var line: LineSelector
    /// Whether a low level means "energised".
    public var activeLow: Bool
    /// The longest time for which the output may be energised without a break, or nil for a
    /// device that is rated for continuous duty.
    public var maximumOnTime: Duration?
    /// How a lock that cannot be held open is driven in an emergency; nil where nothing is stated.
    public var emergencyDuty: EmergencyDuty?
    /// The behaviour of a lock or the arm without power; nil for other outputs.
    public var powerLoss: PowerLoss?

    /// An output's wiring.
    public init(
        chip: ChipSelector? = nil, line: LineSelector, activeLow: Bool = false,
        maximumOnTime: Duration?, emergencyDuty: EmergencyDuty? = nil, powerLoss: PowerLoss? = nil
    ) {
        self.chip = chip
        self.line = line
        self.activeLow = activeLow
        self.maximumOnTime = maximumOnTime
        self.emergencyDuty = emergencyDuty
        self.powerLoss = powerLoss
    }
}

/// The behaviour of a lock or a drop arm without power.
public enum PowerLoss: String, CaseIterable, Hashable, Sendable {
    /// It opens, or drops: it is energised to lock, or to hold the arm up.
    case failSafe = "fail_safe"
    /// It stays locked, or up: it is energised to release, or to drop.
    case failSecure = "fail_secure"
}
