import Foundation
import PrivateBus
import StateMachines
import System
import Testing

@testable import Ledger

/// A simulated gate whose coins are collected: the slip, what it proves, and copies of the books.
@Suite(.timeLimit(.minutes(3))) final class CollectionTests {
    private let bus = try! PrivateBus()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    private var client: BusConnection

    init() throws {
        client = try BusConnection(to: .address(bus.address))
        for rule in [
            "type='signal',member='Record',sender='io.turnstiled1'",
            "type='signal',member='NameOwnerChanged',arg0='io.turnstiled1'",
        ] {
            _ = try client.call(.callOfBus("AddMatch", [.string(rule)]), within: .seconds(60))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var ledger: String { self["ledger.db"] }

    private subscript(name: String) -> String { folder.appending(path: name).path }

    /// Starts a gate with these settings, and waits until it is on the bus with its ledger open.
    private func start(_ settings: String) throws -> DaemonProcess {
        let daemon = try DaemonProcess(
            ["--simulate", "--state-directory", folder.path, settings],
            variables: [
                "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "DBUS_SESSION_BUS_ADDRESS": bus.address,
            ])
        try daemon.awaitNotification("READY=1")
        try awaitMessage { $0.member == "NameOwnerChanged" && $0.body[2].text != "" }
        while try call("AcknowledgeAlarms").body.last != .boolean(true) {}
        return daemon
    }

    private func awaitMessage(_ isIt: (BusMessage) -> Bool) throws {
        // A gate that does not tell of it must fail the test, not hang it.
        let end = MonotonicTimer.now + .seconds(60)
        while MonotonicTimer.now < end {
            guard let message = try client.take() else {
                client.wait(until: end)
                continue
            }
            if isIt(message) { return }
        }
        Issue.record("it was not told within a minute")
    }

    private func awaitRecord(_ name: String) throws {
        try awaitMessage { $0.member == "Record" && $0.body[2].text == name }
    }

    @discardableResult
    private func call(_ member: String, _ body: [BusValue] = []) throws -> BusMessage {
        try client.call(
            .call(
                member, on: "io.turnstiled1.Gate", at: "/io/turnstiled1", of: "io.turnstiled1",
                body), within: .seconds(60))
    }

    /// The ledger's branch as the bus tells it, once it is open.
    private func branch() throws -> String {
        while true {
            let answer = try client.call(
                .call(
                    "Get", on: "org.freedesktop.DBus.Properties", at: "/io/turnstiled1",
                    of: "io.turnstiled1",
                    [.string("io.turnstiled1.Gate"), .string("LedgerBranch")]),
                within: .seconds(60))
            let text = try #require(answer.body.first?.text)
            if text != "" { return text }
        }
    }

    private func simulate(_ move: String, until record: String) throws {
        #expect(try call("Simulate", [.string(move)]).kind == .reply)
        try awaitRecord(record)
    }

    /// What `turnstilectl` writes, and its exit code.
    private func run(_ arguments: String...) throws -> (text: String, code: Int32) {
        try run(arguments)
    }

    private func run(_ arguments: [String]) throws -> (text: String, code: Int32) {
        let program = Process()
        program.executableURL = DaemonProcess.folderOfProgram.appending(path: "turnstilectl")
        program.arguments = arguments
        // With how sanitizers are to behave, where one is at work: see .ci/sanitize.
        program.environment = ProcessInfo.processInfo.environment.merging([
            "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "LANG": "C.UTF-8", "TZ": "UTC",
        ]) { $1 }
        program.standardInput = FileHandle.nullDevice
        let output = Pipe()
        program.standardOutput = output
        program.standardError = output
        try program.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        program.waitUntilExit()
        return (String(decoding: text, as: UTF8.self), program.terminationStatus)
    }

    /// Writes a text into the folder, and returns where.
    private func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: folder.appending(path: name))
        return self[name]
    }

    @Test func `a coin is in the slip, and the slip finds whoever alters the books`() throws {
        let settings = "config/turnstiled.yaml"
        let daemon = try start(settings)
        try simulate("coin 100", until: "coin_accepted")
        // Without a ledger that may be read: from the bus alone.
        let (text, code) = try run("collect", "--coins", "100=1", "--yes")
        #expect(code == 0, "\(text)")
        #expect(text.contains("\nturnstile\ncollection 1\nto    "))
        #expect(
            text.contains("\nof 100         1        1\nin all       100      100\n"), "\(text)")
        let slip = try write(text, to: "slip.txt")
        let key = try run("ledger", "key", ledger)
        #expect(key.code == 0)
        let branch = try branch()
        #expect(branch == (try LedgerReader(path: ledger).open().branch))

        // While the service runs.
        let evidence = ["--checkpoint", slip, "--key", try write(key.text, to: "gate.key")]
        let copy = self["copy.db"]
        #expect(try run("ledger", "backup", copy, "--ledger", ledger).code == 0)
        for file in [ledger, copy] {
            let verdict = try run(["ledger", "verify", file] + evidence)
            #expect(verdict.code == 0 && verdict.text.hasSuffix("all accounted for\n"))
            #expect(!verdict.text.contains("its own key alone"))
        }
        let inUse = try run(
            "ledger", "restore", copy, "--ledger", ledger, "--settings", self.path(of: settings))
        #expect(inUse.code == 75 && inUse.text.contains("systemctl stop turnstiled"))

        // Somebody takes the coin out of the books, sums and all, and signs them anew.
        try FileManager.default.copyItem(atPath: copy, toPath: self["altered.db"])
        try Database(path: self["altered.db"], .create).execute(
            "DELETE FROM records WHERE kind = 'coin_accepted'")
        let altered = try run("ledger", "verify", self["altered.db"], "--checkpoint", slip)
        #expect(altered.code == 1 && altered.text.contains(" is gone"), "\(altered.text)")

        daemon.send(SIGTERM)
        #expect(daemon.end().code == 0)
        let restored = try run(
            "ledger", "restore", copy, "--ledger", ledger, "--settings", self.path(of: settings),
            "--checkpoint", slip)
        #expect(restored.code == 0 && restored.text.contains("is in its place now"))
        let again = try start(settings)
        // Numbers of records come a second time, in another branch.
        let other = try self.branch()
        #expect(other != branch)
        #expect(other == (try LedgerReader(path: ledger).open().branch))
        var names: [String] = []
        try LedgerReader(path: ledger).forEach { names.append($0.name) }
        #expect(names.contains("ledger_restored") && names.contains("collection_counted"))
        #expect(try run("ledger", "verify", ledger, "--checkpoint", slip).code == 0)
        again.send(SIGTERM)
        #expect(again.end().code == 0)
    }

    @Test func `where a switch tells of the vault, the count is that of the one before`() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let daemon = try start(write(DaemonProcess.twoWayGate(), to: "gate.yaml"))
        try simulate("coin 100", until: "coin_accepted")
        let none = try run("collect", "--counted", "100", "--yes")
        #expect(none.code == 1 && none.text.contains("(nothing_to_count)"), "\(none.text)")
        try simulate("contact vault_present off", until: "vault_removed")
        let early = try run("collect", "--counted", "100", "--yes")
        #expect(early.code == 1 && early.text.contains("put one there first"))
        try simulate("contact vault_present on", until: "vault_replaced")
        // What is durable was signed before.
        while try call("AcknowledgeAlarms").body.last != .boolean(true) {}
        let (text, code) = try run("collect", "--counted", "50", "--yes", "--ledger", ledger)
        #expect(code == 0, "\(text)")
        #expect(text.contains("\ncollection 1\nto    "))
        #expect(
            text.contains("\nof 100         1\nin all       100       50      -50\n"), "\(text)")
        #expect(text.contains("\nfor count of collection 1\nexpected 100\ncounted 50\n"))
        withExtendedLifetime(daemon) {}
    }

    private func path(of settings: String) -> String {
        DaemonProcess.repository.appending(path: settings).path
    }
}
