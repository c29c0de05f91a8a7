import StateMachines
import System
import Turnstile

/// The state on the disk, which a thread of its own reads and writes: a disk may hang.
///
/// It writes the state that was given last; what was given while it wrote is written next.
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

    /// Why the state is not on the disk; nil while it is, or is on its way.
    var failure: RetentionError? { mailbox.open { $0.failure } }

    /// What the file held, once it was read: it is waited for that long. Nil where it was not.
    func found(within timeout: Duration) -> Result<StateSlot?, RetentionError>? {
        if let found = mailbox.open({ $0.found }) { return found }
        mailbox.forLoop.wait(within: timeout)
        return mailbox.open { $0.found }
    }

    func keep(_ state: RetainedState) { mailbox.postToThread { $0.wanted = state } }

    /// Has the thread end once the last state is written, or could not be.
    func close() { mailbox.postToThread { $0.isClosing = true } }

    /// Reads the file at `path`, then writes it until it is closed: the body of the thread.
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
