import Ledger
import Turnstile

/// Sums up the records of a period, hour by hour.
struct Tally {
    /// The bounds of the period in wall-clock time; nil for none.
    let from: Duration?, to: Duration?
    /// The runs since they were last taken.
    private var runs: [Run] = []
    /// The last known registers before the period.
    private(set) var valuesBefore: RegisterValues?
    private(set) var counter = DetailsCounter()
    var outages: OutageWatch
    private(set) var count: Int64 = 0
    private(set) var sequences: ClosedRange<Int64>?
    /// The numbers of the period's records, whether they are kept or not.
    private(set) var stretches: [ClosedRange<Int64>] = []
    /// When the clock on the wall was set, where it showed a time of the period before or after.
    private(set) var clockSettings: [ClockSetting] = []
    private var hourFinder: HourFinder

    /// The counts of successive records of one hour.
    struct Run {
        var hour: Duration
        var sums: PeriodSums
    }

    /// The times that a clock showed before and after it was set; or before and at a start of the
    /// service, if it went back meanwhile.
    struct ClockSetting {
        var old: Duration, new: Duration
        var isBetweenStarts = false
    }

    /// Smaller differences are the time between two readings.
    private static let clockTolerance = Duration.seconds(1)

    /// Where a record belongs.
    private enum Bucket: Equatable {
        case before, after
        case hour(Duration)
    }

    /// Whether the records of a whole segment are clamped to the bounds: not for a collection,
    /// within which a clock that was set may have shown any time.
    private let isBounded: Bool

    init(of scope: Scope, _ clock: LocalClock) {
        (from, to) = (scope.from, scope.to)
        isBounded = scope.vault == nil
        outages = OutageWatch(from: from, to: to)
        hourFinder = HourFinder(clock: clock)
    }

    /// Reads the records of a segment and counts those of the period: all of them if `isWhole`,
    /// whatever their times. Returns the registers after them, given `start` before them.
    mutating func read(
        _ segment: Segment, of snapshot: LedgerSnapshot, behind start: RegisterValues,
        isWhole: Bool, beyond skipped: Int64 = 0
    ) throws(LedgerError) -> RegisterValues {
        var (values, runStart) = (start, start)
        var current: Bucket?
        if !isWhole, valuesBefore == nil { valuesBefore = start }
        if segment.sequences.isEmpty { return values }
        try snapshot.forEach(in: ClosedRange(segment.sequences)) {
            record throws(LedgerError) in
            var bucket = bucket(of: record, isWhole: isWhole)
            if record.sequence <= skipped { bucket = .before }
            if bucket != current {
                close(current, runStart, values)
                (current, runStart) = (bucket, values)
            }
            if case .record(let told) = record.content { values.count(told) }
            outages.add(record)
            try watchClock(record, snapshot)
            if case .hour = bucket {
                add(record)
                if !isWhole { cover(record.sequence...record.sequence) }
            }
        }
        close(current, runStart, values)
        return values
    }

    /// Takes records to be of the period, which follow those before.
    mutating func cover(_ sequences: ClosedRange<Int64>) {
        if let last = stretches.last, sequences.lowerBound &- 1 <= last.upperBound {
            stretches[stretches.count - 1] =
                last.lowerBound...max(last.upperBound, sequences.upperBound)
        } else {
            stretches.append(sequences)
        }
    }

    /// Reads of a segment between those of the period, or behind them, whether the clock was set
    /// from a time of the period on, and until when the gate was out of service.
    mutating func skip(_ segment: Segment, of snapshot: LedgerSnapshot) throws(LedgerError) {
        if segment.sequences.isEmpty { return }
        try snapshot.forEach(
            in: ClosedRange(segment.sequences), of: RecordDetails.kindsOfTime
        ) { record throws(LedgerError) in
            outages.add(record)
            try watchClock(record, snapshot)
        }
    }

    private mutating func watchClock(
        _ record: LedgerRecord, _ snapshot: LedgerSnapshot
    ) throws(LedgerError) {
        let setting: ClockSetting
        switch record.content {
        case .record(.clockAdjusted(let step)):
            setting = ClockSetting(old: record.wallTime - step, new: record.wallTime)
        case .record(.started):
            let last = try snapshot.lastOfGate(before: record.sequence)
            guard let last, last.wallTime - record.wallTime > Self.clockTolerance else { return }
            setting = ClockSetting(
                old: last.wallTime, new: record.wallTime, isBetweenStarts: true)
        case _: return
        }
        guard !isBounded || isInBounds(setting.old) || isInBounds(setting.new) else { return }
        clockSettings.append(setting)
    }

    private func isInBounds(_ time: Duration) -> Bool {
        from.map { $0 <= time } ?? true && to.map { time < $0 } ?? true
    }

    /// Reads only the records of a segment that no register covers.
    mutating func readDetails(
        _ segment: Segment, of snapshot: LedgerSnapshot, isWhole: Bool
    ) throws(LedgerError) {
        if segment.sequences.isEmpty { return }
        try snapshot.forEach(
            in: ClosedRange(segment.sequences), of: RecordDetails.kindsBesideRegisters
        ) { record throws(LedgerError) in
            outages.add(record)
            try watchClock(record, snapshot)
            if case .hour = bucket(of: record, isWhole: isWhole) { counter.add(record) }
        }
    }

    private mutating func add(_ record: LedgerRecord) {
        counter.add(record)
        count += 1
        sequences = (sequences?.lowerBound ?? record.sequence)...record.sequence
    }

    private mutating func bucket(of record: LedgerRecord, isWhole: Bool) -> Bucket {
        var time = record.wallTime
        if isWhole {
            // A day may have ended between the record's time and its writing.
            if isBounded, let from { time = max(time, from) }
            if isBounded, let to { time = min(time, to - .nanoseconds(1)) }
        } else {
            if let from, time < from { return .before }
            if let to, time >= to { return .after }
        }
        return .hour(hourFinder.hour(at: time))
    }

    /// Adds the counts of successive records of one bucket.
    private mutating func close(
        _ bucket: Bucket?, _ start: RegisterValues, _ end: RegisterValues
    ) {
        switch bucket {
        case nil, .after: break
        case .before: valuesBefore = end
        case .hour(let hour): runs.append(Run(hour: hour, sums: PeriodSums(from: start, to: end)))
        }
    }

    /// Returns the runs since they were last taken.
    mutating func takeRuns() -> [Run] {
        defer { runs = [] }
        return runs
    }
}

/// Finds the hour of a time, which is mostly the previous time's.
private struct HourFinder {
    let clock: LocalClock
    private var known: Range<Duration> = .zero ..< .zero

    init(clock: LocalClock) { self.clock = clock }

    mutating func hour(at time: Duration) -> Duration {
        if known.contains(time) { return known.lowerBound }
        let hour = clock.hour(at: time)
        let end = hour + .seconds(3_600)
        // Not if the clock is put forward or back within it.
        if clock.hour(at: hour) == hour, clock.hour(at: end - .seconds(1)) == hour {
            known = hour..<end
        }
        return hour
    }
}
