public import StateMachines

/// An event of a turnstile, and its time.
public struct Event: Hashable, Sendable {
    /// The kind of event.
    public var kind: Kind
    /// When it happened, in monotonic time: the kernel's timestamp where there is one.
    public var time: Instant

    /// An event of this kind at this time.
    public init(_ kind: Kind, at time: Instant) {
        self.kind = kind
        self.time = time
    }

    /// The kinds of event.
    public enum Kind: Hashable, Sendable {
        /// The shell is up, and these are the lines' levels. The first event, and the only one of
        /// its kind.
        case started(InputLevels)
        /// An input line changed.
        case changed(Input, isActive: Bool)
        /// Edges went missing: the kernel's queue overflowed. The lines now carry these levels.
        case edgesLost(InputLevels)
        /// The deadline that the machine asked for has come.
        case timePassed
        /// A line can no longer be read or driven, or reads back other than it was driven.
        case lineFailed(Line, LineFailure)
        /// A failed line works again, at its present level: the cause of its faults is gone.
        case lineRecovered(Line)
        /// An output is cut soon: it has been energised for nearly its maximum on-time.
        case onTimeWarning(Output)
        /// An output was cut because it had been energised for its maximum on-time.
        case outputCut(Output)
        /// The wall clock's time: at the start, and whenever it differs from what the elapsed time
        /// predicts.
        case clockRead(WeekTime)
        /// The wall clock was set by so much. Its new time is another event.
        case clockStepped(by: Duration)
        /// A request, which gets one ``Command/answer(_:)``.
        indirect case requested(Request, by: Requester)
        /// All that was recorded when ``Command/store`` was last said is durable, and storing
        /// works: the answer to that command, and the end of ``storageFailed``.
        case durable
        /// What was recorded cannot be made durable: the storage is full or fails. The ledger goes
        /// on trying; ``durable`` follows.
        case storageFailed
        /// The ledger is open, and holds this for people. It comes once, and only where the ledger
        /// is ``LedgerConnection/awaited``.
        indirect case ledgerOpened(Balances)
        /// The service is about to stop.
        case stopped
    }
}

/// How a line failed.
public enum LineFailure: String, CaseIterable, Hashable, Sendable {
    /// It cannot be read.
    case unreadable
    /// It cannot be driven.
    case undrivable
    /// It does not carry the level that it was driven to.
    case mismatch
}
