import Foundation
import GPIOHardware
import Testing

@testable import Ledger

/// The daemon as a process: arguments, exit codes, signals and what it tells its manager.
@Suite struct DaemonTests {
    @Test func `starts, says what it does, reloads and stops`() throws {
        let daemon = try DaemonProcess("--simulate", "config/turnstiled.yaml")
        #expect(try daemon.awaitNotification("STATUS=") == "STATUS=starting")
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
        // Nothing has changed.
        #expect(!text.contains("the new policy is in force"))
        #expect(text.contains("stopped, every output at its safe level"))
    }

    @Test func `while idle only the watchdog wakes it up`() throws {
        let daemon = try DaemonProcess(
            "--simulate", "config/turnstiled.yaml", watchdogMicroseconds: 100_000)
        try daemon.awaitNotification("READY=1")
        try daemon.awaitNotification("WATCHDOG=1")
        let before = try daemon.sleeps()
        for _ in 0..<20 { try daemon.awaitNotification("WATCHDOG=1") }
        let sleeps = try daemon.sleeps() - before
        // Whoever runs the tests may have come to this late.
        #expect(sleeps <= 21 + daemon.waitingNotifications())
    }

    @Test func `a watchdog that waits for ages keeps no service from starting`() throws {
        let daemon = try DaemonProcess(
            "--simulate", "config/turnstiled.yaml", watchdogMicroseconds: .max)
        try daemon.awaitNotification("READY=1")
        daemon.send(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `refuses to start with a mistake in the settings, and says where`() throws {
        let daemon = try DaemonProcess("--simulate", "config/bad/fare.yaml")
        let (code, text) = daemon.end()
        #expect(code == 78)
        #expect(text.contains("config/bad/fare.yaml:4:3: unknown key 'fare_prise' in 'fare'"))
        #expect(text.contains("did you mean 'price'?"))
    }

    @Test(arguments: [["--simulate"], ["--check-config"], ["--safe-state"], []])
    func `settings that nobody writes into a FIFO hold nothing up`(flags: [String]) throws {
        let fifo = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: fifo) }
        // Sound: Swift lends the call the path as a C string.
        unsafe #expect(mkfifo(fifo, 0o600) == 0)
        let end = try DaemonProcess(flags + [fifo]).end()
        #expect(end.code == 78)
        #expect(end.text == "\(fifo): is a FIFO: name a regular file\n")
    }

    @Test(arguments: ["config/turnstiled.yaml", "config/two-way.yaml", "config/raspberry-pi.yaml"])
    func `finds the settings that come with it good`(settings: String) throws {
        // Whoever runs this may have a chip, and it is another one.
        let (code, text) = try DaemonProcess("--check-config", "--simulate", settings).end()
        #expect(code == 0)
        #expect(text.hasPrefix("chip ") && text.contains("\noutput "))
        #expect(text.hasSuffix("\n\n\(settings): good\n"))
        let quiet = try DaemonProcess("--check-config", "--simulate", "--quiet", settings).end()
        #expect(quiet.code == 0 && quiet.text == "")
    }

    @Test func `a check says whether it has looked at lines, and ends well without any`() throws {
        let check = try DaemonProcess("--check-config", "config/two-way.yaml").end()
        guard !LineSurvey.isPossible else {
            // None of this project's gates.
            let remark = "\nthe lines were not checked completely: "
            #expect(check.code == 78 || check.text.contains(remark))
            return
        }
        #expect(check.code == 0)
        #expect(check.text.contains("\nthere is no GPIO chip here, so the lines were not checked"))
    }

    @Test func `what is rarely meant is said by a check, a start and each reload`() throws {
        let file = "config/odd/price-never-met.yaml"
        let warning = "\(file):4:10: warning: fare.price: no coins add up to 150: "
        let check = try DaemonProcess("--check-config", "--simulate", file).end()
        #expect(check.code == 0)
        #expect(check.text.hasPrefix(warning))
        #expect(check.text.hasSuffix("\n\(file): good, with 1 warning\n"))

        let daemon = try DaemonProcess("--simulate", file)
        try daemon.awaitNotification("READY=1")
        daemon.send(SIGHUP)
        try daemon.awaitNotification("RELOADING=1")
        try daemon.awaitNotification("READY=1")
        daemon.send(SIGTERM)
        let service = daemon.end()
        #expect(service.code == 0)
        #expect(service.text.split(separator: "warning: \(warning)").count == 3)
    }

