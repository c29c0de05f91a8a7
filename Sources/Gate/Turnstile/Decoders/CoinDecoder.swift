public import StateMachines

/// Counts the pulses of a coin acceptor, and reports the end of each train, and noise.
///
/// A pulse counts if it is half to double as wide as the acceptor's nominal pulse, the limits
/// included. Any other pulse is noise: it neither counts nor ends a train, but restarts the silence
/// that does. A line that is active again within 12 ms continues its pulse, whose width is its
/// active time; a pulse that was interrupted for a quarter of the nominal width is noise. Two
/// trains that run together count as their sum.
///
/// With a table of values, a train is a coin only if it is certainly whole and a single coin's:
/// noise in it or right before it, gaps of which one is more than twice another, or missing edges
/// leave it in doubt.
///
/// Noise is reported pulse by pulse until more than five of them follow each other within less than
/// a second. Then a burst is reported, and no more of it until ten seconds without noise have ended
/// it. Good pulses count meanwhile; but no coin or note has more than 255 of them: a longer train
/// is a burst of noise, such as the hum of a mains cable.
public struct CoinDecoder: TimedMachine, Hashable, Sendable {
    /// The events of the coin line.
    public enum Event: Hashable, Sendable {
        /// The line became active, or inactive; a coin that sets out now is received like this.
        case changed(isActive: Bool, Reception, at: Instant)
        /// Edges are missing; the line is now active, or is not.
        case edgesLost(isActive: Bool, Reception, at: Instant)
        /// Time passed.
        case timePassed(Instant)
    }

    /// How a gate receives a coin whose first pulse comes now.
    public enum Reception: UInt8, Enumerated {
        /// Coins are refused: it cannot have been inserted honestly.
        case refused
        /// Not a coin: the acceptor has just been switched on.
        case early
        /// It pays for a passage.
        case locked
        /// The gate is released for the way in already.
        case unlocked

        /// Whether it may become credit.
        var isWelcome: Bool {
            switch self {
            case .refused, .early: false
            case .locked, .unlocked: true
            }
        }
    }

    /// The decoder's commands.
    public enum Command: Hashable, Sendable {
        /// A train of this many good pulses is over, which was received like this as it began.
        case credit(pulses: Int, Reception)
        /// A train of this many good pulses, which is welcome, is most probably over: three
        /// quarters of the silence that ends it have passed.
        case reportProvisional(pulses: Int)
        /// That train is over, with the pulses that were reported provisionally.
        case confirm(pulses: Int, Reception)
        /// A train of this many good pulses is over, and some may be missing.
        case creditInDoubt(pulses: Int, Reception)
        /// A pulse of this width is noise.
        case reportNoise(width: Duration)
        /// There is more noise than is worth a report each.
        case reportNoiseBurst
        /// The burst of noise is over, after this many pulses.
        case reportNoiseOver(pulses: Int)
        /// The line has been active for too long.
        case reportStuck
        /// The line is no longer stuck.
        case reportReleased
    }

    /// The states of the line.
    public enum State: Hashable, Sendable {
        /// Silence. A pulse follows.
        case idle
        /// In a pulse. The gap after it follows, or the line sticks.
        case pulse(since: Instant, Train)
        /// Between the pulses of a train. The next pulse follows, or silence.
        case gap(until: Instant, Train)
        /// Active for longer than any pulse. Silence follows.
        case stuck

        /// The train that is under way; nil for none.
        public internal(set) var train: Train? {
            get {
                switch self {
                case .idle, .stuck: nil
                case .pulse(_, let train), .gap(_, let train): train
                }
            }
            set {
                guard let newValue else { return }
                switch self {
                case .idle, .stuck: break
                case .pulse(let since, _): self = .pulse(since: since, newValue)
                case .gap(let until, _): self = .gap(until: until, newValue)
                }
            }
        }
    }

    /// The pulses that may be one coin's.
    public struct Train: Hashable, Sendable {
        /// How many good pulses there were.
        public var counted = 0
        /// How the coin was received when the first of them began.
        public var reception: Reception
        /// Whether the train was reported already, in case no more good pulses come.
        public var isProvisional = false
        /// Whether it was ever said, maybe with fewer pulses.
        public var wasTold = false
        /// Whether the coin is in doubt: pulses may be missing, or be another coin's.
        public var isLost = false

