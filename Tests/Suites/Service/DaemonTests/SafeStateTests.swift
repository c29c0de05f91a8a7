import Foundation
import Hardware
import Retention
import Settings
import Testing
import Turnstile

@testable import Daemon
@testable import GPIOHardware
@testable import turnstiled

/// The outputs are made safe by what they were wired to.
@Suite final class SafeStateTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    private let runtime: RuntimeFolder
    private var file: URL { folder.appending(path: "gate.yaml") }

    init() throws {
        runtime = RuntimeFolder(path: folder.appending(path: "run").path)
        try FileManager.default.createDirectory(
            atPath: runtime.path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func wiring(chip: String) throws -> Wiring {
        try DaemonTests.write(file, chip: "{label: \(chip)}", ledger: "off")
        return try Settings.load(path: file.path).wiring
    }

    /// Keeps what the file says now as that which is in force.
    private func keep() throws {
        try runtime.write(Array(Data(contentsOf: file)), to: Kept.settings)
    }

    /// What is driven, what is said and the exit code, where all lines work.
    private func run(
        failures: [HardwareError] = []
    ) -> (wirings: [Wiring], said: [String], exitCode: CInt) {
        var driven: [Wiring] = []
        var said: [String] = []
        let exitCode = SafeState(path: file.path, folder: runtime).run(
            drive: { wirings in
                driven = wirings
                return GPIOBank.SafeState(
                    outputs: wirings.map { Array($0.outputs.keys) }, failures: failures)
            }, say: { said.append($0) })
        return (driven, said, exitCode)
    }

    @Test func `others look for the settings in force where they are kept`() {
        #expect("\(Folders.standardRuntime)/\(Kept.settings)" == Settings.placeInForce)
    }

    @Test func `without settings in force the file says what to drive`() throws {
        let wiring = try wiring(chip: "one")
        let result = run()
        #expect(result.wirings == [wiring])
        #expect(result.said == [] && result.exitCode == 0)
    }

    @Test func `what was in force is driven though the file is broken since`() throws {
        let wiring = try wiring(chip: "one")
        try keep()
        try Data("fare: {prise: 1}\n".utf8).write(to: file)
        let result = run()
        #expect(result.wirings == [wiring])
        #expect(result.said.joined().contains("gate.yaml:1:8: unknown key 'prise'"))
        #expect(result.exitCode == 78)
        try FileManager.default.removeItem(at: file)
        #expect(run().wirings == [wiring])
    }

    @Test func `what was in force comes first, then the file's other lines, and that is said`()
        throws
    {
        let before = try wiring(chip: "one")
        try keep()
        let after = try wiring(chip: "two")
        let result = run()
        #expect(result.wirings == [before, after])
        #expect(result.said.count == 1 && result.said[0].contains("other lines than were in force"))
        #expect(result.exitCode == 0)
    }

    @Test func `a file that was not changed is driven once, and nothing is said`() throws {
        let wiring = try wiring(chip: "one")
        try keep()
        let result = run()
        #expect(result.wirings == [wiring])
        #expect(result.said == [] && result.exitCode == 0)
    }

    @Test func `nothing that was in force is left out where it cannot be read`() throws {
        let wiring = try wiring(chip: "one")
        try runtime.write(Array("nonsense".utf8), to: Kept.settings)
        let result = run()
        #expect(result.wirings == [wiring])
        #expect(result.exitCode == 78)
    }

    @Test func `a line that fails counts for more than a file that is broken`() throws {
        _ = try wiring(chip: "one")
        try runtime.write(Array("nonsense".utf8), to: Kept.settings)
        let result = run(failures: [HardwareError(.failed, "the chip is gone")])
        #expect(result.said.last == "the chip is gone")
        #expect(result.exitCode == 69)
    }

    @Test func `the process says once that a chip is not there`() throws {
        try DaemonTests.write(file, chip: "{path: /dev/no-chip-in-force}", ledger: "off")
        try keep()
        try Data("fare: {prise: 1}\n".utf8).write(to: file)
        let end = try DaemonProcess("--safe-state", file.path, folders: folder).end()
        #expect(end.code == 69)
        #expect(end.text.ranges(of: "cannot open /dev/no-chip-in-force").count == 1)
        #expect(end.text.contains("unknown key 'prise'"))
    }
}
