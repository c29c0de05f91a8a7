import Checkout
import Foundation

/// A run of the program.
struct Command {
    /// What it wrote.
    let output, errors: String
    /// Its exit code.
    let code: Int32

    /// The repository that this test was built from.
    static let repository = Checkout.root

    /// The folder of the program of the tests, in which this one lies as well.
    private static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// Runs it with these arguments, on the bus at this address, to its end.
    init(_ arguments: String..., at address: String?) throws {
        try self.init(arguments, at: address)
    }

    /// Runs it with these arguments, on the bus at this address, to its end.
    init(_ arguments: [String], at address: String?) throws {
        let errors = Pipe()
        let process = Self.process(arguments, at: address)
        process.standardError = errors
        try self.init(process, errors)
    }

    /// Runs what somebody types into a shell; all that is written is output. Programs are those in
    /// the folder, where there is one, before others of their names. The shell is in `directory`.
    init(
        shell line: String, at address: String?, programs folder: URL? = nil,
        in directory: URL? = nil
    ) throws {
        let process = Self.process([], at: address)
        // With --user it is the same one.
        process.environment?["DBUS_SESSION_BUS_ADDRESS"] = address
        process.currentDirectoryURL = directory
        if let folder, let path = process.environment?["PATH"] {
            process.environment?["PATH"] = "\(folder.path):\(path)"
        }
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "exec 2>&1; \(line)"]
        try self.init(process, nil)
    }

    private init(_ process: Process, _ errors: Pipe?) throws {
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        self.output = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        // Too little is ever written there to fill the pipe.
        let written = errors?.fileHandleForReading.readDataToEndOfFile() ?? Data()
        self.errors = String(decoding: written, as: UTF8.self)
        process.waitUntilExit()
        code = process.terminationStatus
    }

    /// The program, not started yet.
    static func process(_ arguments: [String], at address: String?) -> Process {
        let process = Process()
        process.executableURL = folder.appending(path: "turnstilectl")
        process.arguments = arguments
        // As in a terminal of UTF-8, but without colours; its bus is the system's.
        process.environment = [
            "PATH": "\(folder.path):/usr/bin:/bin", "LANG": "C.UTF-8", "COLUMNS": "80", "TZ": "UTC",
            "DBUS_SYSTEM_BUS_ADDRESS": address ?? "unix:path=/nowhere/bus",
        ]
        // How sanitizers are to behave, where one is at work: see .ci/sanitize.
        for name in ["ASAN_OPTIONS", "TSAN_OPTIONS", "SWIFT_BACKTRACE"] {
            process.environment?[name] = ProcessInfo.processInfo.environment[name]
        }
        process.standardInput = FileHandle.nullDevice
        return process
    }
}
