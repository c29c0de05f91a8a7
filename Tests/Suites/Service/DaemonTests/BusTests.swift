import Documents
import Foundation
import Ledger
import PrivateBus
import StateMachines
import System
import Testing

/// The program on a bus of the test's own.
@Suite(.timeLimit(.minutes(2))) final class BusTests {
    private static let gate = "io.turnstiled1.Gate"
    private static let path = "/io/turnstiled1"
    private let bus = try! PrivateBus()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var variables: [String: String] {
        ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "DBUS_SESSION_BUS_ADDRESS": bus.address]
    }

    /// A gate that has the name on the bus, and a connection to the same.
    private func start(
        _ settings: String = "config/turnstiled.yaml"
    ) throws -> (DaemonProcess, BusConnection) {
        let client = try BusConnection(to: .address(bus.address))
        let rule = "type='signal',member='NameOwnerChanged',arg0='io.turnstiled1'"
        let match = try client.call(
            .callOfBus("AddMatch", [.string(rule)]), within: .seconds(60))
        #expect(match.kind == .reply)
        let daemon = try DaemonProcess(
            ["--simulate", "--state-directory", folder.path, settings],
            variables: variables)
        try daemon.awaitNotification("READY=1")
        while true {
            if let message = try client.take() {
                if message.member == "NameOwnerChanged" { return (daemon, client) }
            } else {
                client.wait()
            }
        }
    }

    private func call(
        _ client: BusConnection, _ member: String, _ body: [BusValue] = [],
        on interface: String = gate
    ) throws -> BusMessage {
        try client.call(
            .call(member, on: interface, at: Self.path, of: "io.turnstiled1", body),
            within: .seconds(60))
    }

    @Test func `somebody is let pass, and that is durable and shown`() throws {
        let (daemon, client) = try start()
        // The ledger may take a while to open, and then what was asked for is not durable at once.
        var durable = false
        while !durable {
            let answer = try call(client, "AcknowledgeAlarms")
            try #require(answer.kind == .reply)
            #expect(answer.body.first == .string("done"))
            durable = answer.body.last == .boolean(true)
        }
        let answer = try call(client, "Grant", [.string("entry")])
        #expect(answer.body.prefix(2) == [.string("done"), .string("")])
        let status = try call(
            client, "Get", [.string(Self.gate), .string("Entry")],
            on: "org.freedesktop.DBus.Properties")
        let way = try #require(status.body.first?.pairs)
        #expect(way.first { $0.key == "is_released" }?.value == .boolean(true))
        daemon.send(SIGTERM)
        let end = daemon.end()
        #expect(end.code == 0)
        #expect(end.text.contains("on the bus as :1."))
    }

    /// What `turnstilectl` prints on the test's bus.
    private func print(_ arguments: String...) throws -> String {
        let program = Process()
        program.executableURL = DaemonProcess.folderOfProgram.appending(path: "turnstilectl")
        program.arguments = arguments + ["--address", bus.address]
        let output = Pipe()
        program.standardOutput = output
        try program.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        program.waitUntilExit()
        #expect(program.terminationStatus == 0)
        return String(decoding: text, as: UTF8.self)
    }

    @Test func `the states of the gate are drawn as they change`() throws {
        let (daemon, client) = try start()
        #expect(try print("diagram", "lane").hasSuffix("class s0 present\n"))
        let answer = try call(client, "Grant", [.string("entry")])
        #expect(answer.body.first == .string("done"))
        let lane = try print("diagram", "lane")
        #expect(lane.contains("state \"released\" as s1\n") && lane.hasSuffix("class s1 present\n"))
        let told = try print("diagram", "--json")
        for state in ["\"lane\": \"released\"", "\"loiterer\": \"in_order\""] {
            #expect(told.contains(state))
        }
        let all = try print("diagram", "--format", "svg")
        #expect(all.split(separator: "class=\"state present\"").count == 10, "nine are marked")
        withExtendedLifetime(daemon) {}
    }

    @Test func `records are told with their numbers in the ledger`() throws {
        let (daemon, client) = try start()
        let rule = "type='signal',member='Record',sender='io.turnstiled1'"
        _ = try client.call(.callOfBus("AddMatch", [.string(rule)]), within: .seconds(60))
        var durable = false
        while !durable {
            durable = try call(client, "AcknowledgeAlarms").body.last == .boolean(true)
        }
        _ = try call(client, "Grant", [.string("entry")])
        var told: [(number: Int64, name: String?)] = []
        while told.count < 2 {
            guard let message = try client.take() else {
                client.wait()
                continue
            }
            if message.member == "Record", let number = message.body.first?.integer, number > 0 {
                told.append((number, message.body[2].text))
            }
        }
        #expect(told[1].number == told[0].number + 1)
        durable = false
        while !durable {
            durable = try call(client, "AcknowledgeAlarms").body.last == .boolean(true)
        }
        var kept: [Int64: String] = [:]
        try LedgerReader(path: folder.appending(path: "ledger.db").path).forEach {
            kept[$0.sequence] = $0.name
        }
        for record in told { #expect(kept[record.number] == record.name) }
        withExtendedLifetime(daemon) {}
    }

    /// The next edge of a line that somebody follows.
    private func nextEdge(_ client: BusConnection, of line: String) throws -> (Bool, at: Int64) {
        while true {
            guard let message = try client.take() else {
                client.wait()
                continue
            }
            guard message.member == "Edge", message.body[1].text == line else { continue }
            return (message.body[2] == .boolean(true), try #require(message.body[0].integer))
        }
    }

    @Test func `whoever follows the lines hears of what comes and what is driven`() throws {
        let (daemon, client) = try start()
        #expect(try call(client, "FollowEdges", [.uint64(60_000_000)]).kind == .reply)
        let before = MonotonicTimer.now.nanoseconds
        #expect(try call(client, "Simulate", [.string("coin 50")]).kind == .reply)
        let begin = try nextEdge(client, of: "coin_pulse")
        let end = try nextEdge(client, of: "coin_pulse")
        #expect(begin.0 && !end.0)
        #expect(before < begin.at && begin.at < end.at)
        #expect(end.at < MonotonicTimer.now.nanoseconds)
        #expect(try call(client, "Grant", [.string("entry")]).body.first == .string("done"))
        // It opens without power.
        let lock = try nextEdge(client, of: "lock_entry")
        #expect(!lock.0 && end.at < lock.at && lock.at < MonotonicTimer.now.nanoseconds)
        let told = try call(
            client, "Get", [.string(Self.gate), .string("Edges")],
            on: "org.freedesktop.DBus.Properties")
        let counts = try #require(told.body.first?.pairs)
        #expect(counts.first { $0.key == "coin_pulse" }?.value == .uint64(2))
        #expect(counts.first { $0.key == "lock_entry" }?.value == .uint64(2))
        withExtendedLifetime(daemon) {}
    }

    /// What the process has mapped, without the ledger's part, which SQLite makes longer.
    private func addressSpace(_ daemon: DaemonProcess) throws -> [String] {
        let maps = try String(contentsOfFile: "/proc/\(daemon.identifier)/maps", encoding: .utf8)
        return maps.split(separator: "\n").map(String.init).filter { !$0.hasSuffix("-shm") }
    }

    // Changing it takes a lock that a thread holds while a disk hangs.
    @Test func `the address space stays as it is, whatever there is to do`() throws {
        let (daemon, client) = try start()
        func work(_ times: Int) throws {
            for _ in 0..<times {
                // It takes so many in a second of each who asks.
                while try call(client, "Simulate", [.string("coin 50")]).kind != .reply {}
                while try call(client, "AcknowledgeAlarms").kind != .reply {}
            }
        }
        try work(5)
        let before = try addressSpace(daemon)
        try work(50)
        #expect(try addressSpace(daemon) == before)
    }

    /// The most memory that the process has had, in kB.
    private func mostMemory(_ daemon: DaemonProcess) throws -> Int {
        let status = try String(
            contentsOfFile: "/proc/\(daemon.identifier)/status", encoding: .utf8)
        let figure = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/))
        return try #require(Int(figure.output.1))
    }

    @Test func `messages of 30 MB are refused, and take no memory`() throws {
        let (daemon, client) = try start()
        while try call(client, "AcknowledgeAlarms").body.last != .boolean(true) {}
        let before = try mostMemory(daemon)
        let text = BusValue.string(String(repeating: "a", count: 30_000_000))
        for _ in 0..<20 {
            let answer = try call(client, "Grant", [text])
            #expect(answer.errorName == "org.freedesktop.DBus.Error.InvalidArgs")
        }
        #expect(try mostMemory(daemon) <= before + 4_096)
    }

    @Test func `the end is told to those who listen, and what is driven safe then`() throws {
        let (daemon, client) = try start()
        let rule = "type='signal',member='Record',sender='io.turnstiled1'"
        _ = try client.call(.callOfBus("AddMatch", [.string(rule)]), within: .seconds(60))
        #expect(try call(client, "FollowEdges", [.uint64(60_000_000)]).kind == .reply)
        daemon.send(SIGTERM)
        var told: [String] = []
        var isThere = true
        while isThere {
            guard let message = try client.take() else {
                client.wait()
                continue
            }
            if message.member == "Record" { told.append(message.body[2].text ?? "") }
            if message.member == "Edge", message.body[1].text == "lock_entry" {
                told.append(message.body[2] == .boolean(false) ? "lock_entry off" : "")
            }
            isThere = message.member != "NameOwnerChanged"
        }
        #expect(daemon.end().code == 0)
        #expect(told.contains("stopped"))
        // It opens without power.
        #expect(told.contains("lock_entry off"))
    }

    @Test func `the settings are read again, and what waits is told, with what is odd`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        let text = try String(
            contentsOf: DaemonProcess.repository.appending(path: "config/turnstiled.yaml"),
            encoding: .utf8
        ).replacing("pass_wait: 5s", with: "pass_wait: 60s")
        try text.write(to: file, atomically: true, encoding: .utf8)
        let (daemon, client) = try start(file.path)
        #expect(try call(client, "Reload").body == [.strings([])])
        #expect(try call(client, "Grant", [.string("entry")]).body.first == .string("done"))
        func reload() throws -> (result: String?, changes: [String?], warnings: [String?]) {
            let body = try call(client, "ReloadSettings").body
            try #require(body.count == 5)
            func list(_ value: BusValue) -> [String?] { (value.elements ?? []).map(\.text) }
            return (body[0].text, list(body[3]), list(body[4]))
        }
        let unchanged = try reload()
        #expect(unchanged.result == "done" && unchanged.changes == [])
        #expect(unchanged.warnings == [])
        // No coins come to it.
        try text.replacing("price: 150", with: "price: 175")
            .write(to: file, atomically: true, encoding: .utf8)
        let waiting = try reload()
        #expect(waiting.result == "deferred" && waiting.changes == ["fare.price: 150 -> 175"])
        #expect(waiting.warnings.first??.hasPrefix("\(file.path):17:10: warning: ") == true)
        let again = try reload()
        #expect(again.result == "deferred" && again.changes == [])
        #expect(try call(client, "Withdraw", [.string("entry")]).body.first == .string("done"))
        #expect(try reload().result == "done")
        daemon.send(SIGTERM)
        let end = daemon.end().text
        #expect(end.contains("has the configuration read again"))
        #expect(end.split(separator: "the new policy is in force").count == 2)
    }

    @Test func `without a bus the gate runs and says so`() throws {
        bus.stop()
        let daemon = try DaemonProcess(
            ["--simulate", "config/turnstiled.yaml"], variables: variables)
        try daemon.awaitNotification("READY=1")
        daemon.send(SIGTERM)
        let end = daemon.end()
        #expect(end.code == 0)
        #expect(!end.text.contains("on the bus as"))
    }

    @Test func `the commands of the page do what they say`() throws {
        let (daemon, _) = try start()
        let page = try String(
            contentsOf: DaemonProcess.repository.appending(path: "docs/bus.md"), encoding: .utf8)
        let commands = Document(page).blocks.filter { $0.reasonNotRun == nil }.flatMap(\.commands)
        let answers = ["SetMode", "ssb \"done\"", "ssb \"d", "a{sv}"]
        try #require(commands.count == answers.count)
        for (command, answer) in zip(commands, answers) {
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = ["-c", command]
            shell.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
            let output = Pipe()
            shell.standardOutput = output
            shell.standardError = output
            try shell.run()
            let text = output.fileHandleForReading.readDataToEndOfFile()
            shell.waitUntilExit()
            #expect(String(decoding: text, as: UTF8.self).contains(answer), "\(command)")
            #expect(shell.terminationStatus == 0)
        }
        withExtendedLifetime(daemon) {}
    }
}
