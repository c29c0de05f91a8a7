import CSystemd
import Glibc

/// systemd, or another service manager that puts a notification socket into the environment.
///
/// The messages are those of `sd_notify`. They go through a socket of our own because that
/// function waits while the manager's queue is full, and the gate must not.
public final class SystemdServiceManager: ServiceManager {
    /// How long systemd waits for a sign of life, from `WATCHDOG_USEC`.
    public let watchdogInterval: Duration?

    private let socket: DatagramSocket?
    private var status: String?
    /// Undelivered notifications, at most one of each kind, oldest first.
    private var pending: [ServiceNotification] = []

    /// A longer watchdog is fed more often than needed.
    private static let longestWatchdog: Duration = .seconds(3600)

    /// The manager that the environment of this process names; without one, nothing is sent.
    public convenience init() throws(SystemError) {
        var microseconds: UInt64 = 0
        // Sound: the function writes one number; no thread of the process changes the
        // environment.
        let watches = unsafe sd_watchdog_enabled(0, &microseconds)
        try check(watches, "sd_watchdog_enabled", Self.watchdogVariables)
        try self.init(
            socketPath: environmentVariable("NOTIFY_SOCKET"),
            watchdogInterval: watches > 0
                ? min(.microseconds(microseconds), Self.longestWatchdog) : nil)
    }

    /// The environment's variables of the watchdog, and their allowed values.
    private static var watchdogVariables: String {
        [("WATCHDOG_USEC", "microseconds, from 1"), ("WATCHDOG_PID", "the number of a process")]
            .compactMap { name, allowed in
                environmentVariable(name).map { "\(name)=\($0.debugDescription) (\(allowed))" }
            }
            .joined(separator: ", ")
    }

    /// A manager that listens at `socketPath`, or none.
    public init(socketPath: String?, watchdogInterval: Duration?) throws(SystemError) {
        self.watchdogInterval = watchdogInterval
        socket = if let socketPath { try DatagramSocket(path: socketPath) } else { nil }
    }

    /// Sends `notification`, after undelivered ones.
    public func notify(_ notification: ServiceNotification) {
        guard let socket else { return }
        if case .status(let latest) = notification {
            guard latest != status else { return }
            status = latest
        }
        pending.removeAll { $0.isOutdated(by: notification) }
        pending.append(notification)
        while let next = pending.first {
            do throws(SystemError) {
                try socket.send(Array(next.assignments.utf8), with: next.descriptor)
            } catch {
                // A descriptor that is closed by now can never be sent.
                guard error.errno == EBADF else { return }
            }
            pending.removeFirst()
        }
    }
}

extension ServiceNotification {
    /// Whether `later` makes this one obsolete.
    fileprivate func isOutdated(by later: ServiceNotification) -> Bool {
        switch (self, later) {
        case (.ready, .ready), (.reloading, .reloading), (.stopping, .stopping): true
        case (.status, .status), (.alive, .alive): true
        case (.ready, _), (.reloading, _), (.stopping, _), (.status, _), (.alive, _): false
        case (.keep, _), (.forget, _): false
        }
    }
}
