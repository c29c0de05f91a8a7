import Glibc
import Hardware
import StateMachines

/// Whether and how long to retry a failed request for lines.
struct LineRetry {
    /// How late udev or a driver may be, at boot or when an expander comes back.
    static let driverTimeout: Duration = .seconds(10)
    /// How long to retry other failures, before systemd restarts the service.
    static let timeout: Duration = .seconds(30)
    private static let shortestInterval: Duration = .milliseconds(250)
    private static let longestInterval: Duration = .seconds(4)

    enum Answer: Hashable {
        case tryAgain(after: Duration)
        case giveUp(CInt)
    }

    let start: Instant
    /// Whether a service had these lines since the boot: a missing chip may come back.
    let hadLines: Bool
    private var retryInterval = shortestInterval

    init(start: Instant, hadLines: Bool) {
        self.start = start
        self.hadLines = hadLines
    }

    /// A restart cannot make a missing line or chip.
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
