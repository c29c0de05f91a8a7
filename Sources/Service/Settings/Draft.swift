import Hardware
import Turnstile

/// What the configuration file is read into, before it is known to be whole.
struct Draft: Sendable {
    /// The gate's name.
    var gate = "turnstile"
    /// The policy, but for what follows from the rest; see ``conclude()``. The price is stated
    /// wherever coins are taken; see ``Reader/check(_:)``.
    var policy = Policy(price: 1, coinUnit: 1)
    /// What is said of the acceptors.
    var coins = PerAcceptor(repeating: CoinDraft())
    /// What one step of the coin meter is worth.
    var meterUnit: Int?
    /// How many coins the vault holds.
    var vaultCapacity: Int?
    /// The schedule; nil for an entry that is wrong.
    var schedule: [ScheduleEntry?] = []
    /// How often the registers are recorded.
    var registerSnapshot = Duration.seconds(4 * 3600)
    /// Where the ledger is; nil for a gate without one.
    var ledger: String? = "/var/lib/turnstiled/ledger.db"
    /// What the ledger keeps of its records.
    var ledgerLimits = LedgerLimits()
    /// What is kept of all that the gate decided.
    var trace = TraceSettings()
    /// The chip of the lines that name none.
    var chip: ChipSelector?
    /// The inputs that are wired.
    var inputs: [Input: InputLine] = [:]
    /// The outputs that are wired.
    var outputs: [Output: OutputDraft] = [:]

    /// A draft in which nothing is stated.
    init() { coins[.first] = .standard }

    /// Fills in what follows from what is written.
    mutating func conclude() {
        for acceptor in Acceptor.allCases {
            policy.coins[acceptor] = coins[acceptor].policy(or: coins[.first])
        }
        policy.meterUnit = meterUnit ?? coins[.first].unit ?? 1
        policy.schedule = schedule.compactMap { $0 }
    }

    /// What the policy has to fit.
    var installation: Installation {
        Installation(inputs: inputs, outputs: outputs.mapValues(\.line))
    }

    /// The settings, if there is all that they need.
    var settings: Settings? {
        guard let chip else { return nil }
        return Settings(
            gate: gate, policy: policy,
            wiring: Wiring(chip: chip, inputs: inputs, outputs: outputs.mapValues(\.line)),
            registerSnapshot: registerSnapshot, ledger: ledger,
            ledgerLimits: ledgerLimits, trace: trace, vaultCapacity: vaultCapacity)
    }
}

/// What is said of a coin acceptor.
struct CoinDraft: Sendable {
    /// What each pulse is worth.
    var unit: Int?
    /// What each number of pulses is worth.
    var values: [Int: Int]?
    /// The nominal pulse width.
    var pulseWidth: Duration?
    /// The silence that ends a pulse train.
    var trainQuiet: Duration?
    /// How long a pulse may last.
    var stuckAfter: Duration?

    /// What is taken of an acceptor of which nothing is said.
    static let standard: CoinDraft = {
        let standard = CoinPolicy(unit: 1)
        var draft = CoinDraft()
        draft.pulseWidth = standard.pulseWidth
        draft.trainQuiet = standard.trainQuiet
        draft.stuckAfter = standard.stuckAfter
        return draft
    }()

    /// The acceptor; what is not said of it is as with `other`.
    func policy(or other: CoinDraft) -> CoinPolicy {
        var policy = CoinPolicy(unit: 1)
        policy.values = coinValues ?? other.coinValues ?? policy.values
        policy.pulseWidth = pulseWidth ?? other.pulseWidth ?? policy.pulseWidth
        policy.trainQuiet = trainQuiet ?? other.trainQuiet ?? policy.trainQuiet
        policy.stuckAfter = stuckAfter ?? other.stuckAfter ?? policy.stuckAfter
        return policy
    }

    private var coinValues: CoinValues? {
        values.map { .exact($0) } ?? unit.map { .proportional(unit: $0) }
    }
}

/// An entry of the schedule as it is written.
struct ScheduleDraft: Sendable {
    /// The days on which it begins.
    var days: Weekdays?
    /// When it begins, in minutes after midnight.
    var from: Int?
    /// When it ends, in minutes after midnight.
    var to: Int?
    /// The mode of the way in meanwhile.
    var entry: Mode?
    /// The mode of the way out meanwhile.
    var exit: Mode?
    /// The enforcement meanwhile.
    var enforcement: Enforcement?

    /// Nothing is said of an entry.
    init() {}

    /// What says this.
    init(_ entry: ScheduleEntry) {
        days = entry.days
        from = entry.from
        to = entry.to
        self.entry = entry.entry
        exit = entry.exit
        enforcement = entry.enforcement
    }
}

/// An output as it is written.
struct OutputDraft: Sendable {
    /// What the bank needs of it.
    var line: OutputLine
    /// Whether the device is rated to be energised without end.
    var duty = Duty.continuous
    /// The longest time for which one that is not may be energised; nil where nothing is said of
    /// one that may.
    var maximumOnTime: Duration?
    /// For how long a lock is on, and then off, in an emergency; nil where nothing is said.
    var emergencyOn, emergencyOff: Duration?
}

/// How long an output may stay energised.
enum Duty: String, CaseIterable, Hashable, Sendable {
    /// Without end: the device is rated for it.
    case continuous
    /// For a limited time, after which it is cut.
    case intermittent
}
