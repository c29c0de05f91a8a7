import Foundation
import Testing

/// Where the daemon looks for the program that controls a simulated gate.
@Suite final class SimulatorTests {
    /// On the file system of the programs, which are linked there.
    private let folder = DaemonProcess.folderOfProgram.appending(path: "\(UUID())")

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Puts a program that was built beside this one into a folder of the test.
    private func place(_ program: String, in path: String) throws {
        let place = folder.appending(path: path)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try FileManager.default.linkItem(
            at: DaemonProcess.folderOfProgram.appending(path: program),
            to: place.appending(path: program))
    }

    private func simulate(_ arguments: String...) throws -> (code: Int32, text: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = folder.appending(path: "bin/turnstiled")
        process.arguments = ["--simulate"] + arguments
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    @Test func `an installed one is beside the folder of the programs`() throws {
        try place("turnstiled", in: "bin")
        try place("turnstile-simulator", in: "lib/turnstiled")
        let end = try simulate("--version")
        #expect(end.code == 0 && end.text.hasPrefix("turnstile-simulator "), "\(end.text)")
        let help = try simulate("--help")
        #expect(help.code == 0 && help.text.contains("usage: turnstiled --simulate"))
    }

    @Test func `where it is missing it is said which package has it`() throws {
        try place("turnstiled", in: "bin")
        let end = try simulate("config/turnstiled.yaml")
        #expect(end.code == 69)
        #expect(end.text.contains("install the package turnstile-simulator"), "\(end.text)")
    }

    @Test func `one that is no program is told`() throws {
        try place("turnstiled", in: "bin")
        let broken = folder.appending(path: "bin/turnstile-simulator")
        try Data("no program".utf8).write(to: broken)
        let end = try simulate()
        #expect(end.code == 69)
        #expect(end.text == "turnstiled: execv for \(broken.path): Permission denied\n")
    }
}
