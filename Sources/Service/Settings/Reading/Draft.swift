import Hardware
import Turnstile

/// The contents of the configuration file, before the checks.
struct Draft: Sendable {
    var gate = "turnstile"
    /// Valid after ``conclude()``.
    private(set) var policy = Policy.blank
    /// The fields of the policy's keys, with defaults; `meter_unit` has none here, and the price is
    /// the least one. See ``Reader/check(_:)``.
    var policyFields = Policy.blank.fields
    var regime = Regime.blank.fields
    /// The fields of each acceptor; its coins' values in ``FieldName/unit`` or
    /// ``FieldName/values``. For the first the others have defaults.
    var coins = PerAcceptor(repeating: Fields())
    var vaultCapacity: Int?
    /// Nil for an invalid entry.
    var schedule: [ScheduleEntry?] = []
    var registerSnapshot = Duration.seconds(4 * 3600)
    /// The ledger's path; nil for none.
    var ledger: String? = "/var/lib/turnstiled/ledger.db"
    var ledgerLimits = LedgerLimits()
    var trace = TraceSettings()
    /// The default chip of lines.
    var chip: ChipSelector?
    var inputs: [Input: InputLine] = [:]
    var outputs: [Output: OutputDraft] = [:]

    init() {
        policyFields[.meterUnit] = nil
        coins[.first] = CoinPolicy.blank.fields
        coins[.first][.values] = nil
    }

    /// Fills in derived values.
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
    /// An acceptor's policy.
    fileprivate var ofAcceptor: Fields {
        var fields = self
        let unit = self[.unit]?.integer.map { CoinValues.proportional(unit: Int($0)).fieldValue }
        fields[.values] = self[.values] ?? unit
        fields[.unit] = nil
        return fields
    }

    /// The draft that `policy` would be read from.
    init(ofAcceptor policy: CoinPolicy) {
        self = policy.fields
        guard case .proportional(let unit) = policy.values else { return }
        self[.unit] = .integer(Int64(unit))
        self[.values] = nil
    }
}

struct OutputDraft: Sendable {
    var line: OutputLine
    /// Whether the device is rated for continuous duty.
    var duty = Duty.continuous
    /// The longest on-time of an intermittent device; its default if not stated.
    var maximumOnTime: Duration?
    /// The duty cycle of a lock in an emergency; nil if not stated.
    var emergencyOn, emergencyOff: Duration?
}

/// How long an output may stay energised.
enum Duty: String, CaseIterable, Hashable, Sendable {
    /// Rated for continuous duty.
    case continuous
    /// Cut after this time.
    case intermittent
}
