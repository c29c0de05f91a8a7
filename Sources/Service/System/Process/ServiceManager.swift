public import StateMachines

/// The service manager, which starts and watches the service.
public protocol ServiceManager: AnyObject {
    /// How long the manager waits for ``ServiceNotification/alive`` before it restarts the
    /// service, or nil when it does not watch. Half of it is a good interval.
    var watchdogInterval: Duration? { get }

    /// Sends a notification. It never blocks and never fails: one that cannot be delivered now goes
    /// with the next, and an unchanged status is not sent.
    func notify(_ notification: ServiceNotification)
}

/// A notification to the service manager.
public enum ServiceNotification: Hashable, Sendable {
    /// Start-up or reload is complete.
    case ready
    /// A reload begins, at this monotonic time; ``ready`` ends it.
    case reloading(at: Instant)
    /// The service is about to end.
    case stopping
    /// The gate's status, for people.
    case status(String)
    /// The service is well: wait for another interval.
    case alive
    /// Keep this descriptor, which stays the service's, under a name until the service has started
    /// again.
    case keep(CInt, as: String)
    /// Close the descriptor that was kept under this name.
    case forget(String)
}

extension ServiceNotification {
    /// The assignments that say it, one a line, as `sd_notify` documents them.
    public var assignments: String {
        switch self {
        case .ready:
            "READY=1"
        case .reloading(let instant):
            "RELOADING=1\nMONOTONIC_USEC=\(instant.nanoseconds / 1_000)"
        case .stopping:
            "STOPPING=1"
        case .status(let status):
            "STATUS=\(status)"
        case .alive:
            "WATCHDOG=1"
        case .keep(_, let name):
            "FDSTORE=1\nFDNAME=\(name)"
        case .forget(let name):
            "FDSTOREREMOVE=1\nFDNAME=\(name)"
        }
    }

    /// The descriptor that goes with them.
    var descriptor: CInt? {
        switch self {
        case .keep(let descriptor, _): descriptor
        case .ready, .reloading, .stopping, .status, .alive, .forget: nil
        }
    }
}
