internal import StateMachines
internal import Turnstile

/// A rotor of three arms: 120° from one arm to the next.
///
/// Angles are millidegrees from rest, positive towards the entry, so that all arithmetic is exact.
/// The bolt falls into a notch at rest only: a bolt that comes out in mid-turn slides on the rim,
/// lets the rotation finish and catches the next arm.
///
///     distance from rest   0     20      55  65     100     120
///     sensor moved first   ______████████████__________________
///     sensor moved second  ______________████████████__________
struct Rotor: Hashable, Sendable {
    /// What somebody does with the arm.
    enum Hand: Hashable, Sendable {
        /// Nobody holds it: the spring turns it to the nearest rest.
        case nobody
        /// Somebody walks into it, and waits for a while where the bolt holds it.
        case pushing(Direction, degreesPerSecond: Int)
        /// Somebody breaks through, bolt or no bolt.
        case forcing(Direction, degreesPerSecond: Int)
        /// Somebody who had begun to pass steps back.
        case steppingBack(degreesPerSecond: Int)
    }

    /// From one arm to the next.
    static let turn = 120_000
    /// How far a bolt in its notch lets the rotor move.
    static let play = 4_000
    /// From here on, the cam drives the arm to its rest and nobody can turn it back.
    static let cam = 100_000
    private static let first = 20_000..<65_000
    private static let second = 55_000..<100_000
    private static let borders = [20_000, 55_000, 65_000, 100_000]

    private(set) var hand = Hand.nobody
    /// How many people went through since the beginning, by way.
    private(set) var entries = 0, exits = 0

    /// The angle at `since`, when the rotor last changed its motion or passed a waypoint.
    private var angle = 0
    private var since = Instant.zero
    private var target = 0

    /// Whether sensor A is active.
    var sensorA: Bool { (angle < 0 ? Self.second : Self.first).contains(abs(angle)) }
    /// Whether sensor B is active.
    var sensorB: Bool { (angle < 0 ? Self.first : Self.second).contains(abs(angle)) }

    /// The angle at `now`, in millidegrees.
    func angle(at now: Instant, _ physics: Physics) -> Int {
        guard angle != target else { return angle }
        let speed = Int64(degreesPerSecond(physics))
        let turned = Int((now.nanoseconds - since.nanoseconds) * speed / 1_000_000)
        return target > angle ? min(angle + turned, target) : max(angle - turned, target)
    }

    /// When the rotor next passes a waypoint, or somebody gives up.
    func deadline(_ physics: Physics) -> Instant? {
        guard angle == target else {
            let way = Int64(abs(waypoint - angle))
            let speed = Int64(degreesPerSecond(physics))
            let nanoseconds = (way * 1_000_000 + speed - 1) / speed
            return Instant(nanoseconds: since.nanoseconds + nanoseconds)
        }
        guard case .pushing = hand else { return nil }
        return since + physics.patience
    }

    /// Somebody does something else with the arm.
    mutating func take(
        _ hand: Hand, at now: Instant, boltIsOut: Bool, _ physics: Physics
    ) {
        rebase(at: now, physics)
        self.hand = hand
        precondition(degreesPerSecond(physics) > 0, "an arm that is moved moves")
        chooseTarget(boltIsOut: boltIsOut)
    }

    /// The bolt has moved.
    mutating func boltMoved(isOut: Bool, at now: Instant, _ physics: Physics) {
        rebase(at: now, physics)
        chooseTarget(boltIsOut: isOut)
    }

    /// Does what is due at `now`.
    mutating func advance(to now: Instant, boltIsOut: Bool, _ physics: Physics) {
        guard let due = deadline(physics), due <= now else { return }
        if angle == target {
            hand = .nobody
        } else {
            angle = waypoint
        }
        since = now
        if abs(angle) == Self.turn {
            if angle > 0 { entries += 1 } else { exits += 1 }
            angle = 0
            hand = .nobody
        } else if angle == 0, case .steppingBack = hand {
            hand = .nobody
        }
        chooseTarget(boltIsOut: boltIsOut)
    }

    private mutating func rebase(at now: Instant, _ physics: Physics) {
        angle = angle(at: now, physics)
        since = now
    }

    private mutating func chooseTarget(boltIsOut: Bool) {
        let rest = angle < 0 ? -Self.turn : Self.turn
        guard abs(angle) < Self.cam else {
            target = rest
            return
        }
        target =
            switch hand {
            case .nobody: abs(angle) < Self.turn / 2 ? 0 : rest
            case .steppingBack: 0
            case .forcing(let direction, _): direction.sign * Self.turn
            case .pushing(let direction, _):
                // A notch still lies ahead: the bolt catches there.
                boltIsOut && direction.sign * angle <= Self.play
                    ? direction.sign * Self.play : direction.sign * Self.turn
            }
    }

    /// The next angle on the way at which a sensor changes, else the end of the way.
    private var waypoint: Int {
        let side = angle == 0 ? target.signum() : angle.signum()
        let distance = abs(angle)
        guard side * (target - angle) > 0 else {
            // Inwards; a border belongs to the range above it. Rest is a waypoint of its own.
            let end = max(0, side * target)
            let border = Self.borders.last { $0 <= distance }
            return side * max(end, border.map { $0 - 1 } ?? 0)
        }
        return side * min(abs(target), Self.borders.first { $0 > distance } ?? Self.turn)
    }

    private func degreesPerSecond(_ physics: Physics) -> Int {
        switch hand {
        case .nobody: physics.springDegreesPerSecond
        case .pushing(_, let speed), .forcing(_, let speed), .steppingBack(let speed): speed
        }
    }
}

extension Direction {
    /// 1 for the way in, -1 for the way out: the sign of a rotor's angle.
    fileprivate var sign: Int {
        switch self {
        case .entry: 1
        case .exit: -1
        }
    }
}
