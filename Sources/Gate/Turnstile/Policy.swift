/// What the owner of a gate decides: prices, times, who may pass when, and what happens to credit.
///
/// Every value has a default but ``price`` and the coins' unit, which nobody can guess. What it may
/// be, and all else that there is to say of it, stands in `Catalogue/Policies.swift`.
public struct Policy: Hashable, Sendable {
    /// What one passage in costs, in minor units of the currency.
    public var price: Int
    /// What the acceptors send.
    public var coins: PerAcceptor<CoinPolicy>
    /// What one step of the coin meter is worth, in minor units of the currency.
    public var meterUnit: Int

    /// Who may pass, and what a passage without an authorisation does, when no schedule says
    /// otherwise.
    public var regime = Regime()
    /// When something else applies; of several entries that hold at a time the last counts.
    public var schedule: [ScheduleEntry] = []

    /// How long a released lock waits for somebody to come.
    public var passWait: Duration = .seconds(5)
    /// How many authorisations are held at once, the one that is being used included.
    public var maxStored = 3
    /// What becomes of the fare when nobody came.
    public var onWaitTimeout = CreditPolicy.retain
    /// What becomes, once a passage is complete, of what was above the fare and is no fare itself.
    public var overpay = CreditPolicy.retain
    /// What becomes of a coin while the gate is unlocked for the way in.
    public var coinWhileUnlocked = UnlockedCoinPolicy.store
    /// How long credit is held for nobody; zero for ever.
    public var creditExpiry: Duration = .seconds(60)
    /// For how long after an inhibit a coin may still be on its way.
    public var lateCoinWindow: Duration = .seconds(2)
    /// For how long after coins are accepted anew an acceptor's pulses are its own.
    public var earlyCoinWindow: Duration = .zero
    /// What becomes of coins while the vault is full.
    public var vaultFull = VaultFullPolicy.warn
    /// When the lock is engaged again during a passage.
    public var relockAt = RelockPoint.middle
    /// How long somebody may be in the rotor before the alarm says that they are stuck.
    public var passDelayAlarm: Duration = .seconds(30)
    /// How soon after a passage somebody who follows it has slipped in behind.
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

    /// What a forced passage does.
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
    /// Whether an operator may say from afar that a repair is complete.
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
    /// Has as much allowed from afar as `other` allows.
    mutating func keepRemote(of other: Policy) {
        remoteEmergencyReset = other.remoteEmergencyReset
        remoteRepair = other.remoteRepair
        remoteService = other.remoteService
    }
}

/// What a coin acceptor sends.
public struct CoinPolicy: Hashable, Sendable {
    /// What the pulses of a coin are worth.
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

/// What the pulses of a coin are worth, in minor units of the currency.
public enum CoinValues: Hashable, Sendable {
    /// Each pulse is worth as much; two trains that run into one another count what both are worth.
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

    /// What a train of so many pulses is worth, or nil when it is no coin that anybody knows.
    public func value(ofPulses pulses: Int) -> Int? {
        switch self {
        case .proportional(let unit): pulses * unit
        case .exact(let table): table[pulses]
        }
    }
}

/// What has one value per direction.
public protocol PerDirection {
    /// What there is for each.
    associatedtype Value
    /// That of the way in.
    var entry: Value { get set }
    /// That of the way out.
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

/// What becomes of credit that was not used.
public enum CreditPolicy: String, CaseIterable, Sendable, Word {
    /// It stays and pays for the next passage.
    case retain
    /// It is the operator's.
    case forfeit
    /// The name of the type in the vocabulary.
    public static var list: String { "credit_policy" }
}

/// What becomes of a coin while the gate is unlocked for the way in.
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

/// What becomes of coins while the vault is full.
public enum VaultFullPolicy: String, CaseIterable, Sendable, Word {
    /// They are taken: there is room left above the switch, and the fault tells to collect.
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

/// What a forced passage does.
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

/// Whether an operator may ask for something from afar, without a look at the gate.
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
