import Foundation
import Keeping
import Ledger
import System
import Testing

/// A simulated gate that keeps its state and its ledger in a folder, as a gate of its own does.
@Suite final class SimulatedStateTests {
    private static let settings = "config/turnstiled.yaml"
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func start(_ arguments: [String] = []) throws -> DaemonProcess {
        try DaemonProcess(
            ["--simulate", "--state-directory", folder.path] + arguments + [Self.settings])
    }

    /// Runs the service until its ledger is open; what it has said when it was stopped then.
    private func live(_ arguments: String...) throws -> String {
        let daemon = try start(arguments)
        while try daemon.awaitNotification("STATUS=") != "STATUS=locked" {}
        daemon.send(SIGTERM)
        let end = daemon.end()
        #expect(end.code == 0)
        return end.text
    }

    @Test func `a simulated gate goes on from what it kept, its registers too`() throws {
        let first = try live()
        #expect(first.contains("starts 1"), "\(first)")
        #expect(!first.contains("emergency"), "the first one is at rest: \(first)")
        let second = try live()
        #expect(second.contains("starts 2"), "\(second)")
        let check = try DaemonProcess(
            "--check-ledger", "--state-directory", folder.path, Self.settings
        ).end()
        #expect(check.code == 0 && check.text.contains("all is accounted for"), "\(check.text)")
    }

    @Test func `a folder that cannot be made is told, and nothing is simulated`() throws {
        let daemon = try DaemonProcess(
            "--simulate", "--state-directory=/dev/null/gate", Self.settings)
        let end = daemon.end()
        #expect(end.code == 70)
        #expect(end.text == "turnstile-simulator: mkdir for /dev/null/gate: Not a directory\n")
    }

    @Test(arguments: ["--speed=1", "--speed=2"])
    func `a day of a trial is kept in a ledger that no gate takes up`(speed: String) throws {
        _ = try live("--at", "2026-12-24T12:00", speed)
        let second = try live("--at", "2026-12-25T12:00", speed)
        #expect(second.contains("starts 2"), "\(second)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains("run") && !names.contains("trace"), "\(names)")
        let reader = LedgerReader(path: folder.appending(path: "ledger.db").path)
        var days: [CalendarDay] = []
        try reader.forEach { record in
            let time = LocalTime(at: record.wallTime)
            if let day = CalendarDay(time.year, time.month, time.day), days.last != day {
                days.append(day)
            }
        }
        #expect(days.map(\.description) == ["2026-12-24", "2026-12-25"])
        let flaw = try LedgerVerification().verify(reader).flaw
        #expect(flaw == "it is the ledger of a trial, and of no gate")

        let gate = try start()
        while try !gate.awaitNotification("STATUS=").contains("F18") {}
        gate.send(SIGTERM)
        let end = gate.end()
        #expect(end.text.contains("it is the ledger of a trial"), "\(end.text)")
    }

    @Test(arguments: [["--at", "23:30"], ["--at=2026-12-24 23:30:00", "--speed=2"]])
    func `the clock of a simulated gate starts where it is told to`(arguments: [String]) throws {
        let daemon = try DaemonProcess(["--simulate"] + arguments + ["config/two-way.yaml"])
        try daemon.awaitNotification("READY=1")
        daemon.send(SIGTERM)
        let (code, text) = daemon.end()
        #expect(code == 0)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix(" ") }
        #expect(lines.count > 3 && lines.allSatisfy { $0.hasPrefix("23:3") }, "\(text)")
        // The schedule closes the way in from 23:00 on.
        #expect(text.contains("coins are refused: nobody may come in"), "\(text)")
    }

    @Test(arguments: [
        (["--state-directory", "there"], "--state-directory goes with --simulate"),
        (["--safe-state", "--state-directory", "there"], "goes with --simulate"),
        (["--simulate", "--state-directory"], "--state-directory: which folder?"),
        (["--simulate", "--state-directory="], "--state-directory: which folder?"),
        (["--simulate", "--state-directoy=x"], "did you mean '--state-directory'?"),
        (["--simulate", "--speed"], "--speed: how many times as fast?"),
        (["--simulate", "--speed", "61"], "--speed: '61' is not a whole number from 1 to 60"),
        (["--simulate", "--speed=fast"], "--speed: 'fast' is not"),
        (["--speed", "60"], "--speed goes with --simulate"),
        (["--simulate", "--at"], "--at: what does the clock show at the start?"),
        (["--simulate", "--at=8"], "--at: '8' is no time that the clock here shows: write 08:00"),
        (["--simulate", "--at", "24:00"], "--at: '24:00' is no time"),
        (["--simulate", "--at=2026-02-30T08:00"], "--at: '2026-02-30T08:00' is no time"),
        (["--check-config", "--at=08:00"], "--at goes with --simulate"),
    ])
    func `what makes no sense is refused`(arguments: [String], message: String) throws {
        let end = try DaemonProcess(arguments).end()
        #expect(end.code == 64)
        #expect(end.text.contains(message), "\(end.text)")
    }
}
