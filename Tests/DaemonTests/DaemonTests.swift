import Foundation
import Testing

/// The daemon as a process: arguments, exit codes, signals and what it tells its manager.
@Suite struct DaemonTests {
    @Test func `starts, says what it does, reloads and stops`() throws {
        let daemon = try DaemonProcess("--simulate", "config/turnstiled.yaml")
        #expect(try daemon.awaitNotification("STATUS=") == "STATUS=locked")
        try daemon.awaitNotification("READY=1")
        daemon.send(SIGHUP)
        let reloading = try daemon.awaitNotification("RELOADING=1")
        #expect(reloading.contains("\nMONOTONIC_USEC="))
        try daemon.awaitNotification("READY=1")
        daemon.send(SIGTERM)
        try daemon.awaitNotification("STOPPING=1")
        let (code, text) = daemon.end()
        #expect(code == 0)
        #expect(text.contains("in operation"))
        #expect(text.contains("the new policy is in force"))
        #expect(text.contains("stopped, every output at its safe level"))
    }

    @Test func `while idle only the watchdog wakes it up`() throws {
        let daemon = try DaemonProcess(
            "--simulate", "config/turnstiled.yaml", watchdogMicroseconds: 100_000)
        try daemon.awaitNotification("READY=1")
        try daemon.awaitNotification("WATCHDOG=1")
        let before = try daemon.sleeps()
        for _ in 0..<20 { try daemon.awaitNotification("WATCHDOG=1") }
        #expect(try daemon.sleeps() - before <= 21)
    }

    @Test func `refuses to start with a mistake in the settings, and says where`() throws {
        let daemon = try DaemonProcess("--simulate", "config/bad/fare.yaml")
        let (code, text) = daemon.end()
        #expect(code == 78)
        #expect(text.contains("config/bad/fare.yaml:4:3: unknown key 'fare_prise' in 'fare'"))
        #expect(text.contains("did you mean 'price'?"))
    }

    @Test(arguments: ["config/turnstiled.yaml", "config/two-way.yaml", "config/raspberry-pi.yaml"])
    func `finds the settings that come with it good`(settings: String) throws {
        let (code, text) = try DaemonProcess("--check-config", settings).end()
        #expect(code == 0)
        #expect(text == "\(settings): good\n")
    }

    @Test func `a reload with mistakes leaves the old settings in force`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        let good = try String(
            contentsOf: DaemonProcess.repository.appending(path: "config/turnstiled.yaml"),
            encoding: .utf8)
        try good.write(to: file, atomically: true, encoding: .utf8)
        let daemon = try DaemonProcess("--simulate", file.path)
        try daemon.awaitNotification("READY=1")
        try good.replacing("price: 150", with: "price: free")
            .write(to: file, atomically: true, encoding: .utf8)
        daemon.send(SIGHUP)
        try daemon.awaitNotification("RELOADING=1")
        try daemon.awaitNotification("READY=1")
        daemon.send(SIGTERM)
        let (code, text) = daemon.end()
        #expect(code == 0)
        #expect(text.contains("configuration refused, the old one stays in force"))
        #expect(text.contains("fare.price"))
    }

    @Test func `lines that no start can bring end with 78 and the reason`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        // A device that is there and is no GPIO chip: there is nothing to wait for.
        try Self.write(file, chip: "{path: /dev/null}", ledger: "off")
        let (code, text) = try DaemonProcess(file.path).end()
        #expect(code == 78)
        #expect(text.contains("/dev/null"))
    }

    @Test func `a reload with other wiring is refused, and says what to do`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.write(file, chip: "{label: turnstile}", ledger: "off")
        let daemon = try DaemonProcess("--simulate", file.path)
        try daemon.awaitNotification("READY=1")
        try Self.write(file, chip: "{label: another}", ledger: "off")
        daemon.send(SIGHUP)
        try daemon.awaitNotification("RELOADING=1")
        try daemon.awaitNotification("READY=1")
        daemon.send(SIGTERM)
        let (code, text) = daemon.end()
        #expect(code == 0)
        #expect(text.contains("configuration refused, the old one stays in force"))
        #expect(text.contains("the wiring, the ledger or the gate's name changed: restart the"))
        #expect(!text.contains("the new policy is in force"))
    }

    @Test func `a ledger that cannot be opened keeps nobody from the lines`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let settings = folder.appending(path: "gate.yaml")
        let ledger = folder.appending(path: "ledger.db")
        try Data(repeating: 0x2A, count: 10_000).write(to: ledger)
        try Self.write(settings, chip: "{path: /dev/null}", ledger: ledger.path)
        let end = try DaemonProcess(settings.path).end()
        #expect(end.code == 78)
        #expect(end.text.contains("cannot open /dev/null"))
    }

    /// Writes the settings that come with the project, for another chip and another ledger.
    static func write(_ file: URL, chip: String, ledger: String) throws {
        try String(
            contentsOf: DaemonProcess.repository.appending(path: "config/turnstiled.yaml"),
            encoding: .utf8
        ).replacing("{label: turnstile}", with: chip)
            .replacing("/var/lib/turnstiled/ledger.db", with: ledger)
            .write(to: file, atomically: true, encoding: .utf8)
    }

    @Test(arguments: [
        (["--simulate", "--safe-state"], "--safe-state, --simulate: only one of these at a time"),
        (["--chek-config"], "unknown flag '--chek-config', did you mean '--check-config'?"),
        (["-x"], "unknown flag '-x'"),
        (["one.yaml", "two.yaml"], "one file of settings at most, not also 'two.yaml'"),
    ])
    func `a command line that makes no sense is refused`(arguments: [String], text: String) throws {
        let end = try DaemonProcess(arguments).end()
        #expect(end.code == 64)
        #expect(end.text.hasPrefix("turnstiled: \(text)\nusage: turnstiled"))
    }

    @Test func `says what it can do, and which version it is`() throws {
        let help = try DaemonProcess("--help").end()
        #expect(help.code == 0 && help.text.contains("--check-config  only check the settings"))
        let version = try DaemonProcess("--version").end()
        #expect(version.code == 0 && version.text.hasPrefix("turnstiled "))
    }
}
