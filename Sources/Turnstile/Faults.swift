/// Something that the machine suffers from.
public enum Fault: Hashable, Sendable {
    /// The machine's own fault contact is active.
    case external
    /// The rotor's sensors skipped a state.
    case illegalRotorTransition
    /// The arm is at rest, but a rotor sensor tells of a turn.
    case sensorStuck
    /// The rotor's sensors are at rest, but the arm is not.
    case armNotHome
    /// The lock of this direction does not follow.
    case lockNotResponding(Direction)
    /// An acceptor's fault contact is active.
    case coinJam
    /// The coin line has been active for too long.
    case coinLineStuck(Acceptor)
    /// The coin line carries more noise than coins.
    case noiseBurst(Acceptor)
    /// An acceptor sent a number of pulses that is no coin.
    case unknownPulseCount
    /// The coin vault is not in its place.
    case vaultMissing
    /// The supply is low.
    case powerLow
    /// The kernel's queue overflowed and edges are missing.
    case edgesLost
    /// The clock on the wall was set.
    case clockStepped
    /// An output was energised for its maximum on-time and was cut.
    case energisedTooLong(Output)
    /// A line failed.
    case line(Line, LineFailure)
    /// What is recorded cannot be made durable: the storage is full or fails.
    case storageFailed
}

extension Fault {
    /// What a fault keeps the gate from.
    public enum Effect: Hashable, Sendable {
        /// Nothing.
        case none
        /// Taking coins.
        case refusesCoins
        /// Letting people in, and taking coins.
        case outOfService
    }

    /// What the gate does not do while the fault lasts.
    ///
    /// Lost edges are over once the lines were read again, and a siren that was cut has done its
    /// work. A fault of the acceptors leaves the way open for whoever has no need of them, and so
    /// does one of the storage: it is coins that must not be lost. All else
    /// means that the gate cannot be trusted to let people out.
    public var effect: Effect {
        switch self {
        case .edgesLost, .clockStepped, .unknownPulseCount: .none
        case .coinJam, .coinLineStuck, .noiseBurst, .vaultMissing, .storageFailed: .refusesCoins
        case .external, .illegalRotorTransition, .sensorStuck, .armNotHome, .lockNotResponding,
            .powerLow:
            .outOfService
        case .energisedTooLong(let output): output.faultEffect
        case .line(.output(let output), _): output.faultEffect
        case .line(.input(let input), _): input.faultEffect
        }
    }

    /// Whether the fault lasts until the mechanic's key is turned, though its cause is gone.
    public var isLatching: Bool {
        switch self {
        case .edgesLost, .clockStepped, .unknownPulseCount, .coinJam, .coinLineStuck, .noiseBurst,
            .vaultMissing, .powerLow, .armNotHome, .storageFailed:
            false
        case .energisedTooLong: effect != .none
        case .external, .illegalRotorTransition, .sensorStuck, .lockNotResponding, .line: true
        }
    }
}

extension Output {
    /// What the gate does not do while the output fails.
    fileprivate var faultEffect: Fault.Effect {
        switch self {
        case .lockEntry, .lockExit, .dropArm, .lockEntryHold, .lockExitHold: .outOfService
        case .coinEnable: .outOfService
        case .coinReject, .coinMeter: .refusesCoins
        case .alarm, .buzzer, .lampGo, .lampStop, .ready, .countPulse: .none
        }
    }
}

extension Input {
    /// What the gate does not do while the input cannot be read.
    fileprivate var faultEffect: Fault.Effect {
        switch self {
        case .coinPulse, .coinPulse2, .coinPulse3, .coinJam, .vaultPresent: .refusesCoins
        case .rotorA, .rotorB, .beamA, .beamB, .home, .fire, .stop, .serviceKey, .emergencyResetKey,
            .externalFault, .powerLow, .lockFeedback, .lockFeedbackExit, .releaseEntry,
            .releaseExit, .cabinetTamper, .vaultDoor:
            .outOfService
        }
    }
}

extension Fault {
    /// The position of the fault in ``all``, from 0.
    @inline(__always) var index: Int {
        switch self {
        case .external: 0
        case .illegalRotorTransition: 1
        case .sensorStuck: 2
        case .armNotHome: 3
        case .lockNotResponding(let direction): direction == .entry ? 4 : 5
        case .coinJam: 6
        case .coinLineStuck(let acceptor): 6 + Int(acceptor.rawValue)
        case .noiseBurst(let acceptor): 9 + Int(acceptor.rawValue)
        case .unknownPulseCount: 13
        case .vaultMissing: 14
        case .powerLow: 15
        case .edgesLost: 16
        case .clockStepped: 17
        case .energisedTooLong(let output): 18 + output.index
        case .line(.input(let input), _): 32 + input.index
        case .line(.output(let output), .unreadable): 54 + output.index
        case .line(.output(let output), .undrivable): 68 + output.index
        case .line(.output(let output), .mismatch): 82 + output.index
        case .storageFailed: 96
        }
    }

