// The owner's policy: vocabulary, requests from afar, the settings and their documents derive from
// this file. The defaults are in `Policy`, conditions between keys and with the gate in
// `PolicyConflict`, and the effects in the machines. A later key stands last, and gives its earlier
// meaning.

extension Policy: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "policy" }
    /// The defaults, and the least price.
    public static let blank = Policy(price: 1, coinUnit: 1)

    /// The most that ``price`` may be.
    public static let highestPrice = 1_000_000
    /// The most that ``maxStored`` may be.
    public static let mostStored = 50
    /// The value of a pulse, a coin, or a step of the meter.
    static let worths = 1...1_000_000

    /// The policy's fields, in the order of the configuration.
    public func visit(_ fields: inout some FieldVisitor) -> Policy {
        var policy = self
        policy.visitPrices(&fields)
        policy.regime = fields.field(.regime, regime)
        policy.schedule = fields.field(.schedule, schedule)
        policy.visitPassages(&fields)
        policy.visitEvents(&fields)
        policy.visitMechanism(&fields)
        policy.earlyCoinWindow = fields.key(
            .earlyCoinWindow, earlyCoinWindow, .zero...(.seconds(5)), before: .zero, .coin,
            "how long after enabling an acceptor its pulses are recorded but not credited: some "
                + "acceptors send pulses when they are switched on",
            after: .lateCoinWindow)
        policy.contactStuckAfter = fields.key(
            .contactStuckAfter, contactStuckAfter, .seconds(10)...(.seconds(86_400)),
            orNever: true, before: .zero, .alarm,
            "how long a release contact, the emergency reset key or 'intrusion' may stay active "
                + "before it is recorded as stuck",
            after: .beamBlocked)
        return policy
    }

    private mutating func visitPrices(_ fields: inout some FieldVisitor) {
        price = fields.key(
            .price, price, 1...Self.highestPrice, of: .money, .fare,
            "price of one passage, in minor units of the currency (150 is 1.50)",
            need: "needed where 'coin_pulse' is wired")
        coins = fields.field(.acceptors, coins)
        lateCoinWindow = fields.key(
            .lateCoinWindow, lateCoinWindow, .zero...(.seconds(5)), .coin,
            "how long a coin may still be on its way after the acceptors were inhibited")
        vaultFull = fields.key(
            .vaultFull, vaultFull, .coin,
            "whether a full vault (input 'vault_full') refuses coins or only raises a warning")
        meterUnit = fields.key(
            .meterUnit, meterUnit, Self.worths, of: .money, most: Int(Int32.max), .coin,
            "value of one step of the coin meter, in minor units of the currency",
            need: "'unit'; needed where 'coin_meter' is wired and 'unit' is not set")
    }

    private mutating func visitPassages(_ fields: inout some FieldVisitor) {
        passWait = fields.key(
            .passWait, passWait, .seconds(1)...(.seconds(60)), .passage,
            "how long a released gate waits for the passenger")
        maxStored = fields.key(
            .maxStored, maxStored, 1...Self.mostStored, of: .pieces, .passage,
            "maximum number of authorisations held at once, the one in use included")
        onWaitTimeout = fields.key(
            .onWaitTimeout, onWaitTimeout, .passage,
            "what becomes of the fare if nobody passes in time: kept as credit, or forfeited")
        overpay = fields.key(
            .overpay, overpay, .passage,
            "what becomes of a remainder smaller than a fare: kept as credit, or forfeited")
        coinWhileUnlocked = fields.key(
            .coinWhileUnlocked, coinWhileUnlocked, .passage,
            "what becomes of a coin while the gate is released for the way in: it pays for the "
                + "next passage, is refused, or is kept without credit")
        creditExpiry = fields.key(
            .creditExpiry, creditExpiry, .seconds(10)...(.seconds(7200)), orNever: true, .passage,
            "how long unused credit is held")
        relockAt = fields.key(
            .relockAt, relockAt, .passage,
            "when the gate locks again: at the middle of a passage, or once it is complete")
        passDelayAlarm = fields.key(
            .passDelayAlarm, passDelayAlarm, .seconds(5)...(.seconds(120)), .passage,
            "how long a passage, or a person in the rotor of a locked gate, may take before the "
                + "alarm about a delayed passage")
        tailgatingWindow = fields.key(
            .tailgatingWindow, tailgatingWindow, .zero...(.seconds(10)), .passage,
            "how soon after a passage a second person counts as tailgating")
        rotorStep = fields.key(
            .rotorStep, rotorStep, .zero...(.milliseconds(100)), .passage,
            "minimum time between edges of the two rotor sensors; faster is noise, or a fault if "
                + "it persists, and no lock engages before the sensors have been at rest for that "
                + "time; 0ms turns the filter off")
        repairResumes = fields.key(
            .repairResumes, repairResumes, .passage,
            "whether a repaired gate is locked or resumes as before the fault; after an outage "
                + "that ends by itself within 'pass_wait' it always resumes")
    }

    private mutating func visitEvents(_ fields: inout some FieldVisitor) {
        forcedPassage = fields.key(
            .forcedPassage, forcedPassage, .alarm,
            "whether a forced passage sounds the alarm for 'alarm_hold' or latches it until the "
                + "mechanic's key is turned")
        alarmHold = fields.key(
            .alarmHold, alarmHold, .seconds(1)...(.seconds(300)), .alarm,
            "how long the alarm sounds")
        beamBlocked = fields.key(
            .beamBlocked, beamBlocked, .seconds(3)...(.seconds(255)), .alarm,
            "how long a light beam may be interrupted before the alarm about a blocked beam")
        fireReset = fields.key(
            .fireReset, fireReset, .emergency,
            "what ends an emergency once the loop is closed again: the reset key, or nothing more")
        remoteEmergencyReset = fields.key(
            .remoteEmergencyReset, remoteEmergencyReset, .remote,
            "whether an operator may end an emergency from afar, once the loop is closed and "
                + "the gate is empty")
        remoteRepair = fields.key(
            .remoteRepair, remoteRepair, .remote,
            "whether an operator may confirm from afar that a repair is complete")
        remoteService = fields.key(
            .remoteService, remoteService, .remote,
            "whether an operator may begin service mode from afar")
    }

    private mutating func visitMechanism(_ fields: inout some FieldVisitor) {
        serviceHold = fields.key(
            .serviceHold, serviceHold, .seconds(1)...(.seconds(10)), .service,
            "how long the mechanic's key has to be held for service mode")
        lockPull = fields.key(
            .lockPull, lockPull, .milliseconds(50)...(.milliseconds(1000)), .mechanism,
            "how long a pull-and-hold lock is pulled with full power before it is held")
        lockResponse = fields.key(
            .lockResponse, lockResponse, .milliseconds(50)...(.milliseconds(900)), .mechanism,
            "how long a lock with feedback may take to follow")
        homeSettle = fields.key(
            .homeSettle, homeSettle, .milliseconds(200)...(.seconds(10)), .mechanism,
            "how long the contact 'home' may disagree with the sensors")
        countPulse = fields.key(
            .countPulse, countPulse, .milliseconds(50)...(.milliseconds(1000)), .mechanism,
            "length of a pulse of the counters and of 'coin_reject', and of the pause after it")
    }
}

