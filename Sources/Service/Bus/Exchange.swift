import Synchronization
public import System
import Turnstile

/// Where the loop's thread and that of the bus leave things for one another.
///
/// Either holds the lock for a few instructions. All that is kept is bounded: questions by the
/// conversation, records here.
public final class Exchange: Sendable {
    /// How many records wait at most for the thread of the bus; those that come beyond are counted.
    static let mostRecords = 1_024
    /// The same of what happens at the lines.
    static let mostEdges = 256

    /// Wakes the loop.
    public var forLoop: EventFD { mailbox.forLoop }
    var forBus: EventFD { mailbox.forThread }
    private let joined = Atomic(false)
    private let followed = Atomic(false)
    private let mailbox: Mailbox<Contents>

    /// What the loop is to do.
    public struct Work: Sendable {
        /// The question that has waited longest.
        public var question: Question?
        /// Whether somebody wants to see the gate.
        public var wantsSnapshot = false
        package var notices: [BusNotice] = []
    }

    struct News {
        var replies: [Reply] = []
        /// All that was asked for up to this number is durable.
        var confirmed: UInt64 = 0
        /// Some of what was asked for up to this number is lost.
        var unconfirmed: UInt64 = 0
        /// What was seen, where somebody has looked: nothing, where there are no lines.
        var seen: GateSnapshot??
        var hasChanged = false
        var records: [BusRecord] = []
        /// How many records came after these, and are missing.
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
    /// Whether somebody on the bus could hear of what happens.
    public var isJoined: Bool { joined.load(ordering: .relaxed) }

    /// Whether somebody there wants to hear of each edge.
    public var isFollowed: Bool { followed.load(ordering: .relaxed) }

    /// Takes what there is to do, and of the questions one: the loop is asked again for the others.
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

    /// All that was asked for up to this number is durable.
    public func confirm(_ number: UInt64) { post { $0.confirmed = max($0.confirmed, number) } }

    /// Some of what was asked for up to this number is lost, and will never be durable.
    public func markUnconfirmed(_ number: UInt64) {
        post { $0.unconfirmed = max($0.unconfirmed, number) }
    }

    /// Leaves what was seen of the gate; nil where there are no lines.
    public func postSnapshot(_ snapshot: GateSnapshot?) { post { $0.seen = .some(snapshot) } }

    /// Leaves what was recorded, and that something may have changed.
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

// For the thread of the bus.
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

    /// Has people know of the bus, and whether anybody there hears of what happens.
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
