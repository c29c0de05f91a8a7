/// The decisions of a gate's owner: prices, times, who may pass when, and the fate of credit.
///
/// Every value has a default but ``price`` and the coins' unit. Ranges and descriptions are in
/// `Catalogue/Policies.swift`.
public struct Policy: Hashable, Sendable {
    /// The fare for the way in, in minor units of the currency.
    public var price: Int
    /// The pulses of the acceptors.
    public var coins: PerAcceptor<CoinPolicy>
    /// The value of one step of the coin meter, in minor units of the currency.
    public var meterUnit: Int

    /// The modes and the enforcement, unless the schedule says otherwise.
    public var regime = Regime()
    /// When something else applies; of several entries that hold at a time the last counts.
    public var schedule: [ScheduleEntry] = []

    /// How long a released lock waits for the passenger.
    public var passWait: Duration = .seconds(5)
    /// How many authorisations are held at once, the one that is being used included.
    public var maxStored = 3
    /// The fate of the fare if the passenger does not come.
    public var onWaitTimeout = CreditPolicy.retain
    /// The fate, after a passage, of a remainder smaller than a fare.
    public var overpay = CreditPolicy.retain
    /// The fate of a coin while the gate is released for the way in.
    public var coinWhileUnlocked = UnlockedCoinPolicy.store
    /// How long unused credit is held; zero for ever.
    public var creditExpiry: Duration = .seconds(60)
    /// For how long after an inhibit a coin may still be on its way.
    public var lateCoinWindow: Duration = .seconds(2)
    /// How long after enabling an acceptor its pulses are not credited.
    public var earlyCoinWindow: Duration = .zero
    /// The treatment of coins while the vault is full.
    public var vaultFull = VaultFullPolicy.warn
    /// When the lock is engaged again during a passage.
    public var relockAt = RelockPoint.middle
    /// How long a person may be in the rotor before the alarm about a delayed passage.
    public var passDelayAlarm: Duration = .seconds(30)
    /// How soon after a passage a second person counts as tailgating.
    public var tailgatingWindow: Duration = .seconds(2)
    /// The least time between changes of the rotor's two sensors that are no noise.
    public var rotorStep: Duration = .milliseconds(10)
    /// How long a light beam may be broken before something blocks it.
    public var beamBlocked: Duration = .seconds(15)
    /// How long a contact may be active that is so for a moment at a time; zero for ever.
    public var contactStuckAfter: Duration = .seconds(600)
    /// How long the home contact may disagree with the sensors.
    public var homeSettle: Duration = .seconds(1)
    /// How long a lock may take to follow.
    public var lockResponse: Duration = .milliseconds(500)
    /// How long a pull-and-hold lock is pulled with full power.
    public var lockPull: Duration = .milliseconds(150)
    /// How long a counting pulse lasts, and the pause after it.
    public var countPulse: Duration = .milliseconds(250)

    /// The effect of a forced passage.
    public var forcedPassage = ForcedPassagePolicy.alarmForHold
    /// How long the alarm sounds.
    public var alarmHold: Duration = .seconds(5)
    /// Where a repair leaves the gate. An outage shorter than ``passWait`` leaves it as it was.
    public var repairResumes = RepairPolicy.locked
    /// How long the mechanic's key is held for service mode.
    public var serviceHold: Duration = .seconds(3)
    /// What ends an emergency once its loop is closed again.
    public var fireReset = FireResetPolicy.manual

    /// Whether an operator may end an emergency from afar.
    public var remoteEmergencyReset = RemotePolicy.never
    /// Whether an operator may confirm a repair from afar.
    public var remoteRepair = RemotePolicy.never
    /// Whether an operator may begin service mode from afar.
    public var remoteService = RemotePolicy.never

    /// A policy with the defaults of the trade for all but the two prices.
    public init(price: Int, coinUnit: Int) {
        precondition(price > 0 && coinUnit > 0, "a price is positive")
        self.price = price
        coins = PerAcceptor(repeating: CoinPolicy(unit: coinUnit))
        meterUnit = coinUnit
    }
}

extension Policy {
    /// Allows as much from afar as `other`.
    mutating func keepRemote(of other: Policy) {
        remoteEmergencyReset = other.remoteEmergencyReset
        remoteRepair = other.remoteRepair
        remoteService = other.remoteService
    }
}

/// The pulses of a coin acceptor.
public struct CoinPolicy: Hashable, Sendable {
    /// The value of a coin's pulses.
    public var values: CoinValues
    /// The acceptor's nominal pulse width; half to double of it is taken for a pulse.
    public var pulseWidth: Duration = .milliseconds(50)
    /// The silence that ends a pulse train.
    public var trainQuiet: Duration = .milliseconds(200)
    /// How long a pulse may last before the coin line counts as stuck.
    public var stuckAfter: Duration = .seconds(1)

    /// An acceptor whose pulses are worth `unit` each, in minor units of the currency.
    public init(unit: Int) { values = .proportional(unit: unit) }
}

