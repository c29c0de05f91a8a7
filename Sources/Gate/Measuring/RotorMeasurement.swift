import StateMachines
public import Turnstile

/// The edges of a turn of the arm at its two sensors: whether they are exchanged, and how they
/// bounce.
public struct RotorMeasurement: Hashable, Sendable {
    /// How many whole turns there were, each way, if the sensors are as they are named.
    public private(set) var entries = 0, exits = 0
    /// How often a person turned it and went back.
    public private(set) var backOuts = 0
    /// Their bounces; nil if unknown.
    public let bounce: Bounce?
    /// The shortest time between two changes that lasted; nil where there was one at most.
    public let quickest: Duration?
    /// Whether either of them never changed.
    public let isDeadA: Bool, isDeadB: Bool

    /// Measures the edges of the two lines, recorded while the arm was turned.
    public init(a: LineTrace, b: LineTrace) {
        let (changesA, bounceA) = a.settled(after: Bounce.bound(of: .rotorA))
        let (changesB, bounceB) = b.settled(after: Bounce.bound(of: .rotorB))
        bounce = bounceA.flatMap { bounceA in bounceB.map { bounceA.joined(with: $0) } }
        (isDeadA, isDeadB) = (changesA.isEmpty, changesB.isEmpty)
        let changes =
            (changesA.map { (isA: true, edge: $0) } + changesB.map { (isA: false, edge: $0) })
            .sorted { $0.edge.time < $1.edge.time }
        quickest = zip(changes, changes.dropFirst()).map { $1.edge.time - $0.edge.time }.min()
        var sensors = RotorDecoder.Sensors(a: a.wasActive, b: b.wasActive)
        var decoder = RotorDecoder(sensors: sensors)
        for change in changes {
            if change.isA {
                sensors.a = change.edge.isActive
            } else {
                sensors.b = change.edge.isActive
            }
            count(decoder.handle(.changed(sensors)).commands)
        }
    }

    private mutating func count(_ commands: Commands<RotorDecoder.Command>) {
        for command in commands {
            switch command {
            case .complete(.entry): entries += 1
            case .complete(.exit): exits += 1
            case .backOut: backOuts += 1
            // None is illegal where one sensor changes at a time.
            case .begin, .reachMiddle, .leaveMiddle, .loseTrack, .findHome,
                .reportIllegalTransition:
                break
            }
        }
    }
}

// Texts.
extension RotorMeasurement {
    /// The result, if the arm was turned this way alone.
    public enum Verdict: String, Hashable, Sendable {
        /// The sensors are as they are named.
        case right
        /// A is B, and B is A.
        case exchanged
        /// There was no whole turn.
        case noTurn = "no_turn"
        /// There were turns both ways.
        case bothWays = "both_ways"
    }

    /// Whether A and B are exchanged, by turns this way.
    public func verdict(turned direction: Direction) -> Verdict {
        let (wanted, others) = direction == .entry ? (entries, exits) : (exits, entries)
        switch (wanted > 0, others > 0) {
        case (true, false): return .right
        case (false, true): return .exchanged
        case (false, false): return .noTurn
        case (true, true): return .bothWays
        }
    }

    /// A debounce time for both sensors: longer than their bounces, and far shorter than a change
    /// takes at this speed; nil if the bounces are unknown.
    public var debounce: Duration? {
        bounce.map { min(max($0.debounce, .milliseconds(1)), .milliseconds(50)) }
    }

    /// Possible problems, in sentences.
    public var warnings: [String] {
        var warnings: [String] = []
        for (name, isDead) in [("A", isDeadA), ("B", isDeadB)] where isDead {
            warnings.append("sensor \(name) never changed: is it wired, and has it power?")
        }
        if backOuts > entries + exits {
            warnings.append(
                "\(backOuts) turns went back before their end: does a sensor miss its flag?")
        }
        if let quickest, let debounce, quickest < debounce * 2 {
            warnings.append(
                "two changes came within \(quickest.inMilliseconds): too quick for a debounce of "
                    + "\(debounce.inMilliseconds)")
        }
        return warnings
    }
}
