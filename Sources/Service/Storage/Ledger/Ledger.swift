public import Keeping
public import StateMachines
public import System
public import Turnstile

/// The records of a gate in an SQLite file, opened and written by a thread of its own.
///
/// Nothing else in the process may open the file: SQLite shares open files within a process, but
/// that thread has its own descriptors (see ``WorkerThread``).
///
/// See docs/decisions/0020-commit-a-coin-during-its-quiet-time.md and
/// docs/decisions/0025-what-the-ledger-believes.md.
public final class Ledger: RecordStore {
    /// How long a stop waits for the disk: less than systemd waits for the service.
    public static let closeTimeout: Duration = .milliseconds(1_500)

    private let mailbox: LedgerMailbox
    private let thread: WorkerThread
    private var wasClosed = false
    private var hasEnded = false

    /// Has the thread open the ledger at `path`, or begin the first one there. Nothing here waits
    /// for the disk: the thread answers ``StoreAnswer/opened(_:_:)``, or
    /// ``StoreAnswer/failed(_:)``, once for each new reason. Throws if no thread can be made.
    /// `trial` is the clock of a trial.
    public convenience init(
        path: String, gate: String, bootID: String, limits: RecordLimits = RecordLimits(),
        trial: SystemWallClock? = nil
    ) throws(SystemError) {
        try self.init(
            Opening(
                place: Place(path: path), gate: gate, bootID: bootID, limits: limits, trial: trial))
    }

    init(_ opening: Opening, pace: Pace = Pace()) throws(SystemError) {
        let mailbox = try LedgerMailbox(LedgerMail())
        let writer = Writer(mailbox, opening, pace)
        self.mailbox = mailbox
        thread = try WorkerThread { writer.run() }
    }

    deinit { if !wasClosed { close() } }

    /// Readable while there are answers.
    public var descriptor: CInt { mailbox.forLoop.descriptor }

    /// Has the thread write `records`.
    public func write(_ records: [Record], at time: Instant, confirms: Bool) {
        mailbox.leave(records, at: time, confirms: confirms)
    }

    /// Has the thread answer when all records so far are durable.
    public func confirm(_ number: UInt64) { mailbox.confirm(number) }

    /// The gate has taken over the file's balances: the thread may write.
    public func takeOver() { mailbox.takeOver() }

    /// Has the thread sign a checkpoint.
    public func sign() { mailbox.sign() }

    public func takeAnswers() -> [StoreAnswer] { mailbox.takeAnswers() }

    /// Writes the waiting records, or tries once more, and closes the file, within `timeout`, since
    /// a disk may hang. Returns whether all was written. Later records are lost.
    @discardableResult
    public func close(within timeout: Duration = closeTimeout) -> Bool {
        wasClosed = true
        mailbox.close()
        if !hasEnded { hasEnded = thread.join(within: timeout) }
        return mailbox.isAllWritten
    }
}

/// The pauses before a ledger is opened or written again after a failure.
struct Pace: Sendable {
    /// After the first failure to open it.
    var first: Duration = .milliseconds(100)
    /// The longest, and the only one if it takes a person to help.
    var longest: Duration = .seconds(5)
    /// After a failure to write.
    var write: Duration = .seconds(1)
}
