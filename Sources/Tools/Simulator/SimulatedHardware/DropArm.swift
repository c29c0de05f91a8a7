internal import Hardware
internal import StateMachines

/// An arm that hangs on a magnet: without power it drops and leaves the way free, until it is
/// raised by hand.
struct DropArm: Hashable, Sendable {
    private(set) var isUp: Bool
    /// When a falling arm is down.
    private(set) var deadline: Instant?

    private let powerLoss: PowerLoss
    private var isHeld: Bool

    /// An arm without power, where there is one; an arm that cannot drop is up.
    init(_ powerLoss: PowerLoss, isWired: Bool) {
        self.powerLoss = isWired ? powerLoss : .failSecure
        isHeld = self.powerLoss == .failSecure
        isUp = isHeld
    }

    mutating func drive(energised: Bool, at now: Instant, _ measures: Measures) {
        isHeld = energised == (powerLoss == .failSafe)
        deadline = isUp && !isHeld ? now.after(measures.armFall) : nil
    }

    /// Raises the arm by hand: it stays up if it is held. Returns whether it was down and is up.
    mutating func raise() -> Bool {
        guard isHeld, !isUp else { return false }
        isUp = true
        return true
    }

    /// Ends a fall that is due at `now`; says whether there was one.
    mutating func advance(to now: Instant) -> Bool {
        guard let due = deadline, due <= now else { return false }
        isUp = false
        deadline = nil
        return true
    }
}
