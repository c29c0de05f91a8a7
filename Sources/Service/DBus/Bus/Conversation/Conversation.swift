import BusInterface
import StateMachines
import System
import Turnstile

/// Work for the owner of a conversation.
enum Consequence: Equatable, Sendable {
    case send(BusMessage)
    /// Look up the owner of this name.
    case identify(String)
    case ask(Question)
    /// Request a snapshot of the gate.
    case look
    /// Report when the owner of this name leaves the bus.
    case watch(String)
    case unwatch(String)
    /// Drop this call without an answer.
    case forget(BusMessage)
}

/// The service's protocol on the bus: messages and answers in, messages and questions out.
///
/// It knows neither a connection nor a gate. Every call that expects an answer gets exactly one,
/// except in a flood (``Intake``).
struct Conversation: Sendable {
    static let mostPending = 16
    /// How many calls may wait for the look-up of their caller: of all, and of one.
    static let (mostUnknown, mostOfOneUnknown) = (64, 16)
    /// The timeout of a look-up. The bus drops its answer if too many messages wait for us.
    static let identifyTimeout: Duration = .seconds(2)
    /// How long an effect may take to be durable, before the answer says that it is not.
    static let durableTimeout: Duration = .seconds(2)

    /// A call without an answer yet.
    private struct PendingCall: Sendable {
        enum Stage: Equatable, Sendable {
            case identifying(until: Instant)
            case asked
            /// The gate has answered, the ledger not yet.
            case storing(Answer.Result, confirmation: UInt64, until: Instant)
        }

        var number: UInt64
        var call: BusMessage
        var method: GateMethod
        var stage: Stage
        /// Result values that follow those common to all requests.
        var news: [BusValue] = []

        var isIdentifying: Bool { if case .identifying = stage { true } else { false } }
    }

    private let methods: [GateMethod]
    private var display: Display
    private var throttle: Throttle
    private var intake = Intake()
    private var callers = Callers()
    /// Few, in order of arrival.
    private var pendingCalls: [PendingCall] = []
    /// The number of the last handled call, after which the next conversation continues.
    private(set) var lastNumber: UInt64
    /// The effects of requests up to this number are durable, except those given up before.
    private var confirmed: UInt64 = 0
    /// Some effects of requests up to this number were lost.
    private var unconfirmed: UInt64 = 0
    private var followers = Followers()
    private var lostEdges: UInt64 = 0
    private var effects: [Consequence] = []

    /// Numbers continue after the previous conversation's `lastNumber`, whose answers may still
    /// come.
    init(_ facts: GateFacts, after lastNumber: UInt64 = 0, at now: Instant) {
        methods = facts.methods
        display = Display(facts)
        throttle = Throttle(at: now)
        self.lastNumber = lastNumber
    }

    /// When ``timePassed(at:)`` has work; nil while only a message can give it some.
    var deadline: Instant? {
        var deadline = Instant.earliest(
            .earliest(display.deadline, followers.deadline), intake.deadline)
        for asked in pendingCalls {
            switch asked.stage {
            case .identifying(let until), .storing(_, _, let until):
                deadline = .earliest(deadline, until)
            case .asked: break
            }
        }
        return deadline
    }

    mutating func takeEffects() -> [Consequence] {
        defer { effects = [] }
        return effects
    }
}

// Input from the bus.
extension Conversation {
    mutating func receive(_ message: BusMessage, at now: Instant) {
        guard message.kind == .call else { return }
        switch intake.take(message, at: now) {
        case .taken: takeIn(message, at: now)
        case .waits: break
        case .dropped: if message.expectsReply { effects.append(.forget(message)) }
        }
        effects += intake.takeUnknown().map { .identify($0) }
    }

    /// Handles a call that passed the intake.
    private mutating func takeIn(_ message: BusMessage, at now: Instant) {
        if let answer = misdirected(message) { return send(answer, to: message) }
        if message.isTooLarge {
            return send(message.failed(.invalidArguments, "the message is too large"), to: message)
        }
        switch Interface(message) {
        case .introspectable: introspect(message)
        case .properties:
            for case .send(let answer) in display.receive(message, at: now) {
                send(answer, to: message)
            }
        case .gate: admit(message, at: now)
        }
    }

