import Console
import Foundation
import GateClient
import Hardware
import StateMachines
import System
import Testing
import Turnstile

@testable import turnstilectl

/// What lines do, edge by edge, through a service.
@Suite struct EdgeTests {
    private static let settings = Command.repository.appending(path: "config/turnstiled.yaml").path

    /// A contact that bounces, and a lamp.
    private static let edges = [
        FakeGate.edge("coin_pulse", true, before: 5_000_000),
        FakeGate.edge("rotor_a", true, before: 4_900_000),
        FakeGate.edge("coin_pulse", false, before: 4_998_766),
        FakeGate.edge("lamp_go", true, before: 4_500_000),
        BusMessage.signal(
            "EdgesLost", on: "io.turnstiled1.Gate", at: "/io/turnstiled1", [.uint64(3)]),
        FakeGate.edge("coin_pulse", true, before: 4_000_000),
        FakeGate.edge("coin_pulse", false, before: 3_940_000),
    ]

    /// Runs the program against a gate that tells of these edges.
    private func run(
        _ arguments: String..., telling edges: [BusMessage] = edges,
        error: (name: String, text: String)? = nil
    ) throws -> Command {
        let reaction = FakeGate.Reaction(reply: [], error: error, signals: edges)
        let gate = try FakeGate(.busy, ["FollowEdges": reaction])
        defer { gate.stop() }
        return try Command(["lines"] + arguments, at: gate.address)
    }

