import SimulatedHardware
import StateMachines
import Turnstile

/// Noise on the common supply of the rotor's sensors beside what somebody really did: where nobody
/// moved from one sensor to the next meanwhile, nothing comes of it.
///
/// Noise that lasts for longer than half a second may be believed; noise that moves one sensor
/// only, since the other one shows that already, looks like a person, and noise in which somebody
/// moves like one who skipped a state. What the records then say of the rotor nobody can tell,
/// until it has been home for a while.
struct NoiseWatch {
    /// From a sensor that moves to a record of it: bounces, debounce, `rotor_step`, and as much.
    private static let settlingTime: Duration = .milliseconds(40)
    /// For how long noise counts for nothing, less than the time that contacts take to settle.
    private static let longestNoise: Duration = .milliseconds(490)
    /// How long the rotor is home until nothing can come of earlier noise.
    private static let calm: Duration = .milliseconds(700)

    /// The stages of a passage that the sensors tell apart.
    private enum Place { case rest, first, both, second }

    private var place = Place.rest
    private var movedAt = Instant.zero
    /// Noise of which nothing may come, since when, and until when nobody may move for that.
    private var noise: (since: Instant, until: Instant)?
    /// What the machine said while that lasted.
    private var suspicions: [Record] = []
    private var wasShown: Bool?
    private var wasTroubled = false
    private var restsSince: Instant?
    /// Whether nobody can tell what the sensors of the rotor told.
    private(set) var isBlind = false

    /// Hears what was recorded.
    mutating func observe(_ event: Event, _ records: [Record]) {
        guard let noise, event.time >= noise.since, event.time <= noise.until else { return }
        suspicions += records.filter(\.isOfMovement)
    }

    /// A process begins, or ends: nobody can tell what it made of it.
    mutating func interrupt() {
        if noise != nil || wasShown != nil { isBlind = true }
        noise = nil
    }

    /// Looks at the truth; to be called after everything that happens.
    mutating func look(at service: Service) throws(Violation) {
        let world = service.world
        let now = world.now
        let found = Self.place(atDegrees: abs(world.rotorDegrees))
        if found != place {
            place = found
            movedAt = now
            if let noise, now <= noise.until { giveUp() }
            if world.sensorsShow != nil { giveUp() }
        }
        let isTroubled =
            service.heldUpUntil > now || world.losesEdges || !world.defects.isEmpty
        if isTroubled || wasTroubled, noise != nil || world.sensorsShow != nil { giveUp() }
        wasTroubled = isTroubled
        if world.sensorsShow != wasShown {
            change(to: world.sensorsShow, at: now)
            wasShown = world.sensorsShow
        }
        try judge(at: now)
        recover(at: now)
    }

    private mutating func change(to shown: Bool?, at now: Instant) {
        guard let shown else {
            guard let since = noise?.since else { return }
            noise = (since, now + Self.settlingTime)
            if now > since + Self.longestNoise { giveUp() }
            return
        }
        let changesBoth = place == (shown ? .rest : .both)
        let changesNone = place == (shown ? .both : .rest)
        let isFresh = wasShown == nil && noise == nil && now > movedAt + Self.settlingTime
        guard isFresh, !isBlind, changesBoth || changesNone else { return giveUp() }
        noise = (now, now + .seconds(3_600))
        suspicions = []
    }

    /// What comes of this noise is not to be known.
    private mutating func giveUp() {
        noise = nil
        suspicions = []
        isBlind = true
    }

    private mutating func judge(at now: Instant) throws(Violation) {
        guard let noise, now > noise.until else { return }
        self.noise = nil
        if let suspicion = suspicions.first {
            throw Violation(
                description: "noise on the rotor's sensors, nobody moved, and the records tell of "
                    + "\(suspicion)")
        }
    }

    private mutating func recover(at now: Instant) {
        let rests = place == .rest && wasShown == nil
        restsSince = rests ? restsSince ?? now : nil
        if let restsSince, now > restsSince + Self.calm { isBlind = false }
    }

    private static func place(atDegrees degrees: Int) -> Place {
        switch degrees {
        case ..<20: .rest
        case ..<55: .first
        case ..<65: .both
        case ..<100: .second
        default: .rest
        }
    }
}

extension Record {
    /// Whether it tells of somebody who moved the rotor, or of sensors that skipped a state.
    fileprivate var isOfMovement: Bool {
        switch self {
        case .passageStarted, .passageCompleted, .passageBackedOut, .passageLost,
            .faultRaised(.illegalRotorTransition), .alarmRaised(.forcedPassage),
            .alarmRaised(.reversePassage), .alarmRaised(.tailgating),
            .alarmRaised(.backOutPastMiddle):
            true
        default: false
        }
    }
}