    private enum Interface {
        case introspectable, properties, gate

        /// A call's interface; without one, the interface that has the method.
        init(_ call: BusMessage) {
            let isOfProperties = ["Get", "GetAll", "Set"].contains(call.member)
            let isIntrospection = call.member == "Introspect"
            switch call.interface {
            case Introspection.interface: self = .introspectable
            case GateInterface.properties: self = .properties
            case nil where isIntrospection: self = .introspectable
            case nil where isOfProperties: self = .properties
            case .some, nil: self = .gate
            }
        }
    }

    private func misdirected(_ call: BusMessage) -> BusMessage? {
        let path = call.path ?? ""
        let isIntrospection =
            [Introspection.interface, nil].contains(call.interface)
            && call.member == "Introspect"
        if isIntrospection, Introspection.text(at: path, methods) != nil { return nil }
        guard path == GateInterface.path else {
            return call.failed(
                .unknownObject, "no object '\(path)'; the gate is '\(GateInterface.path)'")
        }
        let known = [GateInterface.name, GateInterface.properties, Introspection.interface]
        guard let interface = call.interface, !known.contains(interface) else { return nil }
        return call.unknownInterface(interface, among: known)
    }

    private mutating func introspect(_ call: BusMessage) {
        guard call.member == "Introspect" else {
            return send(call.unknownMethod(among: ["Introspect"]), to: call)
        }
        guard call.body.isEmpty, let text = Introspection.text(at: call.path ?? "", methods) else {
            return send(call.failed(.invalidArguments, "Introspect takes nothing"), to: call)
        }
        send(call.reply([.string(text)]), to: call)
    }

    /// The caller was looked up; nil if the bus cannot tell.
    mutating func identified(_ name: String, as caller: Caller?, at now: Instant) {
        if let caller {
            callers.add(caller, as: name)
            intake.identified(name, as: caller.user, at: now)
        }
        let isTheirs = { (asked: PendingCall) in
            asked.isIdentifying && asked.call.sender == name
        }
        let theirs = pendingCalls.filter(isTheirs)
        pendingCalls.removeAll(where: isTheirs)
        for waiting in theirs {
            if let caller {
                ask(waiting.call, waiting.method, by: caller, at: now)
            } else {
                send(
                    waiting.call.failed(.notAllowed, "the bus does not say who you are"),
                    to: waiting.call)
            }
        }
    }
}

// Questions.
extension Conversation {
    private static let busy =
        "too much at once: at most \(Allowance.most), and 20 in a second; try again"

    private mutating func admit(_ call: BusMessage, at now: Instant) {
        guard let method = methods.first(where: { $0.name == call.member }) else {
            return send(call.unknownMethod(among: methods.map(\.name)), to: call)
        }
        let sender = call.sender ?? ""
        if let caller = callers[sender] { return ask(call, method, by: caller, at: now) }
        let unknown = pendingCalls.filter(\.isIdentifying)
        let theirs = unknown.count { $0.call.sender == sender }
        guard unknown.count < Self.mostUnknown, theirs < Self.mostOfOneUnknown else {
            return send(call.failed(.busy, Self.busy), to: call)
        }
        add(call, method, .identifying(until: now + Self.identifyTimeout))
        if theirs == 0 { effects.append(.identify(sender)) }
    }

    /// Puts the question to the gate, if permitted. Refused callers do not count for the operators'
    /// limits.
    @inline(never) private mutating func ask(
        _ call: BusMessage, _ method: GateMethod, by caller: Caller, at now: Instant
    ) {
        guard caller.isAdmitted else {
            return send(call.failed(.notAllowed, caller.refusal), to: call)
        }
        let asked = pendingCalls.count { !$0.isIdentifying }
        guard asked < Self.mostPending, throttle.take(from: call.sender ?? "", at: now) else {
            return send(call.failed(.busy, Self.busy), to: call)
        }
        let parsed: ParsedCall
        do throws(ArgumentError) {
            parsed = try method.parse(call.body, at: now)
        } catch {
            return send(call.failed(.invalidArguments, error.shown), to: call)
        }
        guard throttle.take(at: now) else { return send(call.failed(.busy, Self.busy), to: call) }
        switch parsed {
        case .followEdges(let lease): follow(call, for: lease, at: now)
        case .ask(let operation):
            let number = add(call, method, .asked)
            let question = Question(number: number, operation: operation, person: caller.person)
            effects.append(.ask(question))
        }
    }

