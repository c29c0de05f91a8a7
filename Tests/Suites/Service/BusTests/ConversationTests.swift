import BusInterface
import StateMachines
import System
import Testing
import Turnstile

@testable import Bus

/// Who is answered what, and when.
@Suite struct ConversationTests {
    private static let invalid = "org.freedesktop.DBus.Error.InvalidArgs"

    @Test func `who asks is found out once, and then remembered`() {
        let talk = Talk()
        #expect(talk.call("Grant", [.string("entry")]) == [.identify(":1.7")])
        #expect(talk.call("Grant", [.string("exit")]) == [])
        #expect(talk.identify(Talk.root).count == 2)
        #expect(talk.call("Grant", [.string("entry")]).question != nil)
        #expect(talk.call("Grant", [.string("entry")], from: ":1.8") == [.identify(":1.8")])
    }

    @Test func `each who asks is found out, whoever else is being found out`() {
        let talk = Talk()
        #expect(talk.call("Grant", [.string("entry")], from: ":1.7") == [.identify(":1.7")])
        #expect(talk.call("Grant", [.string("exit")], from: ":1.8") == [.identify(":1.8")])
    }

    @Test func `whoever may operate the gate lets in nobody else who waits`() throws {
        let talk = Talk()
        _ = talk.call("Grant", [.string("entry")], from: ":1.7")
        _ = talk.call("Grant", [.string("exit")], from: ":1.8")
        let effects = talk.identify(Talk.root, as: ":1.8")
        #expect(effects.count == 1)
        #expect(try #require(effects.question).operation == .request(.grant(.exit)))
        let others = talk.identify(Talk.anna, as: ":1.7")
        #expect(others.error == "io.turnstiled1.Error.NotAllowed" && others.question == nil)
    }

    @Test func `whoever may not is told who may`() {
        let talk = Talk()
        _ = talk.call("Grant", [.string("entry")])
        let effects = talk.identify(Talk.anna)
        #expect(effects.error == "io.turnstiled1.Error.NotAllowed")
        #expect(effects.errorText.contains("usermod -aG turnstile anna"))
        #expect(effects.question == nil)
        // Whether it would make sense is not looked at.
        #expect(talk.call("Grant", []).error == "io.turnstiled1.Error.NotAllowed")
    }

    @Test func `whom the bus does not know is refused`() {
        let talk = Talk()
        _ = talk.call("Grant", [.string("entry")])
        #expect(talk.identify(nil).error == "io.turnstiled1.Error.NotAllowed")
    }

    @Test(arguments: [
        (Answer.Result.done, "done", ""), (.deferred, "deferred", ""),
        (.refused(.occupied), "refused", "occupied"),
    ]) func `an answer without a ledger is durable at once`(
        result: Answer.Result, word: String, refusal: String
    ) throws {
        let talk = Talk.withRoot()
        let number = try #require(talk.call("Grant", [.string("entry")]).question).number
        let effects = talk.follow {
            $0.answered(Reply(to: number, .answered(result, confirmation: nil)), at: $1)
        }
        #expect(effects.body == [.string(word), .string(refusal), .boolean(true)])
    }