        /// A train of so many good pulses.
        public init(
            counted: Int = 0, reception: Reception, isProvisional: Bool = false,
            wasTold: Bool = false, isLost: Bool = false
        ) {
            self.counted = counted
            self.reception = reception
            self.isProvisional = isProvisional
            self.wasTold = wasTold
            self.isLost = isLost
        }

        /// The most pulses that one coin or note can have.
        static let longest = 255
    }

    /// A pulse, which is not over before a gap has followed it.
    struct Pulse: Hashable, Sendable {
        var began: Instant
        /// When it would have begun if it had not been interrupted.
        var since: Instant
        /// When the line was last no longer active.
        var ended: Instant
        /// Whether it counts, as the policy was then.
        var isGood = false
    }

    /// How much noise there is.
    public enum Noise: Hashable, Sendable {
        /// None that matters any longer. A pulse of it follows.
        case none
        /// Few pulses. More of them by then are a burst in the end; else they are forgotten.
        case some(pulses: Int, until: Instant)
        /// Many. It is over when none follows by then.
        case burst(pulses: Int, until: Instant)
    }

    /// The state of the line.
    public private(set) var state = State.idle
    /// How much noise there is.
    public private(set) var noise = Noise.none
    /// The pulse before the present gap; in an interrupted pulse, the part before.
    private var last: Pulse?
    /// The first gap of a train of a table.
    private var firstGap: Duration?
    /// A train whose first pulse begins before may have begun earlier: edges were lost.
    private var missingUntil: Instant?
    private var timing: Timing
    private let reportsProvisionally: Bool

    /// A line that is inactive for less parts no two pulses: longer than a half wave of 50 Hz.
    private static let leastGap: Duration = .milliseconds(12)

    /// The times that tell a pulse from noise and a train's end.
    struct Timing: Hashable, Sendable {
        var shortestPulse: Duration
        var longestPulse: Duration
        /// For how long in all a pulse may be interrupted.
        var longestInterruption: Duration
        var quiet: Duration
        var stuckAfter: Duration
        /// Whether coins are looked up in a table, instead of adding up pulses.
        var isTable: Bool

        init(_ policy: CoinPolicy) {
            shortestPulse = policy.pulseWidth / 2
            longestPulse = policy.pulseWidth * 2
            longestInterruption = policy.pulseWidth / 4
            quiet = policy.trainQuiet
            stuckAfter = policy.stuckAfter
            isTable = !policy.values.isProportional
        }
    }

    /// A silent line; `reportsProvisionally`: a train is reported before it is certainly over.
    public init(policy: CoinPolicy, reportsProvisionally: Bool = false) {
        timing = Timing(policy)
        self.reportsProvisionally = reportsProvisionally
    }

    /// The part of the state that must outlive the process. For a burst of noise that is the count:
    /// the rest would change with each edge.
    var retained: State {
        switch noise {
        case .burst:
            guard var train = state.train, train.counted > 0 else { return .idle }
            train.isLost = true
            return .gap(until: .zero, train)
        case .none, .some: return isCounting ? state : .idle
        }
    }

    /// Whether a coin is being counted.
    public var isCounting: Bool {
        switch state {
        case .idle, .stuck: false
        case .pulse: true
        // The pulse before it may be none.
        case .gap(_, let train): train.isAny
        }
    }

    /// When the train is over or to be reported provisionally, the pulse too long to be one, or the
    /// noise over.
    public var deadline: Instant? { .earliest(lineDeadline, noise.deadline) }

    /// Takes the pulse times of a new policy, for the pulses to come.
    mutating func adopt(_ policy: CoinPolicy) {
        timing = Timing(policy)
    }

