// What the owner decides.

extension Policy: Composite {
    /// What policies are called.
    public static var title: String { "policy" }
    /// The defaults, and the least price.
    public static let blank = Policy(price: 1, coinUnit: 1)

    /// The policy's fields, in the order of the configuration.
    public func visit(_ fields: inout some FieldVisitor) -> Policy {
        var policy = self
        policy.visitPrices(&fields)
        policy.regime = fields.field(.regime, regime)
        policy.schedule = fields.field(.schedule, schedule)
        policy.visitPassages(&fields)
        policy.forcedPassage = fields.field(.forcedPassage, forcedPassage)
        policy.alarmHold = fields.duration(.alarmHold, alarmHold)
        policy.beamBlocked = fields.duration(.beamBlocked, beamBlocked)
        policy.fireReset = fields.field(.fireReset, fireReset)
        policy.remoteEmergencyReset = fields.field(.remoteEmergencyReset, remoteEmergencyReset)
        policy.remoteRepair = fields.field(.remoteRepair, remoteRepair)
        policy.remoteService = fields.field(.remoteService, remoteService)
        policy.serviceHold = fields.duration(.serviceHold, serviceHold)
        policy.lockPull = fields.duration(.lockPull, lockPull)
        policy.lockResponse = fields.duration(.lockResponse, lockResponse)
        policy.homeSettle = fields.duration(.homeSettle, homeSettle)
        policy.countPulse = fields.duration(.countPulse, countPulse)
        policy.earlyCoinWindow = fields.duration(
            .earlyCoinWindow, earlyCoinWindow, before: .zero)
        return policy
    }

    private mutating func visitPrices(_ fields: inout some FieldVisitor) {
        price = fields.count(.price, price, in: 1...Int64(Self.highestPrice))
        coins = fields.field(.acceptors, coins)
        lateCoinWindow = fields.duration(.lateCoinWindow, lateCoinWindow)
        vaultFull = fields.field(.vaultFull, vaultFull)
        meterUnit = fields.count(.meterUnit, meterUnit, in: 1...Int64(Int32.max))
    }

    private mutating func visitPassages(_ fields: inout some FieldVisitor) {
        passWait = fields.duration(.passWait, passWait)
        maxStored = fields.count(.maxStored, maxStored, in: 1...Int64(Self.mostStored))
        onWaitTimeout = fields.field(.onWaitTimeout, onWaitTimeout)
        overpay = fields.field(.overpay, overpay)
        coinWhileUnlocked = fields.field(.coinWhileUnlocked, coinWhileUnlocked)
        creditExpiry = fields.duration(.creditExpiry, creditExpiry)
        relockAt = fields.field(.relockAt, relockAt)
        passDelayAlarm = fields.duration(.passDelayAlarm, passDelayAlarm)
        tailgatingWindow = fields.duration(.tailgatingWindow, tailgatingWindow)
        rotorStep = fields.duration(.rotorStep, rotorStep)
        repairResumes = fields.field(.repairResumes, repairResumes)
    }
}

extension CoinPolicy: Composite {
    /// What it is called.
    public static var title: String { "acceptor" }
    /// An acceptor whose pulses are worth 1.
    public static let blank = CoinPolicy(unit: 1)

    /// What the acceptor sends.
    public func visit(_ fields: inout some FieldVisitor) -> CoinPolicy {
        var coins = self
        coins.values = fields.field(.values, values)
        coins.pulseWidth = fields.duration(.pulseWidth, pulseWidth)
        coins.trainQuiet = fields.duration(.trainQuiet, trainQuiet)
        coins.stuckAfter = fields.duration(.stuckAfter, stuckAfter)
        return coins
    }
}

extension CoinValues: Named {
    /// What they are called.
    public static var title: String { "coin_values" }
    /// One of each name.
    public static let forms: [CoinValues] = [.proportional(unit: 1), .exact([:])]

    /// The name, which never changes: `exact`.
    public var name: String {
        switch self {
        case .proportional: "proportional"
        case .exact: "exact"
        }
    }

    /// What the pulses of a coin are worth.
    public func visit(_ fields: inout some FieldVisitor) -> CoinValues {
        switch self {
        case .proportional(let unit):
            return .proportional(unit: fields.count(.unit, unit, in: 1...Int64(Int32.max)))
        case .exact(let table):
            let rows = table.sorted { $0.key < $1.key }.map { CoinRow(pulses: $0, value: $1) }
            let read = fields.field(.coins, rows)
            var values: [Int: Int] = [:]
            for row in read where values[row.pulses] == nil { values[row.pulses] = row.value }
            if values.count != read.count { fields.reject(.coins) }
            return .exact(values)
        }
    }
}

/// A coin of a table.
struct CoinRow: Composite {
    var pulses: Int
    var value: Int

    static var title: String { "coin_row" }
    static let blank = CoinRow(pulses: 1, value: 0)

    func visit(_ fields: inout some FieldVisitor) -> CoinRow {
        let pulses = fields.count(.pulses, pulses)
        return CoinRow(pulses: pulses, value: fields.amount(.value, value))
    }
}

extension Regime: Composite {
    /// What it is called.
    public static var title: String { "regime" }
    /// Both ways controlled.
    public static let blank = Regime()

    /// Who may pass, and what becomes of those who may not.
    public func visit(_ fields: inout some FieldVisitor) -> Regime {
        let entry = fields.field(.entry, entry)
        let exit = fields.field(.exit, exit)
        return Regime(
            entry: entry, exit: exit, enforcement: fields.field(.enforcement, enforcement))
    }
}

extension ScheduleEntry: Composite {
    /// What it is called.
    public static var title: String { "schedule_entry" }
    /// One that changes nothing.
    public static let blank = ScheduleEntry(days: [], from: 0, to: 1)

    /// What applies at some time of the week.
    public func visit(_ fields: inout some FieldVisitor) -> ScheduleEntry {
        let named = fields.field(.days, Weekday.allCases.filter { days.contains($0) })
        let from = fields.count(.from, from, in: 0...1439)
        var entry = ScheduleEntry(
            days: Weekdays(named), from: from, to: fields.count(.to, to, in: 1...1440))
        entry.entry = fields.optional(.entry, self.entry)
        entry.exit = fields.optional(.exit, exit)
        entry.enforcement = fields.optional(.enforcement, enforcement)
        return entry
    }
}
