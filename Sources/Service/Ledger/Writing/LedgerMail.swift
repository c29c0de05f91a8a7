import Keeping
import StateMachines
import System
import Turnstile

/// Where the loop leaves its records, and the writer its answers.
typealias LedgerMailbox = Mailbox<LedgerMail>

/// What lies there. Nothing in it allocates once the lists are long enough: a list is exchanged
/// for an empty one and comes back.
struct LedgerMail {
    fileprivate var entries: [Entry] = []
    fileprivate var work = Work()
    fileprivate var answers: [Answer] = []
    fileprivate var isAllWritten = false

    /// How long a list is made at first: more than one event brings, or a slow commit holds up.
    static let listCapacity = 256

    init() { entries.reserveCapacity(Self.listCapacity) }

    struct Answer {
        var told: StoreAnswer
        /// How many confirmations had been asked for when the writer last took records.
        var asked: Int
    }

    /// What there is to do beside the entries.
    struct Work {
        /// How many confirmations the gate has asked for.
        var asked = 0
        /// The number of the last confirmation that others have asked for.
        var number: UInt64 = 0
        var isToSign = false
        /// Whether the gate has taken over what the file held.
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

    /// Has the writer end once all that was left is written, or could not be.
    func close() { postToThread { $0.work.isLast = true } }

    var isAllWritten: Bool { open { $0.isAllWritten } }

    /// Takes the answers. Drops those to confirmations that a newer one has superseded.
    func takeAnswers() -> [StoreAnswer] {
        forLoop.reset()
        return open { mail in
            defer { mail.answers.removeAll(keepingCapacity: true) }
            return mail.answers.compactMap {
                $0.told == .stored && $0.asked < mail.work.asked ? nil : $0.told
            }
        }
    }
}

// For the writer.
extension LedgerMailbox {
    /// Exchanges the records that were left for the empty list `entries`.
    func take(_ entries: inout [Entry]) -> LedgerMail.Work {
        open { mail in
            swap(&entries, &mail.entries)
            defer { mail.work.isToSign = false }
            return mail.work
        }
    }

    func end(isAllWritten: Bool) { open { $0.isAllWritten = isAllWritten } }

    func answer(_ told: StoreAnswer, asked: Int) {
        postToLoop { $0.answers.append(LedgerMail.Answer(told: told, asked: asked)) }
    }
}
