import StateMachines

/// A rate limit: a burst, then one more in each interval.
struct Allowance: Sendable {
    /// The burst.
    static let most = 10
    /// The interval.
    static let interval: Duration = .milliseconds(50)

    private let most: Int
    private let interval: Duration
    /// When the full burst is available again.
    private var fullAt: Instant

    /// A full burst; the defaults are those of questions.
    init(at now: Instant, most: Int = Self.most, interval: Duration = Self.interval) {
        (fullAt, self.most, self.interval) = (now, most, interval)
    }

    func isFull(at now: Instant) -> Bool { fullAt <= now }

    /// Whether one more is allowed now.
    func allows(at now: Instant) -> Bool { next <= now }

    /// When one more is allowed.
    var next: Instant { fullAt + interval - interval * most }

    mutating func take(at now: Instant) -> Bool {
        guard allows(at: now) else { return false }
        fullAt = max(fullAt, now) + interval
        return true
    }

    /// Adds what another one has used, up to the burst.
    mutating func add(_ other: Allowance, at now: Instant) {
        let gone = max(.zero, other.fullAt - now)
        fullAt = min(now + interval * most, max(fullAt, now) + gone)
    }
}

/// The rate limits of each sender, and of all together. Only those who may operate count: see
/// ``Conversation``.
struct Throttle: Sendable {
    /// How many senders are distinguished at once; others are refused.
    static let mostSenders = 64

    private var senders: [(name: String, allowance: Allowance)] = []
    private var all: Allowance

    init(at now: Instant) { all = Allowance(at: now) }

    /// Counts a question of the sender; returns whether it is allowed.
    mutating func take(from sender: String, at now: Instant) -> Bool {
        if let index = senders.firstIndex(where: { $0.name == sender }) {
            return senders[index].allowance.take(at: now)
        }
        if senders.count >= Self.mostSenders {
            senders.removeAll { $0.allowance.isFull(at: now) }
            // So many senders at once are a flood.
            guard senders.count < Self.mostSenders else { return false }
        }
        var allowance = Allowance(at: now)
        let isAllowed = allowance.take(at: now)
        senders.append((sender, allowance))
        return isAllowed
    }

    mutating func take(at now: Instant) -> Bool { all.take(at: now) }
}