extension CoinPolicy: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "acceptor" }
    /// An acceptor whose pulses are worth 1.
    public static let blank = CoinPolicy(unit: 1)

    /// The pulses of the acceptor.
    public func visit(_ fields: inout some FieldVisitor) -> CoinPolicy {
        var coins = self
        coins.values = fields.field(.values, values)
        coins.pulseWidth = fields.key(
            .pulseWidth, pulseWidth, .milliseconds(20)...(.milliseconds(500)), .coin,
            "the acceptor's nominal pulse width; half to double of it counts as a pulse")
        coins.trainQuiet = fields.key(
            .trainQuiet, trainQuiet, .milliseconds(120)...(.milliseconds(500)), .coin,
            "the silence that ends the pulses of a coin")
        coins.stuckAfter = fields.key(
            .stuckAfter, stuckAfter, .milliseconds(300)...(.seconds(5)), .coin,
            "how long a pulse may last before the coin line counts as stuck")
        fields.require(isStuckAfterPulses)
        return coins
    }

    /// Whether every pulse that counts is over before the line counts as stuck.
    public var isStuckAfterPulses: Bool { stuckAfter > pulseWidth * 2 }
}

extension CoinValues: Named {
    /// The name of the type in the vocabulary.
    public static var title: String { "coin_values" }
    /// One of each name.
    public static let forms: [CoinValues] = [.proportional(unit: 1), .exact([:])]

