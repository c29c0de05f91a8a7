public import Keeping
public import StateMachines
public import Turnstile

/// Decides whether a sign of life is given or withheld, so that the service manager restarts the
/// service.
///
/// A start requests the lines anew, which may repair them, but de-energises every output first. So
/// no sign is withheld in an emergency, in service mode, or while the gate is occupied. If one
/// start has not helped, the next comes after a longer pause.
public struct WatchdogPolicy: StateMachine, Hashable, Sendable {
    /// The pause before the second start, and the longest before later ones.
    static let firstPause: Duration = .seconds(10)
    static let longestPause: Duration = .seconds(3600)

    /// What the gate is doing, as far as a new start would affect people.
    public enum Situation: String, CaseIterable, Hashable, Sendable {
        /// From the opening of the loop to the end of the emergency.
        case emergency
        /// A person is in the rotor.
        case occupied
        case service
        case other
    }

    /// A check of the lines.
    public struct Event: Hashable, Sendable {
        /// Whether a line that the gate needs has failed.
        var isTroubled: Bool
        var situation: Situation
        var time: Instant
    }

    public enum Command: Hashable, Sendable {
        case feed
        case withhold
    }

    /// How often signs were withheld lately, and when last.
    public private(set) var withheld: Recurrence?
    /// Since when a new start might help.
    private var since: Instant?
    private(set) var isWithholding = false

    /// `withheld`: the signs withheld by earlier starts.
    public init(withheld: Recurrence? = nil) { self.withheld = withheld }

    public mutating func handle(_ event: Event) -> Outcome<Command> {
        guard event.isTroubled, event.situation == .other else {
            since = nil
            isWithholding = false
            return .handled(.feed)
        }
        let since = since ?? event.time
        self.since = since
        if !isWithholding {
            expireHistory(at: event.time)
            guard event.time - since >= pause else { return .handled(.feed) }
            isWithholding = true
            withheld = Recurrence(count: (withheld?.count ?? 0) + 1, last: event.time)
        }
        return .handled(.withhold)
    }

    private var pause: Duration {
        withheld?.pause(from: Self.firstPause, to: Self.longestPause) ?? .zero
    }

    /// After a long time without trouble the pauses begin anew.
    private mutating func expireHistory(at now: Instant) {
        guard let withheld, now - withheld.last > pause * 2 + .seconds(600) else { return }
        self.withheld = nil
    }
}

extension WatchdogPolicy.Situation {
    init(_ state: Status.State, isLaneClear: Bool) {
        self =
            switch state {
            case .emergency, .awaitingReset, .awaitingClearLane: .emergency
            case .passing: .occupied
            case .service, .testing: .service
            case .starting, .stopped, .outOfService, .released, .free, .locked:
                isLaneClear ? .other : .occupied
            }
    }
}

extension WatchdogPolicy: Composite {
    public static var title: String { "watchdog_policy" }
    public static var blank: WatchdogPolicy { WatchdogPolicy() }

    public func visit(_ fields: inout some FieldVisitor) -> WatchdogPolicy {
        var policy = WatchdogPolicy(withheld: fields.optional(.withheld, withheld))
        policy.since = fields.optional(.since, since)
        policy.isWithholding = fields.field(.isWithholding, isWithholding)
        return policy
    }
}
