internal import StateMachines
internal import Turnstile

/// A rotor of three arms: 120° from one arm to the next. Light beams see a person who walks
/// through them at the same places.
///
/// Angles are millidegrees from rest, positive towards the entry, so that all arithmetic is exact.
/// The bolt falls into a notch at rest only: a bolt that comes out in mid-turn slides on the rim,
/// lets the rotation finish and catches the next arm.
///
///     distance from rest   0 10  20      55  65     100     120
///     home contact         ██______________________________
///     sensor moved first   ______████████████__________________
///     sensor moved second  ______________████████████__________
struct Rotor: Hashable, Sendable {
    enum Hand: Hashable, Sendable {
        /// Free: the spring turns it to the nearest rest.
        case nobody
        /// A person walks into it, and waits for a while if the bolt holds it.
        case pushing(Direction, degreesPerSecond: Int)
        /// A person breaks through, bolt or no bolt.
        case forcing(Direction, degreesPerSecond: Int)
        /// A person who had begun to pass steps back.
        case steppingBack(degreesPerSecond: Int)
        /// A person stands still.
        case standing
    }

    /// From one arm to the next.
    static let turn = 120_000
    /// How far a bolt in its notch lets the rotor move.
    static let play = 4_000
    /// From here on, the cam drives the arm to its rest and it cannot be turned back.
    static let cam = 100_000
    private static let first = 20_000..<65_000
    private static let second = 55_000..<100_000
    /// Up to here the arm counts as at rest.
    private static let homeEnd = 10_000
    private static let borders = [20_000, 55_000, 65_000, 100_000]

    /// How many people went through since the beginning, by way.
    private(set) var entries = 0, exits = 0
    /// When the rotor next passes a waypoint, or the person gives up.
    private(set) var deadline: Instant?

    private var hand = Hand.nobody
    /// A second person, who squeezes in behind the first once the arm comes to rest.
    private var follower: Hand?
    /// The angle at `since`, when the rotor last changed its motion or passed a waypoint.
    private var angle = 0
    private var since = Instant.zero
    private var target = 0
    /// Where the motion next passes a border.
    private var waypoint = 0

    var sensorA: Bool { (angle < 0 ? Self.second : Self.first).contains(abs(angle)) }
    var sensorB: Bool { (angle < 0 ? Self.first : Self.second).contains(abs(angle)) }
    /// Whether the arm stands at rest, or nearly.
    var isHome: Bool { abs(angle) < Self.homeEnd }
    /// Whether a notch is under the bolts.
    var isInNotch: Bool { abs(angle) <= Self.play }

    /// The angle at `now`, in millidegrees.
    func angle(at now: Instant, _ measures: Measures) -> Int {
        guard angle != target else { return angle }
        let speed = Int64(degreesPerSecond(measures))
        let turned = Int((now.nanoseconds - since.nanoseconds) * speed / 1_000_000)
        return target > angle ? min(angle + turned, target) : max(angle - turned, target)
    }

    /// The person does something else with the arm.
    mutating func take(_ hand: Hand, at now: Instant, held: Ways, _ measures: Measures) {
        rebase(at: now, measures)
        self.hand = hand
        follower = nil
        precondition(degreesPerSecond(measures) > 0, "an arm that is moved moves")
        chooseTarget(held: held, measures)
    }

    /// A second person squeezes in behind one who goes `direction`. Returns false if there is none.
    mutating func follow(_ direction: Direction, degreesPerSecond speed: Int) -> Bool {
        guard direction.sign * angle > 0 else { return false }
        follower = .forcing(direction, degreesPerSecond: speed)
        return true
    }

    mutating func boltMoved(held: Ways, at now: Instant, _ measures: Measures) {
        // A passage that ends at this very moment is complete.
        advance(to: now, held: held, measures)
        rebase(at: now, measures)
        chooseTarget(held: held, measures)
    }

    mutating func advance(to now: Instant, held: Ways, _ measures: Measures) {
        guard let due = deadline, due <= now else { return }
        if angle == target {
            hand = .nobody
        } else {
            angle = waypoint
        }
        since = now
        if abs(angle) == Self.turn {
            if angle > 0 { entries += 1 } else { exits += 1 }
            angle = 0
            hand = follower ?? .nobody
            follower = nil
        } else if angle == 0 {
            follower = nil
            if case .steppingBack = hand { hand = .nobody }
        }
        chooseTarget(held: held, measures)
    }

    private mutating func rebase(at now: Instant, _ measures: Measures) {
        angle = angle(at: now, measures)
        since = now
    }

    private mutating func chooseTarget(held: Ways, _ measures: Measures) {
        target = newTarget(held: held)
        guard angle == target else {
            waypoint = nextWaypoint(measures)
            let speed = Int64(degreesPerSecond(measures))
            deadline = since.after((Int64(abs(waypoint - angle)) * 1_000_000 + speed - 1) / speed)
            return
        }
        waypoint = angle
        if case .pushing = hand {
            deadline = since.after(measures.personTimeout)
        } else {
            deadline = nil
        }
    }

    private func newTarget(held: Ways) -> Int {
        let rest = angle < 0 ? -Self.turn : Self.turn
        guard abs(angle) < Self.cam else { return rest }
        switch hand {
        case .nobody: return abs(angle) < Self.turn / 2 ? 0 : rest
        case .steppingBack: return 0
        case .standing: return angle
        case .forcing(let direction, _): return direction.sign * Self.turn
        case .pushing(let direction, _):
            // A notch still lies ahead: the bolt catches there.
            return held[direction] && direction.sign * angle <= Self.play
                ? direction.sign * Self.play : direction.sign * Self.turn
        }
    }

    /// The next angle on the way at which a sensor changes, else the end of the way.
    private func nextWaypoint(_ measures: Measures) -> Int {
        let side = angle == 0 ? target.signum() : angle.signum()
        let distance = abs(angle)
        let seesHome = !measures.home.isEmpty
        guard side * (target - angle) > 0 else {
            // Inwards; a border belongs to the range above it. Rest is a waypoint of its own.
            let end = max(0, side * target)
            var border = Self.borders.last { $0 <= distance }
            if seesHome && distance >= Self.homeEnd { border = border ?? Self.homeEnd }
            return side * max(end, border.map { $0 - 1 } ?? 0)
        }
        if seesHome && distance < Self.homeEnd { return side * min(abs(target), Self.homeEnd) }
        return side * min(abs(target), Self.borders.first { $0 > distance } ?? Self.turn)
    }

    private func degreesPerSecond(_ measures: Measures) -> Int {
        switch hand {
        case .nobody, .standing: measures.physics.springDegreesPerSecond
        case .pushing(_, let speed), .forcing(_, let speed), .steppingBack(let speed): speed
        }
    }
}

extension Direction {
    /// 1 for the way in, -1 for the way out: the sign of a rotor's angle.
    var sign: Int {
        switch self {
        case .entry: 1
        case .exit: -1
        }
    }
}