    /// The value of a coin's pulses.
    public func visit(_ fields: inout some FieldVisitor) -> CoinValues {
        switch self {
        case .proportional(let unit):
            let unit = fields.key(
                .unit, unit, Policy.worths, of: .money, most: Int(Int32.max), .coin,
                "value of one pulse, in minor units of the currency")
            return fields.named("proportional", .proportional(unit: unit))
        case .exact(let table):
            fields.describe(
                .init(
                    field: .values, section: .coin,
                    form: .coins(pulses: CoinRow.numbers, worth: Policy.worths),
                    summary:
                        "value of each number of pulses; other numbers are worth nothing: "
                        + "for an acceptor whose pulses do not add up"))
            let rows = table.sorted { $0.key < $1.key }.map { CoinRow(pulses: $0, value: $1) }
            let read = fields.field(.coins, rows)
            var values: [Int: Int] = [:]
            for row in read where values[row.pulses] == nil { values[row.pulses] = row.value }
            if values.count != read.count { fields.reject(.coins) }
            return fields.named("exact", .exact(values))
        }
    }
}

/// A coin of a table.
struct CoinRow: Composite {
    var pulses: Int
    var value: Int

    static var title: String { "coin_row" }
    static let blank = CoinRow(pulses: 1, value: 0)
    /// The numbers of pulses that a coin may have.
    static let numbers = 1...255

    func visit(_ fields: inout some FieldVisitor) -> CoinRow {
        fields.require(Self.numbers.contains(pulses) && Policy.worths.contains(value))
        let pulses = fields.count(.pulses, pulses)
        return CoinRow(pulses: pulses, value: fields.amount(.value, value))
    }
}

extension Regime: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "regime" }
    /// Both ways controlled.
    public static let blank = Regime()

    /// Who may pass, and what becomes of those who may not.
    public func visit(_ fields: inout some FieldVisitor) -> Regime {
        var regime = self
        regime.entry = fields.key(
            .entry, entry, .modes, "who may go in: nobody, authorised passengers, or everybody")
        regime.exit = fields.key(.exit, exit, .modes, "who may go out, likewise")
        regime.enforcement = fields.key(
            .enforcement, enforcement, .modes,
            "whether alarms about passages sound the siren, or only the buzzer")
        return regime
    }
}

extension ScheduleEntry: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "schedule_entry" }
    /// One that changes nothing.
    public static let blank = ScheduleEntry(days: [], from: 0, to: 1)

    /// The modes for a part of the week.
    public func visit(_ fields: inout some FieldVisitor) -> ScheduleEntry {
        var entry = self
        fields.describe(
            .init(
                field: .days, section: .schedule, form: .days,
                summary: "the days on which it begins: a day, a range, a list of these, or all"))
        entry.days = Weekdays(fields.field(.days, Weekday.allCases.filter { days.contains($0) }))
        entry.from = fields.key(
            .from, from, 0...1439, of: .minutes, .schedule,
            "when it begins, in local time")
        entry.to = fields.key(
            .to, to, 1...1440, of: .minutes, .schedule,
            "when it ends; on the next day unless later than 'from'")
        entry.entry = fields.key(
            .entry, self.entry, .schedule, "the mode of the way in during that time")
        entry.exit = fields.key(
            .exit, exit, .schedule, "the mode of the way out during that time")
        entry.enforcement = fields.key(
            .enforcement, enforcement, .schedule, "the enforcement during that time")
        return entry
    }
}
