import Synchronization
public import System
import Turnstile

/// Passes questions, answers and events between the loop's and the bus's thread.
///
/// Each holds the lock for a few instructions. All lists are bounded: questions by the
/// conversation, records here.
public final class Exchange: Sendable {
    /// How many records wait at most for the bus thread; more are only counted.
    static let mostRecords = 1_024
    /// How many edges wait at most.
    static let mostEdges = 256

    /// Wakes the loop.
    public var forLoop: EventFD { mailbox.forLoop }
    var forBus: EventFD { mailbox.forThread }
    private let joined = Atomic(false)
    private let followed = Atomic(false)
    private let mailbox: Mailbox<Contents>

    /// Work for the loop.
    public struct Work: Sendable {
        /// The oldest question.
        public var question: Question?
        /// Whether a snapshot of the gate is requested.
        public var wantsSnapshot = false
        package var notices: [BusNotice] = []
    }

    struct News {
        var replies: [Reply] = []
        /// The effects of requests up to this number are durable.
        var confirmed: UInt64 = 0
        /// Some effects of requests up to this number were lost.
        var unconfirmed: UInt64 = 0
        /// A requested snapshot; inner nil without lines.
        var seen: GateSnapshot??
        var hasChanged = false
        var records: [BusRecord] = []
        /// How many records after these are missing.
        var lost: UInt64 = 0
        var edges = BoundedEdges(most: Exchange.mostEdges)
        var isClosing = false
    }

    private struct Contents {
        var questions: [Question] = []
        var work = Work()
        var news = News()
    }

    package init() throws(SystemError) {
        mailbox = try Mailbox(Contents())
    }
}

// For the loop.
extension Exchange {
    /// Whether the service is on the bus.
    public var isJoined: Bool { joined.load(ordering: .relaxed) }

    /// Whether a client follows the edges.
    public var isFollowed: Bool { followed.load(ordering: .relaxed) }

    /// Takes the work with one question: the loop is woken again for the others.
    public func takeWork() -> Work {
        forLoop.reset()
        let (work, isMore) = mailbox.open { contents in
            var work = contents.work
            contents.work = Work()
            if !contents.questions.isEmpty { work.question = contents.questions.removeFirst() }
            return (work, !contents.questions.isEmpty)
        }
        if isMore { forLoop.signal() }
        return work
    }

    package func answer(_ reply: Reply) { post { $0.replies.append(reply) } }

    /// The effects of requests up to this number are durable.
    public func confirm(_ number: UInt64) { post { $0.confirmed = max($0.confirmed, number) } }

    /// Some effects of requests up to this number were lost.
    public func markUnconfirmed(_ number: UInt64) {
        post { $0.unconfirmed = max($0.unconfirmed, number) }
    }

    /// Posts a snapshot of the gate; nil without lines.
    public func postSnapshot(_ snapshot: GateSnapshot?) { post { $0.seen = .some(snapshot) } }

    /// Posts records, and a possible change.
    public func post(_ records: [BusRecord], hasChanged: Bool) {
        post { news in
            let room = max(0, Self.mostRecords - news.records.count)
            news.records += records.prefix(room)
            news.lost += UInt64(max(0, records.count - room))
            news.hasChanged = news.hasChanged || hasChanged
        }
    }

    package func post(_ edges: [EdgeNews]) {
        post { news in for edge in edges { news.edges.add(edge) } }
    }

    func close() { post { $0.isClosing = true } }

    private func post(_ change: (inout News) -> Void) {
        mailbox.postToThread { change(&$0.news) }
    }
}

// For the bus thread.
extension Exchange {
    func takeNews() -> News {
        forBus.reset()
        return mailbox.open { contents in
            let news = contents.news
            contents.news = News()
            contents.news.confirmed = news.confirmed
            contents.news.unconfirmed = news.unconfirmed
            contents.news.isClosing = news.isClosing
            return news
        }
    }

    func ask(_ question: Question) { postWork { $0.questions.append(question) } }

    func requestSnapshot() { postWork { $0.work.wantsSnapshot = true } }

    func follow(_ isFollowed: Bool) { followed.store(isFollowed, ordering: .relaxed) }

    /// Posts a message about the bus, and whether the service is on it.
    func note(_ notice: BusNotice) {
        if case .joined = notice {
            joined.store(true, ordering: .relaxed)
        } else {
            joined.store(false, ordering: .relaxed)
        }
        postWork { $0.work.notices.append(notice) }
    }

    private func postWork(_ change: (inout Contents) -> Void) { mailbox.postToLoop(change) }
}
