import BusInterface
import StateMachines
import System
import Testing

@testable import Bus

/// Whoever floods the bus holds up nobody else, over however many connections.
@Suite struct IntakeTests {
    private let now = Instant(nanoseconds: 1_000_000_000)

    private static func call(from sender: String, _ serial: UInt64 = 1) -> BusMessage {
        var call = BusMessage.call("GetAll", on: "", at: "", of: "")
        (call.sender, call.serial, call.expectsReply) = (sender, serial, true)
        return call
    }

    /// How many of so many calls of each of these connections are taken, wait, and are dropped.
    private func flood(
        _ intake: inout Intake, _ senders: [String], times: Int, at now: Instant
    ) -> (taken: Int, waiting: Int, dropped: Int) {
        var verdicts: [Intake.Verdict] = []
        for number in 0..<times {
            for sender in senders {
                verdicts.append(intake.take(Self.call(from: sender, UInt64(number)), at: now))
            }
        }
        return (
            verdicts.count { $0 == .taken }, verdicts.count { $0 == .waits },
            verdicts.count { $0 == .dropped }
        )
    }

    @Test func `forty connections of a user have what one user has`() {
        var intake = Intake()
        let senders = (0..<40).map { ":1.\($0)" }
        for sender in senders { intake.identified(sender, as: 1_000, at: now) }
        let flooded = flood(&intake, senders, times: 100, at: now)
        #expect(flooded.taken == 40 * Intake.mostOfSender + Intake.mostOfUser)
        #expect(flooded.waiting == Intake.mostOfUserWaiting)
        #expect(flooded.taken + flooded.waiting + flooded.dropped == 4_000)
        let unknown = intake.takeUnknown()
        #expect(unknown == [])
        // Another user, known or not, is taken up as ever.
        intake.identified(":2.1", as: 1_001, at: now)
        let others = flood(&intake, [":2.1", ":2.2"], times: 50, at: now)
        #expect(others.taken == 100)
        // So is the same user on a connection that is not in the flood.
        let quiet = flood(&intake, [":1.99"], times: Intake.mostOfSender, at: now)
        #expect(quiet.taken == Intake.mostOfSender)
    }

    @Test func `whose connections flood is asked once, and what they have taken counts`() {
        var intake = Intake()
        let senders = [":1.1", ":1.2"]
        let quiet = flood(&intake, senders, times: Intake.mostOfSender, at: now)
        var unknown = intake.takeUnknown()
        #expect(quiet.taken == 2 * Intake.mostOfSender && unknown == [])
        let loud = flood(&intake, senders, times: 150, at: now)
        unknown = intake.takeUnknown()
        #expect(loud.taken == 300 && unknown == senders)
        for sender in senders { intake.identified(sender, as: 1_000, at: now) }
        let after = flood(&intake, senders, times: 10, at: now)
        unknown = intake.takeUnknown()
        #expect(after.taken == 0 && after.waiting == Intake.mostOfUserWaiting && unknown == [])
    }

    @Test func `what waits is taken in its order, and nothing overtakes it`() throws {
        var intake = Intake()
        intake.identified(":1.1", as: 1_000, at: now)
        let many = Intake.mostOfSender + Intake.mostOfUser
        let before = flood(&intake, [":1.1"], times: many, at: now)
        #expect(before.taken == many)
        for serial in 1...3 {
            let verdict = intake.take(Self.call(from: ":1.1", UInt64(serial)), at: now)
            #expect(verdict == .waits)
        }
        let due = try #require(intake.deadline)
        #expect(due == now + Intake.userInterval)
        var taken = intake.takeDue(at: due - .nanoseconds(1))
        #expect(taken == [])
        // Though its connection may call again by now.
        let later = now + Intake.senderInterval
        let fourth = intake.take(Self.call(from: ":1.1", 4), at: later)
        #expect(fourth == .waits)
        taken = intake.takeDue(at: due)
        #expect(taken.map(\.serial) == [1])
        taken = intake.takeDue(at: later)
        #expect(taken.map(\.serial) == [2, 3, 4] && intake.deadline == nil)
        let fifth = intake.take(Self.call(from: ":1.1", 5), at: later)
        #expect(fifth == .taken)
    }

    @Test func `so many connections are told apart, and those that rest are forgotten`() {
        var intake = Intake()
        let senders = (0..<Intake.mostSenders).map { ":1.\($0)" }
        let first = flood(&intake, senders, times: 1, at: now)
        #expect(first.taken == senders.count)
        let beyond = flood(&intake, [":2.1"], times: 1, at: now)
        #expect(beyond.dropped == 1)
        let later = flood(&intake, [":2.1"], times: 1, at: now + .seconds(10))
        #expect(later.taken == 1)
    }

    @Test func `what is dropped has no answer, and what waits has one at the end`() {
        let talk = Talk.withGate()
        func get() -> [Consequence] {
            talk.call("Get", [.string(""), .string("Gate")], on: GateInterface.properties)
        }
        let many = Intake.mostOfSender + Intake.mostOfUser
        #expect((0..<many).allSatisfy { _ in get().body != nil })
        for _ in 0..<Intake.mostOfUserWaiting { #expect(get() == []) }
        guard case .forget(let call)? = get().first else {
            Issue.record("it is dropped")
            return
        }
        #expect(call.expectsReply && call.sender == ":1.7")
        // Others are answered meanwhile.
        let other = talk.call(
            "Get", [.string(""), .string("Gate")], on: GateInterface.properties, from: ":1.8")
        #expect(other.body != nil)
        talk.now = talk.now + Intake.userInterval
        #expect(talk.conversation.deadline == talk.now)
        #expect(talk.follow { $0.timePassed(at: $1) }.messages.count == 1)
        let left = talk.follow { conversation, _ in conversation.end("it stops") }.messages
        #expect(left.count == Intake.mostOfUserWaiting - 1)
        #expect(left.allSatisfy { $0.errorName == "io.turnstiled1.Error.Unavailable" })
    }
}
