import Keeping
import Ledger
import Turnstile

/// Makes a report, segment by segment.
struct ReportMaker {
    let snapshot: LedgerSnapshot
    let scope: Scope
    let grouping: Report.Grouping?
    let clock: LocalClock
    let segments: [Segment]
    /// Whether the ledger's days agree with `clock`.
    let hasSameDays: Bool

    var tally: Tally
    var sums: PeriodSums?
    var hours: [Duration: PeriodSums] = [:]
    var days: [CalendarDay: PeriodSums] = [:]
    /// What is of no hour that is known.
    var unplaced: [Report.Row] = []
    var mismatch: Mismatch?
    var moneyPlace: String?
    var passagesPlace: String?
    /// Whether records of the period are no longer kept, and days missing in part for that reason.
    var hasPruned = false
    var prunedDays: [CalendarDay] = []
    /// Whether it has records of a version that made no checkpoints.
    var hasUnsigned = false
    var isRead = true

    init(
        _ snapshot: LedgerSnapshot, _ marks: [LedgerMark], _ scope: Scope,
        _ grouping: Report.Grouping?, _ clock: LocalClock
    ) throws(LedgerError) {
        self.snapshot = snapshot
        self.scope = scope
        self.grouping = grouping
        self.clock = clock
        segments = snapshot.segments(between: marks)
        hasSameDays = try Self.hasSameDays(segments, snapshot, clock)
        tally = Tally(of: scope, clock)
    }

    /// How a segment overlaps the period.
    private enum Share {
        case before, whole, part, after
    }

    private func share(of segment: Segment) -> Share {
        if let vault = scope.vault {
            if segment.collection != vault.collection {
                return segment.collection < vault.collection ? .before : .after
            }
            return segment.isUnsigned ? .part : .whole
        }
        guard let day = segment.day else { return segment.sequences.isEmpty ? .before : .part }
        var (first, last) = (clock.beginning(of: day), clock.end(of: day))
        // In another time zone the day may begin and end up to a day earlier or later.
        if !hasSameDays { (first, last) = (first - .seconds(86_400), last + .seconds(86_400)) }
        if let from = scope.from, last <= from { return .before }
        if let to = scope.to, first >= to { return .after }
        let isWhole = scope.from.map { $0 <= first } ?? true && scope.to.map { last <= $0 } ?? true
        return isWhole ? .whole : .part
    }

    mutating func report(_ readAtMost: Int64) throws(LedgerError) -> Report {
        let shares = segments.map { ($0, share(of: $0)) }
        let concerned = shares.filter { $0.1 == .whole || $0.1 == .part }
        let count = concerned.reduce(0) { $0 + ($1.0.isKept ? $1.0.sequences.count : 0) }
        isRead = count <= readAtMost || needsRecords(of: concerned.map(\.0))
        try lookBack(concerned.first?.0)
        let places = shares.indices.filter { shares[$0].1 == .whole || shares[$0].1 == .part }
        for (index, (segment, share)) in shares.enumerated() {
            switch share {
            case .whole: try addWhole(segment)
            case .part: try addPart(segment)
            case .before, .after:
                // Where the clock was set to another day, that is told there.
                guard scope.vault == nil, let first = places.first, let last = places.last,
                    (first...last + 1).contains(index)
                else { continue }
                try tally.skip(segment, of: snapshot)
            }
        }
        try finishOutages(concerned.last?.0)
        if sums == nil {
            let last = shares.last { $0.1 == .before }?.0
            sums = try nothing(behind: tally.valuesBefore, or: last)
        }
        return try assemble(recordCount: isRead ? tally.count : Int64(count))
    }

    /// Whether the report needs figures that only the records have.
    private func needsRecords(of concerned: [Segment]) -> Bool {
        switch grouping {
        case .hour, .kind: true
        case .day: !hasSameDays || concerned.contains { $0.day == nil }
        case nil: false
        }
    }

    /// The registers of a period in which nothing happened.
    private func nothing(
        behind values: RegisterValues?, or last: Segment?
    ) throws(LedgerError) -> PeriodSums {
        var known = values ?? RegisterValues()
        if values == nil, let last { known = try end(of: last) }
        return PeriodSums(of: known)
    }

    /// Finds out whether the gate was out of service when the period began.
    private mutating func lookBack(_ first: Segment?) throws(LedgerError) {
        guard let first, first.isKept, first.sequences.lowerBound > 1 else { return }
        let kinds = [
            Record.outOfService(.external).name, Record.inService.name, Record.started.name,
            Record.released(.entry, by: .free).name,
        ]
        let earlier = try snapshot.last(in: 1...first.sequences.lowerBound - 1, of: kinds)
        guard let earlier, earlier.name == kinds[0] else { return }
        tally.outages.begin(since: OutageWatch.Moment(earlier))
    }

    /// Ends an outage with the period, or with the last record.
    private mutating func finishOutages(_ last: Segment?) throws(LedgerError) {
        guard let last, let sequences = snapshot.sequences else { return }
        // The record after the period shows how long the outage lasted within it.
        let number = min(max(last.sequences.upperBound, sequences.lowerBound), sequences.upperBound)
        var moment: OutageWatch.Moment?
        try snapshot.forEach(in: number...number) { moment = OutageWatch.Moment($0) }
        tally.outages.finish(at: moment)
    }
}

