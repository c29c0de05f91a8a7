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
    /// The coin vault is full, by its level switch.
    case vaultFull
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
    /// What a fault is, whichever line it is of; named as the faults are.
    ///
    /// The raw value is the number in the fault's code. It is published and never changes: a new
    /// kind takes the next one. The order of the cases is that in which faults are told.
    enum Kind: UInt8, CaseIterable, Hashable, Sendable {
        case external = 1
        case illegalRotorTransition = 2
        case sensorStuck = 3
        case armNotHome = 4
        case lockNotResponding = 5
        case coinJam = 6
        case coinLineStuck = 7
        case noiseBurst = 8
        case unknownPulseCount = 9
        case vaultMissing = 10
        case powerLow = 11
        case edgesLost = 12
        case clockStepped = 13
        case energisedTooLong = 14
        case lineUnreadable = 15
        case lineUndrivable = 16
        case lineMismatch = 17
        case storageFailed = 18
        case vaultFull = 19
    }

    /// What the fault is, whichever line it is of.
    var kind: Kind {
        switch self {
        case .external: .external
        case .illegalRotorTransition: .illegalRotorTransition
        case .sensorStuck: .sensorStuck
        case .armNotHome: .armNotHome
        case .lockNotResponding: .lockNotResponding
        case .coinJam: .coinJam
        case .coinLineStuck: .coinLineStuck
        case .noiseBurst: .noiseBurst
        case .unknownPulseCount: .unknownPulseCount
        case .vaultMissing: .vaultMissing
        case .powerLow: .powerLow
        case .edgesLost: .edgesLost
        case .clockStepped: .clockStepped
        case .energisedTooLong: .energisedTooLong
        // An input that fails cannot be read: nothing else can happen to it.
        case .line(.input, _), .line(.output, .unreadable): .lineUnreadable
        case .line(.output, .undrivable): .lineUndrivable
        case .line(.output, .mismatch): .lineMismatch
        case .storageFailed: .storageFailed
        case .vaultFull: .vaultFull
        }
    }
}

extension Fault {
    /// What a fault keeps the gate from.
    public enum Effect: Hashable, Sendable {
        /// Nothing.
        case none
        /// Taking coins, where ``Policy/vaultFull`` says so.
        case mayRefuseCoins
        /// Taking coins.
        case refusesCoins
        /// Letting people in, and taking coins.
        case outOfService
    }

    /// What the gate does not do while the fault lasts.
    ///
    /// Lost edges are over once the lines were read again, and a siren that was cut has done its
    /// work. A fault of the acceptors leaves the way open for whoever has no need of them, and so
    /// does one of the storage: it is coins that must not be lost. Whether a vault that is full
    /// takes some more, its owner knows. All else means that the gate cannot be trusted to let
    /// people out.
    public var effect: Effect {
        switch self {
        case .edgesLost, .clockStepped, .unknownPulseCount: .none
        case .vaultFull: .mayRefuseCoins
        case .coinJam, .coinLineStuck, .noiseBurst, .vaultMissing, .storageFailed: .refusesCoins
        case .external, .illegalRotorTransition, .sensorStuck, .armNotHome, .lockNotResponding,
            .powerLow:
            .outOfService
        case .energisedTooLong(let output): output.entry.failing
        case .line(.output(let output), _): output.entry.failing
        case .line(.input(let input), _): input.entry.unreadable
        }
    }

    /// Whether the fault lasts until the mechanic's key is turned, though its cause is gone.
    public var isLatching: Bool {
        switch self {
        case .edgesLost, .clockStepped, .unknownPulseCount, .coinJam, .coinLineStuck, .noiseBurst,
            .vaultMissing, .vaultFull, .powerLow, .armNotHome, .storageFailed:
            false
        case .energisedTooLong: effect != .none
        case .external, .illegalRotorTransition, .sensorStuck, .lockNotResponding, .line: true
        }
    }
}

extension Fault.Effect {
    /// Whether coins are refused, by what the policy says of a vault that is full.
    func refusesCoins(_ vaultFull: VaultFullPolicy) -> Bool {
        switch self {
        case .none: false
        case .mayRefuseCoins: vaultFull == .refuse
        case .refusesCoins, .outOfService: true
        }
    }
}
