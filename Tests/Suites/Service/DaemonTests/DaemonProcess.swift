import Checkout
import Foundation
import Testing

/// A `turnstiled` of its own, as systemd would start it: with a socket for what it has to say.
final class DaemonProcess {
    private let process = Process()
    private let standardError = Pipe()
    private let folder: URL
    private let notifications: ServiceSocket
    /// What journald would hear, where the daemon is made to believe in one.
    private let journal: ServiceSocket?

    /// The repository that this test was built from.
    static let repository = Checkout.root

    /// The folder of the program of the tests, in which this one lies as well.
    static let folderOfProgram = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// The gate with two directions as the samples have it, whatever the time of the day: without
    /// its schedule.
    static func twoWayGate() throws -> String {
        let sample = try String(
            contentsOf: repository.appending(path: "config/two-way.yaml"), encoding: .utf8)
        let lines = sample.split(separator: "\n", omittingEmptySubsequences: false)
        let schedule = try #require(lines.firstIndex(of: "schedule:"))
        let end = try #require(lines[schedule...].firstIndex(of: ""))
        return (lines[..<schedule] + lines[end...]).joined(separator: "\n")
    }

    private static let program = folderOfProgram.appending(path: "turnstiled")

    /// Starts the daemon with these arguments and a watchdog that waits for so long.
    convenience init(_ arguments: String..., watchdogMicroseconds: Int? = nil) throws {
        try self.init(arguments, watchdogMicroseconds: watchdogMicroseconds)
    }

    /// Starts the daemon with the folders that the unit gives it, below `folder`.
    convenience init(_ arguments: String..., folders folder: URL) throws {
        try self.init(arguments, variables: Self.folders(folder))
    }

    /// Makes the folders that the unit gives the daemon, and returns the variables that name them.
    private static func folders(_ folder: URL) throws -> [String: String] {
        var variables: [String: String] = [:]
        for (kind, name) in [("RUNTIME", "run"), ("STATE", "lib")] {
            let variable = "TURNSTILED_\(kind)_DIRECTORY"
            let path = folder.appending(path: name)
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            variables[variable] = path.path
        }
        return variables
    }

    /// Starts the daemon with these arguments, as the same process as a shell that did as it was
    /// told before.
    convenience init(_ arguments: String..., after script: String, folders folder: URL) throws {
        try self.init(arguments, script: script, variables: Self.folders(folder))
    }

    /// Starts the daemon with these arguments and a watchdog that waits for so long; with a
    /// journal, in a namespace in which that is journald's, and where it writes errors to as well.
    init(
        _ arguments: [String], watchdogMicroseconds: Int? = nil, hasJournal: Bool = false,
        script: String? = nil, variables: [String: String] = [:]
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        notifications = try ServiceSocket(path: folder.appending(path: "notify").path)
        if hasJournal {
            let journald = folder.appending(path: "journal")
            try FileManager.default.createDirectory(
                at: journald, withIntermediateDirectories: false)
            journal = try ServiceSocket(path: journald.appending(path: "socket").path)
            process.executableURL = URL(filePath: Self.unshare)
            process.arguments =
                ["--map-root-user", "--mount", "/bin/sh", "-c", Self.withJournal, journald.path]
                + [Self.program.path] + arguments
        } else {
            journal = nil
            process.executableURL = script == nil ? Self.program : URL(filePath: "/bin/bash")
            process.arguments =
                script.map { ["-c", "\($0)\nexec \"$0\" \"$@\"", Self.program.path] } ?? []
            process.arguments? += arguments
        }
        process.currentDirectoryURL = Self.repository
        process.standardInput = FileHandle.nullDevice
        process.standardError = standardError
        process.standardOutput = standardError
        var environment = ProcessInfo.processInfo.environment
        environment["NOTIFY_SOCKET"] = notifications.path
        environment["WATCHDOG_USEC"] = watchdogMicroseconds.map { "\($0)" }
        // The machine's own buses may have a gate already.
        for bus in ["DBUS_SYSTEM_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS"] {
            environment[bus] = "unix:path=\(folder.path)/no-bus"
        }
        if hasJournal { environment["JOURNAL_STREAM"] = try stream() }
        process.environment = environment.merging(variables) { $1 }
        try process.run()
    }

    private static let unshare = "/usr/bin/unshare"
    private static let withJournal = """
        mount --types tmpfs tmpfs /run && mkdir --parents /run/systemd/journal \\
        && mount --bind "$0" /run/systemd/journal && exec "$@"
        """

    /// Whether a daemon can be given a journal of its own here.
    static let canHaveJournal: Bool = {
        let trial = Process()
        trial.executableURL = URL(filePath: unshare)
        trial.arguments = ["--map-root-user", "--mount", "mount", "--types", "tmpfs", "t", "/run"]
        trial.standardError = FileHandle.nullDevice
        guard (try? trial.run()) != nil else { return false }
        trial.waitUntilExit()
        return trial.terminationStatus == 0
    }()

    /// The pipe for errors as systemd tells a service of its stream to the journal.
    private func stream() throws -> String {
        var status = stat()
        // Sound: the call writes the structure that it is given.
        let found = unsafe fstat(standardError.fileHandleForWriting.fileDescriptor, &status)
        try #require(found == 0)
        return "\(status.st_dev):\(status.st_ino)"
    }

    /// Waits for the next entry of the journal and returns it as it was sent.
    func awaitEntry() throws -> String { try #require(journal).receive() }

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

    /// Takes the notifications that have come already, and returns how many there are.
    func waitingNotifications() -> Int { notifications.takeWaiting() }

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
