import BusInterface
import StateMachines
import System
import Testing
import Turnstile

@testable import GateClient

/// What the bus says, as values.
@Suite struct ReadingTests {
    /// The properties of a gate that has not started.
    private static let properties: [(key: String, value: BusValue)] = {
        let shape = Shape(of: StatusReport.self)
        let told = StatusReport.blank.fields
        return shape.forms[0].fields.map { field in
            (
                GateProperty(field).name,
                told[field.name].map { BusValue($0, as: field.type) } ?? .dictionary([])
            )
        } + [
            ("Levels", .dictionary(of: "b", [("fire", .boolean(true))])),
            ("States", .dictionary(of: "s", [("lane", .string("locked"))])),
            ("Registers", .dictionary(of: "x", [("starts", .int64(3))])),
            ("Collected", .dictionary(of: "x", [])), ("Gate", .string("north gate")),
            ("Version", .string("1.2.3")), ("SettingsPath", .string("/gate.yaml")),
            ("SettingsDigest", .string("5f2b")), ("Now", .uint64(7)),
            ("Later", .string("something new")),
        ]
    }()

    @Test func `properties are a report, and what stands beside it`() throws {
        let state = try GateState(Self.properties)
        #expect(state.report == .blank)
        #expect(state.levels.map(\.line) == ["fire"] && state.levels.map(\.isActive) == [true])
        #expect(state.states == ["lane": "locked"])
        #expect(state.registers.map(\.total) == [3] && state.registers.map(\.collected) == [0])
        #expect(state.gate == "north gate" && state.version == "1.2.3")
        #expect(state.settingsPath == "/gate.yaml" && state.settingsDigest == "5f2b")
        #expect(state.now == Instant(nanoseconds: 7))
        #expect(state.values.last?.name == "Later")
    }

    @Test func `a service of a version that does not count edges is read as well`() throws {
        let old = try GateState(Self.properties)
        #expect(old.edges == nil && old.debounce == [:] && !old.kernelDebounces)
        #expect(!old.isSimulated)
        let state = try GateState(
            Self.properties + [
                ("Edges", .dictionary(of: "t", [("fire", .uint64(2))])),
                ("Debounce", .dictionary(of: "t", [("fire", .uint64(20_000))])),
                ("KernelDebounces", .boolean(true)), ("Simulated", .boolean(true)),
            ])
        #expect(state.isSimulated)
        #expect(state.edges == ["fire": 2] && state.kernelDebounces)
        #expect(state.debounce == ["fire": .milliseconds(20)])
    }

    @Test func `what a register is called tells which it is`() {
        var registers = Registers()
        let coins = [Acceptor.first, .second].flatMap { acceptor in
            [1, 2, 200].map { Coin(acceptor, pulses: 1, value: $0) }
        }
        for coin in coins {
            for record in [Record.coinAccepted(coin), .coinLate(coin), .coinRejected(coin)] {
                registers.count(record)
            }
        }
        let faults: [Fault] = [.coinLineStuck(.second), .storageFailed]
        for fault in faults { registers.count(.faultRaised(fault)) }
        registers.count(.alarmRaised(.tailgating))
        let totals = registers.sinceInit.totals.map(\.total)
        #expect(totals.count > 40)
        for total in totals { #expect(Register.Total(name: total.name) == total) }
        #expect(Register.Total(name: "nothing_of_ours") == nil)
    }

    @Test func `a service that is too old to tell its states is read as any other`() throws {
        let state = try GateState(Self.properties.filter { $0.key != "States" })
        #expect(state.states.isEmpty)
        #expect(state.report == .blank)
    }

    @Test func `a service that has no lines yet cannot be asked`() {
        let facts = ["Gate", "Version", "SettingsPath", "Now"]
        #expect(throws: GateError.unavailable("it has no lines yet")) {
            try GateState(Self.properties.filter { facts.contains($0.key) })
        }
    }