    @Test func `an answer waits for the ledger`() throws {
        let talk = Talk.withRoot()
        let number = try #require(talk.call("Grant", [.string("entry")]).question).number
        #expect(
            talk.follow {
                $0.answered(Reply(to: number, .answered(.done, confirmation: 5)), at: $1)
            } == [])
        #expect(talk.follow { conversation, _ in conversation.confirmed(4) } == [])
        let effects = talk.follow { conversation, _ in conversation.confirmed(5) }
        #expect(effects.body == [.string("done"), .string(""), .boolean(true)])
        #expect(talk.follow { conversation, _ in conversation.confirmed(6) } == [])
    }

    @Test func `a confirmation that came before the answer counts`() throws {
        let talk = Talk.withRoot()
        let number = try #require(talk.call("Grant", [.string("entry")]).question).number
        _ = talk.follow { conversation, _ in conversation.confirmed(5) }
        let effects = talk.follow {
            $0.answered(Reply(to: number, .answered(.done, confirmation: 5)), at: $1)
        }
        #expect(effects.body?.last == .boolean(true))
    }

    @Test func `what the ledger has lost is not durable, whatever it confirms later`() throws {
        let talk = Talk.withRoot()
        func ask(_ confirmation: UInt64) throws -> [Consequence] {
            let number = try #require(talk.call("Grant", [.string("entry")]).question).number
            return talk.follow {
                $0.answered(
                    Reply(to: number, .answered(.done, confirmation: confirmation)), at: $1)
            }
        }
        #expect(try ask(5) == [])
        let effects = talk.follow { conversation, _ in conversation.unconfirmed(6) }
        #expect(effects.body?.last == .boolean(false))
        _ = talk.follow { conversation, _ in conversation.confirmed(8) }
        #expect(try ask(6).body?.last == .boolean(false))
        #expect(try ask(7).body?.last == .boolean(true))
    }

    @Test func `what is lost is not durable, though what came after it is heard of with it`()
        throws
    {
        let talk = Talk.withRoot()
        let number = try #require(talk.call("Grant", [.string("entry")]).question).number
        var news = Exchange.News()
        news.replies = [Reply(to: number, .answered(.done, confirmation: 5))]
        (news.unconfirmed, news.confirmed) = (5, 7)
        let effects = talk.follow { $0.receive(news, room: 512, at: $1) }
        #expect(effects.body == [.string("done"), .string(""), .boolean(false)])
    }

    @Test func `a ledger that says nothing for two seconds has nothing for good`() throws {
        let talk = Talk.withGate()
        let number = try #require(talk.call("Grant", [.string("entry")]).question).number
        _ = talk.follow {
            $0.answered(Reply(to: number, .answered(.done, confirmation: 5)), at: $1)
        }
        let end = talk.now + .seconds(2)
        #expect(talk.conversation.deadline == end)
        talk.now = end - .nanoseconds(1)
        #expect(talk.follow { $0.timePassed(at: $1) }.messages == [])
        talk.now = end
        let effects = talk.follow { $0.timePassed(at: $1) }
        #expect(effects.body == [.string("done"), .string(""), .boolean(false)])
        #expect(talk.conversation.deadline == nil)
    }

    @Test func `a bus that does not say who asks is waited for, and asked again`() {
        let talk = Talk.withGate()
        let call = { talk.call("Grant", [.string("entry")], from: ":1.9") }
        #expect(call() == [.identify(":1.9")])
        let end = talk.now + Conversation.identifyTimeout
        #expect(talk.conversation.deadline == end)
        talk.now = end - .nanoseconds(1)
        #expect(talk.follow { $0.timePassed(at: $1) } == [])
        talk.now = end
        let effects = talk.follow { $0.timePassed(at: $1) }
        #expect(effects.error == "io.turnstiled1.Error.Busy")
        #expect(talk.conversation.deadline == nil)
        #expect(call() == [.identify(":1.9")])
        #expect(talk.identify(Talk.root, as: ":1.9").question != nil)
    }

    @Test func `what the settings say is told`() throws {
        let talk = Talk.withRoot()
        let news = SettingsNews(changes: ["price: 100 -> 120"], warnings: ["a:1: odd"])
        func reload(_ method: String, once confirmation: UInt64?) throws -> [Consequence] {
            let number = try #require(talk.call(method).question).number
            return talk.follow {
                $0.answered(
                    Reply(to: number, .reloaded(.deferred, news, confirmation: confirmation)),
                    at: $1)
            }
        }
        let answer: [BusValue] = [
            .string("deferred"), .string(""), .boolean(true), .strings(news.changes),
            .strings(news.warnings),
        ]
        #expect(try reload("Reload", once: 5).body == [.strings(news.changes)])
        #expect(try reload("ReloadSettings", once: nil).body == answer)
        #expect(try reload("ReloadSettings", once: 6) == [])
        #expect(talk.follow { conversation, _ in conversation.confirmed(6) }.body == answer)
        let number = try #require(talk.call("ReloadSettings").question).number
        let effects = talk.follow {
            $0.answered(Reply(to: number, .settingsRefused(["a:1: no", "a:2: no"])), at: $1)
        }
        #expect(effects.error == "io.turnstiled1.Error.SettingsRefused")
        #expect(effects.errorText == "a:1: no\na:2: no")
    }

    @Test func `what is done to a simulated gate is done, or says nothing`() throws {
        let talk = Talk.withRoot()
        var number = try #require(talk.call("Simulate", [.string("coin 50")]).question).number
        var effects = talk.follow { $0.answered(Reply(to: number, .done), at: $1) }
        #expect(effects.count == 1 && effects.error == nil && effects.body == [])
        number = try #require(talk.call("Simulate", [.string("coim")]).question).number
        effects = talk.follow { $0.answered(Reply(to: number, .notUnderstood("no move")), at: $1) }
        #expect(effects.error == "org.freedesktop.DBus.Error.InvalidArgs")
        #expect(effects.errorText == "no move")
    }

    @Test func `a gate that is not simulated has no such method`() {
        let facts = GateFacts(gate: "north", version: "1.2.3", settingsPath: "/etc/gate.yaml")
        let talk = Talk(facts)
        _ = talk.identify(Talk.root)
        let effects = talk.call("Simulate", [.string("coin 50")])
        #expect(effects.error == "org.freedesktop.DBus.Error.UnknownMethod")
        let methods = talk.call("Introspect", on: nil).body?.first?.text
        #expect(methods?.contains("\"Simulate\"") == false)
    }

    @Test func `a gate that cannot be asked says why`() throws {
        let talk = Talk.withRoot()
        let number = try #require(talk.call("Grant", [.string("entry")]).question).number
        let effects = talk.follow {
            $0.answered(Reply(to: number, .unavailable("no lines")), at: $1)
        }
        #expect(effects.error == "io.turnstiled1.Error.Unavailable")
        #expect(effects.errorText == "no lines")
    }

    @Test func `at the end everybody who waits has an answer, once`() throws {
        let talk = Talk.withGate()
        let asked = try #require(talk.call("Grant", [.string("entry")]).question).number
        let stored = try #require(talk.call("Grant", [.string("entry")]).question).number
        _ = talk.follow {
            $0.answered(Reply(to: stored, .answered(.done, confirmation: 5)), at: $1)
        }
        #expect(talk.call("Grant", [.string("entry")], from: ":1.9") == [.identify(":1.9")])
        _ = talk.follow { conversation, _ in conversation.gateChanged() }
        #expect(talk.call("GetAll", [.string("")], on: GateInterface.properties) == [])
        let effects = talk.follow { conversation, _ in conversation.end("it stops") }
        #expect(effects.messages.count == 4)
        #expect(
            effects.messages.allSatisfy {
                $0.errorName == "io.turnstiled1.Error.Unavailable" && $0.errorText == "it stops"
            })
        #expect(
            talk.follow { $0.answered(Reply(to: asked, .unavailable("")), at: $1) } == [])
    }

    @Test func `who wants no answer gets none, and the gate is asked`() throws {
        let talk = Talk.withRoot()
        let effects = talk.call("Grant", [.string("entry")], expectsReply: false)
        let number = try #require(effects.question).number
        #expect(
            talk.follow {
                $0.answered(Reply(to: number, .answered(.done, confirmation: nil)), at: $1)
            } == [])
        #expect(talk.call("Grant", expectsReply: false) == [])
        #expect(talk.call("Introspect", on: Introspection.interface, expectsReply: false) == [])
    }

    @Test(arguments: [
        ("Grnat", GateInterface.name, GateInterface.path, "UnknownMethod", "'Grant'"),
        ("Nothing", nil, GateInterface.path, "UnknownMethod", "'Nothing'"),
        ("Grant", "io.turnstiled1.Gaet", GateInterface.path, "UnknownInterface", "1.Gate'"),
        ("Grant", GateInterface.name, "/io", "UnknownObject", "'/io/turnstiled1'"),
        ("Introspect", Introspection.interface, "/nowhere", "UnknownObject", "/nowhere"),
        ("Introspec", Introspection.interface, GateInterface.path, "UnknownMethod", "Introspect"),
        ("Gte", GateInterface.properties, GateInterface.path, "UnknownMethod", "'Get'"),
    ]) func `what is not there is told with what is nearest`(
        member: String, interface: String?, path: String, failure: String, word: String
    ) {
        let talk = Talk.withRoot()
        let effects = talk.call(member, on: interface, at: path)
        #expect(effects.error == "org.freedesktop.DBus.Error.\(failure)")
        #expect(effects.errorText.contains(word), "\(effects.errorText)")
    }

    @Test func `a call that names no interface finds its method`() {
        let talk = Talk.withGate()
        #expect(talk.call("Grant", [.string("entry")], on: nil).question != nil)
        #expect(talk.call("Get", [.string(""), .string("Gate")], on: nil).body != nil)
        #expect(talk.call("Introspect", on: nil).body != nil)
    }

    @Test func `what says too much is refused, and signals are nobody's`() {
        let talk = Talk.withRoot()
        var call = BusMessage.call(
            "AdoptPolicy", on: GateInterface.name, at: GateInterface.path,
            of: GateInterface.service)
        call.isTooLarge = true
        #expect(talk.follow { $0.receive(call, at: $1) }.error == Self.invalid)
        let signal = BusMessage.signal("Grant", on: GateInterface.name, at: GateInterface.path, [])
        #expect(talk.follow { $0.receive(signal, at: $1) } == [])
    }

    @Test func `records are told with their fields, and behind them how many are missing`() {
        let talk = Talk.withRoot()
        let record = Record.passageStarted(.exit)
        let effects = talk.follow { conversation, _ in
            conversation.recorded([BusRecord(record, sequence: 7, time: 9)], lost: 3)
        }
        #expect(
            effects.messages == [
                .signal(
                    "Record", on: GateInterface.name, at: GateInterface.path,
                    [
                        .uint64(7), .uint64(9), .string("passage_started"),
                        .dictionary([("direction", .string("exit"))]),
                    ]),
                .signal(
                    "RecordsLost", on: GateInterface.name, at: GateInterface.path, [.uint64(3)]),
            ])
    }

    @Test func `an answer to a question of the conversation before is nobody's`() throws {
        let talk = Talk.withRoot()
        let old = try #require(talk.call("Grant", [.string("entry")]).question).number
        talk.conversation = Conversation(
            Talk.facts, after: talk.conversation.lastNumber, at: talk.now)
        _ = talk.identify(Talk.root)
        let fresh = try #require(talk.call("Grant", [.string("exit")]).question).number
        #expect(fresh != old)
        #expect(
            talk.follow {
                $0.answered(Reply(to: old, .answered(.done, confirmation: nil)), at: $1)
            } == [])
    }
}
