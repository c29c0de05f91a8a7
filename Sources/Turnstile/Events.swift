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
        case policyChanged(Policy)
        /// The service is about to stop.
        case stopped
    }
}

/// How a line failed.
public enum LineFailure: String, Hashable, Sendable {
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
}
