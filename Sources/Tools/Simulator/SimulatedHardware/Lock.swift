internal import Hardware
internal import StateMachines

/// A bolt that is moved by a spring one way and by a coil the other, each with a delay.
///
/// The coil may have a holding winding, which holds what the first one has pulled, and is too weak
/// to pull.
struct Lock: Hashable, Sendable {
    enum Winding: Hashable, Sendable {
        case pull, hold
    }

    /// Whether the bolt is out: it holds the rotor, or slides on its rim until a notch comes.
    private(set) var isOut: Bool
    /// When the bolt reaches the other end, while it moves.
    private(set) var deadline: Instant?

    private let powerLoss: PowerLoss
    private var isPulled = false
    private var isHeld = false
    private var isJammed = false

    init(_ powerLoss: PowerLoss) {
        self.powerLoss = powerLoss
        isOut = powerLoss == .failSecure
    }

    /// Puts current on a winding, or takes it off; the bolt moves after the delay.
    mutating func drive(
        _ winding: Winding, energised: Bool, at now: Instant, _ measures: Measures
    ) {
        switch winding {
        case .pull: isPulled = energised
        case .hold: isHeld = energised
        }
        decide(at: now, measures)
    }

    /// Jams the bolt where it is, or lets it follow its coil again.
    mutating func jam(_ isJammed: Bool, at now: Instant, _ measures: Measures) {
        self.isJammed = isJammed
        decide(at: now, measures)
    }

    /// Ends a move that is due at `now`; says whether there was one.
    mutating func advance(to now: Instant) -> Bool {
        guard let due = deadline, due <= now else { return false }
        isOut.toggle()
        deadline = nil
        return true
    }

    private mutating func decide(at now: Instant, _ measures: Measures) {
        guard !isJammed, wantsOut != isOut else {
            deadline = nil
            return
        }
        deadline = deadline ?? now.after(measures.lockDelay)
    }

    /// Where spring and coil move the bolt.
    private var wantsOut: Bool {
        let outWithPower = powerLoss == .failSafe
        let hasPower = isPulled || isHeld && isOut == outWithPower
        return hasPower == outWithPower
    }
}

extension Instant {
    func after(_ nanoseconds: Int64) -> Instant {
        Instant(nanoseconds: self.nanoseconds + nanoseconds)
    }
}
