import StateMachines
import System

/// Which calls are taken up, so that whoever floods the bus holds up nobody else, over however many
/// connections.
///
/// A connection may call now and then, whoever else does. Beyond that its calls are those of its
/// user. Some that come too soon wait; all others are dropped, without an answer: that would take
/// the bus and us as long as the call.
struct Intake: Sendable {
    /// How many calls one connection may make at once, and how long one takes to come back.
    static let (mostOfSender, senderInterval): (Int, Duration) = (16, .milliseconds(200))
    /// The same of a user, over all of their connections, beyond that.
    static let (mostOfUser, userInterval): (Int, Duration) = (256, .milliseconds(4))
    /// How many calls wait at once: of all, and of one user.
    static let (mostWaiting, mostOfUserWaiting) = (32, 16)
    /// How many connections are told apart at once; a bus gives a user 256.
    static let mostSenders = 512

    /// What becomes of a call.
    enum Verdict: Equatable, Sendable {
        /// It is taken up now.
        case taken
        /// It is taken up later.
        case waits
        /// Never.
        case dropped
    }

    /// Whose calls are counted together.
    private enum Party: Hashable, Sendable {
        case user(UInt32)
        /// A connection of which nobody knows yet whose it is.
        case connection(String)
    }

    private struct Sender: Sendable {
        var allowance: Allowance
        var user: UInt32?
        var isAsked = false
    }

    private var senders: [String: Sender] = [:]
    private var parties: [Party: Allowance] = [:]
    /// In the order in which they came.
    private var waiting: [(sender: String, call: BusMessage)] = []
    private var unknown: [String] = []

    /// Hands over who calls so much that it has to be known whose connections they are.
    mutating func takeUnknown() -> [String] {
        defer { unknown = [] }
        return unknown
    }

    /// Takes a call, or has it wait.
    mutating func take(_ call: BusMessage, at now: Instant) -> Verdict {
        let name = call.sender ?? ""
        if senders[name] == nil, senders.count >= Self.mostSenders { forget(at: now) }
        guard senders[name] != nil || senders.count < Self.mostSenders else { return .dropped }
        var sender = senders[name] ?? Sender(allowance: .ofSender(at: now))
        defer { senders[name] = sender }
        // No call of a connection overtakes another one.
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

    /// It is known whose connection it is: what it has taken is the user's.
    mutating func identified(_ name: String, as user: UInt32, at now: Instant) {
        if senders[name] == nil, senders.count >= Self.mostSenders { forget(at: now) }
        guard senders[name] != nil || senders.count < Self.mostSenders else { return }
        senders[name, default: Sender(allowance: .ofSender(at: now))].user = user
        guard let own = parties.removeValue(forKey: .connection(name)) else { return }
        parties[.user(user), default: .ofUser(at: now)].add(own, at: now)
    }

    /// When a call that waits may be taken up; nil where none waits.
    var deadline: Instant? {
        waiting.map { parties[party(of: $0.sender)]?.next ?? .zero }.min()
    }

    /// Hands over the calls whose time has come.
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

    /// Hands over all that waits.
    mutating func takeAll() -> [BusMessage] {
        defer { waiting = [] }
        return waiting.map(\.call)
    }

    private func party(of name: String) -> Party { Self.party(of: name, senders[name]) }

    private static func party(of name: String, _ sender: Sender?) -> Party {
        sender?.user.map { .user($0) } ?? .connection(name)
    }

    /// Forgets those who have not called for long.
    private mutating func forget(at now: Instant) {
        let those = Set(waiting.map(\.sender))
        senders = senders.filter { those.contains($0.key) || !$0.value.allowance.isFull(at: now) }
        let kept = Set(senders.map { Self.party(of: $0.key, $0.value) })
        parties = parties.filter { kept.contains($0.key) || !$0.value.isFull(at: now) }
    }
}

extension Allowance {
    /// That of one connection.
    fileprivate static func ofSender(at now: Instant) -> Allowance {
        Allowance(at: now, most: Intake.mostOfSender, interval: Intake.senderInterval)
    }

    /// That of a user.
    fileprivate static func ofUser(at now: Instant) -> Allowance {
        Allowance(at: now, most: Intake.mostOfUser, interval: Intake.userInterval)
    }
}
