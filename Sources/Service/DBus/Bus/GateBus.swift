import BusInterface
import StateMachines
public import System
import Turnstile

/// The service on a message bus, in a thread of its own, so that the bus never delays a line.
///
/// See docs/decisions/0034-the-bus-has-a-thread-of-its-own.md.
public final class GateBus {
    private let exchange: Exchange
    private let thread: WorkerThread
    private var wasClosed = false

    /// Starts a thread that joins `bus`, with retries. Throws if no thread can be made. Has to be
    /// called before the lines are requested: the thread must not hold their descriptors.
    public init(
        on bus: BusConnection.Bus, _ facts: GateFacts, for admission: Admission,
        _ exchange: Exchange
    ) throws(SystemError) {
        self.exchange = exchange
        thread = try WorkerThread {
            BusThread(bus, facts, admission, exchange).run()
        }
    }

    deinit { if !wasClosed { close(within: .seconds(1)) } }

    /// Leaves the bus, after answering pending calls with an error. Waits this long at most.
    public func close(within timeout: Duration) {
        guard !wasClosed else { return }
        wasClosed = true
        exchange.close()
        thread.join(within: timeout)
    }
}

/// The growing pause before the next attempt.
struct Retry: Sendable {
    static let shortest: Duration = .milliseconds(100)
    static let longest: Duration = .seconds(15)

    private var pause = shortest

    mutating func next() -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }
}

/// The body of the thread: waits, takes messages and posts, and handles them.
final class BusThread {
    /// How many messages are taken before the loop's posts.
    private static let mostAtOnce = 64
    /// How many messages may wait for a slow bus.
    static let mostUnsent = 1_024
    private static let joinTimeout: Duration = .seconds(10)
    /// The largest message in bytes, and in values: more than any policy needs. As many as may wait
    /// at once fit into the preallocated heap (docs/decisions/0041).
    static let (mostBytes, mostValues) = (32_768, 4_096)

    private let bus: BusConnection.Bus
    private let facts: GateFacts
    private let admission: Admission
    private let exchange: Exchange
    private var member: Member?
    private var retry = Retry()
    private var nextAttempt = Instant.zero
    /// The reported reasons for being off the bus: each is reported once.
    private var reportedReasons: Set<String> = []
    private var lastNumber: UInt64 = 0
    private var isClosing = false

    /// A connection, and its conversation.
    private final class Member {
        let connection: BusConnection
        var conversation: Conversation
        /// Calls to the bus itself, by number.
        var asked: [(number: UInt64, what: Asked)] = []
        /// The timeout for our name; nil once there was an answer.
        var joinsUntil: Instant?
        var hasAsked = false
        var isOwner = false

        init(_ connection: BusConnection, _ conversation: Conversation, joinsUntil: Instant) {
            self.connection = connection
            self.conversation = conversation
            self.joinsUntil = joinsUntil
        }

        /// Drops calls to the bus whose answer nobody awaits any more.
        func forgetUnanswered() {
            guard asked.count > Conversation.mostUnknown,
                let index = asked.firstIndex(where: { $0.what != .name })
            else { return }
            asked.remove(at: index)
        }
    }

    private enum Asked: Equatable {
        case name
        case caller(String)
    }

    init(
        _ bus: BusConnection.Bus, _ facts: GateFacts, _ admission: Admission, _ exchange: Exchange
    ) {
        self.bus = bus
        self.facts = facts
        self.admission = admission
        self.exchange = exchange
    }

    func run() {
        while !isClosing {
            let now = MonotonicTimer.now
            if member == nil, nextAttempt <= now { join(at: now) }
            do throws(SystemError) {
                try serve(at: now)
            } catch {
                leave(because: "\(error)", at: now)
            }
            if !isClosing { wait() }
        }
    }

    private func wait() {
        guard let member else {
            _ = exchange.forBus.wait(within: max(.zero, nextAttempt - MonotonicTimer.now))
            return
        }
        let deadline = Instant.earliest(member.conversation.deadline, member.joinsUntil)
        member.connection.wait(until: deadline, or: [exchange.forBus.descriptor])
    }
}

// Coming and going.
extension BusThread {
    private func join(at now: Instant) {
        do throws(SystemError) {
            let connection = try BusConnection(
                to: bus, mostValues: Self.mostValues, mostBytes: Self.mostBytes)
            member = Member(
                connection, Conversation(facts, after: lastNumber, at: now),
                joinsUntil: now + Self.joinTimeout)
        } catch {
            leave(because: "\(error)", at: now)
        }
    }

    /// Requests our name, once connected. If another process owns it, the bus queues the request.
    private func askForName() throws(SystemError) {
        guard let connection = member?.connection, connection.isReady, member?.hasAsked == false
        else { return }
        let call = BusMessage.callOfBus(
            "RequestName", [.string(GateInterface.service), .uint32(0)])
        member?.asked.append((try connection.send(call), .name))
        member?.hasAsked = true
    }

    private func owns() {
        guard member?.isOwner == false else { return }
        member?.isOwner = true
        retry = Retry()
        reportedReasons = []
        exchange.note(.joined(member?.connection.uniqueName ?? ""))
        // Changes before were not signalled.
        member?.conversation.gateChanged()
    }

