import Locks
import StateMachines
import Synchronization
import System
import Turnstile

/// Where the loop's thread leaves its records, and the writer its answers.
///
/// Either holds the lock for a few instructions, and none of them allocates once the lists are long
/// enough: a list is exchanged for an empty one and comes back. The lock lends the priority of
/// whoever waits for it.
final class Mailbox: Sendable {
    /// Wakes the writer.
    let work: EventFD
    /// Wakes the loop.
    let answered: EventFD
    private let contents = Lock(Contents())

    private struct Contents {
        var entries: [Entry] = []
        /// How many confirmations were asked for.
        var asked = 0
        /// The number of the last confirmation that others than the gate have asked for.
        var number: UInt64 = 0
        /// Whether what is held is to be signed.
        var isToSign = false
        var answers: [Answer] = []
        var isClosing = false
        var isAllWritten = false

        init() { entries.reserveCapacity(Mailbox.listCapacity) }
    }

    /// How long a list is made at first: more than one event brings, or a slow commit holds up.
    static let listCapacity = 256

    /// What the writer has to say.
    struct Answer {
        /// What the loop is told.
        var told: StoreAnswer
        /// How many confirmations had been asked for when the writer last took records.
        var asked: Int
    }

    /// What the writer is to do.
    struct Work {
        /// How many confirmations were asked for so far.
        var asked: Int
        /// The number of the last confirmation that others than the gate have asked for.
        var number: UInt64
        /// Whether what is held is to be signed.
        var isToSign: Bool
        /// Whether this is the last that there is to do.
        var isLast: Bool
    }

    /// An empty mailbox.
    init() throws(SystemError) {
        work = try EventFD()
        answered = try EventFD()
    }
}

// For the loop.
extension Mailbox {
    /// Leaves records for the writer.
    func leave(_ records: [Record], at time: Instant, confirms: Bool) {
        contents.withLock { contents in
            for record in records { contents.entries.append(Entry(record: record, time: time)) }
            if confirms { contents.asked += 1 }
        }
        work.signal()
    }

    /// Has the writer tell when all that was left is durable.
    func confirm(_ number: UInt64) {
        contents.withLock { $0.number = number }
        work.signal()
    }

    /// Has the writer sign what is held.
    func sign() {
        contents.withLock { $0.isToSign = true }
        work.signal()
    }

    /// Has the writer end once all that was left is written, or could not be.
    func close() {
        contents.withLock { $0.isClosing = true }
        work.signal()
    }

    /// Whether the writer has ended, with all written that was left.
    var isAllWritten: Bool { contents.withLock { $0.isAllWritten } }

    /// Takes the answers. One to a confirmation after which another was asked for is none: the
    /// last one counts.
    func takeAnswers() -> [StoreAnswer] {
        answered.reset()
        return contents.withLock { contents in
            defer { contents.answers.removeAll(keepingCapacity: true) }
            return contents.answers.compactMap {
                $0.told == .stored && $0.asked < contents.asked ? nil : $0.told
            }
        }
    }
}

// For the writer.
extension Mailbox {
    /// Exchanges the records that were left for the empty list `entries`.
    func take(_ entries: inout [Entry]) -> Work {
        contents.withLock { contents in
            swap(&entries, &contents.entries)
            defer { contents.isToSign = false }
            return Work(
                asked: contents.asked, number: contents.number, isToSign: contents.isToSign,
                isLast: contents.isClosing)
        }
    }

    /// Has the loop know whether all was written in the end.
    func end(isAllWritten: Bool) { contents.withLock { $0.isAllWritten = isAllWritten } }

    /// Leaves an answer for the loop.
    func answer(_ told: StoreAnswer, asked: Int) {
        contents.withLock { $0.answers.append(Answer(told: told, asked: asked)) }
        answered.signal()
    }
}
