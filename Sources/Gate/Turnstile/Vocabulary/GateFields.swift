// The whole state of a gate.

import StateMachines

extension Gate: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "gate" }
    /// One that has not started, and has no lines.
    public static var blank: Gate {
        Gate(policy: .blank, installation: Installation(equipment: .blank))
    }

    /// The gate's parts and states. Outputs and deadlines are derived.
    public func visit(_ fields: inout some FieldVisitor) -> Gate {
        let policy = fields.terms(policy)
        let equipment = fields.field(.equipment, equipment)
        let (times, duties) = fields.onTimes(installation.maximumOnTimes, emergencyDuties)
        let installation = Installation(
            equipment: equipment, maximumOnTimes: times,
            debounce: fields.debounced(installation.debounce))
        var gate = Gate(
            policy: policy, installation: installation, emergencyDuties: duties)
        gate.hasStarted = fields.field(.hasStarted, hasStarted)
        gate.levels = fields.inputs(.active, levels)
        gate.rotor = fields.field(.rotor, rotor)
        gate.regime = fields.field(.regime, regime)
        gate.isScheduleDeferred = fields.field(.isScheduleDeferred, isScheduleDeferred)
        gate.isCountAwaited = fields.field(.countAwaited, isCountAwaited, before: false)
        if gate.isCountAwaited, !equipment.inputs[.vaultPresent] { fields.reject(.countAwaited) }
        visitPeople(&fields, &gate)
        visitTrouble(&fields, &gate)
        gate.timetable = fields.part(.timetable, timetable, in: gate.timetable)
        gate.counters = fields.part(.counters, counters, in: gate.counters)
        gate.past = fields.field(.past, past)
        if gate.hasStarted, !gate.past.isStarted { fields.reject(.past) }
        gate.recomputeDerivedState()
        return gate
    }

    /// Passengers, the queue, and their money.
    private func visitPeople(_ fields: inout some FieldVisitor, _ gate: inout Gate) {
        gate.lane = fields.part(.lane, lane, in: gate.lane)
        gate.queue = Queue(
            entry: fields.count(.contactsEntry, queue.entry, in: 0...Int64(Policy.mostStored)),
            exit: fields.count(.contactsExit, queue.exit, in: 0...Int64(Policy.mostStored)),
            people: fields.field(.granted, queue.people))
        gate.creditAccount = fields.part(.creditAccount, creditAccount, in: gate.creditAccount)
        gate.commitBarrier = fields.field(.commitBarrier, commitBarrier)
        gate.surplus = fields.count(.surplus, surplus, in: 0...Int64(Policy.highestPrice))
        gate.newFares = fields.tally(.newFares, newFares)
        if gate.newFares > gate.credit / gate.policy.price { fields.reject(.newFares) }
        gate.lateUntil = fields.optional(.lateUntil, lateUntil)
        gate.earlyUntil = fields.optional(.earlyUntil, earlyUntil)
        gate.toldRefusal = fields.optional(.toldRefusal, toldRefusal)
    }

    /// Faults, alarms and service mode.
    private func visitTrouble(_ fields: inout some FieldVisitor, _ gate: inout Gate) {
        gate.emergency = fields.part(.emergency, emergency, in: gate.emergency)
        gate.service = fields.part(.service, service, in: gate.service)
        gate.faults = fields.part(.faults, faults, in: gate.faults)
        gate.alarms = fields.field(.alarms, alarms)
        gate.outageEnd = fields.optional(.outageEnd, outageEnd)
        gate.locks.entry = fields.part(.entryLock, locks.entry, in: gate.locks.entry)
        gate.locks.exit = fields.part(.exitLock, locks.exit, in: gate.locks.exit)
        gate.duties.entry = fields.part(.entryDuty, duties.entry, in: gate.duties.entry)
        gate.duties.exit = fields.part(.exitDuty, duties.exit, in: gate.duties.exit)
        gate.arm = fields.part(.arm, arm, in: gate.arm)
        gate.beams = fields.part(.beams, beams, in: gate.beams)
        gate.loiterer = fields.part(.loiterer, loiterer, in: gate.loiterer)
        gate.heldContacts = fields.part(.heldContacts, heldContacts, in: gate.heldContacts)
    }
}

extension Gate.Rotor: Named {
    static var title: String { "rotor" }
    static let forms: [Gate.Rotor] = [.home, .turning(.entry), .lost]

    func visit(_ fields: inout some FieldVisitor) -> Gate.Rotor {
        switch self {
        case .home: fields.named("home", self)
        case .turning(let way): fields.named("turning", .turning(fields.direction(way)))
        case .lost: fields.named("lost", self)
        }
    }
}

extension Gate.Past: Composite {
    static var title: String { "past" }
    static let blank = Gate.Past(ledger: .none, recovery: .nothing)

