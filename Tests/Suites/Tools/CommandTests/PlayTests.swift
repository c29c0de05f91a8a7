import Foundation
import System
import Testing
import Turnstile

/// A scenario that is played on a gate somewhere else.
@Suite struct PlayTests {
    private static let wrongLine = FakeGate.Reaction(
        error: ("org.freedesktop.DBus.Error.InvalidArgs", "no vault_door is wired at this gate"))

    /// Plays a text against a gate that does this; the file's name is `a.scenario`.
    private func play(
        _ text: String, _ options: String..., reactions: [String: FakeGate.Reaction] = [:]
    ) throws -> Command {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a.scenario")
        try Data(text.utf8).write(to: file)
        let gate = try FakeGate(
            .busy, ["Simulate": .init(reply: [])].merging(reactions) { $1 })
        defer { gate.stop() }
        return try Command(["simulate", "play", file.path] + options, at: gate.address)
    }

    @Test func `a line that the gate cannot do is told with its place`() throws {
        let text = "coin 50\npress vault_door"
        let reactions = ["Simulate press vault_door": Self.wrongLine]
        let command = try play(text, reactions: reactions)
        #expect(command.code == 65)
        #expect(
            command.errors.hasSuffix(
                "a.scenario:2: 'press vault_door': no vault_door is wired at this gate\n"))
        let json = try play(text, "--json", reactions: reactions)
        #expect(json.code == 65)
        #expect(json.output.hasSuffix("\n{\"result\": \"failed\"}\n"))
    }

    @Test func `of many mistakes the first are told, and how many there are`() throws {
        let text = String(repeating: "nothing\n", count: 25)
        let command = try play(text)
        #expect(command.code == 65)
        #expect(command.errors.contains("a.scenario:20:1: "))
        #expect(!command.errors.contains("a.scenario:21:1: "))
        #expect(command.errors.hasSuffix("\nand 5 more\n"))
    }

    @Test func `a gate that goes away meanwhile is told with the place`() throws {
        let command = try play(
            "coin 50\ncoin 100",
            reactions: [
                "Simulate coin 100": .init(
                    error: ("io.turnstiled1.Error.Unavailable", "it stops"))
            ])
        #expect(command.code == 1)
        #expect(command.errors.contains("a.scenario:2: 'coin 100': the gate is not available now"))
    }

    @Test func `records that were not told are no other version`() throws {
        let lost = BusMessage.signal(
            "RecordsLost", on: "io.turnstiled1.Gate", at: "/io/turnstiled1", [.uint64(3)])
        let command = try play(
            "coin 50\nexpect record coin_accepted",
            reactions: ["Simulate coin 50": .init(reply: [], signals: [lost])])
        #expect(command.code == 1)
        #expect(command.errors.contains("a.scenario:"))
        #expect(command.errors.contains("3 records were missed"))
        #expect(!command.errors.contains("one version"))
    }

    @Test func `settings that cannot be read are a warning`() throws {
        let command = try play("settings none.yaml\ncoin 50")
        #expect(command.code == 0)
        #expect(command.errors.contains("warning: "))
        #expect(command.errors.contains("none.yaml: cannot open: No such file"))
    }

    /// On a real clock it is a little later than the line before was to be done.
    @Test func `a time from the beginning may be that of the line before`() throws {
        let command = try play("coin 50\n0:00 coin 50\n+1s\n0:01 coin 50")
        #expect(command.code == 0, "\(command.errors)")
    }
}