    /// A path that shows nothing of what it leads to.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/shm"), "there is no /dev/shm"))
    func `a check looks at the file system of the ledger`() throws {
        let link = DaemonProcess.folderOfProgram.appending(path: "\(UUID())")
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
        defer { for url in [link, file] { try? FileManager.default.removeItem(at: url) } }
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: URL(filePath: "/dev/shm"))
        try Self.write(
            file, chip: "{label: turnstile}", ledger: link.appending(path: "gate/ledger.db").path)
        let check = try DaemonProcess("--check-config", "--simulate", file.path).end()
        #expect(check.code == 0)
        #expect(check.text.contains(": warning: ledger.path: '"))
    }

    @Test func `a reload tells what it changes, and one with mistakes changes nothing`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        let good = try String(
            contentsOf: DaemonProcess.repository.appending(path: "config/turnstiled.yaml"),
            encoding: .utf8)
        try good.write(to: file, atomically: true, encoding: .utf8)
        let daemon = try DaemonProcess("--simulate", file.path)
        try daemon.awaitNotification("READY=1")
        for price in ["200", "free"] {
            try good.replacing("price: 150", with: "price: \(price)")
                .write(to: file, atomically: true, encoding: .utf8)
            daemon.send(SIGHUP)
            try daemon.awaitNotification("RELOADING=1")
            try daemon.awaitNotification("READY=1")
        }
        daemon.send(SIGTERM)
        let (code, text) = daemon.end()
        #expect(code == 0)
        let changes = text.split(separator: "\n").filter { $0.contains(" is to be ") }
        #expect(changes.count == 1)
        #expect(changes.first?.hasSuffix("fare.price is to be 200, it was 150") == true)
        #expect(text.split(separator: "the new policy is in force").count == 2)
        #expect(text.contains("configuration refused, the old one stays in force"))
        #expect(text.contains(":17:10: fare.price: 'free' is not a whole number"))
    }

    /// Runs what the unit has systemd run for a reload.
    @Test
    func `the unit's reload fails for a file with mistakes, of which the service never hears`()
        throws
    {
        let unit = try String(
            contentsOf: DaemonProcess.repository.appending(path: "systemd/turnstiled.service.in"),
            encoding: .utf8)
        let command = try #require(unit.firstMatch(of: /\nExecReload=\/bin\/sh -c '(.*)'\n/))
            .output.1
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        let file = folder.appending(path: "turnstiled/turnstiled.yaml")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.write(file, chip: "{label: turnstile}", ledger: "off")
        let daemon = try DaemonProcess("--simulate", file.path)
        try daemon.awaitNotification("READY=1")

        func reload() throws -> Int32 {
            let shell = Process()
            shell.executableURL = URL(filePath: "/bin/sh")
            shell.arguments = [
                "-c",
                String(command).replacing("@BINDIR@", with: DaemonProcess.folderOfProgram.path)
                    .replacing("@SYSCONFDIR@", with: folder.path),
            ]
            shell.environment = ["MAINPID": "\(daemon.identifier)"]
            shell.standardOutput = FileHandle.nullDevice
            shell.standardError = FileHandle.nullDevice
            try shell.run()
            shell.waitUntilExit()
            return shell.terminationStatus
        }
        #expect(try reload() == 0)
        try daemon.awaitNotification("RELOADING=1")
        try daemon.awaitNotification("READY=1")
        try Self.write(file, chip: "{label: turnstile, name: other}", ledger: "off")
        #expect(try reload() == 78)
        daemon.send(SIGTERM)
        let (code, text) = daemon.end()
        #expect(code == 0)
        #expect(!text.contains("configuration refused"))
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

    @Test(arguments: [
        ("{label: another}", "off", "turnstile", "hardware.chip.label: turnstile -> another"),
        (
            "{label: turnstile}", "/var/lib/turnstiled/another.db", "turnstile",
            "ledger.path: off -> /var/lib/turnstiled/another.db"
        ),
        ("{label: turnstile}", "off", "another", "gate.name: turnstile -> another"),
    ])
    func `a reload with other wiring, ledger or gate is refused, and says what to do`(
        chip: String, ledger: String, gate: String, change: String
    ) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.write(file, chip: "{label: turnstile}", ledger: "off")
        let daemon = try DaemonProcess("--simulate", file.path)
        try daemon.awaitNotification("READY=1")
        try Self.write(file, chip: chip, ledger: ledger, gate: gate)
        daemon.send(SIGHUP)
        try daemon.awaitNotification("RELOADING=1")
        try daemon.awaitNotification("READY=1")
        daemon.send(SIGTERM)
        let (code, text) = daemon.end()
        #expect(code == 0)
        #expect(text.contains("configuration refused, the old one stays in force"))
        let reason = "\(change) needs a restart: systemctl restart turnstiled"
        let line = try #require(text.split(separator: "\n").first { $0.contains(reason) })
        #expect(line.contains(/\.yaml:\d+:\d+:/))
        #expect(!text.contains("the new policy is in force"))
    }

    /// A folder of a test's own, with settings that name a ledger in it; it goes in the end.
    private static func withLedger(_ body: (_ settings: URL, _ ledger: URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (settings, ledger) = (
            folder.appending(path: "gate.yaml"), folder.appending(path: "ledger.db")
        )
        try write(settings, chip: "{path: /dev/null}", ledger: ledger.path)
        try body(settings, ledger)
    }

    @Test func `a ledger that cannot be opened keeps no line from being taken`() throws {
        try Self.withLedger { settings, ledger in
            let damaged = Data(repeating: 0x2A, count: 10_000)
            try damaged.write(to: ledger)
            // The end of all is that of the lines.
            let end = try DaemonProcess(settings.path).end()
            #expect(end.code == 78)
            #expect(end.text.contains("cannot open /dev/null"))
            #expect(try Data(contentsOf: ledger) == damaged)
        }
    }

    @Test func `a ledger is looked at and accepted by commands`() throws {
        try Self.withLedger { settings, ledger in
            func run(_ flag: String) throws -> (code: Int32, text: String) {
                try DaemonProcess(flag, settings.path).end()
            }
            var end = try run("--check-ledger")
            #expect(end.code == 1)
            #expect(end.text.contains("the ledger \(ledger.path): no such file"))
            try Data(repeating: 0x2A, count: 10_000).write(to: ledger)
            end = try run("--check-ledger")
            #expect(end.code == 1)
            #expect(end.text.contains("file is not a database"))
            end = try run("--accept-ledger")
            #expect(end.code == 0)
            let aside = try Data(contentsOf: URL(filePath: ledger.path + ".set-aside-1"))
            #expect(aside == Data(repeating: 0x2A, count: 10_000))
            end = try run("--check-ledger")
            #expect(end.code == 0)
            #expect(end.text.contains("\(ledger.path): all is accounted for"))
        }
    }

    @Test func `records that are missing since a ledger was set aside end its check with 4`() throws
    {
        try Self.withLedger { settings, ledger in
            func check() throws -> (code: Int32, text: String) {
                try DaemonProcess("--check-ledger", settings.path).end()
            }
            // As the start of the service does.
            func open() throws {
                let file = try Opening(
                    place: Place(path: ledger.path), gate: "turnstile", bootID: "boot"
                ).open().file
                try file.write(
                    [], missing: 0, contents: file.contents, wallOffset: .zero, closing: .interval)
            }
            try open()
            #expect(try check().code == 0)
            try Database(path: ledger.path, .create).execute("DELETE FROM records")
            #expect(try check().code == 1)
            try open()
            let end = try check()
            #expect(end.code == 4 && end.text.contains("are missing since"), "\(end.text)")
        }
    }

    /// Writes the settings that come with the project, for another chip, ledger and gate.
    static func write(
        _ file: URL, chip: String, ledger: String, gate: String = "turnstile"
    ) throws {
        try String(
            contentsOf: DaemonProcess.repository.appending(path: "config/turnstiled.yaml"),
            encoding: .utf8
        ).replacing("{label: turnstile}", with: chip)
            .replacing("/var/lib/turnstiled/ledger.db", with: ledger)
            .replacing("name: turnstile  ", with: "name: \(gate)  ")
            .write(to: file, atomically: true, encoding: .utf8)
    }

    @Test(arguments: [
        (["--simulate", "--safe-state"], "--safe-state, --simulate: only one of these at a time"),
        (["--chek-config"], "unknown flag '--chek-config', did you mean '--check-config'?"),
        (["-x"], "unknown flag '-x'"),
        (
            ["--quiet"],
            "--quiet goes with --check-config: the journal has its own levels"
        ),
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
        #expect(try DaemonProcess("-h").end().text == help.text)
        let version = try DaemonProcess("--version").end()
        #expect(version.code == 0 && version.text.hasPrefix("turnstiled "))
    }
}
