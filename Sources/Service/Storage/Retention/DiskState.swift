import StateMachines
import System
import Turnstile

/// The state on the disk, read and written by a thread of its own, since a disk may hang.
///
/// It writes the latest state; one that is set during a write is written next.
final class DiskState: Sendable {
    private let bootID: String
    private let mailbox: Mailbox<Mail>

    private struct Mail {
        var found: Result<StateSlot?, RetentionError>?
        var wanted: RetainedState?
        var failure: RetentionError?
        var isClosing = false
    }

    init(bootID: String) throws(SystemError) {
        self.bootID = bootID
        mailbox = try Mailbox(Mail())
    }

    /// Why the state is not on the disk; nil while it is, or is being written.
    var failure: RetentionError? { mailbox.open { $0.failure } }

    /// The file's state, for which this waits at most so long; nil if it was not read by then.
    func found(within timeout: Duration) -> Result<StateSlot?, RetentionError>? {
        if let found = mailbox.open({ $0.found }) { return found }
        mailbox.forLoop.wait(within: timeout)
        return mailbox.open { $0.found }
    }

    func keep(_ state: RetainedState) { mailbox.postToThread { $0.wanted = state } }

    /// Ends the thread after an attempt to write the last state.
    func close() { mailbox.postToThread { $0.isClosing = true } }

    /// The body of the thread: reads the file at `path`, then writes it until it is closed.
    func run(path: String) {
        let file = StateFile(path: path, isDurable: true)
        let found = Result { () throws(RetentionError) in try file.read() }
        mailbox.postToLoop { $0.found = found }
        var isLast = false
        while !isLast {
            mailbox.forThread.wait()
            let state: RetainedState?
            (state, isLast) = mailbox.open { mail in
                defer { mail.wanted = nil }
                return (mail.wanted, mail.isClosing)
            }
            guard let state else { continue }
            let outcome = Result { () throws(RetentionError) in
                try file.write(state, bootID: bootID)
            }
            mailbox.open { mail in
                if case .failure(let error) = outcome {
                    mail.failure = error
                } else {
                    mail.failure = nil
                }
            }
        }
    }
}
