import Keeping
import Ledger
import System
import Turnstile

// The result.
extension ReportMaker {
    /// The report, from the sums; the period has so many records.
    mutating func assemble(recordCount: Int64) throws(LedgerError) -> Report {
        var sums = sums ?? PeriodSums(of: RegisterValues())
        if scope.isOpen { compareWithPresent(&sums) }
        let kept = try keptTimes()
        let details = tally.counter.details(with: tally.outages)
        let records = Report.Records(
            count: recordCount, sequences: tally.sequences, areComplete: !hasPruned,
            areRead: isRead)
        return Report(
            gate: snapshot.gate, ledger: snapshot.number, from: scope.from, to: scope.to,
            vault: scope.vault, sums: sums, details: details, records: records,
            grouping: grouping, rows: rows(last: kept.last),
            reconciliations: reconciliations(sums, recordCount),
            isTrial: snapshot.isTrial,
            remarks: remarks(details, kept: kept, isEmpty: recordCount == 0))
    }

    /// What was counted since the coins were collected is known at any time: it is that which is
    /// told, and it has to be what the checkpoints come to.
    private mutating func compareWithPresent(_ sums: inout PeriodSums) {
        let known = snapshot.registers.sinceCollection
        let isAllSigned = segments.first { $0.collection == scope.vault?.collection }?.start
            .map { $0.sequence == 0 || $0.occasion != .begun }
        if isAllSigned == true, mismatch == nil {
            let values = sums.registers
            let registers = Set(known.counted + values.counted)
                .filter { known[$0] != values[$0] }.sorted { $0.name < $1.name }
            mismatch = registers.first.map {
                Mismatch(
                    register: $0, shown: known[$0], counted: values[$0],
                    place: "since the coins were collected")
            }
        }
        (sums.registers, sums.between) = (known, 0)
    }

    private func reconciliations(
        _ sums: PeriodSums, _ recordCount: Int64
    ) -> [Reconciliation] {
        var told: [Reconciliation] = [
            .money(sums, at: moneyPlace), .passages(sums, at: passagesPlace),
        ]
        if isRead && (recordCount > 0 || mismatch != nil) {
            told.append(.records(recordCount, mismatch))
        }
        if let vault = scope.vault {
            let isLast = vault.collection >= snapshot.collection
            told.append(
                .vault(sums, expected: vault.expected, counted: vault.counted, isLast: isLast))
        }
        return told
    }
}

// Rows.
extension ReportMaker {
    /// The rows, the earliest first; `last` is the time of the ledger's last record.
    private func rows(last: Duration?) -> [Report.Row] {
        let known: [Report.Row]
        switch grouping {
        case nil, .kind: return []
        case .hour: known = withQuiet(hours, until: last, end: end(ofHour:))
        case .day:
            let parts = days.map { (clock.beginning(of: $0), $1) }
            known = withQuiet(Dictionary(uniqueKeysWithValues: parts), until: last) {
                clock.end(of: clock.day(at: $0))
            }
        }
        return (known + unplaced).sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }

    private func end(ofHour hour: Duration) -> Duration {
        let next = clock.hour(at: hour + .seconds(3_600))
        return next > hour ? next : hour + .seconds(3_600)
    }

    /// The most empty rows in succession: the hours of a month. A clock that was wrong for a while
    /// may have shown any year.
    private static let quietAtMost = 31 * 24

    /// A row for each hour or day of the period, empty ones too, up to the ledger's last record.
    private func withQuiet(
        _ parts: [Duration: PeriodSums], until last: Duration?, end: (Duration) -> Duration
    ) -> [Report.Row] {
        let begins = parts.keys.sorted()
        guard let first = begins.first, let values = parts[first] else { return [] }
        var held = RegisterValues()
        held[.creditHeld] = values.registers[.creditAtBeginning]
        var rows: [Report.Row] = []
        var time = first
        if scope.vault == nil, let from = scope.from { time = min(first, clock.hour(at: from)) }
        func addQuiet(until stop: Duration) {
            var quiet: [Report.Row] = []
            while time < stop, quiet.count <= Self.quietAtMost {
                quiet.append(row(from: time, to: min(end(time), stop), PeriodSums(of: held)))
                time = end(time)
            }
            if quiet.count <= Self.quietAtMost { rows += quiet }
        }
        for begin in begins {
            addQuiet(until: begin)
            guard let values = parts[begin] else { continue }
            rows.append(row(from: begin, to: end(begin), values))
            (held, time) = (values.registers, end(begin))
        }
        if scope.vault == nil, let to = scope.to, let last { addQuiet(until: min(to, last)) }
        return rows
    }

    private func row(
        from: Duration, to: Duration, _ sums: PeriodSums
    ) -> Report.Row {
        var bounds = (from: from, to: to)
        // Rows do not extend beyond the period.
        if scope.vault == nil {
            bounds.from = max(from, min(scope.from ?? from, to))
            bounds.to = min(to, max(scope.to ?? to, bounds.from))
        }
        return Report.Row(from: bounds.from, to: bounds.to, sums: sums)
    }
}

