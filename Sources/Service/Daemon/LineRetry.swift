import Glibc
import Hardware
import StateMachines

/// What is done about lines that cannot be had: whether trying again may help, and for how long.
struct LineRetry {
    /// How long udev may be late, and a driver: at boot, or when an expander comes back.
    static let driverTimeout: Duration = .seconds(10)
    /// How long whatever may still change is waited for, before systemd starts the service anew.
    static let timeout: Duration = .seconds(30)
    private static let shortestInterval: Duration = .milliseconds(250)
    private static let longestInterval: Duration = .seconds(4)

    enum Answer: Hashable {
        case tryAgain(after: Duration)
        case giveUp(CInt)
    }

    let start: Instant
    /// Whether a service has had these lines since the boot: what was there may come back.
    let hadLines: Bool
    private var retryInterval = shortestInterval

    init(start: Instant, hadLines: Bool) {
        self.start = start
        self.hadLines = hadLines
    }

    /// A line or chip that does not exist is a person's matter: no start makes one.
    mutating func answer(to kind: HardwareError.Kind, at now: Instant) -> Answer {
        switch kind {
        case .misconfigured: return .giveUp(EX_CONFIG)
        case .failed: return .giveUp(EX_UNAVAILABLE)
        case .missing where !hadLines && now - start >= Self.driverTimeout:
            return .giveUp(EX_CONFIG)
        case .missing, .notReady, .busy:
            guard now - start < Self.timeout else { return .giveUp(EX_UNAVAILABLE) }
            if now - start >= Self.driverTimeout {
                retryInterval = min(retryInterval * 2, Self.longestInterval)
            }
            return .tryAgain(after: retryInterval)
        }
    }
}
