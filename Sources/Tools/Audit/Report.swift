public import Ledger
public import Turnstile

/// What a ledger comes to in a period.
///
/// Whole days and the time between two collections are told by the registers, which are kept for
/// good; everything else by the records, as far as these are kept.
public struct Report: Hashable, Sendable {
    /// What its rows are about.
    public enum Grouping: String, CaseIterable, Hashable, Sendable {
        case hour
        case day
        case kind
    }

    public struct Row: Hashable, Sendable {
        /// When it begins and ends, by the clock on the wall, since 1970, UTC.
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
        /// What should have been in it, in minor units of the currency; nil where it was not
        /// collected yet.
        public var expected: Int64?
        /// What was counted; nil where nobody has said so.
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
    /// Which ledger it is: 32 hexadecimal digits.
    public var ledger: String
    /// When the period begins, by the clock on the wall, since 1970, UTC; nil for no bound.
    public var from: Duration?
    public var to: Duration?
    /// The vault, where the period is that of a collection.
    public var vault: Vault?
    public var sums: PeriodSums
    public var details: RecordDetails
    public var records: Records
    /// What the rows are about; nil for none.
    public var grouping: Grouping?
    /// The rows, the earliest first; none where they are about kinds.
    public var rows: [Row]
    public var reconciliations: [Reconciliation]
    public var isTrial: Bool
    public var remarks: [String]

    public static let trialRemark = "it is the ledger of a trial: no gate has taken this money"

    public var registers: RegisterValues { sums.registers }

    public var isAccountedFor: Bool { reconciliations.allSatisfy { $0.difference == 0 } }

    /// How many records are read at most where nobody asks for what they alone can tell.
    public static let readAtMost: Int64 = 500_000
}

extension Report {
    /// Throws where the ledger cannot be read, or has no such collection.
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
