/// A conflict of a policy with the gate's lines, or between its keys.
///
/// This is the only check: the settings report each conflict at its place in the file, and a
/// request from afar that would cause one is refused.
public enum PolicyConflict: Hashable, Sendable {
    /// The way in is controlled, and neither a coin nor a contact can release it.
    case noWayIn
    /// The way out is controlled, and no contact can release it.
    case noWayOut
    /// This way is free, and its lock cannot be held open.
    case freeWay(Direction)
    /// The lock of this way would be cut before ``Policy/passWait`` is over.
    case wait(Direction)
    /// The pulling coil of this lock would be cut before ``Policy/lockPull`` is over.
    case pull(Direction)
    /// An emergency would wait for a reset key that is not wired.
    case resetKey
    /// A latched alarm would wait for a service key that is not wired.
    case serviceKey
    /// Enforcement is weak, and no buzzer is wired.
    case buzzer
    /// This siren or buzzer would be cut before ``Policy/alarmHold`` is over.
    case alarm(Output)
    /// A latched alarm has no end, and this siren or buzzer may not be energised for ever.
    case latchedAlarm(Output)
    /// This output would be cut before a pulse of ``Policy/countPulse`` is over.
    case countPulse(Output)
    /// The answer of this way's lock is debounced for as long as it may take.
    case feedback(Direction)
    /// The debounce of this acceptor's line swallows pulses that count.
    case debounce(Acceptor)
    /// A coin of so many pulses, nil for any, pays for more passages than a gate can hold.
    case worth(Acceptor, pulses: Int?)
    /// A coin of so many pulses, nil for any, is no whole number of the meter's steps.
    case meterUnit(Acceptor, pulses: Int?)
    /// A coin of so many pulses, nil for any, takes the meter too many steps.
    case meterSteps(Acceptor, pulses: Int?)
    /// Nothing would ever use the ejector.
    case ejector
    /// Later entries overrule the schedule's entry of this index all the time.
    case scheduleEntry(Int)
}

/// The lines of a gate, and their ratings: a policy must fit them.
public struct Installation: Hashable, Sendable {
    /// Which lines there are.
    public var equipment: Equipment
    /// How long each output may be on without a break, if limited: for a lock with two coils each
    /// coil's own time; none for a device that is on without power.
    public var maximumOnTimes: [Output: Duration]
    /// How long the level of each input must last to count.
    public var debounce: [Input: Duration]

    /// An installation with these lines.
    public init(
        equipment: Equipment, maximumOnTimes: [Output: Duration] = [:],
        debounce: [Input: Duration] = [:]
    ) {
        self.equipment = equipment
        self.maximumOnTimes = maximumOnTimes
        self.debounce = debounce
    }

    /// For how long the lock of this way can be held open; nil for ever. Of two coils one pulls
    /// and the other holds.
    public func longestOpen(_ direction: Direction) -> Duration? {
        let hold = direction.holdingCoil
        return maximumOnTimes[equipment.outputs[hold] ? hold : direction.lock]
    }
}

extension Direction {
    /// The coil that holds the lock of this way once it was pulled.
    public var holdingCoil: Output { self == .entry ? .lockEntryHold : .lockExitHold }
}

extension Policy {
    /// The most steps of the meter that a coin may take, which are minutes of counting.
    public static let mostMeterSteps = 1000

    /// All that this policy asks of a gate that it cannot give.
    public func conflicts(with gate: Installation) -> [PolicyConflict] {
        wayConflicts(gate) + lockConflicts(gate) + alarmConflicts(gate) + coinConflicts(gate)
            + schedule.idleEntries.map { .scheduleEntry($0) }
    }

    /// Whether this mode is in force in this direction at any time.
    func usesMode(_ mode: Mode, _ direction: Direction) -> Bool {
        regime[direction] == mode || schedule.contains { $0[direction] == mode }
    }

    private var isEverWeak: Bool {
        regime.enforcement == .weak || schedule.contains { $0.enforcement == .weak }
    }

    private func wayConflicts(_ gate: Installation) -> [PolicyConflict] {
        let (inputs, outputs) = (gate.equipment.inputs, gate.equipment.outputs)
        var found: [PolicyConflict] = []
        if usesMode(.controlled, .entry), !inputs[.coinPulse], !inputs[.releaseEntry] {
            found.append(.noWayIn)
        }
        if usesMode(.controlled, .exit), outputs[.lockExit], !inputs[.releaseExit] {
            found.append(.noWayOut)
        }
        if fireReset == .manual, !inputs[.emergencyResetKey] { found.append(.resetKey) }
        return found
    }

    private func lockConflicts(_ gate: Installation) -> [PolicyConflict] {
        var found: [PolicyConflict] = []
        for direction in Direction.allCases where gate.equipment.outputs[direction.lock] {
            if gate.equipment.outputs[direction.holdingCoil],
                let limit = gate.maximumOnTimes[direction.lock], limit <= lockPull
            {
                found.append(.pull(direction))
            }
            if let longest = gate.longestOpen(direction) {
                if usesMode(.free, direction) { found.append(.freeWay(direction)) }
                if longest <= passWait { found.append(.wait(direction)) }
            }
            if gate.equipment.inputs[direction.lockFeedback],
                let debounce = gate.debounce[direction.lockFeedback], debounce >= lockResponse
            {
                found.append(.feedback(direction))
            }
        }
        return found
    }

