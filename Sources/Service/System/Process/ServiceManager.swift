public import StateMachines

/// Who started the service and watches over it.
public protocol ServiceManager: AnyObject {
    /// How long the manager waits for ``ServiceNotification/alive`` before it restarts the
    /// service, or nil when it does not watch. Half of it is a good interval.
    var watchdogInterval: Duration? { get }

    /// Tells the manager something. It never blocks and never fails: what cannot be delivered
    /// now goes with the next notification, and a status that says nothing new is not sent.
    func notify(_ notification: ServiceNotification)
}

/// What a service tells its manager.
public enum ServiceNotification: Hashable, Sendable {
    /// Start-up or reload is complete.
    case ready
    /// A reload begins, at this monotonic time; ``ready`` ends it.
    case reloading(at: Instant)
    /// The service is about to end.
    case stopping
    /// What the service is doing.
    case status(String)
    /// The service is well: wait for another interval.
    case alive
    /// Keep this descriptor, which stays the service's, under a name until the service has started
    /// again.
    case keep(CInt, as: String)
    /// Close what was kept under this name.
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
