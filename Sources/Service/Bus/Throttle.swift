import StateMachines

/// How much may be asked for: so much at once, then so much in a second.
struct Allowance: Sendable {
    static let most = 10
    /// How long one takes to come back.
    static let interval: Duration = .milliseconds(50)

    /// When all of it is back.
    private var fullAt: Instant

    init(at now: Instant) { fullAt = now }

    func isFull(at now: Instant) -> Bool { fullAt <= now }

    func allows(at now: Instant) -> Bool {
        fullAt + Self.interval <= now + Self.interval * Self.most
    }

    mutating func take(at now: Instant) -> Bool {
        guard allows(at: now) else { return false }
        fullAt = max(fullAt, now) + Self.interval
        return true
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