// The registers.
extension ReportMaker {
    private func start(of segment: Segment) throws(LedgerError) -> RegisterValues {
        if let start = segment.start { return try snapshot.registers(at: start) }
        // Not recorded: computed from the values at the end and the records.
        var counted = RegisterValues()
        if !segment.sequences.isEmpty {
            try snapshot.forEach(in: ClosedRange(segment.sequences)) { record in
                if case .record(let told) = record.content { counted.count(told) }
            }
        }
        var values = try end(of: segment)
        for register in Set(values.counted + counted.counted) {
            values[register] = values[register] &- counted[register]
        }
        return values
    }

    private func end(of segment: Segment) throws(LedgerError) -> RegisterValues {
        guard let end = segment.end else { return snapshot.registers.sinceInit }
        return try snapshot.registers(at: end)
    }

    /// Adds a segment that lies within the period, by its registers.
    private mutating func addWhole(_ segment: Segment) throws(LedgerError) {
        let (start, end) = (try start(of: segment), try end(of: segment))
        let delta = PeriodSums(from: start, to: end)
        if !segment.sequences.isEmpty { tally.cover(ClosedRange(segment.sequences)) }
        sums.add(delta)
        if moneyPlace == nil, delta.moneyMissing != 0 { moneyPlace = segment.place }
        if passagesPlace == nil, delta.passagesMissing != 0 { passagesPlace = segment.place }
        if let day = segment.day, hasSameDays { days[day].add(delta) }
        guard segment.isKept else {
            hasPruned = hasPruned || !segment.sequences.isEmpty
            return addUnplaced(delta, segment, .recordsPruned)
        }
        guard isRead else {
            try tally.readDetails(segment, of: snapshot, isWhole: true)
            return
        }
        let counted = try tally.read(segment, of: snapshot, behind: start, isWhole: true)
        place(tally.takeRuns(), isDayKnown: segment.day != nil && hasSameDays)
        try compare(segment, from: start, to: end, counted)
        if segment.end?.occasion == .gap {
            addUnplaced(PeriodSums(from: counted, to: end), segment, .recordsMissing)
        }
    }

    /// Adds the records of a segment that lie within the period.
    private mutating func addPart(_ segment: Segment) throws(LedgerError) {
        guard segment.isKept else {
            if let day = segment.day, prunedDays.last != day { prunedDays.append(day) }
            hasPruned = hasPruned || !segment.sequences.isEmpty
            return
        }
        hasUnsigned = hasUnsigned || segment.isUnsigned && !segment.sequences.isEmpty
        let start = try start(of: segment)
        let skipped = scope.vault == nil ? 0 : try lastCollection(in: segment)
        let counted = try tally.read(
            segment, of: snapshot, behind: start, isWhole: scope.vault != nil, beyond: skipped)
        let runs = tally.takeRuns()
        for run in runs { sums.add(run.sums) }
        place(runs, isDayKnown: false)
        try compare(segment, from: start, to: try end(of: segment), counted)
    }

    /// Adds runs to their hours, and to their days unless the registers have those.
    private mutating func place(_ runs: [Tally.Run], isDayKnown: Bool) {
        for run in runs {
            hours[run.hour].add(run.sums)
            if !isDayKnown { days[clock.day(at: run.hour)].add(run.sums) }
        }
    }

    /// Adds a segment's counts, whose hours are unknown.
    private mutating func addUnplaced(
        _ sums: PeriodSums, _ segment: Segment, _ doubt: Report.Row.Doubt
    ) {
        // The registers have the whole day.
        if grouping == .day, segment.day != nil, hasSameDays { return }
        var from = segment.start?.time ?? scope.from ?? .zero
        // A day's checkpoint is made with the first record of the next day.
        if case .day? = segment.start?.occasion, let day = segment.day {
            from = min(from, max(clock.beginning(of: day), scope.from ?? .zero))
        }
        var to = segment.end?.time ?? from
        if case .day? = segment.end?.occasion, let day = segment.day { to = clock.end(of: day) }
        if let last = unplaced.last, last.doubt == doubt, last.to == from,
            clock.day(at: last.from) == clock.day(at: from)
        {
            from = last.from
            unplaced[unplaced.count - 1].to = max(from, to)
            unplaced[unplaced.count - 1].sums = last.sums.followed(by: sums)
            return
        }
        unplaced.append(
            Report.Row(from: from, to: max(from, to), sums: sums, doubt: doubt))
    }

    /// The number of the last collection's record in a segment; 0 for none.
    private func lastCollection(in segment: Segment) throws(LedgerError) -> Int64 {
        guard !segment.sequences.isEmpty else { return 0 }
        let kinds = [Record.vaultReplaced.name, Record.coinsCollected.name]
        return try snapshot.last(in: ClosedRange(segment.sequences), of: kinds)?.sequence ?? 0
    }

    private mutating func compare(
        _ segment: Segment, from start: RegisterValues, to end: RegisterValues,
        _ counted: RegisterValues
    ) throws(LedgerError) {
        guard mismatch == nil, segment.end?.occasion != .gap else { return }
        mismatch = segment.mismatch(from: start, to: end, counted: counted)
    }
}
