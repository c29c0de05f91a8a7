import Glibc

/// A message bus of a test's own: a dbus-daemon that ends with the object.
///
/// Everybody may own any name on it and send to everybody, as on the bus of a session, unless its
/// configuration says otherwise.
public final class PrivateBus {
    /// Why there is none.
    public struct Failure: Error, CustomStringConvertible {
        /// What failed.
        public let description: String
    }

    /// Where it is found, as D-Bus writes it.
    public let address: String
    private let folder: String
    private let configuration: String?
    private var daemon: pid_t?

    /// A bus that takes connections; not yet one where it is not `started`, for whoever tests what
    /// is done without it. `configuration` is the path of a file that says what is allowed there;
    /// nil for what is on the bus of a session.
    public init(started: Bool = true, configuration: String? = nil) throws {
        self.configuration = configuration
        // Short, since a socket's path is: at most 107 bytes.
        folder = "/tmp/bus-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        guard unsafe mkdir(folder, 0o700) == 0 else {
            throw Failure(description: "mkdir: \(errno)")
        }
        address = "unix:path=\(folder)/socket"
        if started { try start() }
    }

    deinit {
        stop()
        unsafe _ = rmdir(folder)
    }

    /// Starts it, and waits until it takes connections.
    public func start() throws {
        var ends: [CInt] = [0, 0]
        // Sound: two numbers are written.
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw Failure(description: "socketpair: \(errno)")
        }
        defer { close(ends[0]) }
        daemon = try spawn(writingTo: ends[1])
        close(ends[1])
        // It prints its address once it listens; without it the pipe ends.
        var byte: UInt8 = 0
        // Sound: one byte is written at most.
        guard unsafe read(ends[0], &byte, 1) == 1 else {
            stop()
            throw Failure(description: "dbus-daemon does not start at \(address)")
        }
    }

    private func spawn(writingTo output: CInt) throws -> pid_t {
        let arguments = [
            "dbus-daemon", configuration.map { "--config-file=\($0)" } ?? "--session", "--nofork",
            "--nopidfile", "--address=\(address)", "--print-address=3",
        ]
        var actions = unsafe posix_spawn_file_actions_t()
        // Sound, all of it: the structures live until the call returns, and texts are copied for
        // the call and freed after it.
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 3)
        // Nothing else that is open here: by the end of such a descriptor Foundation hears that
        // another process has ended. Those that are not open are no mistake.
        for other in 4..<CInt(1024) {
            unsafe posix_spawn_file_actions_addclose(&actions, other)
        }
        var copies = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe copies.forEach { unsafe free($0) } }
        var process: pid_t = 0
        let result = unsafe posix_spawnp(
            &process, "dbus-daemon", &actions, nil, &copies, environ)
        guard result == 0 else { throw Failure(description: "dbus-daemon: error \(result)") }
        return process
    }

    /// Ends it, and with it every connection.
    public func stop() {
        guard let daemon else { return }
        kill(daemon, SIGKILL)
        waitpid(daemon, nil, 0)
        self.daemon = nil
        unsafe _ = unlink("\(folder)/socket")
    }

    /// Has it take connections, and not say a word until it is told to go on.
    public func fallSilent() {
        if let daemon { kill(daemon, SIGSTOP) }
    }

    /// Has it go on.
    public func resume() {
        if let daemon { kill(daemon, SIGCONT) }
    }

    /// Ends it and starts it anew at the same address.
    public func restart() throws {
        stop()
        try start()
    }
}
