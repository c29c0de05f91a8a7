import Foundation
import PrivateBus
import Testing

/// A service with a simulated gate, which the operator's command moves.
@Suite(.timeLimit(.minutes(5))) final class PlayTests {
    private let bus = try! PrivateBus()

    private func daemon(_ arguments: String...) throws -> DaemonProcess {
        let daemon = try DaemonProcess(
            arguments + ["config/turnstiled.yaml"],
            variables: [
                "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "DBUS_SESSION_BUS_ADDRESS": bus.address,
            ])
        try daemon.awaitNotification("READY=1")
        return daemon
    }

    /// What `turnstilectl simulate` prints, and its exit code.
    private func simulate(_ arguments: String...) throws -> (text: String, code: Int32) {
        try command(["simulate"] + arguments)
    }

    /// What `turnstilectl` prints, and its exit code.
    private func command(_ arguments: [String]) throws -> (text: String, code: Int32) {
        let process = Process()
        process.executableURL = DaemonProcess.folderOfProgram.appending(path: "turnstilectl")
        process.currentDirectoryURL = FileManager.default.temporaryDirectory
        process.arguments = arguments
        process.environment = ["DBUS_SYSTEM_BUS_ADDRESS": bus.address]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (String(decoding: text, as: UTF8.self), process.terminationStatus)
    }

    /// Waits until the gate is on the bus.
    private func awaitGate() throws {
        while try simulate("let-go").code == 69 {}
    }

    /// A file with this scenario.
    private func scenario(_ text: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).scenario")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    @Test func `somebody pays and passes, as the scenario expects`() throws {
        let daemon = try daemon("--simulate")
        try awaitGate()
        // The limits leave room for a machine with other work.
        let file = try scenario(
            """
            settings \(DaemonProcess.repository.path)/config/two-way.yaml
            ask set_mode direction=exit mode=locked for 1h
            expect answer done
            coin 150
            expect record released direction=entry within 1min
            push entry
            expect record passage_completed direction=entry kind=paid within 1min
            expect lock_entry off within 1min
            coin 50
            expect record released within 1s
            """)
        let (text, code) = try simulate("play", file)
        #expect(code == 1)
        #expect(text.contains("config/two-way.yaml, and the gate has other settings in force"))
        #expect(text.contains("  expect lock_entry off within 1min\n"))
        #expect(text.contains("\(file):10: 'expect record released within 1s': told was coin_acc"))
        daemon.send(SIGTERM)
        #expect(daemon.end().text.contains("somebody passed (entry)"))
    }

    @Test func `nobody takes a simulated gate for a real one`() throws {
        let daemon = try daemon("--simulate")
        try awaitGate()
        #expect(try command(["status"]).text.hasPrefix("gate         turnstile (simulated)\n"))
        // The settings are those of the service, wherever it was started.
        let lines = try command(["lines"])
        #expect(lines.text.contains("coin_pulse"), "\(lines.text)")
        let doctor = try command(["doctor"])
        #expect(doctor.text.contains("the gate on the bus is simulated"))
        withExtendedLifetime(daemon) {}
    }

    @Test func `what cannot be done is refused, and says why`() throws {
        let daemon = try daemon("--simulate")
        try awaitGate()
        let missing = try simulate("contact", "vault_full", "on")
        #expect(missing.text.contains("no vault_full is wired") && missing.code == 64)
        let misspelt = try simulate("coim", "50")
        #expect(misspelt.text.contains("did you mean 'coin'?") && misspelt.code == 64)
        let endless = try simulate(String(repeating: "x", count: 300))
        #expect(endless.text.contains("at most 200 bytes") && endless.code == 64)
        let (text, code) = try simulate("play", try scenario("coin 50\ncoin\nexpct"))
        #expect(text.contains(".scenario:2:6: an amount is missing"))
        #expect(text.contains(".scenario:3:1:") && text.contains("did you mean 'expect'?"))
        #expect(code == 65)
        withExtendedLifetime(daemon) {}
    }

    @Test func `whoever watches a simulated gate moves it with the same keys`() throws {
        let daemon = try daemon("--simulate")
        try awaitGate()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/script")
        let program = DaemonProcess.folderOfProgram.appending(path: "turnstilectl").path
        process.arguments = ["--quiet", "--return", "--command", "\(program) watch", "/dev/null"]
        process.environment = ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "TERM": "xterm"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        var text = ""
        func wait(for words: String) throws {
            while !text.contains(words) {
                let piece = output.fileHandleForReading.availableData
                try #require(!piece.isEmpty, "it ended without \(words): \(text)")
                text += String(decoding: piece, as: UTF8.self)
            }
        }
        try wait(for: "(simulation)")
        // The coins are those of the settings of the gate.
        input.fileHandleForWriting.write(Data("2".utf8))
        try wait(for: "coin 100: in the box")
        input.fileHandleForWriting.write(Data("q".utf8))
        try wait(for: "  coins   1 x 100 accepted")
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        daemon.send(SIGTERM)
        #expect(daemon.end().text.contains("coin of 100"))
    }
}
