import StateMachines

/// How a lock with two coils is driven: with both until the bolt has moved, then with the weaker
/// one alone.
///
/// The coil that pulls would burn if it stayed energised, and the one that holds cannot move the
/// bolt. A lock with one coil needs none of this.
enum LockDrive: StateMachine, Hashable, Sendable {
    /// Neither coil is energised.
    case atRest
    /// Both are, until this instant.
    case pulling(until: Instant)
    /// The holding coil is.
    case holding

    /// What may be asked of a lock.
    enum Event: Hashable, Sendable {
        /// It is to be energised, and pulled for so long.
        case energise(at: Instant, pull: Duration)
        /// It is to be de-energised.
        case deEnergise
        /// It is held, but its bolt is not where it was pulled to: it is to be pulled once more.
        case strayed(at: Instant, pull: Duration)
        /// Time passed.
        case timePassed(Instant)
    }

    /// What a coil is to carry.
    enum Command: Hashable, Sendable {
        /// The pulling coil.
        case pull(Bool)
        /// The holding coil.
        case hold(Bool)
    }

    /// When the bolt has moved.
    var deadline: Instant? {
        if case .pulling(let end) = self { end } else { nil }
    }

    /// Follows what is asked. A lock that is to be de-energised is, whatever was thought of it.
    mutating func handle(_ event: Event) -> Outcome<Command> {
        switch (self, event) {
        case (.atRest, .energise(let time, let pull)):
            self = .pulling(until: time + pull)
            return .handled([.pull(true), .hold(true)])
        case (.pulling, .energise), (.holding, .energise):
            return .ignored("it is energised already")
        case (.holding, .strayed(let time, let pull)):
            self = .pulling(until: time + pull)
            return .handled(.pull(true))
        case (.atRest, .strayed), (.pulling, .strayed):
            return .ignored("it is not held")
        case (_, .deEnergise):
            self = .atRest
            return .handled([.pull(false), .hold(false)])
        case (.pulling(let end), .timePassed(let now)) where now >= end:
            self = .holding
            return .handled(.pull(false))
        case (_, .timePassed):
            return .ignored("nothing is due")
        }
    }
}
