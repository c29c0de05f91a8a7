public import Turnstile

/// What was counted in a period: in one stretch of the ledger, or in several with other records
/// between them. A clock that was set back shows a time again; records may be missing.
public struct PeriodSums: Hashable, Sendable {
    /// The registers of a gate that was emptied as the period began: they begin with what was held
    /// for people then, and end with what is held behind its last record.
    public internal(set) var registers: RegisterValues
    /// By how much the money held changed between the stretches: what was put in there, less what
    /// became of it.
    public internal(set) var between: Int64 = 0
    /// The ``RegisterValues/flow`` since the gate was new, before the first record and behind the
    /// last.
    private var flowBefore: Int64, flowBehind: Int64

    /// One stretch: what the registers show before it and behind it, since the gate was new.
    init(from start: RegisterValues, to end: RegisterValues) {
        registers = end.since(start)
        (flowBefore, flowBehind) = (start.flow, end.flow)
    }

    /// Those of a time in which nothing happens.
    init(of values: RegisterValues) { self.init(from: values, to: values) }

    /// These, and what was counted in later records.
    func followed(by next: PeriodSums) -> PeriodSums {
        var sums = self
        sums.registers = registers.followed(by: next.registers)
        sums.between &+= next.between &+ next.flowBefore &- flowBehind
        sums.flowBehind = next.flowBehind
        return sums
    }

    /// What was held or put in, less what is known of it. If nothing is missing though less than
    /// nothing was held, that.
    var moneyMissing: Int64 {
        let before = registers[.creditAtBeginning]
        let missing = before &+ registers.flow &+ between &- registers.held
        return missing != 0 ? missing : min(0, before, registers.creditHeld, registers.fareInUse)
    }

    var passagesMissing: Int64 { registers.passagesMade &- registers.passages.total }
}

extension PeriodSums? {
    mutating func add(_ next: PeriodSums) { self = self?.followed(by: next) ?? next }
}

extension RegisterValues {
    var held: Int64 { creditHeld &+ fareInUse }

    /// What was put in, less what became of it: no balance counts here.
    fileprivate var flow: Int64 { valueIn &- faresUsed &- expired &- forfeited &- refunded }

    fileprivate func since(_ earlier: RegisterValues) -> RegisterValues {
        var values = self
        for register in Set(counted + earlier.counted) where !register.isBalance {
            values[register] = self[register] &- earlier[register]
        }
        values[.creditAtBeginning] = earlier.held
        return values
    }

    fileprivate func followed(by next: RegisterValues) -> RegisterValues {
        var values = next
        for register in Set(counted + next.counted) where !register.isBalance {
            values[register] = self[register] &+ next[register]
        }
        values[.creditAtBeginning] = self[.creditAtBeginning]
        return values
    }
}

extension RegisterValues {
    public func passages(_ direction: Direction) -> Int64 {
        PassageKind.allCases.reduce(0) { $0 &+ passages[Register.PassageCategory(direction, $1)] }
    }
}
