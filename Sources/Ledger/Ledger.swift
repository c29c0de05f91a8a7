public import StateMachines
public import System
public import Turnstile

/// The records of a gate in a file of SQLite, written by a thread of its own.
///
/// See docs/decisions/0020-the-quiet-time-pays-for-the-disk.md.
public final class Ledger: RecordStore {
    /// What was held for people when the service last ended.
    public let holdings: Holdings
    /// What was counted until then.
    public let books: Books

    private let desk: Desk
    private let thread: WorkerThread
    private var isClosed = false

    /// Opens the ledger at `path`, or begins a new one where there is no file.
    ///
    /// Throws where there can be none, and for a file that is damaged or none of this service's:
    /// nothing of it is changed then.
    ///
    /// - Parameters:
    ///   - bootID: Which boot this is, for the records.
    public init(path: String, bootID: String) throws(LedgerError) {
        let file = try LedgerFile(path: path, bootID: bootID)
        holdings = file.contents.holdings
        books = file.contents.books
        do {
            let desk = try Desk()
            let writer = Writer(desk, file)
            self.desk = desk
            thread = try WorkerThread { writer.run() }
        } catch {
            throw LedgerError(error)
        }
    }

    deinit { close() }

    /// Readable while there are answers.
    public var descriptor: CInt { desk.answered.descriptor }

    /// Has the thread write down `records`.
    public func write(_ records: [Record], at time: Instant, confirms: Bool) {
        desk.leave(records, at: time, confirms: confirms)
    }

    /// Hands over the answers that wait.
    public func takeAnswers() -> [StoreAnswer] { desk.takeAnswers() }

    /// Waits until all is written, or could not be at the last attempt, and gives the file back:
    /// for `patience` at most, or as long as it takes. What is written after it is lost.
    public func close(within patience: Duration? = nil) {
        guard !isClosed else { return }
        isClosed = true
        desk.close()
        thread.join(within: patience)
    }
}