    /// Counts pulses, or reports them. Of several due timeouts, the first is handled.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .changed(isActive: true, let reception, let time):
            return risingEdge(reception, at: time)
        case .changed(isActive: false, _, let time): return fallingEdge(at: time)
        case .edgesLost(let isActive, let reception, let time):
            return resynchronise(isActive: isActive, reception, at: time)
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            if noise.deadline == deadline { return noise.timedOut() }
            return noiseKnown.map { confirmNoise(at: $0) } ?? timedOut()
        }
    }

    /// Resumes the state at the end of the last service, with the line's present level. If they do
    /// not fit, an edge is missing, and perhaps pulses.
    mutating func resume(_ line: State, isActive: Bool, at time: Instant) {
        guard var train = line.train else { return }
        // The ledger may not have kept it.
        train.isProvisional = false
        switch line {
        case .pulse(let since, _) where isActive && !train.isLost:
            let earliest = time - timing.stuckAfter
            state = .pulse(since: min(max(since, earliest), time), train)
        case .gap(let until, _) where !isActive && !train.isLost:
            state = .gap(until: min(max(until, time), time + timing.quiet), train)
        case .pulse, .gap, .idle, .stuck: continueInDoubt(train, isActive: isActive, at: time)
        }
    }

    mutating func shiftInstants(by duration: Duration) {
        noise.shiftInstants(by: duration)
        last = last.map {
            Pulse(
                began: $0.began + duration, since: $0.since + duration, ended: $0.ended + duration,
                isGood: $0.isGood)
        }
        missingUntil = missingUntil.map { $0 + duration }
        switch state {
        case .idle, .stuck: break
        case .pulse(let since, let train): state = .pulse(since: since + duration, train)
        case .gap(let until, let train): state = .gap(until: until + duration, train)
        }
    }
}

// The line.
extension CoinDecoder {
    private var lineDeadline: Instant? {
        switch state {
        case .idle: missingUntil
        case .stuck: nil
        case .pulse(let since, _): since + timing.stuckAfter
        case .gap(let until, let train):
            noiseKnown ?? (isProvisionalDue(train) ? until - timing.quiet / 4 : until)
        }
    }

    /// When it is known that the pulse before the gap was noise; nil if it was none.
    private var noiseKnown: Instant? {
        guard case .gap = state, let last, !last.isGood else { return nil }
        return last.ended + Self.leastGap
    }

    private func isGood(_ pulse: Pulse) -> Bool {
        let width = pulse.ended - pulse.since
        return width >= timing.shortestPulse && width <= timing.longestPulse
            && pulse.since - pulse.began < timing.longestInterruption
    }

    /// Whether the train is to be reported before it is over.
    private func isProvisionalDue(_ train: Train) -> Bool {
        reportsProvisionally && train.reception.isWelcome && !train.isProvisional && !train.isLost
    }

    private mutating func risingEdge(_ reception: Reception, at time: Instant) -> Outcome<Command> {
        switch state {
        case .idle:
            state = .pulse(since: time, Train(reception: reception))
        case .gap(_, let train): return continueTrain(with: train, at: time)
        case .pulse, .stuck: return .ignored("the coin line was active already")
        }
        return .handled
    }

    /// The next pulse of the train began, or the one before the gap was only interrupted.
    private mutating func continueTrain(with train: Train, at time: Instant) -> Outcome<Command> {
        var train = train
        defer { state.train = train }
        state = .pulse(since: time, train)
        guard let before = last else { return .handled }
        let gap = time - before.ended
        if gap >= Self.leastGap {
            last = nil
            if timing.isTable {
                let first = firstGap ?? gap
                if gap > first * 2 || first > gap * 2 { train.isLost = true }
                firstGap = first
            }
            return .handled
        }
        if before.isGood { train.counted = max(train.counted - 1, 0) }
        if before.since + gap - before.began < timing.longestInterruption {
            last?.since = before.since + gap
            state = .pulse(since: before.since + gap, train)
            return .handled
        }
        // Neither that pulse nor the next ones count, until there is a gap.
        last = Pulse(began: time - timing.longestInterruption, since: time, ended: time)
        if timing.isTable, train.counted > 0 { train.isLost = true }
        return noise.addPulse(width: before.ended - before.since, at: time)
    }

    private mutating func fallingEdge(at time: Instant) -> Outcome<Command> {
        switch state {
        case .idle, .gap: return .ignored("the coin line was inactive already")
        case .stuck:
            state = .idle
            return .handled(.reportReleased)
        case .pulse(let since, var train):
            var pulse = Pulse(began: last?.began ?? since, since: since, ended: time)
            pulse.isGood = isGood(pulse)
            last = pulse
            if pulse.isGood {
                train.counted += 1
                train.isProvisional = false
                let isNoisy =
                    timing.isTable && noise.wasNoisy(since: pulse.began - timing.quiet)
                if isNoisy || (missingUntil.map { pulse.began < $0 } ?? false) {
                    train.isLost = true
                }
                missingUntil = nil
            }
            guard train.counted <= Train.longest else {
                end()
                return noise.addOverlongTrain(pulses: train.counted, at: time)
            }
            state = .gap(until: time + timing.quiet, train)
            return .handled
        }
    }

