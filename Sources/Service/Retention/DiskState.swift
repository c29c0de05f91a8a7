import Locks
import Synchronization
import System
import Turnstile

/// The state on the disk, which a thread of its own reads and writes: a disk may hang.
///
/// It writes the state that was given last; what was given while it wrote is written next.
final class DiskState: Sendable {
    private let bootID: String
    /// Wakes the thread.
    private let work: EventFD
    /// Whether the file was read.
    private let hasRead: EventFD
    private let mailbox = Lock(Mailbox())

    private struct Mailbox {
        var found: Result<StateSlot?, RetentionError>?
        var wanted: RetainedState?
        var failure: RetentionError?
        var isClosing = false
    }

    /// Nothing is read yet.
    init(bootID: String) throws(SystemError) {
        self.bootID = bootID
        work = try EventFD()
        hasRead = try EventFD()
    }

    /// Why the state is not on the disk; nil while it is, or is on its way.
    var failure: RetentionError? { mailbox.withLock { $0.failure } }

    /// What the file held, once it was read: it is waited for that long. Nil where it was not.
    func found(within timeout: Duration) -> Result<StateSlot?, RetentionError>? {
        if let found = mailbox.withLock({ $0.found }) { return found }
        hasRead.wait(within: timeout)
        return mailbox.withLock { $0.found }
    }

    /// Has the thread write `state`.
    func keep(_ state: RetainedState) {
        mailbox.withLock { $0.wanted = state }
        work.signal()
    }

    /// Has the thread end once the last state is written, or could not be.
    func close() {
        mailbox.withLock { $0.isClosing = true }
        work.signal()
    }

    /// Reads the file at `path`, then writes it until it is closed: the body of the thread.
    func run(path: String) {
        let file = StateFile(path: path, isDurable: true)
        let found = Result { () throws(RetentionError) in try file.read() }
        mailbox.withLock { $0.found = found }
        hasRead.signal()
        var isLast = false
        while !isLast {
            work.wait()
            let state: RetainedState?
            (state, isLast) = mailbox.withLock { mailbox in
                defer { mailbox.wanted = nil }
                return (mailbox.wanted, mailbox.isClosing)
            }
            guard let state else { continue }
            let outcome = Result { () throws(RetentionError) in
                try file.write(state, bootID: bootID)
            }
            mailbox.withLock { mailbox in
                if case .failure(let error) = outcome {
                    mailbox.failure = error
                } else {
                    mailbox.failure = nil
                }
            }
        }
    }
}