    @discardableResult
    private mutating func add(
        _ call: BusMessage, _ method: GateMethod, _ stage: PendingCall.Stage
    ) -> UInt64 {
        lastNumber += 1
        pendingCalls.append(
            PendingCall(number: lastNumber, call: call, method: method, stage: stage))
        return lastNumber
    }

    mutating func answered(_ reply: Reply, at now: Instant) {
        // Nobody awaits the answer of a previous conversation.
        guard let index = pendingCalls.firstIndex(where: { $0.number == reply.number }),
            pendingCalls[index].stage == .asked
        else { return }
        let call = pendingCalls[index].call
        switch reply.outcome {
        case .answered(let result, let confirmation):
            finish(index, result, once: confirmation, at: now)
        case .reloaded(let result, let news, let confirmation):
            let changes = BusValue.strings(news.changes)
            if pendingCalls[index].method.name == GateMethod.reload.name {
                return finish(reply.number, with: call.reply([changes]))
            }
            pendingCalls[index].news = [changes, .strings(news.warnings)]
            finish(index, result, once: confirmation, at: now)
        case .settingsRefused(let mistakes):
            let text = mistakes.joined(separator: "\n")
            finish(reply.number, with: call.failed(.settingsRefused, text))
        case .done: finish(reply.number, with: call.reply([]))
        case .notUnderstood(let mistake):
            finish(reply.number, with: call.failed(.invalidArguments, mistake))
        case .unavailable(let reason):
            finish(reply.number, with: call.failed(.unavailable, reason))
        }
    }

    /// Answers once the effect is known to be durable or lost.
    private mutating func finish(
        _ index: Int, _ result: Answer.Result, once confirmation: UInt64?, at now: Instant
    ) {
        let number = pendingCalls[index].number
        guard let confirmation else { return finish(number, result, isDurable: true) }
        if confirmation <= max(unconfirmed, confirmed) {
            return finish(number, result, isDurable: confirmation > unconfirmed)
        }
        pendingCalls[index].stage = .storing(
            result, confirmation: confirmation, until: now + Self.durableTimeout)
    }

    /// The effects of requests up to this number are durable.
    mutating func confirmed(_ number: UInt64) {
        confirmed = max(confirmed, number)
        finishStoring(upTo: confirmed, areDurable: true)
    }

    /// Some effects of requests up to this number were lost.
    mutating func unconfirmed(_ number: UInt64) {
        unconfirmed = max(unconfirmed, number)
        finishStoring(upTo: unconfirmed, areDurable: false)
    }

    private mutating func finishStoring(upTo number: UInt64, areDurable: Bool) {
        for asked in pendingCalls {
            guard case .storing(let result, let confirmation, _) = asked.stage,
                confirmation <= number
            else { continue }
            finish(asked.number, result, isDurable: areDurable)
        }
    }

    private mutating func finish(_ number: UInt64, _ result: Answer.Result, isDurable: Bool) {
        guard let asked = pendingCalls.first(where: { $0.number == number }) else { return }
        let answer = GateMethod.answer(result, isDurable: isDurable)
        finish(number, with: asked.call.reply(answer + asked.news))
    }

    private mutating func finish(_ number: UInt64, with answer: BusMessage) {
        guard let index = pendingCalls.firstIndex(where: { $0.number == number }) else { return }
        send(answer, to: pendingCalls.remove(at: index).call)
    }

    // A separate function, since it copies a message, a large value.
    @inline(never) private mutating func send(_ answer: BusMessage, to call: BusMessage) {
        if call.expectsReply { effects.append(.send(answer)) }
    }
}

