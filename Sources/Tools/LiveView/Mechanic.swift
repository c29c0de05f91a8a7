internal import StateMachines
internal import Turnstile

/// The mechanic, who has repaired what was broken and is about to turn the key.
///
/// They turn it once the gate says that nothing waits for more than the key: contacts bounce,
/// levels have to last, lines are looked at now and then, and a key that comes before that ends
/// nothing.
struct Mechanic: Hashable, Sendable {
    /// The time that contacts need to settle after a move.
    static let least = Duration.milliseconds(500)
    /// When the key is turned in any case: something else may be wrong.
    static let most = Duration.seconds(5)

    private var repairedAt: Instant?

    /// Everything was repaired.
    mutating func repair(at now: Instant) {
        repairedAt = now
    }

    /// When the key is to be turned, as far as the gate tells; nil where nobody is about to.
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
    /// Whether something is up whose cause lasts.
    fileprivate var hasCauses: Bool {
        (faults.map(\.end) + alarms.map(\.end)).contains { end in
            switch end {
            case .cause, .causeThenKey: true
            case .key, .at: false
            }
        }
    }
}
