public import Keeping
public import StateMachines
public import Turnstile

/// Decides whether the service manager hears a sign of life: it asks whether a new start could make
/// anything safer.
///
/// A start requests the lines anew, which may put right what keeps them from their work. On the way
/// every output is de-energised: so nothing is withheld in an emergency, nor while somebody is in
/// the gate or the mechanic has it. Where one start has not helped, the next is waited for longer.
public struct WatchdogPolicy: StateMachine, Hashable, Sendable {
    /// How long it is waited for the second start, and for later ones at most.
    static let firstPause: Duration = .seconds(10)
    static let longestPause: Duration = .seconds(3600)

    /// What the gate is doing, as far as a new start would matter to people.
    public enum Situation: String, CaseIterable, Hashable, Sendable {
        /// It stands open, from the opening of the loop to the end of the emergency.
        case emergency
        /// Somebody is between the arms, or the beams.
        case occupied
        case service
        case other
    }

    /// A look at the lines.
    public struct Event: Hashable, Sendable {
        /// Whether a line is broken that the gate needs.
        var isTroubled: Bool
        var situation: Situation
        var time: Instant
    }

    /// What to tell the service manager.
    public enum Command: Hashable, Sendable {
        case feed
        case withhold
    }

    /// How often nothing was told lately, and when last.
    public private(set) var withheld: Recurrence?
    /// Since when a new start might help.
    private var since: Instant?
    private(set) var isWithholding = false

    /// A policy that goes on from how often nothing was told before this start.
    public init(withheld: Recurrence? = nil) { self.withheld = withheld }

    /// Says what to tell after a look.
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

    /// What was over for long is no reason to wait.
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
    /// What it is called.
    public static var title: String { "watchdog_policy" }
    /// That of a service that always gave signs of life.
    public static var blank: WatchdogPolicy { WatchdogPolicy() }

    /// How often none was given, and since when one might not be.
    public func visit(_ fields: inout some FieldVisitor) -> WatchdogPolicy {
        var policy = WatchdogPolicy(withheld: fields.optional(.withheld, withheld))
        policy.since = fields.optional(.since, since)
        policy.isWithholding = fields.field(.isWithholding, isWithholding)
        return policy
    }
}
