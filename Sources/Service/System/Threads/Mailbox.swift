import Locks
import Synchronization

/// Data shared between the loop's thread and another, with a wake-up of each.
///
/// Each holds the lock for a few instructions. The lock inherits the priority of a waiting thread.
package final class Mailbox<Contents: Sendable>: Sendable {
    /// Readable once something was left for the thread.
    package let forThread: EventFD
    /// Readable once something was left for the loop.
    package let forLoop: EventFD
    private let contents: Lock<Contents>

    /// A mailbox with these contents; wakes no thread.
    package init(_ contents: Contents) throws(SystemError) {
        forThread = try EventFD()
        forLoop = try EventFD()
        self.contents = Lock(contents)
    }

    /// Reads or changes the contents without a wake-up.
    package func open<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
        contents.withLock { body(&$0) }
    }

    /// Leaves something for the thread.
    package func postToThread(_ change: (inout Contents) -> Void) {
        open(change)
        forThread.signal()
    }

    /// Leaves something for the loop.
    package func postToLoop(_ change: (inout Contents) -> Void) {
        open(change)
        forLoop.signal()
    }
}
