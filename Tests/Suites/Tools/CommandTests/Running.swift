import Foundation
import Testing

/// A program that goes on until it is ended.
final class Running {
    private let process: Process
    private let output = Pipe()
    private let input = Pipe()
    private var text = ""

    /// Starts it.
    init(_ process: Process) throws {
        self.process = process
        process.standardOutput = output
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Waits until it has written this, and returns all that it has written.
    func await(_ words: String) throws -> String {
        while !text.contains(words) { try read() }
        return text
    }

    /// Waits until it has written this behind the last of those.
    func await(_ words: String, after before: String) throws -> String {
        while true {
            if let last = text.range(of: before, options: .backwards),
                text[last.upperBound...].contains(words)
            {
                return text
            }
            try read()
        }
    }

    /// Waits for more, and a minute at most: words that never come are told with those that did.
    private func read() throws {
        let descriptor = output.fileHandleForReading.fileDescriptor
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        try #require(unsafe poll(&waiting, 1, 60_000) == 1, "it goes on after: \(text)")
        let piece = output.fileHandleForReading.availableData
        try #require(!piece.isEmpty, "it ended with: \(text)")
        text += String(decoding: piece, as: UTF8.self)
    }

    /// Types something.
    func type(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

    /// Waits for the end, which may be this one.
    @discardableResult
    func end(killed: Bool = false) -> (code: Int32, text: String) {
        // All other signals are blocked, as they are in the thread that has started it.
        if killed { kill(process.processIdentifier, SIGKILL) }
        text += String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}

extension Command {
    /// What runs a shell's words on a terminal.
    static func terminal(_ command: String, at address: String? = nil) -> Process {
        let process = self.process([], at: address)
        process.environment?["TERM"] = "xterm"
        process.executableURL = URL(filePath: "/usr/bin/script")
        process.arguments = ["--quiet", "--return", "--command", command, "/dev/null"]
        return process
    }
}
