extension Fault.Kind {
    /// All faults of the kind, in the order of their lines.
    var faults: [Fault] {
        switch self {
        case .external: [.external]
        case .illegalRotorTransition: [.illegalRotorTransition]
        case .sensorStuck: [.sensorStuck]
        case .armNotHome: [.armNotHome]
        case .lockNotResponding: Direction.allCases.map { .lockNotResponding($0) }
        case .coinJam: [.coinJam]
        case .coinLineStuck: Acceptor.allCases.map { .coinLineStuck($0) }
        case .noiseBurst: Acceptor.allCases.map { .noiseBurst($0) }
        case .unknownPulseCount: [.unknownPulseCount]
        case .vaultMissing: [.vaultMissing]
        case .powerLow: [.powerLow]
        case .edgesLost: [.edgesLost]
        case .clockStepped: [.clockStepped]
        case .energisedTooLong: Output.allCases.map { .energisedTooLong($0) }
        case .lineUnreadable: Line.all.map { .line($0, .unreadable) }
        case .lineUndrivable: Output.allCases.map { .line(.output($0), .undrivable) }
        case .lineMismatch: Output.allCases.map { .line(.output($0), .mismatch) }
        case .storageFailed: [.storageFailed]
        case .vaultFull: [.vaultFull]
        }
    }

    /// Where the faults of each kind begin in ``Fault/all``, at the number of the kind.
    fileprivate static let places: [Int] = {
        let numbers = allCases.map { Int($0.rawValue) }
        var places = [Int](repeating: 0, count: (numbers.max() ?? 0) + 1)
        var place = 0
        for kind in allCases {
            places[Int(kind.rawValue)] = place
            place += kind.faults.count
        }
        return places
    }()
}

extension Fault {
    /// All faults that there are, kind by kind.
    public static let all: [Fault] = {
        let all = Kind.allCases.flatMap { $0.faults }
        precondition(
            all.count <= FaultSet.capacity,
            "there are \(all.count) faults, and a FaultSet has \(FaultSet.capacity) bits")
        return all
    }()

    /// The position of the fault in ``all``, from 0.
    var index: Int { Kind.places[Int(kind.rawValue)] + rank }

    /// The position of the fault among those of its kind, from 0.
    private var rank: Int {
        switch self {
        case .external, .illegalRotorTransition, .sensorStuck, .armNotHome, .coinJam,
            .unknownPulseCount, .vaultMissing, .vaultFull, .powerLow, .edgesLost, .clockStepped,
            .storageFailed:
            0
        case .lockNotResponding(let direction): direction == .entry ? 0 : 1
        case .coinLineStuck(let acceptor), .noiseBurst(let acceptor): Int(acceptor.rawValue) - 1
        case .energisedTooLong(let output): output.index
        case .line(.input(let input), _): input.index
        case .line(let line, .unreadable): line.index
        case .line(.output(let output), .undrivable), .line(.output(let output), .mismatch):
            output.index
        }
    }
}

/// A set of faults.
public struct FaultSet: OptionSet, Hashable, Sendable {
    // Two words: of whatever holds a whole one of 128 bits, beside an `InlineArray`, an optimised
    // build of Swift 6.3 takes the array's elements for aligned to 16 bytes, and traps.
    private let low: UInt64
    private let high: UInt64

    /// How many faults there can be.
    static let capacity = 128

    /// One bit per fault, in the order of `Fault.all`.
    public var rawValue: UInt128 { UInt128(high) << 64 | UInt128(low) }

    /// The set with these bits.
    public init(rawValue: UInt128) {
        low = UInt64(truncatingIfNeeded: rawValue)
        high = UInt64(truncatingIfNeeded: rawValue >> 64)
    }

    /// The set of one fault.
    public init(_ fault: Fault) {
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
    /// The faults that keep the acceptors from taking coins, by what the policy says of a vault
    /// that is full.
    static func refusingCoins(_ vaultFull: VaultFullPolicy) -> FaultSet {
        switch vaultFull {
        case .warn: refusingCoinsAlways
        case .refuse: refusingCoinsOnRequest
        }
    }
    private static let refusingCoinsAlways = FaultSet(
        Fault.all.filter { $0.effect.refusesCoins(.warn) })
    private static let refusingCoinsOnRequest = FaultSet(
        Fault.all.filter { $0.effect.refusesCoins(.refuse) })
    /// The faults that wait for the mechanic's key.
    static let latching = FaultSet(Fault.all.filter { $0.isLatching })

    /// The lock of the way in was cut at its maximum on-time.
    static var entryLockCut: FaultSet {
        FaultSet(.energisedTooLong(.lockEntry)).union(
            FaultSet(.energisedTooLong(.lockEntryHold)))
    }
    /// The same of the way out.
    static var exitLockCut: FaultSet {
        FaultSet(.energisedTooLong(.lockExit)).union(FaultSet(.energisedTooLong(.lockExitHold)))
    }

    /// A sensor of the lane cannot be read.
    static let unseenLane = FaultSet(
        [Input.rotorA, .rotorB, .beamA, .beamB, .home].map { .line(.input($0), .unreadable) })

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
