internal import Hardware
internal import StateMachines

/// A bolt that a spring moves one way and a coil the other, each with a delay.
struct Lock: Hashable, Sendable {
    /// Whether the bolt is out: it holds the rotor, or slides on its rim until a notch comes.
    private(set) var isEngaged: Bool
    /// When the bolt reaches the other end, while it moves.
    private(set) var deadline: Instant?

    /// A lock without power.
    init(_ powerLoss: PowerLoss) {
        isEngaged = Self.engages(powerLoss, energised: false)
    }

    /// Moves the bolt as the coil now asks, after the delay.
    mutating func drive(energised: Bool, at now: Instant, _ physics: Physics) {
        let engages = Self.engages(physics.lock, energised: energised)
        deadline = engages == isEngaged ? nil : now + physics.lockDelay
    }

    /// Ends a move that is due at `now`; says whether there was one.
    mutating func advance(to now: Instant) -> Bool {
        guard let due = deadline, due <= now else { return false }
        isEngaged.toggle()
        deadline = nil
        return true
    }

    private static func engages(_ powerLoss: PowerLoss, energised: Bool) -> Bool {
        switch powerLoss {
        case .failSafe: energised
        case .failSecure: !energised
        }
    }
}
