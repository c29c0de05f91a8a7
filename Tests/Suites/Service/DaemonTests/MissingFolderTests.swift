import Foundation
import Hardware
import Journal
import Retention
import Settings
import StateMachines
import System
import Testing
import Turnstile

@testable import Daemon

/// The way out needs the lines and nothing else: a service whose folders are not there, or are
/// something else, drives the lines, answers fire, takes no coin and says why.
@Suite final class MissingFolderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    private var state: String { folder.appending(path: "lib").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What a service does whose state folder is as it is: there is a fire once it has said so
    /// much, then the chip is gone.
    private func run(
        isRestart: Bool, until awaited: Set<String>
    ) throws -> (everEnergised: OutputSet, entries: [JournalEntry]) {
        let runtime = folder.appending(path: "run").path
        try FileManager.default.createDirectory(
            atPath: runtime, withIntermediateDirectories: false)
        if isRestart {
            let before = try Retention(runtimeFolder: runtime, stateFolder: nil, bootID: bootID())
            before.keep(RetainedState())
            before.close(within: .zero)
        }
        let text = Array(LinesTests.settings(ledger: "\(state)/ledger.db").utf8)
        let bank = try ScriptedBank(debounces: true)
        bank.script = [[(.fire, true)]]
        let journal = ListingJournal()
        var awaited = awaited
        journal.onEntry = { entry in
            if let event = entry[.event] { awaited.remove(event) }
            if awaited.isEmpty { bank.isReady.signal() }
        }
        let daemon = try Daemon(
            text, on: bank, journal, Folders(runtime: runtime, state: state))
        #expect(try daemon.run() == EX_IOERR)
        return (bank.everEnergised, journal.entries)
    }

    @Test(arguments: [true, false])
    func `without a state folder fire opens, and coins are refused`(isFile: Bool) throws {
        if isFile { try Data("a file".utf8).write(to: URL(filePath: state)) }
        let (everEnergised, entries) = try run(
            isRestart: true, until: ["fault_storage_failed", "state_not_kept"])
        #expect(everEnergised[.lockEntry] && !everEnergised[.coinEnable])
        let events = entries.compactMap { $0[.event] }
        #expect(events.contains("emergency_started"))
        let cause = isFile ? "\(state) is no folder: move away" : "there is no folder \(state)"
        for event in ["store_failed", "state_not_kept"] {
            let told = entries.filter { $0[.event] == event }
            #expect(told.contains { $0.message.contains(cause) }, "\(told.map(\.message))")
        }
    }

    @Test func `a gate whose memory of itself has no disk awaits the reset, and says so`() throws {
        let (everEnergised, entries) = try run(isRestart: false, until: ["state_unreadable"])
        #expect(everEnergised[.lockEntry])
        let told = entries.filter { $0[.event] == "state_unreadable" }
        #expect(told.count == 1 && told[0].message.contains("there is no folder \(state)"))
    }

    @Test(.enabled(if: DaemonProcess.canHaveJournal, "no namespace can be had here"))
    func `on a disk that is read-only the gate works, but for coins`() throws {
        try FileManager.default.createDirectory(
            atPath: "\(state)/run", withIntermediateDirectories: true)
        let readOnly = """
            exec unshare --map-root-user --mount bash -c '
                mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"
            ' bash "\(state)" "$0" "$@"
            """
        let daemon = try DaemonProcess(
            ["--simulate", "--state-directory", state, "config/turnstiled.yaml"], script: readOnly)
        let refused = "STATUS=locked, coins refused (F18 storage_failed)"
        while try daemon.awaitNotification("STATUS=") != refused {}
        daemon.send(SIGTERM)
        let end = daemon.end()
        #expect(end.code == 0)
        #expect(end.text.contains("its file system is read-only"), "\(end.text)")
    }

    @Test func `a drop-in that has systemd make the folders says where they are`() throws {
        let file = folder.appending(path: "gate.yaml")
        try DaemonTests.write(file, chip: "{path: /dev/null}", ledger: "off")
        let run = folder.appending(path: "other")
        try FileManager.default.createDirectory(at: run, withIntermediateDirectories: false)
        let variables = [
            "RUNTIME_DIRECTORY": run.path, "TURNSTILED_RUNTIME_DIRECTORY": "/nowhere",
        ]
        let end = try DaemonProcess([file.path], variables: variables).end()
        #expect(end.code == 78)
        #expect(end.text.contains("TURNSTILED_STATE_DIRECTORY is not set, as the unit does"))
        let kept = try FileManager.default.contentsOfDirectory(atPath: run.path)
        #expect(kept.contains("settings.yaml"))
    }
}
