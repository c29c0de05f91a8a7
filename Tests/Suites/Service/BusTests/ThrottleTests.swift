import StateMachines
import System
import Testing
import Turnstile

@testable import Bus

/// Nobody can ask for so much that the others are not heard.
@Suite struct ThrottleTests {
    private static let busy = "io.turnstiled1.Error.Busy"

    @Test func `ten at once, then one in fifty milliseconds`() {
        var now = Instant(nanoseconds: 5_000)
        var allowance = Allowance(at: now)
        #expect((0..<12).filter { _ in allowance.take(at: now) }.count == 10)
        now = now + .nanoseconds(49_999_999)
        #expect((0..<2).filter { _ in allowance.take(at: now) }.isEmpty)
        now = now + .nanoseconds(1)
        #expect((0..<2).filter { _ in allowance.take(at: now) }.count == 1)
        #expect(!allowance.isFull(at: now))
        now = now + .seconds(1)
        #expect(allowance.isFull(at: now))
        #expect((0..<12).filter { _ in allowance.take(at: now) }.count == 10)
    }

    @Test func `in any second there are never more than thirty`() {
        var now = Instant.zero
        var allowance = Allowance(at: now)
        var taken: [Instant] = []
        for _ in 0..<3_000 {
            if allowance.take(at: now) { taken.append(now) }
            now = now + .milliseconds(1)
        }
        #expect(taken.count == 10 + 59)
        for start in taken {
            #expect(taken.filter { $0 >= start && $0 < start + .seconds(1) }.count <= 30)
        }
    }

    @Test func `each sender has an allowance of its own, and there are so many senders`() {
        var throttle = Throttle(at: .zero)
        #expect((0..<12).filter { _ in throttle.take(from: ":1.1", at: .zero) }.count == 10)
        let others = (2...1_000).filter { throttle.take(from: ":1.\($0)", at: .zero) }
        #expect(others.count == Throttle.mostSenders - 1)
        // Those who have not asked for long are forgotten.
        let isAllowed = throttle.take(from: ":1.5000", at: Instant.zero + .seconds(10))
        #expect(isAllowed)
    }

    @Test func `the eleventh question at once is told to wait, and the others are answered`() {
        let talk = Talk.withRoot()
        let effects = (0..<11).map { _ in talk.call("AcknowledgeAlarms") }
        #expect(effects.compactMap(\.question).count == 10)
        #expect(effects[10].error == Self.busy)
        talk.now = talk.now + .milliseconds(50)
        #expect(talk.call("AcknowledgeAlarms").question != nil)
    }

    @Test func `two senders together ask for no more than one`() {
        let talk = Talk.withRoot()
        _ = talk.identify(Talk.root, as: ":1.8")
        let effects = (0..<20).map { number in
            talk.call("AcknowledgeAlarms", from: number % 2 == 0 ? ":1.7" : ":1.8")
        }
        #expect(effects.compactMap(\.question).count == 10)
        #expect(effects.filter { $0.error == Self.busy }.count == 10)
    }

    @Test func `whoever may not ask takes nothing from those who may`() {
        let talk = Talk.withRoot()
        for sender in 0..<200 {
            _ = talk.identify(Talk.anna, as: ":2.\(sender)")
            for _ in 0..<12 { _ = talk.call("AcknowledgeAlarms", from: ":2.\(sender)") }
        }
        #expect((0..<10).filter { _ in talk.call("AcknowledgeAlarms").question != nil }.count == 10)
        // Nor does it matter that nobody knew the others when they first came.
        _ = talk.identify(Talk.root, as: ":1.9")
        talk.now = talk.now + .seconds(10)
        #expect(talk.call("AcknowledgeAlarms", from: ":1.9").question != nil)
    }

    @Test func `sixteen are under way at most`() {
        let talk = Talk.withRoot()
        var asked = 0
        for _ in 0..<100 {
            talk.now = talk.now + .seconds(1)
            let effects = talk.call("AcknowledgeAlarms")
            if effects.question != nil { asked += 1 } else { #expect(effects.error == Self.busy) }
        }
        #expect(asked == Conversation.mostPending)
        _ = talk.follow {
            $0.answered(Reply(to: 1, .answered(.done, confirmation: nil)), at: $1)
        }
        #expect(talk.call("AcknowledgeAlarms").question != nil)
    }

    @Test func `those whom nobody knows yet are bounded as well`() {
        let talk = Talk()
        let effects = (0..<100).map { talk.call("AcknowledgeAlarms", from: ":1.\($0)") }
        let refused = effects.count - Conversation.mostUnknown
        #expect(effects.filter { $0.error == Self.busy }.count == refused)
    }
}
