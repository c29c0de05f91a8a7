import StateMachines

/// How much may be asked for: so much at once, then so much in a second.
struct Allowance: Sendable {
    /// How many questions at once.
    static let most = 10
    /// How long one takes to come back.
    static let interval: Duration = .milliseconds(50)

    private let most: Int
    private let interval: Duration
    /// When all of it is back.
    private var fullAt: Instant

    /// All of it: by default, of questions.
    init(at now: Instant, most: Int = Self.most, interval: Duration = Self.interval) {
        (fullAt, self.most, self.interval) = (now, most, interval)
    }

    func isFull(at now: Instant) -> Bool { fullAt <= now }

    /// Whether one more is allowed now.
    func allows(at now: Instant) -> Bool { next <= now }

    /// From when on one more is allowed.
    var next: Instant { fullAt + interval - interval * most }

    mutating func take(at now: Instant) -> Bool {
        guard allows(at: now) else { return false }
        fullAt = max(fullAt, now) + interval
        return true
    }

    /// Takes what is gone of another one as well, and no more than there is.
    mutating func add(_ other: Allowance, at now: Instant) {
        let gone = max(.zero, other.fullAt - now)
        fullAt = min(now + interval * most, max(fullAt, now) + gone)
    }
}

/// What each may ask for, and all of them together.
///
/// Those alone are counted who may ask: see ``Conversation``.
struct Throttle: Sendable {
    /// How many senders are told apart; at once; others wait.
    static let mostSenders = 64

    private var senders: [(name: String, allowance: Allowance)] = []
    private var all: Allowance

    init(at now: Instant) { all = Allowance(at: now) }

    /// Takes one of what the sender may ask for; whether it was allowed.
    mutating func take(from sender: String, at now: Instant) -> Bool {
        if let index = senders.firstIndex(where: { $0.name == sender }) {
            return senders[index].allowance.take(at: now)
        }
        if senders.count >= Self.mostSenders {
            senders.removeAll { $0.allowance.isFull(at: now) }
            // As many at once are a flood, whoever they are.
            guard senders.count < Self.mostSenders else { return false }
        }
        var allowance = Allowance(at: now)
        let isAllowed = allowance.take(at: now)
        senders.append((sender, allowance))
        return isAllowed
    }

    mutating func take(at now: Instant) -> Bool { all.take(at: now) }
}
