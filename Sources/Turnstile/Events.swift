public import StateMachines

/// What may happen to a turnstile, and when it happened.
public struct Event: Hashable, Sendable {
    /// What happened.
    public var kind: Kind
    /// When it happened, in monotonic time: the kernel's timestamp where there is one.
    public var time: Instant

    /// An event of this kind at this time.
    public init(_ kind: Kind, at time: Instant) {
        self.kind = kind
        self.time = time
    }

    /// What may happen to a turnstile.
    public enum Kind: Hashable, Sendable {
        /// The shell is up: this is what the lines carry. The first event, and the only one of
        /// its kind.
        case started(InputLevels)
        /// An input line changed.
        case changed(Input, isActive: Bool)
        /// Edges went missing: the kernel's queue overflowed. The lines now carry these levels.
        case edgesLost(InputLevels)
        /// The deadline that the machine asked for has come.
        case timePassed
        /// A line can no longer be read or driven, or reads back other than it was driven.
        case lineFailed(Line, LineFailure)
        /// An output was cut because it had been energised for its maximum on-time.
        case outputCut(Output)
        /// The owner changed the policy.
        indirect case policyChanged(Policy)
        /// The service is about to stop.
        case stopped
    }
}

/// How a line failed.
public enum LineFailure: String, CaseIterable, Hashable, Sendable {
    /// It cannot be read.
    case unreadable
    /// It cannot be driven.
    case undrivable
    /// It does not carry the level that it was driven to.
    case mismatch
}

/// Which inputs are active, as a set.
public struct InputLevels: OptionSet, Hashable, Sendable {
    /// One bit per input, in the order of `Input.allCases`.
    public let rawValue: UInt16

    /// The set with these bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The set of one input.
    public init(_ input: Input) { self.init(rawValue: 1 << UInt16(input.index)) }

    /// Whether `input` is active.
    public subscript(input: Input) -> Bool {
        get { contains(InputLevels(input)) }
        set { if newValue { insert(InputLevels(input)) } else { remove(InputLevels(input)) } }
    }
}

extension Input {
    /// `allCases`, made once.
    static let ordered = allCases

    /// The position of the input in `allCases`, from 0.
    public var index: Int {
        switch self {
        case .coinPulse: 0
        case .rotorA: 1
        case .rotorB: 2
        case .fire: 3
        case .releaseEntry: 4
        case .emergencyResetKey: 5
        case .serviceKey: 6
        case .externalFault: 7
        }
    }

    /// Feeds the position: much cheaper than the name, which a raw value would be.
    public func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

extension InputLevels {
    /// Every input.
    static var all: InputLevels { InputLevels(rawValue: .max) }

    /// The inputs that carry trains of edges, which a decoder counts.
    static var decoded: InputLevels {
        [InputLevels(.coinPulse), InputLevels(.rotorA), InputLevels(.rotorB)]
    }
}

extension Output {
    /// The position of the output in `allCases`, from 0.
    public var index: Int {
        switch self {
        case .lockEntry: 0
        case .coinInhibit: 1
        case .alarm: 2
        }
    }

    /// Feeds the position: much cheaper than the name, which a raw value would be.
    public func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

extension Line {
    /// All lines, in the order of their ``index``.
    static var all: [Line] {
        Input.allCases.map { .input($0) } + Output.allCases.map { .output($0) }
    }

    /// A number of its own for every line, from 0.
    var index: Int {
        switch self {
        case .input(let input): input.index
        case .output(let output): Input.allCases.count + output.index
        }
    }
}

extension LineFailure {
    /// The position of the failure in `allCases`, from 0.
    var index: Int {
        switch self {
        case .unreadable: 0
        case .undrivable: 1
        case .mismatch: 2
        }
    }
}
