import StateMachines

/// Those who hear of each edge, by the names that the bus gives them, each until then.
struct Followers: Sendable {
    /// How many there may be at once: each edge is a message to each.
    static let most = 4
    static let longestLease: Duration = .seconds(60)

    private var leases: [(name: String, until: Instant)] = []

    var names: [String] { leases.map(\.name) }

    /// When the first lease ends; nil where nobody follows.
    var deadline: Instant? { leases.map(\.until).min() }

    /// What became of somebody who wants to follow.
    enum Answer {
        case began
        case renewed
        case refused
    }

    mutating func follow(_ name: String, until: Instant) -> Answer {
        if let index = leases.firstIndex(where: { $0.name == name }) {
            leases[index].until = until
            return .renewed
        }
        guard leases.count < Self.most else { return .refused }
        leases.append((name, until))
        return .began
    }

    /// Somebody no longer follows; whether they did.
    mutating func end(_ name: String) -> Bool {
        let before = leases.count
        leases.removeAll { $0.name == name }
        return leases.count < before
    }

    /// Those whose lease is over no longer follow; returns their names.
    mutating func expire(at now: Instant) -> [String] {
        let over = leases.filter { $0.until <= now }.map(\.name)
        leases.removeAll { $0.until <= now }
        return over
    }
}
