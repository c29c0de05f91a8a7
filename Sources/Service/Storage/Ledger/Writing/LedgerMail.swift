import Keeping
import StateMachines
import System
import Turnstile

/// Passes records from the loop to the writer, and answers back.
typealias LedgerMailbox = Mailbox<LedgerMail>

/// The mailbox's contents. Full lists are swapped for empty ones: nothing allocates once they are
/// long enough.
struct LedgerMail {
    fileprivate var entries: [Entry] = []
    fileprivate var work = Work()
    fileprivate var answers: [Answer] = []
    fileprivate var isAllWritten = false

    /// The lists' initial capacity: more than accumulates during one event or a slow commit.
    static let listCapacity = 256

    init() { entries.reserveCapacity(Self.listCapacity) }

    struct Answer {
        var answer: StoreAnswer
        /// How many confirmations the gate had requested when the writer last took records.
        var asked: Int
    }

    /// Requests beside the entries.
    struct Work {
        /// How many confirmations the gate has requested.
        var asked = 0
        /// The last confirmation that the controller has requested.
        var number: UInt64 = 0
        var isToSign = false
        /// Whether the gate has taken over the file's balances.
        var isTakenOver = false
        var isLast = false
    }
}

// For the loop.
extension LedgerMailbox {
    func leave(_ records: [Record], at time: Instant, confirms: Bool) {
        postToThread { mail in
            for record in records { mail.entries.append(Entry(record: record, time: time)) }
            if confirms { mail.work.asked += 1 }
        }
    }

    func confirm(_ number: UInt64) { postToThread { $0.work.number = number } }

    func takeOver() { postToThread { $0.work.isTakenOver = true } }

    func sign() { postToThread { $0.work.isToSign = true } }

    /// Has the writer end after a last attempt to write all.
    func close() { postToThread { $0.work.isLast = true } }

    var isAllWritten: Bool { open { $0.isAllWritten } }

    /// Takes the answers. Drops those to confirmations that a newer one has superseded.
    func takeAnswers() -> [StoreAnswer] {
        forLoop.reset()
        return open { mail in
            defer { mail.answers.removeAll(keepingCapacity: true) }
            return mail.answers.compactMap {
                $0.answer == .durable && $0.asked < mail.work.asked ? nil : $0.answer
            }
        }
    }
}

// For the writer.
extension LedgerMailbox {
    /// Swaps the records for the empty list `entries`.
    func take(_ entries: inout [Entry]) -> LedgerMail.Work {
        open { mail in
            swap(&entries, &mail.entries)
            defer { mail.work.isToSign = false }
            return mail.work
        }
    }

    func end(isAllWritten: Bool) { open { $0.isAllWritten = isAllWritten } }

    func answer(_ answer: StoreAnswer, asked: Int) {
        postToLoop { $0.answers.append(LedgerMail.Answer(answer: answer, asked: asked)) }
    }
}
