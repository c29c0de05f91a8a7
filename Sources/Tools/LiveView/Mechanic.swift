internal import StateMachines
internal import Turnstile

/// The simulated mechanic, who has repaired the gate and will turn the key.
///
/// They turn it once no cause is left: contacts bounce, levels are debounced, lines are checked
/// periodically, and an earlier turn of the key would end nothing.
struct Mechanic: Hashable, Sendable {
    /// The time that contacts need to settle after a move.
    static let least = Duration.milliseconds(500)
    /// When the key is turned in any case: there may be another cause.
    static let most = Duration.seconds(5)

    private var repairedAt: Instant?

    mutating func repair(at now: Instant) {
        repairedAt = now
    }

    /// When the key will be turned, if it will.
    func due(_ report: StatusReport) -> Instant? {
        repairedAt.map { $0 + (report.hasCauses ? Self.most : Self.least) }
    }

    /// Whether the key is turned now.
    mutating func turnsKey(_ report: StatusReport, at now: Instant) -> Bool {
        guard let due = due(report), due <= now else { return false }
        repairedAt = nil
        return true
    }
}

extension StatusReport {
    /// Whether there is a fault or alarm whose cause lasts.
    fileprivate var hasCauses: Bool {
        (faults.map(\.end) + alarms.map(\.end)).contains { end in
            switch end {
            case .cause, .causeThenKey: true
            case .key, .at: false
            }
        }
    }
}