    @Test(
        arguments: properties.map(\.key).filter {
            !["Later", "Collected", "States", "CountAwaited"].contains($0)
        })
    func `a property that is missing is named`(name: String) {
        #expect(throws: GateError.unreadable("it has no '\(name)'")) {
            try GateState(Self.properties.filter { $0.key != name })
        }
    }

    @Test(arguments: [
        ("Now", BusValue.string("noon"), "'Now' is of type 's'"),
        ("Gate", .int64(1), "'Gate' is of type 'x'"),
        ("Levels", .string("fire"), "'Levels' is of type 's'"),
        ("States", .string("locked"), "'States' is of type 's'"),
        ("Entry", .double(1), "'Entry' is of type 'd'"),
        ("Credit", .string("much"), "credit: 'much' is not an amount"),
    ]) func `a property of another type is named`(name: String, value: BusValue, words: String) {
        let properties = Self.properties.map { $0.key == name ? ($0.key, value) : $0 }
        #expect(throws: GateError.unreadable(words)) { try GateState(properties) }
    }

    @Test func `a record that this version does not know is told as it is`() throws {
        let signal = BusMessage.signal(
            "Record", on: GateInterface.name, at: GateInterface.path,
            [
                .uint64(4), .uint64(9), .string("gate_painted"),
                .dictionary([("line", .string("red"))]),
            ])
        guard case .recorded(let told) = try #require(GateEvent(signal)) else {
            Issue.record("it is a record")
            return
        }
        #expect(told.record == nil)
        #expect(told.sentence == #"gate_painted {"line": "red"}"#)
        #expect(told.sequence == 4 && told.time == Instant(nanoseconds: 9))
    }

    private static func edge(_ body: [BusValue]) -> BusMessage {
        .signal("Edge", on: GateInterface.name, at: GateInterface.path, body)
    }

    @Test(
        arguments: [
            (
                BusMessage.signal(
                    "NameOwnerChanged", on: "org.freedesktop.DBus", at: "/",
                    [.string("io.turnstiled1"), .string(":1.5"), .string("")]),
                GateEvent.ownerChanged(isThere: false)
            ),
            (
                .signal(
                    "NameOwnerChanged", on: "org.freedesktop.DBus", at: "/",
                    [.string("io.turnstiled1"), .string(""), .string(":1.6")]),
                .ownerChanged(isThere: true)
            ),
            (
                .signal(
                    "NameOwnerChanged", on: "org.freedesktop.DBus", at: "/",
                    [.string("org.example"), .string(""), .string(":1.6")]),
                nil
            ),
            (
                edge([.uint64(7), .string("fire"), .boolean(true)]),
                .line(.edge(.input(.fire), isOn: true, at: Instant(nanoseconds: 7)))
            ),
            (
                edge([.uint64(7), .string("lamp_go"), .boolean(false)]),
                .line(.edge(.output(.lampGo), isOn: false, at: Instant(nanoseconds: 7)))
            ),
            (edge([.uint64(7), .string("unheard_of"), .boolean(true)]), nil),
            (edge([.uint64(7), .string("fire"), .string("on")]), nil),
            (
                .signal("EdgesLost", on: GateInterface.name, at: "/", [.uint64(3)]),
                .line(.lost(3))
            ),
            (.signal("NameAcquired", on: "org.freedesktop.DBus", at: "/", []), nil),
            (.signal("Record", on: GateInterface.name, at: "/", [.string("released")]), nil),
            (.call("Record", on: GateInterface.name, at: "/", of: "x"), nil),
        ] as [(BusMessage, GateEvent?)]) func `a message tells of the gate, or does not`(
            message: BusMessage, event: GateEvent?
        )
    {
        #expect(GateEvent(message) == event)
    }

    @Test(arguments: [
        (BusValue.boolean(true), "true"), (.byte(1), "1"), (.int16(-2), "-2"), (.uint16(3), "3"),
        (.int32(-4), "-4"), (.uint32(5), "5"), (.uint64(.max), "18446744073709551615"),
        (.double(0.5), "0.5"), (.double(.nan), "null"), (.string("a\"b\n"), #""a\"b\u000a""#),
        (.string("a\u{9B}31m\u{7F}"), #""a\u009b31m\u007f""#),
        (.objectPath("/a"), #""/a""#), (.structure([.byte(1), .string("x")]), #"[1, "x"]"#),
        (.array(of: "x", []), "[]"), (.array(of: "{sv}", []), "{}"),
        (.variant(.strings(["a"])), #"["a"]"#), (.descriptor, "null"),
        (.dictionary([("k", .int64(1))]), #"{"k": 1}"#),
    ]) func `a value is JSON`(value: BusValue, json: String) {
        #expect(value.json == json)
    }
}
