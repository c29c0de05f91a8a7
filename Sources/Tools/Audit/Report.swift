public import Ledger
public import Turnstile

/// The totals of a ledger in a period.
///
/// Whole days and collections come from the registers, which are kept for good; all else from the
/// records, as far as they are kept.
public struct Report: Hashable, Sendable {
    /// A row for each of these.
    public enum Grouping: String, CaseIterable, Hashable, Sendable {
        case hour
        case day
        case kind
    }

    public struct Row: Hashable, Sendable {
        /// Its beginning and end: wall-clock time since 1970, UTC.
        public var from: Duration, to: Duration
        public var sums: PeriodSums
        /// Why it is no row of its own hour; nil where it is.
        public var doubt: Doubt?

        public var registers: RegisterValues { sums.registers }

        /// Why it is not known in which hour something was counted.
        public enum Doubt: String, Hashable, Sendable {
            case recordsPruned = "records_pruned"
            case recordsMissing = "records_missing"
        }
    }

    public struct Vault: Hashable, Sendable {
        public var collection: Int64
        /// The amount by the registers, in minor units of the currency; nil before the collection.
        public var expected: Int64?
        /// The counted amount, if recorded.
        public var counted: Int64?
    }

    public struct Records: Hashable, Sendable {
        public var count: Int64 = 0
        /// Their numbers; nil without records, or if they were not read.
        public var sequences: ClosedRange<Int64>?
        public var areComplete = true
        public var areRead = true
    }

    public var gate: String
    /// The ledger's number: 32 hexadecimal digits.
    public var ledger: String
    /// The bounds of the period: wall-clock time since 1970, UTC; nil for none.
    public var from: Duration?
    public var to: Duration?
    /// The vault, if the period is a collection's.
    public var vault: Vault?
    public var sums: PeriodSums
    public var details: RecordDetails
    public var records: Records
    public var grouping: Grouping?
    /// The earliest first; empty if grouped by kind.
    public var rows: [Row]
    public var reconciliations: [Reconciliation]
    public var isTrial: Bool
    public var remarks: [String]

    public static let trialRemark = "it is the ledger of a trial: no gate has taken this money"

    public var registers: RegisterValues { sums.registers }

    public var isAccountedFor: Bool { reconciliations.allSatisfy { $0.difference == 0 } }

    /// The most records that are read for a report that does not need them.
    public static let readAtMost: Int64 = 500_000
}

extension Report {
    /// Throws if the ledger cannot be read, or has no such collection.
    public init(
        of snapshot: LedgerSnapshot, _ period: Period, by grouping: Grouping? = nil,
        clock: LocalClock = .system, readAtMost: Int64 = readAtMost
    ) throws(ReportError) {
        let marks = try ReportError.of { () throws(LedgerError) in try snapshot.marks() }
        let scope = try Scope(period, snapshot, marks)
        self = try ReportError.of { () throws(LedgerError) in
            var maker = try ReportMaker(snapshot, marks, scope, grouping, clock)
            return try maker.report(readAtMost)
        }
    }
}
