/// Which inputs are active, or wired, as a set.
public struct InputLevels: OptionSet, Hashable, Sendable {
    /// One bit per input, in the order of `Input.allCases`.
    public let rawValue: UInt32

    /// The set with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The set of one input.
    public init(_ input: Input) { self.init(rawValue: 1 &<< UInt32(input.rawValue)) }

    /// Whether `input` is active.
    public subscript(input: Input) -> Bool {
        @inline(__always) get { contains(InputLevels(input)) }
        @inline(__always) set {
            if newValue { insert(InputLevels(input)) } else { remove(InputLevels(input)) }
        }
    }
}

extension InputLevels {
    /// These inputs.
    public init(_ inputs: some Sequence<Input>) {
        self = inputs.reduce(into: []) { $0[$1] = true }
    }

    /// Every input.
    public static var all: InputLevels { InputLevels(Input.allCases) }

    /// The inputs that carry trains of edges, which a decoder counts.
    static let decoded = InputLevels(Input.ordered.filter { $0.role.reading != .contact })

    /// The guards of the cabinet and of the vault, and the inputs that are active at rest.
    static let guards: (cabinet: InputLevels, vault: InputLevels, active: InputLevels) = {
        func guarding(_ raise: Alarm) -> InputLevels {
            InputLevels(Input.ordered.filter { $0.entry.guards?.alarm == raise })
        }
        let active = InputLevels(Input.ordered.filter { $0.entry.isActiveAtRest })
        return (guarding(.cabinetOpen), guarding(.vaultOpen), active)
    }()

    /// The first input of the set, in the order of `Input`.
    var first: Input? { Input(rawValue: UInt8(rawValue.trailingZeroBitCount)) }

    /// The two light beams.
    static let beams = InputLevels([.beamA, .beamB])

    /// The contacts of the locks.
    static let lockFeedback = InputLevels([.lockFeedback, .lockFeedbackExit])

    /// The two sensors of the rotor, or the beams in their place.
    static let sensors = InputLevels(Input.ordered.filter { $0.role.reading == .lane })
}

/// Some outputs, as a set: those that are wired, or those that are on.
public struct OutputSet: OptionSet, Hashable, Sendable {
    /// One bit per output, in the order of `Output.allCases`.
    public let rawValue: UInt16

    /// The set with these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The set of one output.
    public init(_ output: Output) { self.init(rawValue: 1 &<< UInt16(output.rawValue)) }

    /// Whether `output` is in the set.
    public subscript(output: Output) -> Bool {
        @inline(__always) get { contains(OutputSet(output)) }
        @inline(__always) set {
            if newValue { insert(OutputSet(output)) } else { remove(OutputSet(output)) }
        }
    }
}

extension OutputSet {
    /// These outputs.
    public init(_ outputs: some Sequence<Output>) {
        self = outputs.reduce(into: []) { $0[$1] = true }
    }

    /// All outputs.
    static var all: OutputSet { OutputSet(rawValue: .max) }

    /// The outputs that let people through: locks and arm.
    static var ways: OutputSet {
        OutputSet(.lockEntry).union(OutputSet(.lockExit)).union(OutputSet(.dropArm))
    }

    /// All but the ways through.
    static var indicators: OutputSet { all.subtracting(ways) }

    /// The first output of the set, in the order in which outputs are driven.
    public var first: Output? {
        isEmpty ? nil : Output(rawValue: UInt8(rawValue.trailingZeroBitCount))
    }
}

/// The wired roles of a gate. An unwired input reports nothing, and an unwired output is never
/// commanded.
public struct Equipment: Hashable, Sendable {
    /// The inputs that are wired.
    public var inputs: InputLevels
    /// The outputs that are wired.
    public var outputs: OutputSet

    /// A gate with these lines.
    public init(inputs: InputLevels, outputs: OutputSet) {
        self.inputs = inputs
        self.outputs = outputs
    }

    /// A gate with these lines.
    public init(inputs: some Sequence<Input>, outputs: some Sequence<Output>) {
        self.init(inputs: InputLevels(inputs), outputs: OutputSet(outputs))
    }

    /// Adds the roles that `other` has.
    public mutating func formUnion(_ other: Equipment) {
        inputs.formUnion(other.inputs)
        outputs.formUnion(other.outputs)
    }

    /// The outputs that the machine commands: a holding coil belongs to its lock's actuator.
    var commanded: OutputSet { outputs.subtracting(OutputSet([.lockEntryHold, .lockExitHold])) }

    /// The least that takes coins: one acceptor, one lock, a siren, a release contact, the keys.
    public static let oneWay = Equipment(
        inputs: [
            .coinPulse, .rotorA, .rotorB, .fire, .releaseEntry, .emergencyResetKey, .serviceKey,
            .externalFault,
        ],
        outputs: [.lockEntry, .coinEnable, .alarm])
}

extension Line {
    /// All lines, in the order of their ``index``: the inputs first.
    public static var all: [Line] {
        Input.ordered.map { .input($0) } + Output.ordered.map { .output($0) }
    }

    /// A number of its own for every line, from 0.
    var index: Int {
        switch self {
        case .input(let input): input.index
        case .output(let output): Input.ordered.count + output.index
        }
    }
}
