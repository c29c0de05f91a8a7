public import StateMachines
public import Turnstile

/// The recorded edges of a line.
public struct LineTrace: Hashable, Sendable {
    /// One edge.
    public struct Edge: Hashable, Sendable {
        /// When it was.
        public var time: Instant
        /// Whether the line was active from then on.
        public var isActive: Bool

        /// An edge.
        public init(_ isActive: Bool, at time: Instant) {
            self.isActive = isActive
            self.time = time
        }
    }

    /// The edges, in order.
    public private(set) var edges: [Edge] = []
    /// Whether it was active before the first.
    public let wasActive: Bool
    /// Whether its source has debounced it.
    public let isDebounced: Bool

    /// A line that has done nothing yet.
    public init(wasActive: Bool = false, isDebounced: Bool = false) {
        self.wasActive = wasActive
        self.isDebounced = isDebounced
    }

    /// Adds an edge. A level that the line had already, as after a lost edge, is ignored.
    public mutating func take(_ edge: Edge) {
        guard edge.isActive != (edges.last?.isActive ?? wasActive) else { return }
        edges.append(edge)
    }

    /// The changes that lasted for at least this long, each from its first edge on, and their
    /// bounces; nil if those are unknown.
    ///
    /// The last level counts as lasting.
    public func settled(after length: Duration) -> (changes: [Edge], bounce: Bounce?) {
        var changes: [Edge] = []
        var bounce = Bounce()
        // The first edge since the line had settled.
        var departure: Edge?
        for (index, edge) in edges.enumerated() {
            departure = departure ?? edge
            let lasts = index + 1 < edges.count ? edges[index + 1].time - edge.time : nil
            if let lasts, lasts < length {
                bounce.count(lasts)
                continue
            }
            if let first = departure, edge.isActive != (changes.last?.isActive ?? wasActive) {
                changes.append(Edge(edge.isActive, at: first.time))
                bounce.settled(after: edge.time - first.time)
            }
            departure = nil
        }
        return (changes, isDebounced ? nil : bounce)
    }
}

/// How contacts bounce.
public struct Bounce: Hashable, Sendable {
    /// How many levels did not last.
    public private(set) var levels = 0
    /// The longest of these: a debounce that is longer hears none of them.
    public private(set) var longest: Duration = .zero
    /// The longest time from a change's first edge until it lasted.
    public private(set) var settling: Duration = .zero

    /// The shortest level of this input that is no bounce: its debounce time, if any; else 5 ms for
    /// an acceptor, whose pulses are all longer, and 10 ms.
    public static func bound(of input: Input, debounce: Duration = .zero) -> Duration {
        if debounce > .zero { return debounce }
        let isPulsed = Acceptor.allCases.contains { $0.line == input }
        return .milliseconds(isPulsed ? 5 : 10)
    }

    mutating func count(_ level: Duration) {
        levels += 1
        longest = max(longest, level)
    }

    mutating func settled(after time: Duration) { settling = max(settling, time) }

    /// The combined bounces of two lines.
    func joined(with other: Bounce) -> Bounce {
        var both = self
        both.levels += other.levels
        both.longest = max(longest, other.longest)
        both.settling = max(settling, other.settling)
        return both
    }

    /// The debounce that fits: double the longest level that does not last, in whole milliseconds;
    /// none where nothing bounces.
    public var debounce: Duration {
        .milliseconds((longest.wholeNanoseconds * 2 + 999_999) / 1_000_000)
    }
}