    func visit(_ fields: inout some FieldVisitor) -> Gate.Past {
        let ledger = fields.inline(ledger, as: .ledgerConnection)
        var past = Gate.Past(ledger: ledger, recovery: fields.inline(recovery, as: .recovery))
        past.wasOccupied = fields.field(.wasOccupied, wasOccupied)
        past.passage = fields.optional(.passage, passage)
        past.isPassageOver = fields.field(.isPassageOver, isPassageOver)
        past.continuedCoins = fields.inputs(.counted, continuedCoins)
        past.payer = fields.optional(.payer, payer)
        past.payerUntil = fields.optional(.payerUntil, payerUntil)
        let isLedgerAwaited = past.ledger == .awaited
        if past.payer != nil, !isLedgerAwaited, past.ledger != .open { fields.reject(.payer) }
        if (past.payerUntil != nil) != (past.payer != nil && isLedgerAwaited) {
            fields.reject(.payerUntil)
        }
        return past
    }

    /// Whether nothing of it waits for the start.
    fileprivate var isStarted: Bool {
        if case .holds = ledger { return false }
        return recovery == .nothing
    }
}

extension Gate.PastLedger: Named {
    static var title: String { "ledger_connection" }
    static let forms: [Gate.PastLedger] = [.none, .awaited, .open, .holds(.blank)]

    /// The money held for people, until the start.
    func visit(_ fields: inout some FieldVisitor) -> Gate.PastLedger {
        switch self {
        case .none: return fields.named("none", self)
        case .awaited: return fields.named("awaited", self)
        case .open: return fields.named("open", self)
        case .holds(let balances):
            let read = fields.field(.balances, balances)
            if !read.isWithinBounds { fields.reject(.balances) }
            return fields.named("holds", .holds(read))
        }
    }
}

extension Gate.PastRecovery: Named {
    static var title: String { "recovery" }
    static let forms: [Gate.PastRecovery] = [.nothing, .unknown, .state(.blank)]

    func visit(_ fields: inout some FieldVisitor) -> Gate.PastRecovery {
        switch self {
        case .nothing: fields.named("nothing", self)
        case .unknown: fields.named("unknown", self)
        case .state(let state): fields.named("state", .state(fields.field(.retained, state)))
        }
    }

    /// The retained state; empty if unknown.
    var retained: RetainedState {
        switch self {
        case .nothing, .unknown: RetainedState()
        case .state(let state): state
        }
    }
}

/// How long an output may be on, and how a lock for which that is stated opens in an emergency.
struct OnTime: Composite {
    var output: Output
    var longest: Duration?
    var duty: EmergencyDuty?

    static var title: String { "on_time" }
    static let blank = OnTime(output: .lockEntry)

    func visit(_ fields: inout some FieldVisitor) -> OnTime {
        let output = fields.field(.output, output)
        let longest = fields.exactDuration(.maximumOnTime, longest)
        let duty = EmergencyDuty(
            on: fields.exactDuration(.emergencyOn, duty?.on),
            off: fields.exactDuration(.emergencyOff, duty?.off))
        return OnTime(
            output: output, longest: longest, duty: duty == EmergencyDuty() ? nil : duty)
    }
}

// Sums of the machine, within bounds: see `FieldVisitor.tally`.
extension FieldVisitor {
    /// A policy whose coins' values can be summed up.
    mutating func terms(_ policy: Policy) -> Policy {
        let policy = field(.policy, policy)
        if !policy.isWithinBounds { reject(.policy) }
        return policy
    }

    /// For how long each output may be on, and how locks are driven in an emergency.
    mutating func onTimes(
        _ times: [Output: Duration], _ duties: [Output: EmergencyDuty]
    ) -> ([Output: Duration], [Output: EmergencyDuty]) {
        let listed = Output.ordered.compactMap { output in
            times[output] == nil && duties[output] == nil
                ? nil : OnTime(output: output, longest: times[output], duty: duties[output])
        }
        let read = field(.maximumOnTimes, listed)
        var (times, duties) = ([Output: Duration](), [Output: EmergencyDuty]())
        for time in read {
            times[time.output] = time.longest
            duties[time.output] = time.duty
        }
        if Set(read.map { $0.output }).count != read.count { reject(.maximumOnTimes) }
        return (times, duties)
    }
}

extension Coin {
    /// The value of a coin in a snapshot: far above any real one.
    fileprivate static var worths: ClosedRange<Int> { 0...1 << 40 }
}

extension Policy {
    /// Whether its coins' values can be summed up.
    public var isWithinBounds: Bool {
        Acceptor.ordered.allSatisfy { acceptor in
            switch coins[acceptor].values {
            case .proportional: true
            case .exact(let table): table.values.allSatisfy { Coin.worths.contains($0) }
            }
        }
    }
}

extension Balances {
    /// Whether they can be added up.
    public var isWithinBounds: Bool {
        let most = 1 << 53
        return (0...most).contains(credit) && (0...most).contains(fareInUse)
            && Acceptor.ordered.allSatisfy { acceptor in
                counted[acceptor].map { Coin.worths.contains($0.value) } ?? true
            }
    }
}
