import StateMachines
import System

/// Limits the rate of calls, so that a flood over any number of connections delays no other user.
///
/// Each connection may call at a low rate. Beyond that its calls count for its user. A few early
/// calls wait; all others are dropped without an answer, which would cost as much as the call.
struct Intake: Sendable {
    /// A connection's burst of calls, and the interval in which one more is allowed.
    static let (mostOfSender, senderInterval): (Int, Duration) = (16, .milliseconds(200))
    /// Beyond that, a user's, over all their connections.
    static let (mostOfUser, userInterval): (Int, Duration) = (256, .milliseconds(4))
    /// How many calls wait at once: of all users, and of one.
    static let (mostWaiting, mostOfUserWaiting) = (32, 16)
    /// How many connections are distinguished; a bus gives a user 256.
    static let mostSenders = 512

    /// The fate of a call.
    enum Verdict: Equatable, Sendable {
        /// Handled now.
        case taken
        /// Handled later.
        case waits
        /// Dropped.
        case dropped
    }

    /// Calls that count together.
    private enum Party: Hashable, Sendable {
        case user(UInt32)
        /// A connection whose user is not known yet.
        case connection(String)
    }

    private struct Sender: Sendable {
        var allowance: Allowance
        var user: UInt32?
        var isAsked = false
    }

    private var senders: [String: Sender] = [:]
    private var parties: [Party: Allowance] = [:]
    /// In order of arrival.
    private var waiting: [(sender: String, call: BusMessage)] = []
    private var unknown: [String] = []

    /// The connections so busy that their users have to be looked up.
    mutating func takeUnknown() -> [String] {
        defer { unknown = [] }
        return unknown
    }

    /// Handles, queues or drops a call.
    mutating func take(_ call: BusMessage, at now: Instant) -> Verdict {
        let name = call.sender ?? ""
        if senders[name] == nil, senders.count >= Self.mostSenders { forget(at: now) }
        guard senders[name] != nil || senders.count < Self.mostSenders else { return .dropped }
        var sender = senders[name] ?? Sender(allowance: .ofSender(at: now))
        defer { senders[name] = sender }
        // The calls of a connection stay in order.
        if !waiting.contains(where: { $0.sender == name }) {
            if sender.allowance.take(at: now) { return .taken }
            if sender.user == nil, !sender.isAsked {
                sender.isAsked = true
                unknown.append(name)
            }
        }
        let party = Self.party(of: name, sender)
        let theirs = waiting.count { self.party(of: $0.sender) == party }
        if theirs == 0, parties[party, default: .ofUser(at: now)].take(at: now) { return .taken }
        guard waiting.count < Self.mostWaiting, theirs < Self.mostOfUserWaiting else {
            return .dropped
        }
        waiting.append((name, call))
        return .waits
    }

    /// The connection's user is known: its calls count for the user.
    mutating func identified(_ name: String, as user: UInt32, at now: Instant) {
        if senders[name] == nil, senders.count >= Self.mostSenders { forget(at: now) }
        guard senders[name] != nil || senders.count < Self.mostSenders else { return }
        senders[name, default: Sender(allowance: .ofSender(at: now))].user = user
        guard let own = parties.removeValue(forKey: .connection(name)) else { return }
        parties[.user(user), default: .ofUser(at: now)].add(own, at: now)
    }

    /// When a waiting call is due; nil if none waits.
    var deadline: Instant? {
        waiting.map { parties[party(of: $0.sender)]?.next ?? .zero }.min()
    }

    /// Takes the calls that are due.
    mutating func takeDue(at now: Instant) -> [BusMessage] {
        var due: [BusMessage] = []
        var left: [(sender: String, call: BusMessage)] = []
        for (name, call) in waiting {
            if parties[party(of: name), default: .ofUser(at: now)].take(at: now) {
                due.append(call)
            } else {
                left.append((name, call))
            }
        }
        waiting = left
        return due
    }

    /// Takes all waiting calls.
    mutating func takeAll() -> [BusMessage] {
        defer { waiting = [] }
        return waiting.map(\.call)
    }

    private func party(of name: String) -> Party { Self.party(of: name, senders[name]) }

    private static func party(of name: String, _ sender: Sender?) -> Party {
        sender?.user.map { .user($0) } ?? .connection(name)
    }

    /// Forgets idle connections and users.
    private mutating func forget(at now: Instant) {
        let those = Set(waiting.map(\.sender))
        senders = senders.filter { those.contains($0.key) || !$0.value.allowance.isFull(at: now) }
        let kept = Set(senders.map { Self.party(of: $0.key, $0.value) })
        parties = parties.filter { kept.contains($0.key) || !$0.value.isFull(at: now) }
    }
}

extension Allowance {
    fileprivate static func ofSender(at now: Instant) -> Allowance {
        Allowance(at: now, most: Intake.mostOfSender, interval: Intake.senderInterval)
    }

    fileprivate static func ofUser(at now: Instant) -> Allowance {
        Allowance(at: now, most: Intake.mostOfUser, interval: Intake.userInterval)
    }
}
