import Foundation

/// A run of the program.
struct Command {
    /// What it wrote.
    let output, errors: String
    /// Its exit code.
    let code: Int32

    private static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "turnstilectl")

    /// Runs it with these arguments, on the bus at this address, to its end.
    init(_ arguments: [String], at address: String?) throws {
        let (output, errors) = (Pipe(), Pipe())
        let process = Self.process(arguments, at: address)
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        self.output = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        self.errors = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        code = process.terminationStatus
    }

    /// The program, not started yet.
    static func process(_ arguments: [String], at address: String?) -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        // As in a terminal of UTF-8, but without colours; its bus is the system's.
        process.environment = ["LANG": "C.UTF-8", "NO_COLOR": "1", "COLUMNS": "80", "TZ": "UTC"]
        process.environment?["DBUS_SYSTEM_BUS_ADDRESS"] = address ?? "unix:path=/nowhere/bus"
        process.standardInput = FileHandle.nullDevice
        return process
    }
}