// Remarks.
extension ReportMaker {
    private func remarks(
        _ details: RecordDetails, kept: [Duration], isEmpty: Bool
    ) -> [String] {
        var remarks: [String] = []
        if snapshot.isTrial { remarks.append(Report.trialRemark) }
        if !hasSameDays {
            remarks.append(
                "the days of this ledger are in another time zone than this machine's: set it, "
                    + "as with TZ=Europe/Berlin before the command")
        }
        remarks += clockRemarks + stretchRemarks
        if hasPruned, let first = kept.first {
            remarks.append(
                "records are kept from \(clock.text(of: first.whole)) on: the period before has "
                    + "only the registers, without hours, kinds, time out of service, refusals "
                    + "and doubtful events")
        }
        for day in prunedDays {
            remarks.append(
                "a part of \(day) is not available, since its records are no longer kept: ask for "
                    + "whole days")
        }
        if hasUnsigned {
            remarks.append("some of its records are of an earlier version without checkpoints")
        }
        if !isRead {
            remarks.append(
                "the records were too many to check the totals: use 'turnstilectl ledger verify'")
        }
        if details.missing > 0 {
            remarks.append(
                "\(details.missing) records could not be kept: they are in the totals, but in no "
                    + "hour")
        }
        if details.unreadable > 0 {
            remarks.append("\(details.unreadable) records cannot be read by this version")
        }
        if isEmpty, !hasPruned, kept.count == 2 {
            remarks.append(
                "nothing was recorded then; the ledger has records from "
                    + "\(clock.text(of: kept[0].whole)) to \(clock.text(of: kept[1].whole))")
        }
        return remarks
    }

    /// How many settings of the clock are listed, and stretches of records: a board without a clock
    /// sets it at each start.
    private static let listedAtMost = 5

    /// Remarks about a clock that was set or went back, which distorts days and hours.
    private var clockRemarks: [String] {
        let told = tally.clockSettings.prefix(Self.listedAtMost).map { setting in
            let (old, new) = (setting.old.whole, setting.new.whole)
            let isSameDay = clock.day(at: old) == clock.day(at: new)
            let day = clock.day(at: setting.isBetweenStarts ? new : old)
            let (from, to) = (clock.text(of: old), clock.text(of: new))
            let place = isSameDay ? "the hours that it showed then" : "\(day)"
            return setting.isBetweenStarts
                ? "the clock went back before a start of the service, from \(from) to \(to): later "
                    + "records stand under \(place)"
                : "the clock was set from \(from) to \(to): earlier records stand under "
                    + place
        }
        let others = tally.clockSettings.dropFirst(told.count)
        guard !others.isEmpty else { return told }
        let what = others.contains(where: \.isBetweenStarts) ? "was set or went back" : "was set"
        return told + ["the clock \(what) \(others.count) more times"]
    }

    /// Which records are of the period, if others lie between them.
    private var stretchRemarks: [String] {
        let stretches = tally.stretches
        guard stretches.count > 1 else { return [] }
        var listed = stretches.prefix(Self.listedAtMost).map { stretch in
            let (first, last) = (stretch.lowerBound, stretch.upperBound)
            return first == last ? "\(first)" : "\(first) to \(last)"
        }
        let others = stretches.dropFirst(listed.count)
        if !others.isEmpty { listed.append("\(others.count) more") }
        return [
            "its records are in \(stretches.count) stretches, with records of other times between "
                + "them: " + listed.joined(separator: ", ")
        ]
    }

    /// When the first and the last of the records was written that are kept; nothing where none is.
    private func keptTimes() throws(LedgerError) -> [Duration] {
        guard let sequences = snapshot.sequences else { return [] }
        var times: [Duration] = []
        for number in [sequences.lowerBound, sequences.upperBound] {
            try snapshot.forEach(in: number...number) { times.append($0.wallTime) }
        }
        return times
    }

    /// Whether the ledger's days agree with `clock`, by the records before and after their ends.
    static func hasSameDays(
        _ segments: [Segment], _ snapshot: LedgerSnapshot, _ clock: LocalClock
    ) throws(LedgerError) -> Bool {
        guard let kept = snapshot.sequences else { return true }
        for segment in segments.suffix(daysCompared).reversed() {
            guard case .day? = segment.end?.occasion, let day = segment.day,
                !segment.sequences.isEmpty, kept.contains(segment.sequences.upperBound - 1)
            else { continue }
            let last = segment.sequences.upperBound - 1
            var times: [Duration] = []
            try snapshot.forEach(in: last...last + 1) { times.append($0.wallTime) }
            // The record at the end of a day may be from just before or after it.
            let second = Duration.seconds(1)
            if let time = times.first, clock.day(at: time - second) != day,
                clock.day(at: time + second) != day
            {
                return false
            }
            // A clock that was set back may have begun a day without a record, and shows this one.
            let next = segments.first { $0.sequences.contains(last + 1) }
            if times.count == 2, next?.day != day, clock.day(at: times[1] - second) == day,
                clock.day(at: times[1] + second) == day
            {
                return false
            }
        }
        return true
    }

    /// How many of the last segments are compared.
    private static let daysCompared = 40
}

extension Duration {
    fileprivate var whole: Duration { .seconds(components.seconds) }
}
