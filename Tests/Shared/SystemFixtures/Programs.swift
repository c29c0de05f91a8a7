import Checkout
public import Foundation

/// The project's folder `systemd`.
public let systemdFolder = Checkout.root.appending(path: "systemd")

/// Whether this machine has a program.
public func has(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: program)
}

/// Runs a program to its end, which has to be a good one, and returns what it printed.
public func run(_ program: String, _ arguments: String...) throws -> String {
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
    guard process.terminationStatus == 0 else {
        throw ProgramFailure(description: "\(program): \(text)")
    }
    return text
}

/// What a program has said that came to no good end.
private struct ProgramFailure: Error, CustomStringConvertible {
    let description: String
}