    /// Reports why we are off the bus; `kind` groups reasons with varying texts.
    private func reportAbsence(_ reason: String, kind: String? = nil) {
        member?.isOwner = false
        if reportedReasons.insert(kind ?? reason).inserted { exchange.note(.absent(reason)) }
    }

    private func leave(because reason: String, kind: String? = nil, at now: Instant) {
        if let member {
            lastNumber = member.conversation.lastNumber
            member.connection.close()
        }
        member = nil
        exchange.follow(false)
        nextAttempt = now + retry.next()
        reportAbsence(reason, kind: kind)
    }
}

// Incoming messages, and their handling.
extension BusThread {
    private func serve(at now: Instant) throws(SystemError) {
        let news = exchange.takeNews()
        isClosing = news.isClosing
        guard member != nil else { return }
        try askForName()
        try takeMessages(at: now)
        if let member {
            let room = Self.mostUnsent / 2 - member.connection.unsent
            member.conversation.receive(news, room: room, at: now)
        }
        member?.conversation.timePassed(at: now)
        if isClosing { member?.conversation.end("the service is stopping") }
        // Before the answer to its request.
        exchange.follow(member?.conversation.isFollowed ?? false)
        try perform()
        guard let member else { return }
        if isClosing { flush(member.connection) }
        if let limit = member.joinsUntil, limit <= now {
            leave(because: "the bus does not answer", at: now)
        } else if member.connection.unsent > Self.mostUnsent {
            leave(because: "the bus accepts no messages", at: now)
        }
    }

    private func takeMessages(at now: Instant) throws(SystemError) {
        for _ in 0..<Self.mostAtOnce {
            guard let message = try member?.connection.take() else { break }
            try askForName()
            if message.sender == "org.freedesktop.DBus" {
                receiveFromBus(message, at: now)
            } else {
                member?.conversation.receive(message, at: now)
            }
        }
        try askForName()
    }

    private func perform() throws(SystemError) {
        guard let connection = member?.connection else { return }
        for effect in member?.conversation.takeEffects() ?? [] {
            switch effect {
            case .send(let message): try connection.send(message)
            case .ask(let question): exchange.ask(question)
            case .look: exchange.requestSnapshot()
            case .identify(let name):
                let call = BusMessage.callOfBus("GetConnectionCredentials", [.string(name)])
                member?.forgetUnanswered()
                member?.asked.append((try connection.send(call), .caller(name)))
            case .watch(let name): try connection.send(Self.match("AddMatch", name))
            case .unwatch(let name): try connection.send(Self.match("RemoveMatch", name))
            case .forget(let call): connection.forget(call)
            }
        }
    }

    /// The call with which `AddMatch` subscribes to changes of this name's owner, and `RemoveMatch`
    /// unsubscribes.
    private static func match(_ member: String, _ name: String) -> BusMessage {
        let rule =
            "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(name)'"
        var call = BusMessage.callOfBus(member, [.string(rule)])
        call.expectsReply = false
        return call
    }

    /// Briefly flushes the waiting messages: the bus may be gone.
    private func flush(_ connection: BusConnection) {
        let end = MonotonicTimer.now + .milliseconds(100)
        while connection.unsent > 0, MonotonicTimer.now < end {
            guard (try? connection.take()) != nil else { break }
            connection.wait(until: end)
        }
    }
}

// Messages of the bus itself.
extension BusThread {
    private func receiveFromBus(_ message: BusMessage, at now: Instant) {
        let isOurs = message.body.first?.text == GateInterface.service
        if message.kind == .signal, isOurs, message.member == "NameAcquired" { owns() }
        if message.kind == .signal, isOurs, message.member == "NameLost" {
            reportAbsence("another has taken the name \(GateInterface.service)")
        }
        if message.kind == .signal, message.member == "NameOwnerChanged",
            let name = message.body.first?.text, message.body.last?.text == ""
        {
            member?.conversation.ownerLeft(name)
        }
        guard let member, let number = message.replySerial,
            let index = member.asked.firstIndex(where: { $0.number == number })
        else { return }
        switch member.asked.remove(at: index).what {
        case .name: receiveNameReply(message, at: now)
        case .caller(let name):
            member.conversation.identified(name, as: caller(message), at: now)
        }
    }

    private func receiveNameReply(_ message: BusMessage, at now: Instant) {
        member?.joinsUntil = nil
        if let text = message.errorText {
            // The text contains our unique name, which varies.
            return leave(because: text, kind: message.errorName, at: now)
        }
        switch message.body.first?.integer {
        case 1, 4: owns()
        case .some, nil: reportAbsence("another has the name \(GateInterface.service)")
        }
    }

    /// The caller by the credentials in the bus's reply; nil if they are missing.
    private func caller(_ message: BusMessage) -> Caller? {
        guard message.kind == .reply, let pairs = message.body.first?.pairs,
            let user = pairs.first(where: { $0.key == "UnixUserID" })?.value.integer
        else { return nil }
        let number = UInt32(clamping: user)
        let name = Users.name(of: number)
        let told = pairs.first { $0.key == "UnixGroupIDs" }?.value.elements
        let groups = told?.compactMap(\.integer).map { UInt32(clamping: $0) }
        guard
            var caller = Caller(
                user: number, groups: Set(groups ?? name.map { Users.groups(of: $0) } ?? []),
                name: name)
        else { return nil }
        caller.isAdmitted = admission.admits(caller, group: Users.group(named: Admission.group))
        return caller
    }
}