    /// The pulse before the gap was none.
    private mutating func confirmNoise(at time: Instant) -> Outcome<Command> {
        guard case .gap(let until, var train) = state, let pulse = last else { return .handled }
        last = nil
        if timing.isTable, train.counted > 0 { train.isLost = true }
        if train.isAny { state = .gap(until: until, train) } else { end() }
        return noise.addPulse(width: pulse.ended - pulse.since, at: time)
    }

    @inline(__always) private mutating func timedOut() -> Outcome<Command> {
        switch state {
        case .idle:
            missingUntil = nil
            return .handled
        case .stuck: return .ignored("nothing is due")
        case .gap(let until, var train) where isProvisionalDue(train):
            train.isProvisional = true
            train.wasTold = true
            state = .gap(until: until, train)
            return .handled(.reportProvisional(pulses: train.counted))
        case .gap(_, let train):
            end()
            guard let credit = train.credit else { return .handled }
            return .handled(credit)
        case .pulse(_, var train):
            // The pulse that sticks may be one of it.
            if timing.isTable, train.counted > 0 { train.isLost = true }
            end()
            (state, missingUntil) = (.stuck, nil)
            guard let credit = train.credit else { return .handled(.reportStuck) }
            return .handled([credit, .reportStuck])
        }
    }

    private mutating func end() { (state, last, firstGap) = (.idle, nil, nil) }

    /// Pulses of the coin that is counted may be missing, or of one that is yet to be heard of.
    private mutating func resynchronise(
        isActive: Bool, _ reception: Reception, at time: Instant
    ) -> Outcome<Command> {
        let wasStuck = state == .stuck
        if wasStuck, isActive { return .ignored("the coin line is still stuck") }
        if let train = state.train, train.isAny {
            continueInDoubt(train, isActive: isActive, at: time)
        } else {
            let train = Train(reception: state.train?.reception ?? reception)
            end()
            missingUntil = time + timing.quiet
            if isActive { state = .pulse(since: time, train) }
        }
        return wasStuck ? .handled(.reportReleased) : .handled
    }

    /// Continues a train in which pulses may be missing.
    private mutating func continueInDoubt(_ train: Train, isActive: Bool, at time: Instant) {
        var train = train
        (train.isLost, train.isProvisional) = (true, false)
        (last, firstGap) = (nil, nil)
        state = isActive ? .pulse(since: time, train) : .gap(until: time + timing.quiet, train)
    }
}

extension CoinDecoder.Train {
    fileprivate var isAny: Bool { counted > 0 || isLost }

    fileprivate var credit: CoinDecoder.Command? {
        if isLost { return .creditInDoubt(pulses: counted, reception) }
        guard counted > 0 else { return nil }
        return isProvisional
            ? .confirm(pulses: counted, reception) : .credit(pulses: counted, reception)
    }
}

extension CoinDecoder: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "coin_decoder" }
    /// One of a silent line.
    public static var blank: CoinDecoder { CoinDecoder(policy: CoinPolicy(unit: 1)) }

    /// The state of the line; the times are the policy's, and provisional reports depend on the
    /// ledger.
    public func visit(_ fields: inout some FieldVisitor) -> CoinDecoder {
        var decoder = self
        decoder.state = fields.inline(state, as: .phase)
        decoder.noise = fields.field(.noise, noise)
        decoder.last = fields.optional(.lastPulse, last)
        decoder.firstGap = fields.exactDuration(.firstGap, firstGap)
        decoder.missingUntil = fields.optional(.missingUntil, missingUntil)
        return decoder
    }
}

extension CoinDecoder.Pulse: Composite {
    static var title: String { "coin_pulse" }
    static let blank = CoinDecoder.Pulse(began: .zero, since: .zero, ended: .zero)

    /// When it began, from when on it is wide, and when it ended.
    func visit(_ fields: inout some FieldVisitor) -> CoinDecoder.Pulse {
        let began = fields.instant(.began, began)
        let since = fields.instant(.since, since)
        let ended = fields.instant(.ended, ended)
        return CoinDecoder.Pulse(
            began: began, since: since, ended: ended, isGood: fields.field(.isGood, isGood))
    }
}
