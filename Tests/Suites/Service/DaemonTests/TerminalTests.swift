import Foundation
import PrivateBus
import System
import Testing

/// The service on a terminal, with a shell that has jobs, as somebody sits there.
@Suite(.timeLimit(.minutes(5))) struct TerminalTests {
    /// A program on a terminal, whose other end is the test.
    private final class Session {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()
        /// What was shown since the last wait, as far as it was read.
        private var text = ""
        /// What the last wait went past.
        private(set) var passed = ""

        /// Runs a script in a shell with jobs, on a terminal of 80 columns and 24 rows. Signals
        /// that the tests have blocked are heard there. A gate is on the bus at this address.
        init(_ script: String, bus: String = "unix:path=/nowhere") throws {
            process.executableURL = URL(filePath: "/usr/bin/script")
            process.arguments = [
                "--quiet", "--return", "--command",
                "stty rows 24 cols 80; exec env --default-signal bash --norc -m -c '\(script)'",
                "/dev/null",
            ]
            process.currentDirectoryURL = DaemonProcess.repository
            var environment = ProcessInfo.processInfo.environment
            environment["TERM"] = "xterm"
            environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus
            environment["DBUS_SESSION_BUS_ADDRESS"] = bus
            let folder = DaemonProcess.folderOfProgram.path
            environment["PATH"] = "\(folder):\(environment["PATH"] ?? "")"
            process.environment = environment
            process.standardInput = input
            process.standardOutput = output
            try process.run()
        }

        deinit { process.terminate() }

        func type(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

        /// Waits until the terminal has shown this since the last wait.
        func await(_ words: String) throws {
            var end = text.range(of: words)?.upperBound
            while end == nil {
                let piece = output.fileHandleForReading.availableData
                try #require(!piece.isEmpty, "it ended without \(words): \(text)")
                text += String(decoding: piece, as: UTF8.self)
                end = text.range(of: words)?.upperBound
            }
            guard let end else { return }
            passed = String(text[..<end])
            text = String(text[end...])
        }

        /// Waits for the end and returns all that was shown since the last wait.
        func end() -> String {
            let rest = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return text + String(decoding: rest, as: UTF8.self)
        }
    }

    private static let daemon = "turnstiled --simulate config/turnstiled.yaml"

    @Test func `Ctrl-Z gives the terminal back, and fg draws the gate anew`() throws {
        let session = try Session("\(Self.daemon); stty -a; echo stopped; read; fg; stty -a")
        try session.await("\u{1B}[?1049h")
        try session.await("turnstile")
        session.type("\u{1A}")
        try session.await("\u{1B}[?1049l")
        try session.await(" icanon")
        try session.await("stopped")
        // These letters are keys of the gate, and would start an emergency there.
        session.type("fg\n")
        try session.await("\u{1B}[?1049h")
        try session.await("turnstile")
        session.type("q")
        try session.await("\u{1B}[?1049l")
        let rest = session.end()
        #expect(rest.contains(" icanon"))
        #expect(!rest.contains("emergency"), "\(rest)")
    }

    @Test func `SIGTSTP does the same`() throws {
        let session = try Session("echo shell $$ .; \(Self.daemon); echo stopped; read; fg")
        try session.await("shell ")
        try session.await(".")
        let shell = try #require(Int32(session.passed.dropLast(2)))
        try session.await("turnstile")
        let children = try String(
            contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        let daemon = try #require(Int32(children.dropLast()))
        #expect(kill(daemon, SIGTSTP) == 0)
        try session.await("\u{1B}[?1049l")
        try session.await("stopped")
        session.type("\n")
        try session.await("\u{1B}[?1049h")
        try session.await("turnstile")
        session.type("q")
        #expect(session.end().contains("\u{1B}[?1049l"))
    }

    @Test func `whoever leaves is told on the ordinary screen what was counted`() throws {
        let session = try Session(Self.daemon)
        try session.await("turnstile")
        session.type("2")
        try session.await("in the box")
        session.type("q")
        try session.await("\u{1B}[?1049l")
        let rest = session.end()
        #expect(rest.contains("turnstile, while you looked:"))
        #expect(rest.contains("  coins   1 x 100 accepted"), "\(rest)")
        #expect(rest.contains("  kept    nothing: --state-directory DIR keeps"))
    }

    @Test func `an entry of several lines is shown with all of them`() throws {
        let session = try Session(Self.daemon)
        try session.await("turnstile")
        session.type("2")
        try session.await("in the box")
        // The log alone; the registers are written at the stop, before the screen is left.
        session.type("\t\tq")
        try session.await("\u{1B}[?1049l")
        for line in ["registers, at the stop:", "starts 1, ", "accepted_coin_pulse_100 1, "] {
            #expect(session.passed.contains(line), "\(session.passed)")
        }
    }

    @Test func `what ended the service is said again on the ordinary screen`() throws {
        let bus = try PrivateBus()
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(Self.leastGate.utf8).write(to: file)
        let session = try Session(
            "turnstiled --simulate \(file.path); echo code $?", bus: bus.address)
        try session.await("turnstile")
        let client = try BusConnection(to: .address(bus.address))
        func simulate(_ words: String) throws -> Bool {
            let gate = "io.turnstiled1"
            let call = BusMessage.call(
                "Simulate", on: "\(gate).Gate", at: "/io/turnstiled1", of: gate, [.string(words)])
            return try client.call(call, within: .seconds(60)).kind == .reply
        }
        while try !simulate("let-go") {}
        // The lock first: that the others fail drives it.
        _ = try simulate("fault lock_entry undrivable")
        for input in ["rotor_a", "rotor_b", "release_entry", "fire"] {
            _ = try simulate("fault \(input) unreadable")
        }
        try session.await("\u{1B}[?1049l")
        let rest = session.end()
        #expect(rest.contains("code 74"), "\(rest)")
        #expect(rest.contains("no line works any more"), "\(rest)")
    }

    /// A gate of few lines, whose lock is driven to open.
    private static let leastGate = """
        ledger: {path: "off"}
        emergency: {fire_reset: auto}
        hardware:
          chip: {label: board}
          inputs:
            rotor_a: {line: 1}
            rotor_b: {line: 2}
            release_entry: {line: 3}
            fire: {line: 4}
          outputs:
            lock_entry: {line: 5, power_loss: fail_secure}
        """
}
