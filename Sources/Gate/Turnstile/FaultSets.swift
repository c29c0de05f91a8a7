extension Fault {
    /// All faults, in the order shown: kind by kind, and line by line.
    public static let all: [Fault] = {
        var all: [Fault] = [.external, .illegalRotorTransition, .sensorStuck, .armNotHome]
        all += Direction.allCases.map { .lockNotResponding($0) }
        all.append(.coinJam)
        all += Acceptor.ordered.map { .coinLineStuck($0) }
        all += Acceptor.ordered.map { .noiseBurst($0) }
        all += [.unknownPulseCount, .vaultMissing, .powerLow, .edgesLost, .clockStepped]
        all += Output.ordered.map { .energisedTooLong($0) }
        all += Line.all.map { .line($0, .unreadable) }
        all += Output.ordered.map { .line(.output($0), .undrivable) }
        all += Output.ordered.map { .line(.output($0), .mismatch) }
        all += [.storageFailed, .vaultFull]
        precondition(
            all.count <= FaultSet.capacity,
            "there are \(all.count) faults, and a FaultSet has \(FaultSet.capacity) bits")
        return all
    }()

    /// The first fault of each kind.
    static let forms = all.filter { $0.rank == 0 }
}

extension Fault.Kind: Word {
    /// The name of the type in the vocabulary.
    static var list: String { "fault" }
    /// All kinds.
    static let words = Fault.forms.map { $0.kind }

    /// The faults of the kind, in the order of their lines.
    var faults: ArraySlice<Fault> {
        Fault.all[Self.places[Int(number)]...].prefix { $0.kind.number == number }
    }

    /// Where the faults of each kind begin in ``Fault/all``, at the number of the kind.
    static let places: [Int] = {
        var places = [Int](repeating: 0, count: Int(UInt8.max) + 1)
        for (place, fault) in Fault.all.enumerated().reversed() {
            places[Int(fault.kind.number)] = place
        }
        return places
    }()
}

/// A set of faults.
public struct FaultSet: OptionSet, Hashable, Sendable {
    // Two words: beside an `InlineArray`, an optimised build of Swift 6.3 takes the array's
    // elements next to a whole 128-bit integer for aligned to 16 bytes, and traps.
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
    /// The faults that inhibit the acceptors, given the policy for a full vault.
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

// Word by word: queries for every event must not use 128-bit arithmetic.
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
