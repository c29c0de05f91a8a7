import Foundation
import Testing

/// A `turnstiled` of its own, as systemd would start it: with a socket for what it has to say.
final class DaemonProcess {
    private let process = Process()
    private let standardError = Pipe()
    private let folder: URL
    private let notifications: NotifySocket

    /// The repository that this test was built from.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The program, which lies beside the program of the tests.
    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "turnstiled")

    /// Starts the daemon with these arguments and a watchdog that waits for so long.
    convenience init(_ arguments: String..., watchdogMicroseconds: Int? = nil) throws {
        try self.init(arguments, watchdogMicroseconds: watchdogMicroseconds)
    }

    /// Starts the daemon with the folders that the unit gives it, below `folder`.
    convenience init(_ arguments: String..., folders folder: URL) throws {
        var variables: [String: String] = [:]
        for (variable, name) in [("RUNTIME_DIRECTORY", "run"), ("STATE_DIRECTORY", "lib")] {
            let path = folder.appending(path: name)
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            variables[variable] = path.path
        }
        try self.init(arguments, variables: variables)
    }

    /// Starts the daemon with these arguments and a watchdog that waits for so long.
    init(
        _ arguments: [String], watchdogMicroseconds: Int? = nil, variables: [String: String] = [:]
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        notifications = try NotifySocket(path: folder.appending(path: "notify").path)
        process.executableURL = Self.program
        process.arguments = arguments
        process.currentDirectoryURL = Self.repository
        process.standardInput = FileHandle.nullDevice
        process.standardError = standardError
        process.standardOutput = standardError
        var environment = ProcessInfo.processInfo.environment
        environment["NOTIFY_SOCKET"] = notifications.path
        environment["WATCHDOG_USEC"] = watchdogMicroseconds.map { "\($0)" }
        process.environment = environment.merging(variables) { $1 }
        try process.run()
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    var identifier: Int32 { process.processIdentifier }

    /// Waits for the next notification that begins like this and returns it; the others are lost.
    @discardableResult
    func awaitNotification(_ prefix: String) throws -> String {
        while true {
            let text = try notifications.receive()
            if text.hasPrefix(prefix) { return text }
        }
    }

    func send(_ signal: Int32) { kill(identifier, signal) }

    /// Waits for the end and returns the exit code and all that was written.
    func end() -> (code: Int32, text: String) {
        let text = standardError.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    /// How often the daemon has gone to sleep so far.
    func sleeps() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let line = try #require(
            status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") })
        return try #require(line.split(separator: "\t").last.flatMap { Int($0) })
    }
}

/// A datagram socket such as systemd has its services speak to.
private final class NotifySocket {
    let path: String
    private let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)

    init(path: String) throws {
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        try #require(bytes.count < 108, "the path of a socket is short")
        // Sound: the path and its zero fit, as was just looked at.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        // A daemon that says nothing must fail the test, not hang it.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        // Sound: both structures are valid during the calls, and their sizes are theirs.
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit { close(descriptor) }

    /// Waits for the next message.
    func receive() throws -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        // Sound: at most as many bytes are written as the array has.
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        try #require(count >= 0, "no notification came within a minute")
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
