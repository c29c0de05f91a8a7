import Ledger
import StateMachines
import Turnstile

/// Figures of a period that only its records have.
public struct RecordDetails: Hashable, Sendable {
    public struct Count: Hashable, Sendable {
        public var count: Int64 = 0
        /// The sum of the amounts, in minor units of the currency; nil for records without one.
        public var value: Int64?
    }

    public struct Outages: Hashable, Sendable {
        public var count: Int64 = 0
        /// The sum of their durations, as far as the records go.
        public var duration: Duration = .zero
        /// The beginning of an outage that lasts at the end.
        public var openSince: Duration?
    }

    /// By the kind of record.
    public internal(set) var kinds: [String: Count] = [:]
    /// How often coins began to be refused, by the reason's name.
    public internal(set) var refusals: [String: Int64] = [:]
    public internal(set) var outages = Outages()
    /// The number of records that could not be stored.
    public internal(set) var missing: Int64 = 0
    /// The number of records that this version cannot read.
    public internal(set) var unreadable: Int64 = 0

    init() {}

    /// The kinds of records about doubtful events after a power failure, in the order shown.
    public static let doubts = [
        "state_unknown", "coin_in_doubt", "passage_in_doubt", "passage_recovered", "passage_lost",
        LedgerNote.recordsMissing.rawValue,
        LedgerNote.recordsSetAside.rawValue,
    ]

    /// The kinds of records that tell that the clock on the wall was set, or has gone back, and
    /// since when the gate was out of service, or in service.
    static let kindsOfTime = [
        Record.clockAdjusted(by: .zero).name, Record.started.name,
        Record.outOfService(.external).name, Record.inService.name,
    ]

    static let kindsBesideRegisters =
        doubts + kindsOfTime + [Record.coinsRefused(.ledgerAwaited).name]
}

/// Collects details. Equal records are parsed once.
struct DetailsCounter {
    private struct Words: Hashable {
        var name: String
        var details: String
    }

    private struct Told {
        var content: LedgerRecord.Content
        var count: Int64
    }

    private var told: [Words: Told] = [:]

    mutating func add(_ record: LedgerRecord) {
        let words = Words(name: record.name, details: record.details)
        told[words, default: Told(content: record.content, count: 0)].count += 1
    }

    func details(with watch: OutageWatch) -> RecordDetails {
        var details = RecordDetails()
        details.outages = watch.outages
        for (words, told) in told {
            details.kinds[words.name, default: RecordDetails.Count()].count += told.count
            switch told.content {
            case .record(let record): details.add(record, told.count)
            case .note(.recordsMissing):
                let missing = Int128(Int64(words.details) ?? 0) * Int128(told.count)
                details.missing = Int64(clamping: Int128(details.missing) + missing)
            case .note: break
            case .unreadable: details.unreadable += told.count
            }
        }
        return details
    }
}

extension RecordDetails {
    fileprivate mutating func add(_ record: Record, _ count: Int64) {
        if case .coinsRefused(let refusal) = record {
            refusals[refusal.name, default: 0] += count
        }
        guard case .integer(let value)? = record.fields[.value] else { return }
        let before = kinds[record.name]?.value ?? 0
        kinds[record.name]?.value = before &+ value &* count
    }
}

/// When the gate was out of service, record by record.
struct OutageWatch {
    /// The bounds of the period in wall-clock time; nil for none.
    let from: Duration?, to: Duration?
    private(set) var outages = RecordDetails.Outages()
    private var began: Moment?

    struct Moment {
        var wall: Duration
        var time: Instant
        var bootID: String

        init(_ record: LedgerRecord) {
            (wall, time, bootID) = (record.wallTime, record.time, record.bootID)
        }
    }

    init(from: Duration?, to: Duration?) { (self.from, self.to) = (from, to) }

    /// Begins with a gate out of service since `moment`; nil for one in service.
    mutating func begin(since moment: Moment?) { began = moment }

    mutating func add(_ record: LedgerRecord) {
        guard case .record(let told) = record.content else { return }
        if case .outOfService = told {
            if began == nil { began = Moment(record) }
        } else if told == .inService || told == .started {
            end(at: Moment(record))
        }
    }

    private mutating func end(at moment: Moment) {
        guard let began else { return }
        self.began = nil
        let start = max(began.wall, from ?? began.wall)
        let end = min(moment.wall, to ?? moment.wall)
        let isInside = start == began.wall && end == moment.wall
        // Within one boot monotonic time is exact, even if the clock was set.
        if isInside, began.bootID == moment.bootID {
            count(moment.time - began.time)
        } else if start < end || isInside {
            count(max(.zero, end - start))
        }
    }

    private mutating func count(_ duration: Duration) {
        outages.count += 1
        outages.duration += duration
    }

    /// Ends an open outage at the last known moment.
    mutating func finish(at last: Moment?) {
        guard let began, let last, to.map({ began.wall < $0 }) ?? true else { return }
        end(at: last)
        if to.map({ last.wall < $0 }) ?? true { outages.openSince = began.wall }
    }
}
