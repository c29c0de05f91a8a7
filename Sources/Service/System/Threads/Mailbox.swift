import Locks
import Synchronization

/// What the loop's thread and another leave for one another, and how either wakes the other.
///
/// Either holds the lock for a few instructions. It lends the priority of the thread that waits.
package final class Mailbox<Contents: Sendable>: Sendable {
    /// Readable once something was left for the thread.
    package let forThread: EventFD
    /// Readable once something was left for the loop.
    package let forLoop: EventFD
    private let contents: Lock<Contents>

    /// A mailbox with these contents, that wakes nobody.
    package init(_ contents: Contents) throws(SystemError) {
        forThread = try EventFD()
        forLoop = try EventFD()
        self.contents = Lock(contents)
    }

    /// Looks into it, or changes what is in it, and wakes nobody.
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
