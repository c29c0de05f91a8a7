public import StateMachines
public import Turnstile

/// How a lock with two coils is driven: with both until the bolt has moved, then with the weaker
/// one alone.
///
/// The coil that pulls would burn if it stayed energised, and the one that holds cannot move the
/// bolt. So a bolt that may not be where it was pulled to is pulled once more: it was jammed, or
/// one of the lines had no power. A lock with one coil needs none of this.
public enum LockDrive: StateMachine, Hashable, Sendable {
    case atRest
    case pulling(until: Instant)
    /// The holding coil is. Where power was missed, so that the bolt was not pulled, or has sprung
    /// back, it is to be pulled once more as soon as it can be held.
    case holding(missedPower: Bool)

    /// What may happen to a lock.
    public enum Event: Hashable, Sendable {
        case energise(at: Instant, pull: Duration)
        case deEnergise
        /// It was looked at. A pull takes so long.
        case looked(at: Instant, Finding, pull: Duration)
        /// Time passed. Whether the coil that pulls has power.
        case timePassed(Instant, isPulled: Bool)
    }

    /// What a look finds.
    public enum Finding: Hashable, Sendable {
        case noPower
        /// It has. Whether the bolt is where it was pulled to; nil where no contact tells.
        case held(hasMoved: Bool?)
    }

    /// What a coil is to carry.
    public enum Command: Hashable, Sendable {
        case pull(Bool)
        case hold(Bool)
    }

    /// When the bolt has moved.
    public var deadline: Instant? {
        if case .pulling(let end) = self { end } else { nil }
    }

    /// Whether it matters what its lines carry.
    var isToBeLookedAt: Bool {
        if case .holding = self { true } else { false }
    }

    /// Follows what is asked. A lock that is to be de-energised is, whatever was thought of it.
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
    /// What it is called.
    public static var title: String { "lock_drive" }
    /// One of each name.
    public static let forms: [LockDrive] = [
        .atRest, .pulling(until: .zero), .holding(missedPower: false),
    ]

    /// What is done with the coils.
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
