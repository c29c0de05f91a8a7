public import StateMachines
public import Turnstile

/// Drives a lock with two coils: with both until the bolt has moved, then with the holding coil.
///
/// The pulling coil would burn if it stayed energised, and the holding coil cannot move the bolt.
/// A bolt that may have jammed, or had no power on one of the lines, is pulled again.
public enum LockDrive: TimedMachine, Hashable, Sendable {
    case atRest
    case pulling(until: Instant)
    /// With the holding coil alone. If power was missed, the bolt may not have moved or has sprung
    /// back: it is pulled again once the holding coil has power.
    case holding(missedPower: Bool)

    /// `pull` is how long a pull takes.
    public enum Event: Hashable, Sendable {
        case energise(at: Instant, pull: Duration)
        case deEnergise
        /// The lock was checked.
        case looked(at: Instant, Finding, pull: Duration)
        /// `isPulled`: whether the pulling coil has power.
        case timePassed(Instant, isPulled: Bool)
    }

    /// What a check finds at the holding coil.
    public enum Finding: Hashable, Sendable {
        case noPower
        /// It has power. Whether the bolt has moved, by its contact; nil without a contact.
        case held(hasMoved: Bool?)
    }

    public enum Command: Hashable, Sendable {
        case pull(Bool)
        case hold(Bool)
    }

    /// When the bolt has moved.
    public var deadline: Instant? {
        if case .pulling(let end) = self { end } else { nil }
    }

    var isToBeLookedAt: Bool {
        if case .holding = self { true } else { false }
    }

    /// De-energises in every state.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch (self, event) {
        case (.atRest, .energise(let time, let pull)):
            self = .pulling(until: time + pull)
            return .handled([.pull(true), .hold(true)])
        case (.pulling, .energise), (.holding, .energise):
            return .ignored("it is energised already")
        case (_, .deEnergise):
            self = .atRest
            return .handled([.pull(false), .hold(false)])
        case (.pulling(let end), .timePassed(let now, let isPulled)) where now >= end:
            self = .holding(missedPower: !isPulled)
            return .handled(.pull(false))
        case (_, .timePassed):
            return .ignored("nothing is due")
        case (.holding, .looked(_, .noPower, _)):
            self = .holding(missedPower: true)
            return .handled
        case (.holding(let missedPower), .looked(let time, .held(let hasMoved), let pull))
        where missedPower || hasMoved == false:
            self = .pulling(until: time + pull)
            return .handled(.pull(true))
        case (.holding, .looked):
            return .ignored("it is where it was pulled to")
        case (.atRest, .looked), (.pulling, .looked):
            return .ignored("it is not held")
        }
    }
}

extension LockDrive: Named {
    public static var title: String { "lock_drive" }
    public static let forms: [LockDrive] = [
        .atRest, .pulling(until: .zero), .holding(missedPower: false),
    ]

    public func visit(_ fields: inout some FieldVisitor) -> LockDrive {
        switch self {
        case .atRest: fields.named("at_rest", self)
        case .pulling(let end):
            fields.named("pulling", .pulling(until: fields.instant(.until, end)))
        case .holding(let missedPower):
            fields.named(
                "holding", .holding(missedPower: fields.field(.missedPower, missedPower)))
        }
    }
}