    private func alarmConflicts(_ gate: Installation) -> [PolicyConflict] {
        var found: [PolicyConflict] = []
        if forcedPassage == .latch, !gate.equipment.inputs[.serviceKey] {
            found.append(.serviceKey)
        }
        if isEverWeak, !gate.equipment.outputs[.buzzer] { found.append(.buzzer) }
        for output in isEverWeak ? [Output.alarm, .buzzer] : [.alarm] {
            guard gate.equipment.outputs[output], let limit = gate.maximumOnTimes[output]
            else { continue }
            if limit <= alarmHold { found.append(.alarm(output)) }
            if forcedPassage == .latch { found.append(.latchedAlarm(output)) }
        }
        for output in [Output.coinReject, .countPulse, .coinMeter] {
            guard gate.equipment.outputs[output], let limit = gate.maximumOnTimes[output],
                limit <= countPulse
            else { continue }
            found.append(.countPulse(output))
        }
        return found
    }

    private func coinConflicts(_ gate: Installation) -> [PolicyConflict] {
        let (inputs, outputs) = (gate.equipment.inputs, gate.equipment.outputs)
        var found: [PolicyConflict] = []
        if outputs[.coinReject], !inputs[.coinJam], coinWhileUnlocked != .reject {
            found.append(.ejector)
        }
        for acceptor in Acceptor.ordered where inputs[acceptor.line] {
            if let debounce = gate.debounce[acceptor.line],
                debounce >= coins[acceptor].pulseWidth / 2
            {
                found.append(.debounce(acceptor))
            }
            for (pulses, value) in coins[acceptor].values.worths {
                if value / price > Self.mostStored {
                    found.append(.worth(acceptor, pulses: pulses))
                }
                guard outputs[.coinMeter] else { continue }
                if !value.isMultiple(of: meterUnit) {
                    found.append(.meterUnit(acceptor, pulses: pulses))
                } else if value / meterUnit > Self.mostMeterSteps {
                    found.append(.meterSteps(acceptor, pulses: pulses))
                }
            }
        }
        return found
    }
}

extension Policy {
    /// Why a request for this policy is refused; nil if it has no conflict that the previous one
    /// lacks.
    func refusal(inPlaceOf before: Policy, at gate: Installation) -> Refusal? {
        let known = before.conflicts(with: gate)
        return conflicts(with: gate).first { !known.contains($0) }?.refusal
    }
}

extension PolicyConflict {
    fileprivate var refusal: Refusal {
        if case .freeWay = self { return .cannotHoldOpen }
        return .contradiction
    }
}

extension CoinValues {
    /// The values of coins, by their pulses in order; nil for pulses that add up.
    public var worths: [(pulses: Int?, value: Int)] {
        switch self {
        case .proportional(let unit): [(nil, unit)]
        case .exact(let table): table.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }
}

extension Policy {
    /// The indices of the entries of the schedule without which the same would apply all the time.
    public var entriesThatChangeNothing: [Int] { schedule.idleEntries(over: regime) }
}

extension [ScheduleEntry] {
    /// The indices of the entries that later ones overrule all the time.
    var idleEntries: [Int] { idleEntries(over: nil) }

    /// The same; where `base` applies when no entry does, also entries that say what would apply
    /// without them.
    fileprivate func idleEntries(over base: Regime?) -> [Int] {
        var counting: Set<Int> = []
        for time in flatMap({ $0.changes }) {
            let applying = indices.filter { self[$0].applies(at: time) }
            counting.formUnion(
                [
                    deciding(applying, over: base?.entry) { $0.entry },
                    deciding(applying, over: base?.exit) { $0.exit },
                    deciding(applying, over: base?.enforcement) { $0.enforcement },
                ].compactMap { $0 })
        }
        return indices.filter { !counting.contains($0) }
    }

    /// The index among `applying` of the entry that decides on a value; nil for none, and for one
    /// that says what applies without it.
    private func deciding<Value: Equatable>(
        _ applying: [Int], over base: Value?, _ value: (ScheduleEntry) -> Value?
    ) -> Int? {
        let stating = applying.filter { value(self[$0]) != nil }
        guard let last = stating.last, let base else { return stating.last }
        let before = stating.dropLast().last.flatMap { value(self[$0]) } ?? base
        return value(self[last]) == before ? nil : last
    }
}

extension ScheduleEntry {
    /// The times of the week at which it begins or ends.
    fileprivate var changes: [WeekTime] {
        Weekday.allCases.filter(days.contains).flatMap { day in
            [from, to > from ? to : to + 1440].map { WeekTime(day, minute: $0) }
        }
    }
}
