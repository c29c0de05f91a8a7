import Hardware
import Turnstile

/// What the configuration file is read into, before it is known to be whole.
struct Draft: Sendable {
    var gate = "turnstile"
    /// The policy, once all is read: see ``conclude()``.
    private(set) var policy = Policy.blank
    /// What is said of the policy's own keys, defaults included; it is stated what coins are worth,
    /// and the price, wherever they are taken. See ``Reader/check(_:)``.
    var policyFields = Policy.blank.fields
    var regime = Regime.blank.fields
    /// What is said of each acceptor: in ``FieldName/unit`` or ``FieldName/values`` what its pulses
    /// are worth. Of the first one the rest has defaults.
    var coins = PerAcceptor(repeating: Fields())
    var vaultCapacity: Int?
    /// The schedule; nil for an entry that is wrong.
    var schedule: [ScheduleEntry?] = []
    var registerSnapshot = Duration.seconds(4 * 3600)
    /// Where the ledger is; nil for a gate without one.
    var ledger: String? = "/var/lib/turnstiled/ledger.db"
    var ledgerLimits = LedgerLimits()
    var trace = TraceSettings()
    /// The chip of the lines that name none.
    var chip: ChipSelector?
    var inputs: [Input: InputLine] = [:]
    var outputs: [Output: OutputDraft] = [:]

    init() {
        policyFields[.meterUnit] = nil
        coins[.first] = CoinPolicy.blank.fields
        coins[.first][.values] = nil
    }

    /// Fills in what follows from what is written.
    mutating func conclude() {
        var fields = policyFields
        fields[.meterUnit] = fields[.meterUnit] ?? coins[.first][.unit]
        policy = Policy.blank.with(fields)
        policy.regime = Regime.blank.with(regime)
        let first = CoinPolicy.blank.with(coins[.first].ofAcceptor)
        policy.coins = PerAcceptor { first.with(coins[$0].ofAcceptor) }
        policy.schedule = schedule.compactMap { $0 }
    }

    var installation: Installation {
        Installation(inputs: inputs, outputs: outputs.mapValues(\.line))
    }

    var settings: Settings? {
        guard let chip else { return nil }
        return Settings(
            gate: gate, policy: policy,
            wiring: Wiring(chip: chip, inputs: inputs, outputs: outputs.mapValues(\.line)),
            registerSnapshot: registerSnapshot, ledger: ledger,
            ledgerLimits: ledgerLimits, trace: trace, vaultCapacity: vaultCapacity)
    }
}

extension Fields {
    /// What is said of an acceptor, as its policy has it.
    fileprivate var ofAcceptor: Fields {
        var fields = self
        let unit = self[.unit]?.integer.map { CoinValues.proportional(unit: Int($0)).fieldValue }
        fields[.values] = self[.values] ?? unit
        fields[.unit] = nil
        return fields
    }

    /// What would be read as `policy`.
    init(ofAcceptor policy: CoinPolicy) {
        self = policy.fields
        guard case .proportional(let unit) = policy.values else { return }
        self[.unit] = .integer(Int64(unit))
        self[.values] = nil
    }
}

struct OutputDraft: Sendable {
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
