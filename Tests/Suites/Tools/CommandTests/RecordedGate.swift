import Foundation
import Testing

/// What a simulated gate has left behind that ran for a moment: its trace, and its ledger.
final class RecordedGate {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

    /// Runs a gate with these settings until its ledger is open.
    init(settings: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(settings.utf8).write(to: folder.appending(path: "gate.yaml"))
        let process = Command.process(
            ["--simulate", "--state-directory", self["state"], self["gate.yaml"]], at: nil)
        process.executableURL = process.executableURL?.deletingLastPathComponent()
            .appending(path: "turnstiled")
        process.environment?["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere/bus"
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        defer { process.terminate() }
        var told = ""
        while !told.contains("a new ledger was begun") {
            let bytes = output.fileHandleForReading.availableData
            try #require(!bytes.isEmpty, "\(told)")
            told += String(decoding: bytes, as: UTF8.self)
        }
        process.terminate()
        _ = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The path of something in the folder.
    subscript(name: String) -> String { folder.appending(path: name).path }
}