    /// All faults that there are, in the order of their ``index``. An input that fails cannot be
    /// read: nothing else can happen to it.
    static let all: [Fault] = {
        let outputs = Output.allCases
        let acceptors = Acceptor.allCases
        let ofLines: [Fault] = LineFailure.allCases.flatMap { failure in
            outputs.map { .line(.output($0), failure) }
        }
        return [.external, .illegalRotorTransition, .sensorStuck, .armNotHome]
            + [.lockNotResponding(.entry), .lockNotResponding(.exit), .coinJam]
            + acceptors.map { .coinLineStuck($0) } + acceptors.map { .noiseBurst($0) }
            + [.unknownPulseCount, .vaultMissing, .powerLow, .edgesLost, .clockStepped]
            + outputs.map { .energisedTooLong($0) }
            + Input.allCases.map { .line(.input($0), .unreadable) } + ofLines + [.storageFailed]
    }()
}

/// A set of faults.
public struct FaultSet: OptionSet, Hashable, Sendable {
    // Two words: of whatever holds a whole one of 128 bits, beside an `InlineArray`, an optimised
    // build of Swift 6.3 takes the array's elements for aligned to 16 bytes, and traps.
    private let low: UInt64
    private let high: UInt64

    /// One bit per fault, in the order of `Fault.all`.
    public var rawValue: UInt128 { UInt128(high) << 64 | UInt128(low) }

    /// The set with these bits.
    public init(rawValue: UInt128) {
        low = UInt64(truncatingIfNeeded: rawValue)
        high = UInt64(truncatingIfNeeded: rawValue >> 64)
    }

    /// The set of one fault.
    @inline(__always) public init(_ fault: Fault) {
        let index = fault.index
        self.init(low: index < 64 ? 1 << index : 0, high: index < 64 ? 0 : 1 << (index - 64))
    }

    @inline(__always) private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// Whether `fault` is in the set.
    public subscript(fault: Fault) -> Bool {
        @inline(__always) get { !isDisjoint(with: FaultSet(fault)) }
        set { self = newValue ? union(FaultSet(fault)) : subtracting(FaultSet(fault)) }
    }

    /// The faults of the set, in the order of `Fault.all`.
    public var all: [Fault] { Fault.all.filter { self[$0] } }

    /// The first fault of the set, or nil when it is empty.
    var first: Fault? {
        if low != 0 { return Fault.all[low.trailingZeroBitCount] }
        return high == 0 ? nil : Fault.all[64 + high.trailingZeroBitCount]
    }

    /// The faults that take the gate out of service.
    static let outOfService = FaultSet(Fault.all.filter { $0.effect == .outOfService })
    /// The faults that keep the acceptors from taking coins.
    static let refusingCoins = FaultSet(Fault.all.filter { $0.effect != .none })
    /// The faults that wait for the mechanic's key.
    static let latching = FaultSet(Fault.all.filter(\.isLatching))

    /// The lock of the way in was cut at its maximum on-time.
    static var entryLockCut: FaultSet {
        FaultSet(.energisedTooLong(.lockEntry)).union(
            FaultSet(.energisedTooLong(.lockEntryHold)))
    }
    /// The same of the way out.
    static var exitLockCut: FaultSet {
        FaultSet(.energisedTooLong(.lockExit)).union(FaultSet(.energisedTooLong(.lockExitHold)))
    }

    private init(_ faults: [Fault]) {
        self = faults.reduce(into: []) { $0[$1] = true }
    }
}

// Word by word: what every event asks is not to go through 128 bits.
extension FaultSet {
    /// Whether no fault is in the set.
    @inline(__always) public var isEmpty: Bool { low | high == 0 }

    /// The faults of either set.
    @inline(__always) public func union(_ other: FaultSet) -> FaultSet {
        FaultSet(low: low | other.low, high: high | other.high)
    }

    /// The faults of both sets.
    @inline(__always) public func intersection(_ other: FaultSet) -> FaultSet {
        FaultSet(low: low & other.low, high: high & other.high)
    }

    /// The faults that are not in `other`.
    @inline(__always) public func subtracting(_ other: FaultSet) -> FaultSet {
        FaultSet(low: low & ~other.low, high: high & ~other.high)
    }

    /// Takes out the faults of `other`.
    @inline(__always) public mutating func subtract(_ other: FaultSet) {
        self = subtracting(other)
    }

    /// Whether the sets have no fault in common.
    @inline(__always) public func isDisjoint(with other: FaultSet) -> Bool {
        low & other.low | high & other.high == 0
    }
}
