import BusInterface
import StateMachines
import System
import Turnstile

@testable import Bus

/// A conversation, on a clock that the test moves, and what came of each thing that was said.
final class Talk {
    static let facts = GateFacts(
        gate: "north", version: "1.2.3", settingsPath: "/etc/gate.yaml", extra: [.simulate])
    static let root = Caller(user: 0, groups: [0], name: "root", isAdmitted: true)
    static let anna = Caller(user: 1_000, groups: [1_000], name: "anna", isAdmitted: false)

    var conversation: Conversation
    var now = Instant(nanoseconds: 1_000_000_000)
    private var serial: UInt64 = 0

    init(_ facts: GateFacts = facts) { conversation = Conversation(facts, at: now) }

    /// What follows from a call.
    func call(
        _ member: String, _ body: [BusValue] = [], on interface: String? = GateInterface.name,
        at path: String = GateInterface.path, from sender: String = ":1.7",
        expectsReply: Bool = true
    ) -> [Consequence] {
        serial += 1
        var call = BusMessage.call(
            member, on: interface ?? "", at: path, of: GateInterface.service, body)
        call.interface = interface
        call.sender = sender
        call.serial = serial
        call.expectsReply = expectsReply
        return follow { $0.receive(call, at: $1) }
    }

    /// What follows from anything that is told.
    func follow(_ change: (inout Conversation, Instant) -> Void) -> [Consequence] {
        change(&conversation, now)
        return conversation.takeEffects()
    }

    /// Who asks becomes known.
    func identify(_ caller: Caller?, as sender: String = ":1.7") -> [Consequence] {
        follow { $0.identified(sender, as: caller, at: $1) }
    }

    /// A conversation with somebody who is known and may ask.
    static func withRoot() -> Talk {
        let talk = Talk()
        _ = talk.identify(root)
        return talk
    }

    /// One that has seen a gate.
    static func withGate(_ snapshot: GateSnapshot? = .some()) -> Talk {
        let talk = Talk.withRoot()
        _ = talk.follow { $0.timePassed(at: $1) }
        _ = talk.follow { $0.take(snapshot, at: $1) }
        return talk
    }
}

extension Caller {
    init(user: UInt32, groups: Set<UInt32>, name: String?, isAdmitted: Bool) {
        self.init(user: user, groups: groups, name: name)!
        self.isAdmitted = isAdmitted
    }
}

extension GateSnapshot {
    /// A gate that has just started.
    static func some(credit: Int = 0) -> GateSnapshot {
        var report = StatusReport.blank
        report.credit = credit
        return GateSnapshot(
            report: report, levels: [(.input(.fire), false), (.output(.lockEntry), true)],
            states: [("lane", "locked")], registers: Registers(), settingsDigest: "ab")
    }
}

extension [Consequence] {
    /// What is said.
    var messages: [BusMessage] {
        compactMap { if case .send(let message) = $0 { message } else { nil } }
    }

    /// The name of the error that is all that is said.
    var error: String? { messages.count == 1 ? messages[0].errorName : nil }

    /// The words of the error that is all that is said.
    var errorText: String { messages.count == 1 ? messages[0].errorText ?? "" : "" }

    /// What the one answer says.
    var body: [BusValue]? {
        messages.count == 1 && messages[0].kind == .reply ? messages[0].body : nil
    }

    /// The question that is asked of the gate.
    var question: Question? {
        for case .ask(let question) in self { return question }
        return nil
    }
}
