public import Turnstile

/// One moment of a gate, as the live view shows it.
///
/// It is the same for a gate in this process and for one on the bus, simulated or real: it has
/// nothing that only the simulated world knows.
public struct ViewModel: Hashable, Sendable {
    public var gate: String
    /// Nil for a real gate.
    public var simulation: Simulation?
    /// The moment of a recording, in a few words; nil for a live gate.
    public var replayed: String?
    public var report: StatusReport
    /// The active inputs, before debouncing.
    public var levels: InputLevels
    public var energised: OutputSet
    public var tallies: Tallies
    /// The wall clock minus the gate's monotonic time.
    public var clockOffset: Duration

    public init(
        gate: String, simulation: Simulation?, replayed: String? = nil, report: StatusReport,
        levels: InputLevels, energised: OutputSet, tallies: Tallies, clockOffset: Duration
    ) {
        self.gate = gate
        self.simulation = simulation
        self.replayed = replayed
        self.report = report
        self.levels = levels
        self.energised = energised
        self.tallies = tallies
        self.clockOffset = clockOffset
    }

    public struct Simulation: Hashable, Sendable {
        /// The first nine have a key.
        public var coins: [Coin]
        /// How long the mechanic's key is held for service mode.
        public var serviceHold: Duration

        public init(coins: [Coin], serviceHold: Duration) {
            self.coins = coins
            self.serviceHold = serviceHold
        }

        /// Coins for a policy, three or four for each slot: the lowest of its table, or those of
        /// one, two and five pulses and, in the first slot, of a fare.
        public init(_ policy: Policy, _ equipment: Equipment) {
            serviceHold = policy.serviceHold
            let slots = Acceptor.allCases.filter { equipment.inputs[$0.line] }
            coins = slots.flatMap { acceptor in
                switch policy.coins[acceptor].values {
                case .proportional(let unit):
                    let fare = acceptor == .first ? [policy.price / unit] : []
                    return Set([1, 2, 5] + fare).subtracting([0]).sorted().map {
                        Coin(acceptor, pulses: $0, value: $0 * unit)
                    }
                case .exact(let table):
                    return table.sorted { $0.value < $1.value }.prefix(3).map {
                        Coin(acceptor, pulses: $0.key, value: $0.value)
                    }
                }
            }
        }
    }

    /// The gate's counts since its beginning.
    public struct Tallies: Hashable, Sendable {
        public var entries: Int64 = 0, exits: Int64 = 0
        /// Credited coins, and the money paid in less refunds.
        public var coins: Int64 = 0, value: Int64 = 0

        /// Sums up registers by their names. A gate on the bus may report any value: overflowing
        /// ones are skipped.
        public init(_ registers: some Sequence<(name: String, value: Int64)>) {
            func add(_ number: Int64, to sum: inout Int64) {
                let (next, overflows) = sum.addingReportingOverflow(number)
                if !overflows { sum = next }
            }
            for (name, number) in registers {
                if name.hasPrefix("passages_entry_") { add(number, to: &entries) }
                if name.hasPrefix("passages_exit_") { add(number, to: &exits) }
                if name.hasPrefix("accepted_") || name.hasPrefix("late_") {
                    add(number, to: &coins)
                }
                if name == "value_in" { add(number, to: &value) }
                if name == "refunded", number != .min { add(-number, to: &value) }
            }
        }
    }

    public struct Entry: Hashable, Sendable {
        /// For people.
        public var time: String
        /// Several lines are joined.
        public var text: String
        public var weight: Weight

        public init(_ text: String, at time: String, weight: Weight = .normal) {
            self.time = time
            self.text = text
            self.weight = weight
        }
    }

    public enum Weight: Int, Hashable, Sendable {
        case normal
        case warning
        case severe

        public init(_ priority: Priority) {
            switch priority {
            case .critical, .error: self = .severe
            case .warning: self = .warning
            case .notice, .info, .debug: self = .normal
            }
        }
    }
}
