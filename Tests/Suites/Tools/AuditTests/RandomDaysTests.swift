import Keeping
import Ledger
import Seeds
import StateMachines
import Testing
import Turnstile

@testable import Audit

/// Days at a gate that is the real one, with coins and people by chance: whatever is asked, the
/// parts come to the whole, and the whole to what the registers show.
@Suite struct RandomDaysTests {
    @Test(arguments: 0..<4) func `the parts come to the whole`(round: Int) throws {
        var random = SeededGenerator()
        let pruned = random.oneIn(2)
        var limits = RecordLimits()
        if pruned { limits.count = Int.random(in: 20...400, using: &random) }
        let keeper = try BookKeeper(clock: .berlin, limits: limits)
        let days = try GateAtWork.run(keeper, &random)
        let comment = Comment("\(random), pruned: \(pruned)")

        let all = try keeper.report(.times(from: nil, to: nil), by: .day)
        let registers = try keeper.snapshot().registers
        expectCounters(all.registers, registers.sinceInit, comment)
        expectCounters(sum(all.rows), registers.sinceInit, comment)
        #expect(all.isAccountedFor, comment)
        for grouping in [Report.Grouping.hour, .kind] {
            let report = try keeper.report(.times(from: nil, to: nil), by: grouping)
            #expect(report.registers == all.registers, comment)
            #expect(report.isAccountedFor, comment)
            if grouping == .hour {
                expectCounters(sum(report.rows), registers.sinceInit, comment)
            }
        }
        for day in days {
            let (from, to) = (LocalClock.berlin.beginning(of: day), LocalClock.berlin.end(of: day))
            let report = try keeper.report(.times(from: from, to: to), by: .hour)
            #expect(report.isAccountedFor, comment)
            for sums in [report.sums] + report.rows.filter({ $0.doubt == nil }).map(\.sums) {
                #expect(sums.registers[.creditAtBeginning] >= 0, comment)
                #expect(sums.moneyMissing == 0, comment)
            }
            expectCounters(sum(report.rows), report.registers, comment)
            let row = all.rows.first { $0.from == from }
            expectCounters(report.registers, row?.registers ?? RegisterValues(), comment)
        }
        try expectCollections(keeper, comment)
    }

    private func expectCollections(_ keeper: BookKeeper, _ comment: Comment) throws {
        let registers = try keeper.snapshot().registers
        var sums: PeriodSums?
        for number in 1...(try keeper.snapshot().collection + 1) {
            let report = try keeper.report(.collection(.number(number)), by: .hour)
            #expect(
                report.reconciliations.filter { $0.subject != .vault && $0.difference != 0 } == [])
            #expect(
                report.vault?.expected ?? report.registers.valueInVault
                    == report.registers.valueInVault, comment)
            expectCounters(sum(report.rows), report.registers, comment)
            sums.add(report.sums)
        }
        expectCounters(sums?.registers ?? RegisterValues(), registers.sinceInit, comment)
    }

    private func sum(_ rows: [Report.Row]) -> RegisterValues {
        var sums: PeriodSums?
        for row in rows { sums.add(row.sums) }
        return sums?.registers ?? RegisterValues()
    }

    private func expectCounters(
        _ one: RegisterValues, _ other: RegisterValues, _ comment: Comment,
        at location: Testing.SourceLocation = #_sourceLocation
    ) {
        for register in Set(one.counted + other.counted) where !register.isBalance {
            #expect(
                one[register] == other[register], "\(register.name), \(comment)",
                sourceLocation: location)
        }
    }
}

/// The real gate, with what happens to it by chance.
private struct GateAtWork {
    private var turnstile: Turnstile
    private var time = Instant.zero
    /// What the clock on the wall is ahead.
    private var ahead: Duration

    /// Works for some days; returns those that it was by the clock on the wall.
    static func run(
        _ keeper: BookKeeper, _ random: inout SeededGenerator
    ) throws -> [CalendarDay] {
        var policy = Policy(price: 250, coinUnit: 50)
        policy.coinWhileUnlocked = random.oneIn(2) ? .reject : .store
        var gate = GateAtWork(
            turnstile: Turnstile(policy: policy), ahead: .at(2002, 10, 25, 18))
        var days: Set<CalendarDay> = []
        try gate.happen(.started([]), after: .zero, keeper)
        for _ in 0..<250 {
            try gate.doSomething(keeper, &random)
            days.insert(LocalClock.berlin.day(at: keeper.wall))
        }
        return days.sorted { $0.number < $1.number }
    }

    private mutating func doSomething(
        _ keeper: BookKeeper, _ random: inout SeededGenerator
    ) throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: try keeper.record(.coinsCollected, at: wall)
        case 1: try keeper.record(.collectionCounted(value: 500), at: wall)
        case 2: try keeper.sign()
        case 3: try keeper.lose([.alarmRaised(.beamBlocked), .coinRejected(.of(50))])
        case 4: ahead += .seconds(Int.random(in: -40_000...40_000, using: &random))
        case 5: time = time + .seconds(Int.random(in: 0...30_000, using: &random))
        case 6...9: try turn(keeper, &random)
        case 10...: try coin(Int.random(in: 1...6, using: &random), keeper)
        default: break
        }
    }

    private var wall: Duration { time - .zero + ahead }

    private mutating func coin(_ pulses: Int, _ keeper: BookKeeper) throws {
        for _ in 0..<pulses {
            try happen(.changed(.coinPulse, isActive: true), after: .milliseconds(100), keeper)
            try happen(.changed(.coinPulse, isActive: false), after: .milliseconds(50), keeper)
        }
        try happen(.timePassed, after: .seconds(2), keeper)
    }

    /// Somebody turns the rotor, or begins to, in either direction.
    private mutating func turn(
        _ keeper: BookKeeper, _ random: inout SeededGenerator
    ) throws {
        let (first, last): (Input, Input) =
            random.oneIn(3) ? (.rotorB, .rotorA) : (.rotorA, .rotorB)
        let steps = [(first, true), (last, true), (first, false), (last, false)]
        let isWhole = !random.oneIn(4)
        for (input, isActive) in isWhole ? steps : [steps[0], (first, false)] {
            try happen(.changed(input, isActive: isActive), after: .milliseconds(200), keeper)
        }
    }

    private mutating func happen(
        _ kind: Event.Kind, after delay: Duration, _ keeper: BookKeeper
    ) throws {
        let next = time + delay
        while let due = turnstile.deadline, due < next {
            try handle(Event(.timePassed, at: due), keeper)
        }
        time = next
        try handle(Event(kind, at: next), keeper)
    }

    private mutating func handle(_ event: Event, _ keeper: BookKeeper) throws {
        var records: [Record] = []
        _ = turnstile.handle(event) { if case .record(let record) = $0 { records.append(record) } }
        for record in records {
            try keeper.record(record, at: event.time - .zero + ahead)
        }
    }
}