    @Test func `an edge is a line: when, which, where, what, after which time`() throws {
        let command = try run("--follow", "--count", "6", "--settings", Self.settings)
        #expect(command.code == 0)
        let lines = command.output.split(separator: "\n")
        #expect(lines.allSatisfy { $0.prefixMatch(of: /\d\d:\d\d:\d\d\.\d{3} |3 edges/) != nil })
        let told = lines.map { $0.hasPrefix("3") ? String($0) : String($0.dropFirst(13)) }
        #expect(
            told == [
                "coin_pulse  COIN     active", "rotor_a     ROTOR_A  active",
                "coin_pulse  COIN     inactive      after 1.23 ms  bounce",
                "lamp_go              energised", "3 edges were lost",
                // Nobody knows what was lost of it.
                "coin_pulse  COIN     active",
                "coin_pulse  COIN     inactive      after 60.00 ms",
            ])
    }

    @Test func `an edge is an object, by the names of the bus`() throws {
        let command = try run("--follow", "--count", "4", "--json", "coin_pulse")
        let time = 1_000_000_000_000 - 5_000_000_000
        #expect(
            command.output == """
                {"time_nsec": \(time), "line": "coin_pulse", "level": true, "bounce": false}
                {"time_nsec": \(time + 1_234_000), "line": "coin_pulse", "level": false, \
                "since_nsec": 1234000, "bounce": true}
                {"lost": 3}
                {"time_nsec": \(time + 1_000_000_000), "line": "coin_pulse", "level": true, \
                "bounce": false}
                {"time_nsec": \(time + 1_060_000_000), "line": "coin_pulse", "level": false, \
                "since_nsec": 60000000, "bounce": false}

                """)
    }

    @Test func `an edge of a lock says what the lock is then, whichever way its coil works`() throws
    {
        let edges = [
            ("lock_entry", false), ("lock_entry", true), ("lock_exit", true), ("lock_exit", false),
        ].map { FakeGate.edge($0, $1, before: 5_000) }
        let command = try run("--follow", "--count", "4", telling: edges)
        #expect(
            command.output.split(separator: "\n").map { $0.dropFirst(13) } == [
                "lock_entry  de-energised (locked)", "lock_entry  energised (open)  after 0.00 ms",
                "lock_exit   energised (locked)",
                "lock_exit   de-energised (open)  after 0.00 ms",
            ])
        let told = try run("--follow", "--count", "4", "--json", telling: edges).output
        let released = told.split(separator: "\n").map { $0.contains("\"released\": true") }
        #expect(released == [false, true, false, true])
        #expect(told.components(separatedBy: "\"released\": ").count == 5)
    }

    @Test func `a lock of two coils is open until neither has power`() throws {
        var report = StatusReport.busy
        report.equipment.outputs[.lockEntryHold] = true
        let edges = [
            ("lock_entry", false), ("lock_entry_hold", false), ("lock_entry_hold", true),
        ].map { FakeGate.edge($0, $1, before: 5_000) }
        let gate = try FakeGate(
            report, ["FollowEdges": .init(reply: [], signals: edges)],
            energised: ["lock_entry", "lock_entry_hold"])
        let command = try Command(["lines", "--follow", "--count", "3"], at: gate.address)
        gate.stop()
        let told = command.output.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /energised \((\w+)\)/).map { String($0.1) }
        }
        #expect(told == ["open", "locked", "open"], "\(command.output)")
    }

    @Test func `of what the kernel debounces it is said that no bounce is heard`() throws {
        let bounces = [
            FakeGate.edge("rotor_a", true, before: 5_000),
            FakeGate.edge("rotor_a", false, before: 1_000),
        ]
        let command = try run("--follow", "--count", "2", "rotor_a", telling: bounces)
        #expect(command.errors.contains("the kernel debounces rotor_a: bounce is not shown"))
        #expect(command.output.hasSuffix("rotor_a  inactive  after 4.00 ms\n"))
        let coin = try run("--follow", "--count", "2", "coin_pulse")
        #expect(coin.errors == "turnstilectl: edges as the service reports them\n")
    }

    @Test func `who follows asks again in time, though nothing happens`() throws {
        let gate = try FakeGate(.busy, ["FollowEdges": .init(reply: [])])
        defer { gate.stop() }
        let source = try GateEdges(
            GateConnection(to: .address(gate.address)), of: [], goesOn: false,
            lease: .milliseconds(30))
        let end = MonotonicTimer.now + .seconds(60)
        while gate.calls.count < 3, MonotonicTimer.now < end {
            source.wait(until: end, or: [])
            try source.take { _ in }
        }
        #expect(gate.calls.count >= 3)
        #expect(gate.calls.allSatisfy { $0.arguments == [.uint64(30_000)] })
    }

    @Test func `a measurement has the last edge before its end`() throws {
        let edge = FakeGate.edge("coin_pulse", true, before: 5_000)
        let gate = try FakeGate(
            .busy, ["FollowEdges": .init(reply: []), "GetAll 2": .init(signals: [edge])])
        defer { gate.stop() }
        let source = try GateEdges(
            GateConnection(to: .address(gate.address)), of: [.input(.coinPulse)], goesOn: false)
        var told: [LineNews] = []
        try source.takeLast { told.append($0) }
        let moment = StatusReport.asked - .milliseconds(5)
        #expect(told == [.edge(.input(.coinPulse), isOn: true, at: moment)])
    }

    @Test(
        arguments: [
            ("io.turnstiled1.Error.NotAllowed", 77), ("io.turnstiled1.Error.Busy", 75),
            ("org.freedesktop.DBus.Error.UnknownMethod", 70),
        ] as [(String, Int32)]) func `a service that does not tell of edges says why`(
            name: String, code: Int32
        ) throws
    {
        for arguments in [["lines", "--follow"], ["lines", "measure", "coin_pulse"]] {
            let gate = try FakeGate(.busy, ["FollowEdges": .init(error: (name, "it says why"))])
            defer { gate.stop() }
            let command = try Command(arguments, at: gate.address)
            #expect(command.code == code && command.output == "")
            #expect(command.errors.contains("it says why"))
        }
    }

    @Test(arguments: [
        ["--follow", "fire"], ["measure", "coin_pulse_2"], ["--follow", "nothing"],
        ["--count", "3"], ["--follow", "--count", "0"],
    ]) func `what makes no sense is told`(arguments: [String]) throws {
        let gate = try FakeGate()
        defer { gate.stop() }
        let command = try Command(["lines"] + arguments, at: gate.address)
        #expect(command.code == 64 && command.output == "" && !command.errors.isEmpty)
    }

    @Test func `without service and chip it is said what there is not`() throws {
        let command = try Command("lines", "--follow", "--settings", Self.settings, at: nil)
        #expect(command.code == 69)
        #expect(command.errors.contains("no turnstile answers on the bus"))
        #expect(command.errors.contains("GPIO chip"))
        let output = try Command(
            "lines", "--follow", "lamp_go", "--settings", Self.settings, at: nil)
        #expect(output.code == 69 && output.errors.contains("no service drives lamp_go"))
    }

    @Test func `coins are measured through the service`() throws {
        let coins =
            FakeGate.coin(pulses: 1, before: 9_000_000)
            + FakeGate.coin(pulses: 2, before: 7_000_000)
        let command = try run("measure", "coin_pulse", telling: coins)
        #expect(command.code == 0)
        #expect(command.output.hasPrefix("3 pulses, 2 coins\n"))
        #expect(command.output.contains("  pulse_width: 60ms\n"))
        #expect(command.errors.hasSuffix("then press Enter\n"))
        let json = try run("measure", "coin_pulse", "--json", telling: coins)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(object["widths_nsec"] as? [Int] == Array(repeating: 60_000_000, count: 3))
        #expect(object["coins"] as? [Int] == [1, 2])
        #expect(object["bounces"] as? Int == 0 && object["pulse_width_usec"] as? Int == 60_000)
    }

    @Test func `a line that is active from the start has no pulse, and one that ends has none`()
        throws
    {
        // As if the level were read after the first edge, and as if a pulse had begun before.
        let edges = [FakeGate.edge("coin_pulse", false, before: 9_000_000)]
        let command = try run("measure", "coin_pulse", telling: edges)
        #expect(command.output.contains("0 pulses, 0 coins"))
        let pulse = try run(
            "measure", "coin_pulse", telling: edges + FakeGate.coin(pulses: 1, before: 100_000))
        #expect(pulse.output.hasPrefix("1 pulses, 1 coins"))
    }

    @Test func `edges that got lost are a warning`() throws {
        let command = try run("measure", "coin_pulse")
        #expect(command.output.contains("warning: 3 edges were lost"))
    }

    @Test func `what the kernel debounces is measured, but for the bounce`() throws {
        final class Source: EdgeSource {
            let origin = "edges as somebody tells them"
            let lines: [Line] = [.input(.rotorA), .input(.rotorB)]
            let levels: Set<Line> = []
            func debounce(of input: Input) -> Duration { .milliseconds(5) }
            func isDebounced(_ input: Input) -> Bool { true }
            func take(_ body: (LineNews) -> Void) {
                for (input, isOn, time) in [
                    (Input.rotorA, true, 100 as Int64), (.rotorB, true, 200), (.rotorA, false, 300),
                    (.rotorB, false, 400),
                ] {
                    let moment = Instant(nanoseconds: time * 1_000_000)
                    body(.edge(.input(input), isOn: isOn, at: moment))
                }
            }
            func takeLast(_ body: (LineNews) -> Void) {}
            func wait(until end: Instant?, or others: [CInt]) {}
        }
        let recorder = LineRecorder(Source(), [.rotorA, .rotorB])
        try recorder.takeEdges()
        let page = MeasurementPage(subject: .sensors(.rotorA, .rotorB), recorder: recorder)
        let text = page.lines.map { $0.map(\.text).joined() }
        #expect(text[0] == "1 turns inwards, 0 outwards")
        #expect(text[1] == "the sensors are as they are named")
        #expect(text[2].hasPrefix("whether they bounce: not known"))
        // Nothing is proposed that nobody has measured.
        #expect(!text.contains { $0.contains("debounce: ") })
        #expect(!page.object.contains { $0.0 == "debounce_usec" || $0.0 == "bounces" })
    }

    @Test(
        arguments: [
            (0, "0.00 ms"), (30, "0.03 ms"), (1_250, "1.25 ms"), (999_999, "999.99 ms"),
            (1_000_000, "1.00 s"), (12_345_678, "12.34 s"), (119_999_999, "119.99 s"),
            (120_000_000, "2 min"),
        ] as [(Int64, String)]) func `a time is told as exactly as it matters`(
            microseconds: Int64, words: String
        )
    {
        #expect(Duration.microseconds(microseconds).precise == words)
    }

    @Test func `counts are shown where the service has them, and levels in the words for edges`()
        throws
    {
        let gate = try FakeGate()
        defer { gate.stop() }
        let lines = try Command("lines", "--settings", Self.settings, at: gate.address)
        let rows = lines.output.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(rows[0].prefix(3) == ["role", "level", "edges"])
        #expect(rows[1].prefix(3) == ["coin_pulse", "inactive", "48"])
        #expect(rows[2].prefix(3) == ["rotor_a", "active", "0"])
        #expect(rows.contains { $0.prefix(3) == ["lock_entry", "energised", "(open)"] })
        let one = try Command(
            "lines", "coin_pulse", "--json", "--settings", Self.settings, at: gate.address)
        #expect(one.output.contains("\"level\": false, \"edges\": 48, "))
        #expect(one.output.split(separator: "\n").count == 1)
        let way = try Command(
            "lines", "lock_entry", "--json", "--settings", Self.settings, at: gate.address)
        #expect(way.output.contains("\"level\": true, \"released\": true, "), "\(way)")
    }

    @Test func `lines are those of the service's settings where none are named`() throws {
        let gate = try FakeGate(settings: Self.settings)
        let lines = try Command("lines", at: gate.address)
        gate.stop()
        #expect(lines.code == 0)
        #expect(lines.output.contains("\ncoin_pulse "))
        // One that is read from a folder that nobody knows is none.
        let other = try FakeGate(settings: "config/turnstiled.yaml")
        let missing = try Command("lines", at: other.address)
        other.stop()
        #expect(missing.code == 66 && missing.errors.contains("/etc/turnstiled/turnstiled.yaml"))
    }
}