// Input from the gate.
extension Conversation {
    /// Handles the loop's posts; `room` is how many edge messages the connection can still take.
    mutating func receive(_ news: Exchange.News, room: Int, at now: Instant) {
        if news.hasChanged { gateChanged() }
        if let seen = news.seen { take(seen, at: now) }
        recorded(news.records, lost: news.lost)
        send(edges: news.edges.all, room: room)
        for reply in news.replies { answered(reply, at: now) }
        // Losses first: a later confirmation does not cover them.
        unconfirmed(news.unconfirmed)
        confirmed(news.confirmed)
    }

    mutating func gateChanged() { display.changed() }

    mutating func take(_ snapshot: GateSnapshot?, at now: Instant) {
        effects += display.take(snapshot, at: now)
    }

    mutating func recorded(_ records: [BusRecord], lost: UInt64) {
        for told in records {
            let values: [BusValue] = [
                .uint64(told.sequence), .uint64(told.time), .string(told.record.name),
                BusValue(told.record.fields),
            ]
            effects.append(.send(GateInterface.record.message(values)))
        }
        if lost > 0 { effects.append(.send(GateInterface.recordsLost.message([.uint64(lost)]))) }
    }

    mutating func timePassed(at now: Instant) {
        for call in intake.takeDue(at: now) { takeIn(call, at: now) }
        effects += display.timePassed(at: now)
        effects += followers.expire(at: now).map { .unwatch($0) }
        for asked in pendingCalls {
            switch asked.stage {
            case .identifying(let until) where until <= now:
                let text = "the bus has not said who you are: try again"
                finish(asked.number, with: asked.call.failed(.busy, text))
            case .storing(let result, _, let until) where until <= now:
                finish(asked.number, result, isDurable: false)
            case .identifying, .asked, .storing: break
            }
        }
    }

    /// Answers all pending calls with an error.
    mutating func end(_ reason: String) {
        for asked in pendingCalls {
            finish(asked.number, with: asked.call.failed(.unavailable, reason))
        }
        for call in intake.takeAll() { send(call.failed(.unavailable, reason), to: call) }
        effects += display.end(reason)
    }
}

// Followers of the edges.
extension Conversation {
    var isFollowed: Bool { followers.deadline != nil }

    private mutating func follow(_ call: BusMessage, for lease: Duration, at now: Instant) {
        let name = call.sender ?? ""
        if lease == .zero {
            ownerLeft(name)
        } else {
            switch followers.follow(name, until: now + lease) {
            case .began: effects.append(.watch(name))
            case .renewed: break
            case .refused:
                let text = "\(Followers.most) follow the lines already: try again later"
                return send(call.failed(.busy, text), to: call)
            }
        }
        send(call.reply(), to: call)
    }

    mutating func ownerLeft(_ name: String) {
        if followers.end(name) { effects.append(.unwatch(name)) }
    }

    /// Sends edges to the followers, in `room` messages at most; edges beyond count as lost.
    mutating func send(edges news: [EdgeNews], room: Int) {
        guard isFollowed else { return lostEdges = 0 }
        guard !news.isEmpty || lostEdges > 0 else { return }
        let names = followers.names
        var told = BoundedEdges(most: max(1, room / names.count))
        if lostEdges > 0 { told.add(.lost(lostEdges)) }
        for news in news { told.add(news) }
        lostEdges = 0
        for news in told.all {
            if case .lost(let count) = news, room < names.count {
                // No room even for the loss: later.
                lostEdges = count
            } else {
                for name in names { effects.append(.send(.edge(news, to: name))) }
            }
        }
    }
}

extension BusMessage {
    fileprivate static func edge(_ news: EdgeNews, to name: String) -> BusMessage {
        switch news {
        case .edge(let line, let isOn, let time):
            GateInterface.edge.message(
                [.uint64(time), .string(line.name), .boolean(isOn)], to: name)
        case .lost(let count): GateInterface.edgesLost.message([.uint64(count)], to: name)
        }
    }
}
