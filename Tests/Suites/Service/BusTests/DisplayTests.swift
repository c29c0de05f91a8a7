import BusInterface
import StateMachines
import System
import Testing
import Turnstile

@testable import Bus

/// What is shown of the gate, and when it is looked at.
@Suite struct DisplayTests {
    private static let properties = GateInterface.properties

    private static func get(_ name: String, from talk: Talk) -> [Consequence] {
        talk.call("Get", [.string(GateInterface.name), .string(name)], on: properties)
    }

    @Test(arguments: GateProperty.all) func `has the type that it is said to have`(
        property: GateProperty
    ) throws {
        let talk = Talk.withGate()
        let body = try #require(Self.get(property.name, from: talk).body)
        guard case .variant(let value)? = body.first else {
            Issue.record("no variant")
            return
        }
        #expect(value.signature == property.signature)
    }

    @Test func `every field of the report is shown, and what belongs to the service`() {
        let fields = StatusReport.blank.fields.all.map { GateInterface.member($0.name.rawValue) }
        let names = GateProperty.all.map(\.name)
        #expect(Set(fields).isSubset(of: names))
        #expect(Set(names).count == names.count)
        #expect(names.contains("ServiceRequester") && names.contains("Refusal"))
        #expect(
            Set(names).isSuperset(of: [
                "Levels", "States", "Registers", "Collected", "CollectionCheckpoint", "Gate",
                "Version",
                "VocabularyVersion", "SettingsPath", "SettingsDigest", "Now", "Edges", "Debounce",
                "KernelDebounces", "Simulated",
            ]))
    }

    @Test func `all of them come with one call`() throws {
        let talk = Talk.withGate(.some(credit: 250))
        let body = try #require(
            talk.call("GetAll", [.string(GateInterface.name)], on: Self.properties).body)
        let pairs = try #require(body.first?.pairs)
        #expect(pairs.map(\.key) == GateProperty.all.map(\.name))
        #expect(pairs.map(\.value.signature) == GateProperty.all.map(\.signature))
        let values = Dictionary(uniqueKeysWithValues: pairs.map { ($0.key, $0.value) })
        #expect(values["Credit"] == .int64(250))
        #expect(values["Levels"]?.pairs?.map(\.key) == ["fire", "lock_entry"])
        #expect(values["Gate"] == .string("north"))
        #expect(values["SettingsDigest"] == .string("ab"))
        #expect(values["States"] == .dictionary(of: "s", [("lane", .string("locked"))]))
        #expect(values["ServiceRequester"] == .dictionary([]))
        #expect(values["VocabularyVersion"] == .uint32(3))
        #expect(values["Now"] == .uint64(1_000_000_000))
        #expect(values["Registers"]?.pairs?.contains { $0.key == "value_in" } == true)
    }

    @Test(arguments: GateProperty.all) func `cannot be set`(property: GateProperty) {
        let talk = Talk.withGate()
        let effects = talk.call(
            "Set",
            [.string(GateInterface.name), .string(property.name), .variant(.string("x"))],
            on: Self.properties)
        #expect(effects.error == "org.freedesktop.DBus.Error.PropertyReadOnly")
    }

    @Test(arguments: [
        ("Get", [BusValue.string(GateInterface.name), .string("Stauts")], "UnknownProperty"),
        ("Set", [.string(""), .string("Stauts"), .variant(.byte(1))], "UnknownProperty"),
        ("Get", [.string("io.turnstiled1.Gaet"), .string("Status")], "UnknownInterface"),
        ("GetAll", [.string("io.turnstiled1.Gaet")], "UnknownInterface"),
        ("Get", [.string("Status")], "InvalidArgs"), ("Get", [.byte(1), .byte(2)], "InvalidArgs"),
        ("GetAll", [], "InvalidArgs"), ("GetAll", [.byte(1)], "InvalidArgs"),
        ("Set", [.string(""), .string("Status"), .byte(1)], "InvalidArgs"),
    ]) func `what cannot be asked is refused`(member: String, body: [BusValue], failure: String) {
        let talk = Talk.withGate()
        let effects = talk.call(member, body, on: Self.properties)
        #expect(effects.error == "org.freedesktop.DBus.Error.\(failure)")
    }

    @Test func `what never changes is known without a gate, and nothing else`() {
        let talk = Talk.withGate(nil)
        #expect(Self.get("Version", from: talk).body == [.variant(.string("1.2.3"))])
        #expect(Self.get("Credit", from: talk).error == "io.turnstiled1.Error.Unavailable")
        let all = talk.call("GetAll", [.string("")], on: Self.properties).body?.first?.pairs
        #expect(
            all?.map(\.key) == [
                "Gate", "Version", "VocabularyVersion", "SettingsPath", "Debounce",
                "KernelDebounces", "Simulated", "Edges", "Now",
            ])
    }

    @Test func `nobody looks while nothing changes`() {
        let talk = Talk.withGate()
        talk.now = talk.now + .seconds(1_000)
        #expect(talk.conversation.deadline == nil)
        #expect(talk.follow { $0.timePassed(at: $1) } == [])
        #expect(Self.get("Credit", from: talk).body == [.variant(.int64(0))])
    }

    @Test func `looks at most every fifty milliseconds`() {
        let talk = Talk.withGate()
        let first = talk.now
        _ = talk.follow { conversation, _ in conversation.gateChanged() }
        #expect(talk.conversation.deadline == first + .milliseconds(50))
        talk.now = first + .milliseconds(49)
        #expect(talk.follow { $0.timePassed(at: $1) } == [])
        talk.now = first + .milliseconds(50)
        #expect(talk.follow { $0.timePassed(at: $1) } == [.look])
        // Nor before that has come.
        _ = talk.follow { conversation, _ in conversation.gateChanged() }
        talk.now = talk.now + .seconds(1)
        #expect(talk.conversation.deadline == nil)
        #expect(talk.follow { $0.timePassed(at: $1) } == [])
    }

    @Test func `whoever asks after a change is answered with what came of it`() {
        let talk = Talk.withGate()
        _ = talk.follow { conversation, _ in conversation.gateChanged() }
        #expect(Self.get("Credit", from: talk) == [])
        talk.now = talk.now + .seconds(1)
        _ = talk.follow { $0.timePassed(at: $1) }
        // One more change, after the look has begun.
        _ = talk.follow { conversation, _ in conversation.gateChanged() }
        let early = talk.follow { $0.take(.some(credit: 1), at: $1) }.messages
        #expect(early.allSatisfy { $0.kind == .signal })
        talk.now = talk.now + .seconds(1)
        #expect(talk.follow { $0.timePassed(at: $1) } == [.look])
        let late = talk.follow { $0.take(.some(credit: 2), at: $1) }.messages
        #expect(late.last?.body == [.variant(.int64(2))])
    }

    @Test func `only what is another value is told`() throws {
        let talk = Talk.withGate()
        func look(_ snapshot: GateSnapshot?) -> [BusMessage] {
            _ = talk.follow { conversation, _ in conversation.gateChanged() }
            talk.now = talk.now + .seconds(1)
            _ = talk.follow { $0.timePassed(at: $1) }
            return talk.follow { $0.take(snapshot, at: $1) }.messages
        }
        #expect(look(.some()) == [])
        let signal = try #require(look(.some(credit: 5)).first)
        #expect(signal.member == "PropertiesChanged" && signal.interface == Self.properties)
        #expect(
            signal.body == [
                .string(GateInterface.name), .dictionary([("Credit", .int64(5))]), .strings([]),
            ])
        #expect(look(.some(credit: 5)) == [])
    }

    @Test func `a flood of readers is told to wait`() {
        let talk = Talk.withGate()
        _ = talk.follow { conversation, _ in conversation.gateChanged() }
        for _ in 0..<Display.mostReaders { #expect(Self.get("Credit", from: talk) == []) }
        #expect(Self.get("Credit", from: talk).error == "io.turnstiled1.Error.Busy")
        #expect(Self.get("Gate", from: talk).body != nil)
        talk.now = talk.now + .seconds(1)
        _ = talk.follow { $0.timePassed(at: $1) }
        let effects = talk.follow { $0.take(.some(), at: $1) }
        #expect(effects.messages.count == Display.mostReaders)
    }
}
