import BusInterface
import StateMachines
import System
import Testing
import Turnstile

@testable import Bus

/// Who hears of each edge, and for how long.
@Suite struct FollowerTests {
    private static let coin = EdgeNews.edge(.input(.coinPulse), isOn: true, at: 7)

    /// A conversation with these who may operate the gate, and have seen that nothing happens.
    private static func talk(with names: [String] = [":1.7"]) -> Talk {
        let talk = Talk.withGate()
        for name in names { _ = talk.identify(Talk.root, as: name) }
        return talk
    }

    private static func follow(
        _ talk: Talk, seconds: UInt64 = 60, as name: String = ":1.7"
    ) -> [Consequence] {
        // What all may ask for together comes back meanwhile.
        talk.now = talk.now + .milliseconds(50)
        return talk.call("FollowEdges", [.uint64(seconds * 1_000_000)], from: name)
    }

    private static func told(_ news: [EdgeNews], to talk: Talk, room: Int = 512) -> [BusMessage] {
        talk.follow { conversation, _ in conversation.send(edges: news, room: room) }.messages
    }

    private static func signal(
        _ name: String, _ body: [BusValue], to destination: String = ":1.7"
    ) -> BusMessage {
        .signal(name, on: GateInterface.name, at: GateInterface.path, body, to: destination)
    }

    @Test func `each edge is told to those who follow, and to nobody else`() {
        let talk = Self.talk(with: [":1.7", ":1.8"])
        #expect(Self.told([Self.coin], to: talk) == [])
        #expect(!talk.conversation.isFollowed)
        for name in [":1.7", ":1.8"] {
            let effects = Self.follow(talk, as: name)
            #expect(effects.body == [] && effects.contains(.watch(name)))
            #expect(effects.question == nil)
        }
        #expect(talk.conversation.isFollowed)
        let edge: [BusValue] = [.uint64(7), .string("coin_pulse"), .boolean(true)]
        #expect(
            Self.told([Self.coin, .lost(3)], to: talk) == [
                Self.signal("Edge", edge), Self.signal("Edge", edge, to: ":1.8"),
                Self.signal("EdgesLost", [.uint64(3)]),
                Self.signal("EdgesLost", [.uint64(3)], to: ":1.8"),
            ])
    }

    @Test func `whoever may not operate the gate hears nothing`() {
        let talk = Talk()
        _ = talk.identify(Talk.anna)
        let effects = talk.call("FollowEdges", [.uint64(1_000_000)])
        #expect(effects.error == "io.turnstiled1.Error.NotAllowed")
        #expect(!talk.conversation.isFollowed)
    }

    @Test func `a lease ends when its time is over, unless it was renewed`() {
        let talk = Self.talk()
        _ = Self.follow(talk, seconds: 60)
        talk.now = talk.now + .seconds(59)
        #expect(!Self.follow(talk, seconds: 10).contains(.watch(":1.7")))
        let end = talk.now + .seconds(10)
        #expect(talk.conversation.deadline == end)
        talk.now = end - .nanoseconds(1)
        #expect(talk.follow { $0.timePassed(at: $1) } == [])
        #expect(Self.told([Self.coin], to: talk).count == 1)
        talk.now = end
        #expect(talk.follow { $0.timePassed(at: $1) } == [.unwatch(":1.7")])
        #expect(Self.told([Self.coin], to: talk) == [])
        #expect(talk.conversation.deadline == nil)
    }

    @Test func `whoever leaves the bus, or says so, hears no more`() {
        let talk = Self.talk(with: [":1.7", ":1.8"])
        for name in [":1.7", ":1.8"] { _ = Self.follow(talk, as: name) }
        let leave = { (name: String) in
            talk.follow { conversation, _ in conversation.ownerLeft(name) }
        }
        #expect(leave(":1.9") == [])
        #expect(leave(":1.7") == [.unwatch(":1.7")])
        #expect(leave(":1.7") == [])
        #expect(Self.told([Self.coin], to: talk).map(\.destination) == [":1.8"])
        let effects = Self.follow(talk, seconds: 0, as: ":1.8")
        #expect(effects.contains(.unwatch(":1.8")) && effects.body == [])
        #expect(!talk.conversation.isFollowed)
        // Once more is no mistake.
        #expect(Self.follow(talk, seconds: 0, as: ":1.8").body == [])
    }

    @Test func `the fifth is told to wait, and follows when there is a place`() {
        let names = (1...5).map { ":1.\($0)" }
        let talk = Self.talk(with: names)
        for name in names.dropLast() { #expect(Self.follow(talk, as: name).body == []) }
        let refused = Self.follow(talk, as: ":1.5")
        #expect(refused.error == "io.turnstiled1.Error.Busy")
        #expect(refused.errorText.contains("4 follow"))
        // Who follows may renew.
        #expect(Self.follow(talk, as: ":1.4").body == [])
        #expect(Self.follow(talk, seconds: 0, as: ":1.2").body == [])
        #expect(Self.follow(talk, as: ":1.5").body == [])
    }

    @Test(arguments: [[.uint64(60_000_001)], [.int64(1)], []] as [[BusValue]])
    func `a lease that makes no sense is refused`(body: [BusValue]) {
        let talk = Self.talk()
        let effects = talk.call("FollowEdges", body)
        #expect(effects.error == "org.freedesktop.DBus.Error.InvalidArgs")
        #expect(effects.errorText.contains("lease_usec"))
        #expect(!talk.conversation.isFollowed)
    }

    @Test func `what the bus has no room for is told as missing`() {
        let talk = Self.talk(with: [":1.7", ":1.8"])
        for name in [":1.7", ":1.8"] { _ = Self.follow(talk, as: name) }
        let edges = Array(repeating: Self.coin, count: 10)
        let told = Self.told(edges, to: talk, room: 8)
        #expect(told.prefix(6).allSatisfy { $0.member == "Edge" })
        #expect(told.dropFirst(6).map(\.member) == ["EdgesLost", "EdgesLost"])
        #expect(told.last?.body == [.uint64(7)])
        // Where there is no room to say even that, it is said later.
        #expect(Self.told(edges, to: talk, room: -3) == [])
        #expect(Self.told(edges, to: talk, room: 1) == [])
        let later = Self.told([Self.coin], to: talk)
        #expect(later.map(\.member) == ["EdgesLost", "EdgesLost", "Edge", "Edge"])
        #expect(later.first?.body == [.uint64(20)])
    }

    @Test func `what is missing is told as soon as there is room, though nothing else happens`() {
        let talk = Self.talk()
        _ = Self.follow(talk)
        #expect(Self.told([Self.coin, Self.coin], to: talk, room: 0) == [])
        #expect(Self.told([], to: talk, room: 0) == [])
        #expect(Self.told([], to: talk) == [Self.signal("EdgesLost", [.uint64(2)])])
        #expect(Self.told([], to: talk) == [])
    }

    @Test func `who comes later hears nothing of what was missing before`() {
        let talk = Self.talk()
        _ = Self.follow(talk)
        #expect(Self.told([Self.coin], to: talk, room: 0) == [])
        _ = talk.follow { conversation, _ in conversation.ownerLeft(":1.7") }
        #expect(Self.told([Self.coin], to: talk) == [])
        _ = Self.follow(talk)
        #expect(Self.told([Self.coin], to: talk).map(\.member) == ["Edge"])
    }
}
