import Checkout
import Foundation
import Testing

/// The project's folder `systemd`.
let systemdFolder = Checkout.root.appending(path: "systemd")

/// Whether this machine has a program.
func has(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }

/// Runs a program to its end, which has to be a good one, and returns what it printed.
func run(_ program: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let output = Foundation.Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    #expect(process.terminationStatus == 0, "\(program): \(text)")
    return text
}

/// A folder that is gone with the object.
final class TemporaryFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of something in the folder.
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file and the folders on the way to it.
    func write(_ text: String, to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    /// The text of a file.
    func read(_ name: String) throws -> String {
        try String(contentsOf: url.appending(path: name), encoding: .utf8)
    }
}
