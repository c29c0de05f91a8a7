import StateMachines

/// The followers of edges, by unique name, each with the end of its lease.
struct Followers: Sendable {
    /// The most at once: each edge is a message to each.
    static let most = 4
    static let longestLease: Duration = .seconds(60)

    private var leases: [(name: String, until: Instant)] = []

    var names: [String] { leases.map(\.name) }

    /// When the first lease ends; nil without followers.
    var deadline: Instant? { leases.map(\.until).min() }

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

    /// Returns whether the follower existed.
    mutating func end(_ name: String) -> Bool {
        let before = leases.count
        leases.removeAll { $0.name == name }
        return leases.count < before
    }

    /// Removes followers whose lease has ended; returns their names.
    mutating func expire(at now: Instant) -> [String] {
        let over = leases.filter { $0.until <= now }.map(\.name)
        leases.removeAll { $0.until <= now }
        return over
    }
}