/// The value of a coin's pulses, in minor units of the currency.
public enum CoinValues: Hashable, Sendable {
    /// Each pulse has the same value; two trains that run together count as the sum.
    case proportional(unit: Int)
    /// These numbers of pulses, and no others, are coins.
    case exact([Int: Int])

    /// Whether each pulse is worth as much.
    public var isProportional: Bool {
        switch self {
        case .proportional: true
        case .exact: false
        }
    }

    /// What a train of so many pulses is worth, or nil for an unknown coin.
    public func value(ofPulses pulses: Int) -> Int? {
        switch self {
        case .proportional(let unit): pulses * unit
        case .exact(let table): table[pulses]
        }
    }
}

/// A type with one value per direction.
public protocol PerDirection {
    /// The type of the values.
    associatedtype Value
    /// The value for the way in.
    var entry: Value { get set }
    /// The value for the way out.
    var exit: Value { get set }
}

extension PerDirection {
    /// The value of `direction`.
    public subscript(direction: Direction) -> Value {
        @inline(__always) get { direction == .entry ? entry : exit }
        set { if direction == .entry { entry = newValue } else { exit = newValue } }
    }
}

/// One value per coin acceptor.
public struct PerAcceptor<Value> {
    private var first: Value
    private var second: Value
    private var third: Value

    /// The same value for each.
    public init(repeating value: Value) { self.init { _ in value } }

    /// The value that `make` makes for each.
    public init(_ make: (Acceptor) -> Value) {
        first = make(.first)
        second = make(.second)
        third = make(.third)
    }

    /// Changes the value of `acceptor` where it is.
    @inline(__always) mutating func update<Result>(
        _ acceptor: Acceptor, _ change: (inout Value) -> Result
    ) -> Result {
        switch acceptor {
        case .first: change(&first)
        case .second: change(&second)
        case .third: change(&third)
        }
    }

    /// The value of `acceptor`.
    public subscript(acceptor: Acceptor) -> Value {
        @inline(__always) get {
            switch acceptor {
            case .first: first
            case .second: second
            case .third: third
            }
        }
        set {
            switch acceptor {
            case .first: first = newValue
            case .second: second = newValue
            case .third: third = newValue
            }
        }
    }
}

extension PerAcceptor: Equatable where Value: Equatable {}
extension PerAcceptor: Hashable where Value: Hashable {}
extension PerAcceptor: Sendable where Value: Sendable {}

/// The fate of unused credit.
public enum CreditPolicy: String, CaseIterable, Sendable, Word {
    /// It stays and pays for the next passage.
    case retain
    /// It is the operator's.
    case forfeit
    /// The name of the type in the vocabulary.
    public static var list: String { "credit_policy" }
}

/// The treatment of a coin while the gate is released for the way in.
public enum UnlockedCoinPolicy: String, CaseIterable, Sendable, Word {
    /// It is credit for the next passage, up to ``Policy/maxStored``.
    case store
    /// The acceptors are inhibited, and a coin that was on its way is ejected where that is wired.
    case reject
    /// It is taken with thanks, and is the operator's.
    case thank
    /// The name of the type in the vocabulary.
    public static var list: String { "unlocked_coin_policy" }
}

/// The treatment of coins while the vault is full.
public enum VaultFullPolicy: String, CaseIterable, Sendable, Word {
    /// They are accepted: there is room left above the switch, and the fault is a reminder to
    /// collect.
    case warn
    /// They are refused until the vault was emptied.
    case refuse
    /// The name of the type in the vocabulary.
    public static var list: String { "vault_full_policy" }
}

/// When the lock is engaged again during a passage.
public enum RelockPoint: String, CaseIterable, Sendable, Word {
    /// At the middle: the mechanism lets the rotation finish and catches the next arm.
    case middle
    /// When the rotor is home again.
    case complete
    /// The name of the type in the vocabulary.
    public static var list: String { "relock_point" }
}

/// The effect of a forced passage.
public enum ForcedPassagePolicy: String, CaseIterable, Sendable, Word {
    /// The alarm sounds for ``Policy/alarmHold``.
    case alarmForHold = "alarm"
    /// The alarm sounds until the mechanic's key is turned.
    case latch
    /// The name of the type in the vocabulary.
    public static var list: String { "forced_passage_policy" }
}

/// Where a repair leaves the gate.
public enum RepairPolicy: String, CaseIterable, Sendable, Word {
    /// Locked.
    case locked
    /// As it was when it broke: a released gate is released again.
    case previous
    /// The name of the type in the vocabulary.
    public static var list: String { "repair_policy" }
}

/// Whether an operator may make a request from afar, without seeing the gate.
public enum RemotePolicy: String, CaseIterable, Sendable, Word {
    /// No: only allowed at the gate itself.
    case never
    /// Yes.
    case allowed
    /// The name of the type in the vocabulary.
    public static var list: String { "remote_policy" }
}

/// What ends an emergency once its loop is closed again.
public enum FireResetPolicy: String, CaseIterable, Sendable, Word {
    /// The emergency reset key.
    case manual
    /// The closing of the loop.
    case auto
    /// The name of the type in the vocabulary.
    public static var list: String { "fire_reset_policy" }
}
