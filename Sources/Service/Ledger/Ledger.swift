public import Keeping
public import StateMachines
public import System
public import Turnstile

/// The records of a gate in a file of SQLite, opened and written by a thread of its own.
///
/// Nothing else in the process may open the file meanwhile: SQLite has all of a process share what
/// it opened, and the descriptors of that thread are its own (see ``WorkerThread``).
///
/// See docs/decisions/0020-commit-a-coin-during-its-quiet-time.md and
/// docs/decisions/0025-what-the-ledger-believes.md.
public final class Ledger: RecordStore {
    /// How long the end of the service waits for a disk: less than systemd waits for the service.
    public static let closeTimeout: Duration = .milliseconds(1_500)

    private let mailbox: LedgerMailbox
    private let thread: WorkerThread
    private var wasClosed = false
    private var hasEnded = false

    /// Has the ledger at `path` opened, or a new one begun where there never was any. Nothing here
    /// waits for the disk: ``StoreAnswer/opened(_:_:)`` tells when it is open, and
    /// ``StoreAnswer/failed(_:)`` why it is not; it is tried again until it is. Throws where no
    /// thread can be had. `trial` is the clock of a trial, whose ledger is no gate's.
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

    /// Has the thread write down `records`.
    public func write(_ records: [Record], at time: Instant, confirms: Bool) {
        mailbox.leave(records, at: time, confirms: confirms)
    }

    /// Has the thread tell when all that was left is durable.
    public func confirm(_ number: UInt64) { mailbox.confirm(number) }

    /// Has the thread write what was left while the gate took over what the file held.
    public func takeOver() { mailbox.takeOver() }

    /// Has the thread sign what is held.
    public func sign() { mailbox.sign() }

    /// Hands over the answers that wait.
    public func takeAnswers() -> [StoreAnswer] { mailbox.takeAnswers() }

    /// Has all written that waits, or tried once more, and gives the file back; for `timeout` at
    /// most, since a disk may hang. Returns whether all was written. What comes after it is lost.
    @discardableResult
    public func close(within timeout: Duration = closeTimeout) -> Bool {
        wasClosed = true
        mailbox.close()
        if !hasEnded { hasEnded = thread.join(within: timeout) }
        return mailbox.isAllWritten
    }
}

/// How often a ledger is tried that cannot be opened or written.
struct Pace: Sendable {
    /// How long after the first failure to open it.
    var first: Duration = .milliseconds(100)
    /// How long at most; from the first on where only a person can help.
    var longest: Duration = .seconds(5)
    /// How long after a failure to write.
    var write: Duration = .seconds(1)
}
