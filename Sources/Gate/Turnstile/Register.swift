/// One number of the ``RegisterValues``.
public enum Register: Hashable, Sendable {
    /// Starts of the service.
    case starts
    /// The fares of the passages that are over.
    case faresUsed
    /// The fare of a passage that is not over.
    case fareInUse
    /// Credit that expired.
    case expired
    /// Credit that was forfeited otherwise.
    case forfeited
    /// The credit for the next passages.
    case creditHeld
    /// The money held for people when these registers began.
    case creditAtBeginning
    /// Coins of one kind that had this fate.
    case coins(CoinFate, Coin)
    /// Trains of pulses that are no coin.
    case unknownTrains(Acceptor)
    /// Pulses rejected as noise.
    case noisePulses(Acceptor)
    /// Coins that the end of the service came in between.
    case coinsInDoubt
    /// Passages that it came in between.
    case passagesInDoubt
    /// Passages, all of them.
    case passagesMade
    /// Passages of one direction and kind.
    case passages(Register.PassageCategory)
    /// Releases of a direction's lock for a person.
    case releases(Direction)
    /// How often an alarm was raised.
    case alarms(Alarm)
    /// How often a fault was found.
    case faults(Fault)
}

/// The fate of a coin.
public enum CoinFate: String, CaseIterable, Hashable, Sendable {
    /// It was credited when it came.
    case accepted
    /// It was credited though it came after the inhibit.
    case late
    /// Its acceptor was inhibited.
    case inhibited
    /// It was given back at once.
    case rejected
}

extension Register {
    /// Whether it is a balance of held money, which may decrease, and no counter.
    public var isBalance: Bool {
        switch self {
        case .creditHeld, .fareInUse, .creditAtBeginning: true
        case .starts, .faresUsed, .expired, .forfeited, .coins, .unknownTrains, .noisePulses,
            .coinsInDoubt, .passagesInDoubt, .passagesMade, .passages, .releases, .alarms, .faults:
            false
        }
    }

    /// The register's name, which never changes. The coins of one fate and acceptor share one:
    /// `accepted_coin_pulse`.
    public var name: String {
        switch self {
        case .starts: "starts"
        case .faresUsed: "fares_used"
        case .fareInUse: "fare_in_use"
        case .expired: "credit_expired"
        case .forfeited: "credit_forfeited"
        case .creditHeld: "credit_held"
        case .creditAtBeginning: "credit_at_beginning"
        case .coins(let fate, let coin): "\(fate.rawValue)_\(coin.acceptor.line.name)"
        case .unknownTrains(let acceptor): "unknown_trains_\(acceptor.line.name)"
        case .noisePulses(let acceptor): "noise_pulses_\(acceptor.line.name)"
        case .coinsInDoubt: "coins_in_doubt"
        case .passagesInDoubt: "passages_in_doubt"
        case .passagesMade: "passages"
        case .passages(let passage): "passages_\(passage.direction.name)_\(passage.kind.name)"
        case .releases(let direction): "releases_\(direction.name)"
        case .alarms(let alarm): "alarm_\(alarm.code)"
        case .faults(let fault): "fault_\(fault.identifier)"
        }
    }

    /// The coin that is counted, where it is one.
    public var coin: Coin? {
        if case .coins(_, let coin) = self { coin } else { nil }
    }

    /// Those that every gate has, even where they show nothing.
    public static let always: [Register] = [
        .starts, .faresUsed, .fareInUse, .expired, .forfeited, .creditHeld, .creditAtBeginning,
        .passagesMade,
    ]
}

extension RegisterValues {
    /// The value of a register.
    public subscript(register: Register) -> Int64 {
        get {
            switch register {
            case .starts: starts
            case .faresUsed: faresUsed
            case .fareInUse: fareInUse
            case .expired: expired
            case .forfeited: forfeited
            case .creditHeld: creditHeld
            case .creditAtBeginning: creditAtBeginning
            case .coins(let fate, let coin): self[fate][coin]
            case .unknownTrains(let acceptor): unknownTrains[acceptor]
            case .noisePulses(let acceptor): noisePulses[acceptor]
            case .coinsInDoubt: coinsInDoubt
            case .passagesInDoubt: passagesInDoubt
            case .passagesMade: passagesMade
            case .passages(let passage): passages[passage]
            case .releases(let direction): releases[direction]
            case .alarms(let alarm): alarms[alarm]
            case .faults(let fault): faults[fault]
            }
        }
        set {
            switch register {
            case .starts: starts = newValue
            case .faresUsed: faresUsed = newValue
            case .fareInUse: fareInUse = newValue
            case .expired: expired = newValue
            case .forfeited: forfeited = newValue
            case .creditHeld: creditHeld = newValue
            case .creditAtBeginning: creditAtBeginning = newValue
            case .coins(let fate, let coin): self[fate][coin] = newValue
            case .unknownTrains(let acceptor): unknownTrains[acceptor] = newValue
            case .noisePulses(let acceptor): noisePulses[acceptor] = newValue
            case .coinsInDoubt: coinsInDoubt = newValue
            case .passagesInDoubt: passagesInDoubt = newValue
            case .passagesMade: passagesMade = newValue
            case .passages(let passage): passages[passage] = newValue
            case .releases(let direction): releases[direction] = newValue
            case .alarms(let alarm): alarms[alarm] = newValue
            case .faults(let fault): faults[fault] = newValue
            }
        }
    }

    /// The registers that have shown something, in no order.
    public var counted: [Register] {
        var counted = Register.always
        for fate in CoinFate.allCases {
            counted += self[fate].all.map { .coins(fate, $0.key) }
        }
        counted += unknownTrains.all.map { .unknownTrains($0.key) }
        counted += noisePulses.all.map { .noisePulses($0.key) }
        if coinsInDoubt != 0 { counted.append(.coinsInDoubt) }
        if passagesInDoubt != 0 { counted.append(.passagesInDoubt) }
        counted += passages.all.map { .passages($0.key) }
        counted += releases.all.map { .releases($0.key) }
        counted += alarms.all.map { .alarms($0.key) } + faults.all.map { .faults($0.key) }
        return counted
    }
}

extension RegisterValues {
    /// The coins of this fate.
    public internal(set) subscript(fate: CoinFate) -> Counts<Coin> {
        get {
            switch fate {
            case .accepted: accepted
            case .late: late
            case .inhibited: inhibited
            case .rejected: rejected
            }
        }
        set {
            switch fate {
            case .accepted: accepted = newValue
            case .late: late = newValue
            case .inhibited: inhibited = newValue
            case .rejected: rejected = newValue
            }
        }
    }
}
