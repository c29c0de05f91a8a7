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
@testable import turnstiled

/// Beginning and end of a daemon on lines that do what the test says.
@Suite final class LifeTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    private var file: URL { folder.appending(path: "gate.yaml") }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test(arguments: [[], [""]])
    func `arguments that have not arrived start no service`(arguments: [String]) {
        #expect(throws: UsageError.self) { try Invocation(arguments) }
    }

    @Test(arguments: ["turnstiled", "turnstile-simulator", "turnstilectl"])
    func `a program that is executed without arguments ends with 64`(program: String) throws {
        let process = Process()
        let output = Foundation.Pipe()
        process.executableURL = URL(filePath: "/bin/bash")
        // What Linux makes of an empty list.
        process.arguments = [
            "-c", "exec -a '' \"$0\"", DaemonProcess.folderOfProgram.appending(path: program).path,
        ]
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 64)
        #expect(text.contains("no argument has arrived, nor a name"), "\(text)")
    }

    @Test func `a lost chip ends the service with 74, all outputs safe`() throws {
        try DaemonTests.write(file, chip: "{label: one}", ledger: "off")
        let text = try Settings.read(path: file.path)
        let bank = try VanishingBank()
        let daemon = try Daemon(text, at: file.path, on: bank, standardJournal())
        #expect(try daemon.run() == 74)
        #expect(bank.hasDriven)
        #expect(bank.energised == [])
        #expect(bank.isClosed)
    }

    @Test func `while the lines are waited for the status says so`() throws {
        try DaemonTests.write(file, chip: "{label: there-is-none}", ledger: "off")
        let daemon = try DaemonProcess(file.path, folders: folder)
        #expect(try daemon.awaitNotification("STATUS=") == "STATUS=starting")
        daemon.send(SIGTERM)
        #expect(daemon.end().code == 0)
    }

    @Test func `the settings in force are kept before the lines are asked for`() throws {
        try DaemonTests.write(file, chip: "{path: /dev/null}", ledger: "off")
        let end = try DaemonProcess(file.path, folders: folder).end()
        #expect(end.code == 78)
        let kept = folder.appending(path: "run/settings.yaml")
        #expect(try Data(contentsOf: kept) == Data(contentsOf: file))
        #expect(!end.text.contains("is not kept"))
    }

    @Test func `files that may not grow end no service`() throws {
        try DaemonTests.write(file, chip: "{path: /dev/null}", ledger: "off")
        // Whoever runs the tests may ignore the signal.
        let limited = "ulimit -f 0; exec env --default-signal=XFSZ \"$0\" \"$@\""
        let end = try DaemonProcess(file.path, after: limited, folders: folder).end()
        #expect(end.code == 78)
        #expect(end.text.contains("settings.yaml.new: File too large"))
    }

    @Test func `standard descriptors that were closed are no line's and no ledger's`() throws {
        try DaemonTests.write(
            file, chip: "{label: there-is-none}", ledger: folder.appending(path: "ledger.db").path)
        let closed = "exec 0<&- 1>&- 2>&-"
        let daemon = try DaemonProcess(file.path, after: closed, folders: folder)
        // The ledger is opened, and the lines are asked for.
        try daemon.awaitNotification("STATUS=")
        let open = (0...2).map { number in
            let path = "/proc/\(daemon.identifier)/fd/\(number)"
            return try? FileManager.default.destinationOfSymbolicLink(atPath: path)
        }
        #expect(open == ["/dev/null", "/dev/null", "/dev/null"])
    }

    @Test(arguments: [
        ("WATCHDOG_USEC", "2s"), ("WATCHDOG_USEC", ""), ("WATCHDOG_USEC", "0"),
        ("WATCHDOG_USEC", "a\nb"), ("WATCHDOG_PID", "me"),
    ]) func `what is no watchdog is told with its variable and value`(
        variable: String, value: String
    ) throws {
        let end = try DaemonProcess(
            ["--simulate", "config/turnstiled.yaml"], watchdogMicroseconds: 2_000_000,
            variables: [variable: value]
        ).end()
        #expect(end.code == 70)
        #expect(end.text.contains("\(variable)=\(value.debugDescription) ("))
        #expect(end.text.hasSuffix("): Invalid argument\n"))
    }

    @Test func `descriptors that were kept under one name hold nothing up`() throws {
        try DaemonTests.write(file, chip: "{path: /dev/null}", ledger: "off")
        let handedOver = """
            for number in {3..20}; do eval "exec $number</dev/null"; done
            export LISTEN_PID=$$ LISTEN_FDS=18 LISTEN_FDNAMES=a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a:a
            """
        let daemon = try DaemonProcess(file.path, after: handedOver, folders: folder)
        #expect(daemon.end().code == 78)
    }

    @Test func `lines that only the settings before had are a person's matter`() throws {
        // The service before had lines by other settings.
        let before = folder.appending(path: "before.yaml")
        try DaemonTests.write(before, chip: "{label: there-was-one}", ledger: "off")
        let run = folder.appending(path: "run")
        try FileManager.default.createDirectory(at: run, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: before, to: run.appending(path: "settings.yaml"))
        let retention = try Retention(
            runtimeFolder: run.path, stateFolder: nil, bootID: bootID())
        retention.keep(RetainedState())
        retention.close(within: .zero)
        try DaemonTests.write(file, chip: "{label: there-is-none}", ledger: "off")
        // It waits for a driver that is late, for ten seconds and no more.
        #expect(try DaemonProcess(file.path, folders: folder).end().code == 78)
    }

    @Test func `a service that keeps ending waits before it asks for the lines`() throws {
        try DaemonTests.write(file, chip: "{path: /dev/null}", ledger: "off")
        for start in 1...6 {
            let end = try DaemonProcess(file.path, folders: folder).end()
            #expect(end.code == 78)
            #expect(
                end.text.contains("start 6 in a row: the lines are taken in 250 ms") == (start == 6)
            )
        }
    }

    @Test func `a service that was started by hand says that it keeps nothing`() throws {
        try DaemonTests.write(file, chip: "{path: /dev/null}", ledger: "off")
        let end = try DaemonProcess(file.path).end()
        #expect(
            end.text.contains(
                "the state is not kept: neither TURNSTILED_RUNTIME_DIRECTORY nor "
                    + "TURNSTILED_STATE_DIRECTORY is set, as the unit does"))
        let simulated = try DaemonProcess("--simulate", file.path, folders: folder)
        try simulated.awaitNotification("READY=1")
        simulated.send(SIGTERM)
        #expect(!simulated.end().text.contains("is not kept"))
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/run")
        #expect(kept == [])
    }
}

/// A bank whose chip vanishes as soon as somebody listens to it.
private final class VanishingBank: LineBank {
    let capabilities = Capabilities(name: "test", debounces: true, detectsLostEdges: true)
    private let isGone: EventFD
    private(set) var energised: Set<Output> = []
    private(set) var hasDriven = false
    private(set) var isClosed = false

    init() throws {
        isGone = try EventFD()
        isGone.signal()
    }

    var descriptors: [CInt] { [isGone.descriptor] }
    func takeEvents(at ready: [CInt], _ body: (LineEvent) -> Void) throws(HardwareError) {
        throw HardwareError(.failed, "read: No such device")
    }
    func readInputs(_ failed: (Input, HardwareError) -> Void) -> InputLevels { [] }
    func set(_ output: Output, energised isOn: Bool) throws(HardwareError) {
        hasDriven = true
        if isOn { energised.insert(output) } else { energised.remove(output) }
    }
    func readOutputs(_ failed: (Output, HardwareError) -> Void) -> OutputSet {
        OutputSet(energised)
    }
    func close() throws(HardwareError) {
        energised = []
        isClosed = true
    }
}
