public import Foundation
import Glibc

/// The emulated computer: one QEMU process with its agent and its monitor.
final class Machine {
    /// The way to the software on the board.
    let agent: Agent
    /// The way to QEMU.
    let monitor: Monitor
    private let process: Process
    private let exited: AsyncStream<Never>

    /// Starts QEMU. The agent goes through its standard input and output, the monitor through a
    /// pair of named pipes in `directory`, messages to qemu.log there.
    ///
    /// QEMU is killed when this process ends, however it ends. The kernel ties that to the
    /// *thread* that starts it, so QEMU has a thread of its own here.
    init(_ arguments: [String], in directory: URL) async throws {
        _ = signal(SIGPIPE, SIG_IGN)  // a machine that stops is an error here, not our end
        let pipe = directory.appending(path: "monitor").path
        try await Host.run(["mkfifo", "\(pipe).in", "\(pipe).out"])
        let (input, output) = (Pipe(), Pipe())
        let log = directory.appending(path: "qemu.log")
        try Data().write(to: log)
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["setpriv", "--pdeathsig", "KILL", "--"] + arguments + [
                "-chardev", "stdio,id=agent,signal=off",
                "-device", "virtio-serial-pci",
                "-device", "virtserialport,chardev=agent,name=board.agent",
                "-chardev", "pipe,id=monitor,path=\(pipe)", "-mon", "chardev=monitor,mode=control",
            ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: log)
        agent = Agent(
            Channel(input: output.fileHandleForReading, output: input.fileHandleForWriting))
        // To open a named pipe waits for its other end, unless for reading and writing. As long
        // as QEMU runs, or has not got that far, an end of ours keeps its place.
        let place = try FileHandle(forUpdating: URL(filePath: "\(pipe).out"))
        monitor = Monitor(
            Channel(
                input: try FileHandle(forReadingFrom: URL(filePath: "\(pipe).out")),
                output: try FileHandle(forUpdating: URL(filePath: "\(pipe).in"))))
        exited = try await Self.start(process) {
            try? place.close()
            for end in ["in", "out"] {
                try? FileManager.default.removeItem(atPath: "\(pipe).\(end)")
            }
        }
    }

    /// Pulls the plug: no flush of anything.
    nonisolated(nonsending) func kill() async {
        Self.kill(process)
        await awaitExit()
        agent.close()
        monitor.close()
    }

    /// Waits until QEMU has ended by itself.
    nonisolated(nonsending) func awaitExit() async {
        for await _ in exited {}
    }

    /// Carries out `body`, and pulls the plug if that takes longer than `limit`, so that `body`
    /// fails instead of hanging.
    nonisolated(nonsending) func limit<T>(
        _ limit: Duration, _ body: nonisolated(nonsending) () async throws -> T
    ) async throws -> T {
        let watchdog = Self.kill(process, after: limit)
        defer { watchdog.cancel() }
        return try await body()
    }

    /// Starts a process on a thread that lives as long. The stream ends when the process has, and
    /// `cleanup` is done.
    fileprivate static func start(
        _ process: Process, cleanup: @escaping @Sendable () -> Void = {}
    ) async throws -> AsyncStream<Never> {
        let (exited, continuation) = AsyncStream.makeStream(of: Never.self)
        try await withCheckedThrowingContinuation {
            (started: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                do {
                    try process.run()
                } catch {
                    started.resume(throwing: error)
                    return
                }
                started.resume()
                process.waitUntilExit()
                cleanup()
                continuation.finish()
            }
        }
        return exited
    }

    private static func kill(_ process: Process, after limit: Duration) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: limit)
            kill(process)
        }
    }

    private static func kill(_ process: Process) {
        if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
    }
}

/// The computer that the tests run on.
public enum Host {
    /// Runs a program of the host to its end, which must succeed.
    public static nonisolated(nonsending) func run(_ command: [String]) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        for await _ in try await Machine.start(process) {}
        guard process.terminationStatus == 0 else {
            throw BoardError("\(command): exit status \(process.terminationStatus)")
        }
    }

    /// Copies a file of the host, holes as holes.
    public static nonisolated(nonsending) func copy(_ source: URL, to target: URL) async throws {
        try await run(["cp", "--sparse=always", "--reflink=auto", source.path, target.path])
    }
}
