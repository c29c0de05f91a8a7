import BusInterface
import Foundation
import GateClient
import Keeping
import StateMachines
import System
import Testing
import Turnstile

@testable import turnstilectl

/// What is told over and over: records, and the status that is watched.
@Suite struct FollowingTests {
    private static let records = [
        FakeGate.signal(.coinAccepted(Coin(.first, pulses: 2, value: 100)), number: 41),
        BusMessage.signal(
            "RecordsLost", on: "io.turnstiled1.Gate", at: "/io/turnstiled1", [.uint64(3)]),
        FakeGate.signal(.alarmRaised(.tailgating), number: 45),
    ]

    @Test func `records are lines`() throws {
        let gate = try FakeGate(.busy, ["GetAll": .init(signals: Self.records)])
        let program = try Running(Command.process(["records", "--follow"], at: gate.address))
        let text = try program.await("slipped in behind")
        program.end(killed: true)
        gate.stop()
        let lines = text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[0].wholeMatch(of: /\d\d:\d\d:\d\d\.\d{3} coin of 100 .* credited/) != nil)
        #expect(lines[1] == "3 records were missed; the journal has them")
        #expect(lines[2].hasSuffix(" alarm A3: somebody slipped in behind somebody else"))
    }

    @Test func `records are objects, by the names of the bus`() throws {
        let gate = try FakeGate(.busy, ["GetAll": .init(signals: Self.records)])
        let program = try Running(
            Command.process(["records", "--follow", "--json"], at: gate.address))
        let lines = try program.await("alarm_tailgating").split(separator: "\n")
        program.end(killed: true)
        gate.stop()
        let coin = try #require(
            try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: Any])
        #expect(coin["sequence"] as? Int == 41)
        #expect(coin["name"] as? String == "coin_accepted")
        #expect((coin["fields"] as? [String: Any])?["value"] as? Int == 100)
        #expect(lines[1] == "{\"lost\": 3}")
    }

    @Test func `what shows the records of the past is an object as well`() throws {
        let command = try Command("records", "--json", at: nil)
        #expect(
            command.output == """
                {"command": "journalctl _SYSTEMD_UNIT=turnstiled.service --output=json"}

                """)
    }

    @Test func `while the service is away nothing is told that is no object`() throws {
        let gate = try FakeGate(.busy, ["Grant": .init(leaves: true)])
        let program = try Running(Command.process(["watch", "--json"], at: gate.address))
        let first = try program.await("\n")
        _ = try Command("grant", "entry", at: gate.address)
        gate.stop()
        let next = try FakeGate(on: gate.bus)
        let text = try program.await(first + "{")
        program.end(killed: true)
        next.stop()
        #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("{\"Status\"") })
    }

    @Test func `edges are told again where the service is started anew`() throws {
        let first = FakeGate.Reaction(
            reply: [], signals: [FakeGate.edge("coin_pulse", true, before: 5_000_000)])
        let gate = try FakeGate(.busy, ["FollowEdges": first, "Grant": .init(leaves: true)])
        let program = try Running(
            Command.process(["lines", "--follow", "--count", "2"], at: gate.address))
        _ = try program.await("coin_pulse")
        _ = try Command("grant", "entry", at: gate.address)
        gate.stop()
        let second = FakeGate.Reaction(
            reply: [], signals: [FakeGate.edge("lamp_go", false, before: 4_000_000)])
        let next = try FakeGate(.busy, ["FollowEdges": second], on: gate.bus)
        let (code, text) = program.end()
        next.stop()
        #expect(code == 0)
        #expect(text.split(separator: "\n").count == 2)
        #expect(text.hasSuffix("lamp_go     de-energised\n"))
    }

    @Test func `a service that goes away while it is asked is waited for as well`() throws {
        let first = FakeGate.edge("coin_pulse", true, before: 5_000_000)
        let gate = try FakeGate(.busy, ["FollowEdges": .init(reply: [], signals: [first])])
        let program = try Running(
            Command.process(["lines", "--follow", "--count", "2"], at: gate.address))
        _ = try program.await("coin_pulse")
        gate.stop()
        let error = (name: "org.freedesktop.DBus.Error.NoReply", text: "it has left")
        let dying = try FakeGate(
            .busy, ["FollowEdges": .init(error: error, leaves: true)], on: gate.bus)
        dying.awaitEnd()
        let second = FakeGate.edge("lamp_go", false, before: 4_000_000)
        let last = try FakeGate(
            .busy, ["FollowEdges": .init(reply: [], signals: [second])], on: gate.bus)
        let (code, text) = program.end()
        last.stop()
        #expect(code == 0)
        #expect(text.hasSuffix("lamp_go     de-energised\n"))
    }

    @Test func `nobody says how long a level lasted while no service was there`() throws {
        let first = FakeGate.Reaction(
            reply: [], signals: [FakeGate.edge("coin_pulse", true, before: 5_000)])
        let gate = try FakeGate(.busy, ["FollowEdges": first])
        let program = try Running(
            Command.process(["lines", "--follow", "--count", "2"], at: gate.address))
        _ = try program.await("coin_pulse")
        gate.stop()
        let second = FakeGate.Reaction(
            reply: [], signals: [FakeGate.edge("coin_pulse", false, before: 4_000)])
        let next = try FakeGate(.busy, ["FollowEdges": second], on: gate.bus)
        let (code, text) = program.end()
        next.stop()
        #expect(code == 0)
        #expect(text.split(separator: "\n").count == 2)
        #expect(text.hasSuffix("coin_pulse  inactive\n"))
    }

    @Test func `a measurement ends with the service`() throws {
        let gate = try FakeGate(.busy, ["FollowEdges": .init(reply: [])])
        let process = Command.process([], at: gate.address)
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "exec turnstilectl lines measure coin_pulse --for 1h 2>&1",
        ]
        let program = try Running(process)
        _ = try program.await("a second apart\n")
        gate.stop()
        let (code, text) = program.end()
        #expect(code == 69)
        #expect(text.contains("the gate's service has ended"))
        #expect(!text.contains("pulses"))
    }

    @Test func `of a service that has gone away nothing is shown`() throws {
        let gate = try FakeGate()
        let connection = try GateConnection(to: .address(gate.address))
        try connection.listen()
        let watched = WatchedGate(connection, try connection.state())
        #expect(watched.state != nil)
        gate.stop()
        let end = MonotonicTimer.now + .seconds(60)
        while watched.state != nil, MonotonicTimer.now < end {
            connection.wait(until: end)
            try watched.receive()
        }
        #expect(watched.state == nil && watched.due == nil)
    }

    @Test func `records that nobody has taken in time are counted as not told`() throws {
        let lost = BusMessage.signal(
            "RecordsLost", on: GateInterface.name, at: GateInterface.path, [.uint64(1 << 62)])
        let records = (1...230).map { FakeGate.signal(.stopEnded, number: $0) }
        let gate = try FakeGate(
            .busy,
            [
                "Grant": .init(signals: records),
                "Withdraw": .init(signals: Array(repeating: lost, count: 5)),
            ])
        defer { gate.stop() }
        let connection = try GateConnection(to: .address(gate.address))
        try connection.listen()
        let watched = WatchedGate(connection, try connection.state())
        // What is signalled before this answer is there with it.
        _ = try connection.ask(GateCall(.grant(.entry)))
        _ = try connection.state()
        try watched.receive()
        let (told, missing) = watched.takeRecords()
        #expect(told.map(\.sequence) == Array(31...230))
        #expect(missing == 30)
        _ = try connection.ask(GateCall(.withdraw(.entry)))
        _ = try connection.state()
        try watched.receive()
        #expect(watched.takeRecords().missing == .max)
    }

    @Test func `of a service that does not answer nothing is shown until it does`() throws {
        let error = (name: "org.freedesktop.DBus.Error.NoReply", text: "it is busy")
        let gate = try FakeGate(
            .busy,
            ["GetAll 1": .init(signals: [FakeGate.changed]), "GetAll 2": .init(error: error)])
        let connection = try GateConnection(to: .address(gate.address))
        try connection.listen()
        let watched = WatchedGate(connection, try connection.state())
        let end = MonotonicTimer.now + .seconds(60)
        func hear(until isEnough: () -> Bool) throws {
            while !isEnough(), MonotonicTimer.now < end {
                connection.wait(until: .earliest(end, watched.due))
                try watched.receive()
            }
        }
        try hear { watched.state == nil }
        #expect(watched.state == nil && watched.due != nil)
        try hear { watched.state != nil }
        #expect(watched.state != nil && watched.due == nil)
        gate.stop()
    }

    @Test func `a terminal shows lamps, what was not told, and why a key does nothing`() throws {
        let refusal = (name: "org.freedesktop.DBus.Error.AccessDenied", text: "ask somebody else")
        let gate = try FakeGate(
            .busy, ["GetAll": .init(signals: Self.records), "Simulate": .init(error: refusal)],
            energised: ["lock_entry"], isSimulated: true)
        let program = try Running(
            Command.terminal(
                "stty rows 40 cols 120; NO_COLOR=1 exec turnstilectl watch", at: gate.address))
        let text = try program.await("3 records were missed; the journal has them")
        #expect(text.contains("● lock_entry ") && text.contains("○ lamp_go "), "\(text)")
        program.type("e")
        _ = try program.await("ask somebody else")
        program.type("q")
        #expect(program.end().text.contains("north gate, while you looked:"))
        #expect(gate.calls.contains { $0.member == "Simulate" })
        gate.stop()
    }

    @Test func `the keys at a watched gate fit the settings that it has in force`() throws {
        let path = Command.repository.appending(path: "config/turnstiled.yaml")
        let inForce = try String(contentsOf: path, encoding: .utf8)
        let edited = inForce.replacing("unit: 50 ", with: "unit: 30 ")
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(inForce.utf8).write(to: file)
        var (before, after) = (StatusReport.busy, StatusReport.busy)
        (before.status.stored, after.status.stored) = (7, 8)
        let reload = SHA256.digest(of: Array(edited.utf8))
        let gate = try FakeGate(
            .busy,
            [
                "Grant": .init(signals: [FakeGate.changed], report: before),
                "Simulate": .init(
                    reply: [], signals: [FakeGate.changed], report: after, digest: reload),
            ],
            settings: file.path, digest: SHA256.digest(of: Array(inForce.utf8)), isSimulated: true)
        defer { gate.stop() }
        let program = try Running(
            Command.terminal("NO_COLOR=1 exec turnstilectl watch", at: gate.address))
        _ = try program.await("north gate")
        try Data(edited.utf8).write(to: file)
        _ = try Command("grant", "entry", at: gate.address)
        _ = try program.await("7 waiting")
        program.type("1")
        _ = try program.await("8 waiting")
        program.type("1q")
        program.end()
        let moves = gate.calls.filter { $0.member == "Simulate" }.map(\.arguments)
        #expect(moves == [[.string("coin 50 1")], [.string("coin 30 1")]])
    }

    /// The record's time is in the future, since this machine may have been started just now.
    @Test func `what a watched gate records is shown with the time of the record`() throws {
        let time = MonotonicTimer.now + .seconds(5 * 3600)
        let record = FakeGate.signal(.alarmRaised(.tailgating), at: time)
        let gate = try FakeGate(.busy, ["GetAll": .init(signals: [record])])
        defer { gate.stop() }
        let process = Command.terminal("NO_COLOR=1 exec turnstilectl watch", at: gate.address)
        process.environment?["TZ"] = ProcessInfo.processInfo.environment["TZ"]
        let program = try Running(process)
        _ = try program.await("slipped in behind")
        program.type("q")
        let text = program.end().text
        let shown = try #require(text.firstMatch(of: /(\d\d:\d\d:\d\d)\.\d{3} alarm A3/)?.1)
        let utc = SystemWallClock.offset + (time - .zero)
        let times = (-60...60).map { localTimeOfDay(at: utc + .seconds($0)) }
        #expect(times.contains { $0.hasPrefix(shown) }, "\(shown) is not \(times[60])")
    }

    @Test func `a change is a line where there is no terminal`() throws {
        var locked = StatusReport.busy
        locked.status = Status(state: .locked, credit: 0, soundsAlarm: true)
        (locked.credit, locked.held, locked.faults) = (0, 0, [])
        let gate = try FakeGate(
            .busy, ["Grant": .init(signals: [FakeGate.changed], report: locked)])
        let program = try Running(Command.process(["watch"], at: gate.address))
        _ = try program.await("released for one person to come in, credit 50, 1 waiting, F6 A3\n")
        _ = try Command("grant", "entry", at: gate.address)
        let text = try program.await("locked, the alarm sounds")
        program.end(killed: true)
        gate.stop()
        #expect(text.split(separator: "\n").count == 2)
    }

    @Test func `a change is an object of all properties`() throws {
        let gate = try FakeGate(.busy, ["Grant": .init(signals: [FakeGate.changed])])
        let program = try Running(Command.process(["watch", "--json"], at: gate.address))
        let first = try program.await("\n")
        _ = try Command("grant", "entry", at: gate.address)
        let both = try program.await(first + "{\"Status\"")
        program.end(killed: true)
        gate.stop()
        #expect(both.hasPrefix("{\"Status\": {\"state\""))
        #expect(first.contains("\"Gate\": \"north gate\""))
    }

    @Test func `among objects nothing else is told, though the service goes away`() throws {
        let gate = try FakeGate()
        let process = Command.process([], at: gate.address)
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec turnstilectl watch --json 2>&1"]
        let program = try Running(process)
        _ = try program.await("\n")
        gate.stop()
        _ = try program.await("waiting for one\n")
        let next = try FakeGate(on: gate.bus)
        let text = try program.await("waiting for one\n{\"Status\"")
        program.end(killed: true)
        next.stop()
        let said = "turnstilectl: no gate answers on the bus; waiting for one"
        #expect(text.split(separator: "\n")[1] == said)
    }

    @Test func `on a terminal the gate is drawn, and q gives the terminal back`() throws {
        let gate = try FakeGate(.busy, ["GetAll": .init(signals: [Self.records[2]])])
        let program = try Running(Command.terminal("turnstilectl watch", at: gate.address))
        _ = try program.await("slipped in behind")
        program.type("1")
        _ = try program.await("the gate is real: keys move nothing")
        program.type("q")
        let (code, text) = program.end()
        gate.stop()
        #expect(code == 0)
        #expect(text.contains("\u{1B}[?1049h"))
        #expect(text.contains("\u{1B}[1m north gate\u{1B}[0m"))
        let end = try #require(text.range(of: "\u{1B}[?1049l"))
        #expect(text[end.upperBound...].contains("  alarms  1 x A3 tailgating"))
        #expect(text.contains("journal; `turnstilectl records` says how to read it"))
    }

    @Test func `on a screen that is too low the key that leaves is shown`() throws {
        let gate = try FakeGate()
        let program = try Running(
            Command.terminal("stty rows 10 cols 80; turnstilectl watch", at: gate.address))
        _ = try program.await("north gate")
        program.type("q")
        let (code, text) = program.end()
        gate.stop()
        #expect(code == 0)
        #expect(text.contains(" quit") && !text.contains("\u{1B}[11;1H"))
    }

    @Test func `on a terminal faults are red, unless colours are not wanted`() throws {
        let gate = try FakeGate()
        let coloured = try onTerminal("turnstilectl status", at: gate.address)
        let plain = try onTerminal("NO_COLOR=1 turnstilectl status", at: gate.address)
        let piped = try Command("status", at: gate.address).output
        gate.stop()
        #expect(coloured.contains("\u{1B}[31mF6 coin jam, coin_jam\u{1B}[0m"))
        #expect(!plain.contains("\u{1B}"))
        #expect(plain.replacing("\r\n", with: "\n") == piped)
    }

    private func onTerminal(_ command: String, at address: String) throws -> String {
        try Running(Command.terminal(command, at: address)).end().text
    }
}
