public import StateMachines

/// Counts the pulses of a coin acceptor, and says when a train of them is over and what is none.
///
/// A pulse counts when it is half to double as wide as the acceptor's nominal pulse, the limits
/// included; another width is noise, which neither counts nor ends a train, but the silence that
/// ends the train begins anew. Two trains that run into one another count what both count.
///
/// Noise is reported pulse by pulse until more than five of them follow each other by less than a
/// second. Then a burst is reported, and nothing more of it until ten seconds without noise have
/// ended it. Good pulses count all the while; but no coin and no note has more than 255 of them: a
/// train that goes on after that is a burst of noise, such as the hum of a mains line beside it.
public struct CoinDecoder: StateMachine, Hashable, Sendable {
    /// What may happen on the coin line.
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
        /// Coins are refused: nobody can have inserted it in an honest way.
        case refused
        /// It pays for a passage.
        case locked
        /// Somebody may come in already.
        case unlocked
    }

    /// What the decoder makes of it.
    public enum Command: Hashable, Sendable {
        /// A train of this many good pulses is over, which was received like this as it began.
        case credit(pulses: Int, Reception)
        /// A train of this many good pulses, which was not refused, is most probably over: three
        /// quarters of the silence that ends it have passed.
        case reportProvisional(pulses: Int)
        /// That train is over, with the pulses that were reported provisionally.
        case confirm(pulses: Int, Reception)
        /// A train of this many good pulses is over of which some may be missing.
        case creditInDoubt(pulses: Int, Reception)
        /// There was a pulse of this width, which is none.
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

    /// What the line is doing.
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
        /// Whether it was said already what the train is if no more good pulses come.
        public var isProvisional = false
        /// Whether it was ever said, maybe with fewer pulses.
        public var wasTold = false
        /// Whether pulses of it may be missing, since the service started anew meanwhile.
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

    /// How much noise there is.
    public enum Noise: Hashable, Sendable {
        /// None that matters any longer. A pulse of it follows.
        case none
        /// Few pulses. More of them by then are a burst in the end; else they are forgotten.
        case some(pulses: Int, until: Instant)
        /// Many. It is over when none follows by then.
        case burst(pulses: Int, until: Instant)
    }

    /// What the line is doing.
    public private(set) var state = State.idle
    /// How much noise there is.
    public private(set) var noise = Noise.none
    private var timing: Timing
    private let reportsProvisionally: Bool

    /// The times that tell a pulse from noise and a train's end.
    struct Timing: Hashable, Sendable {
        var shortestPulse: Duration
        var longestPulse: Duration
        var quiet: Duration
        var stuckAfter: Duration

        init(_ policy: CoinPolicy) {
            shortestPulse = policy.pulseWidth / 2
            longestPulse = policy.pulseWidth * 2
            quiet = policy.trainQuiet
            stuckAfter = policy.stuckAfter
        }
    }

    /// A decoder for an acceptor with the policy's pulse times, on a silent line. One that
    /// `reportsProvisionally` says what a train is before it is sure that it is over.
    public init(policy: CoinPolicy, reportsProvisionally: Bool = false) {
        timing = Timing(policy)
        self.reportsProvisionally = reportsProvisionally
    }

    /// What must outlive the process of what the line is doing. In a burst of noise that is what
    /// was counted: the rest would change with each edge, and says nothing.
    var retained: State {
        switch noise {
        case .burst:
            guard var train = state.train, train.counted > 0 else { return .idle }
            train.isLost = true
            return .gap(until: .zero, train)
        case .none, .some: return state == .stuck ? .idle : state
        }
    }

    /// Whether a coin is being counted.
    public var isCounting: Bool { state != .idle && state != .stuck }

    /// When the train is over or to be reported provisionally, the pulse too long to be one, or the
    /// noise over.
    public var deadline: Instant? { .earliest(lineDeadline, noise.deadline) }

    /// Takes the pulse times of a new policy, for the pulses to come.
    mutating func adopt(_ policy: CoinPolicy) {
        timing = Timing(policy)
    }

    /// Counts, or says what was counted. Of several things that are due, the first is done.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .changed(isActive: true, let reception, let time): return rose(reception, at: time)
        case .changed(isActive: false, _, let time): return fell(at: time)
        case .edgesLost(let isActive, let reception, let time):
            return resynchronise(isActive: isActive, reception, at: time)
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            return noise.deadline == deadline ? noise.timedOut() : timedOut()
        }
    }

    /// Goes on with what the line was doing as the service ended; the line is active now, or is
    /// not. Where that does not fit, an edge is missing, and so may be pulses.
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
        case .pulse, .gap, .idle, .stuck:
            train.isLost = true
            state =
                isActive
                ? .pulse(since: time, train) : .gap(until: time + timing.quiet, train)
        }
    }

    /// Moves every instant that the state holds.
    mutating func shiftInstants(by duration: Duration) {
        noise.shiftInstants(by: duration)
        switch state {
        case .idle, .stuck: break
        case .pulse(let since, let train): state = .pulse(since: since + duration, train)
        case .gap(let until, let train): state = .gap(until: until + duration, train)
        }
    }
}

// What the line does.
extension CoinDecoder {
    private var lineDeadline: Instant? {
        switch state {
        case .idle, .stuck: nil
        case .pulse(let since, _): since + timing.stuckAfter
        case .gap(let until, let train): isProvisionalDue(train) ? until - timing.quiet / 4 : until
        }
    }

    /// Whether it is to be said what the train is before it is over.
    private func isProvisionalDue(_ train: Train) -> Bool {
        reportsProvisionally && train.reception != .refused && !train.isProvisional && !train.isLost
    }

    private mutating func rose(_ reception: Reception, at time: Instant) -> Outcome<Command> {
        switch state {
        case .idle: state = .pulse(since: time, Train(reception: reception))
        case .gap(_, let train): state = .pulse(since: time, train)
        case .pulse, .stuck: return .ignored("the coin line was active already")
        }
        return .handled
    }

    private mutating func fell(at time: Instant) -> Outcome<Command> {
        switch state {
        case .idle, .gap: return .ignored("the coin line was inactive already")
        case .stuck:
            state = .idle
            return .handled(.reportReleased)
        case .pulse(let since, var train):
            let width = time - since
            let isNoise = width < timing.shortestPulse || width > timing.longestPulse
            if !isNoise {
                train.counted += 1
                train.isProvisional = false
            }
            guard train.counted <= Train.longest else {
                state = .idle
                return noise.hummed(pulses: train.counted, at: time)
            }
            let isTrain = train.counted > 0 || train.isLost
            state = isTrain ? .gap(until: time + timing.quiet, train) : .idle
            return isNoise ? noise.heard(width: width, at: time) : .handled
        }
    }

    @inline(__always) private mutating func timedOut() -> Outcome<Command> {
        switch state {
        case .idle, .stuck: return .ignored("nothing is due")
        case .gap(let until, var train) where isProvisionalDue(train):
            train.isProvisional = true
            train.wasTold = true
            state = .gap(until: until, train)
            return .handled(.reportProvisional(pulses: train.counted))
        case .gap(_, let train):
            state = .idle
            guard let credit = train.credit else { return .handled }
            return .handled(credit)
        case .pulse(_, let train):
            state = .stuck
            guard let credit = train.credit else { return .handled(.reportStuck) }
            return .handled([credit, .reportStuck])
        }
    }

    /// What was counted before the gap is good; what follows is a new train.
    private mutating func resynchronise(
        isActive: Bool, _ reception: Reception, at time: Instant
    ) -> Outcome<Command> {
        var commands = Commands<Command>()
        switch state {
        case .idle: break
        case .pulse(_, let train), .gap(_, let train):
            if let credit = train.credit { commands.append(credit) }
        case .stuck:
            if isActive { return .ignored("the coin line is still stuck") }
            commands.append(.reportReleased)
        }
        state = isActive ? .pulse(since: time, Train(reception: reception)) : .idle
        return .handled(commands)
    }
}

extension CoinDecoder.Train {
    /// What is to be said when the train is over; nil when it was none.
    fileprivate var credit: CoinDecoder.Command? {
        if isLost { return .creditInDoubt(pulses: counted, reception) }
        guard counted > 0 else { return nil }
        return isProvisional
            ? .confirm(pulses: counted, reception) : .credit(pulses: counted, reception)
    }
}

extension CoinDecoder.Noise {
    /// The most pulses in a row that are reported one by one.
    static var tolerated: Int { 5 }
    /// How soon one pulse of noise follows another that belongs to the same row.
    private static var reach: Duration { .seconds(1) }
    /// How long there is no noise before a burst is over.
    private static var silence: Duration { .seconds(10) }

    /// When the noise is forgotten, or over.
    var deadline: Instant? {
        switch self {
        case .none: nil
        case .some(_, let until), .burst(_, let until): until
        }
    }

    /// Takes a pulse of noise that ended at `time`.
    fileprivate mutating func heard(
        width: Duration, at time: Instant
    ) -> Outcome<CoinDecoder.Command> {
        switch self {
        case .none:
            self = .some(pulses: 1, until: time + Self.reach)
            return .handled(.reportNoise(width: width.inWholeMicroseconds))
        case .some(let pulses, _) where pulses < Self.tolerated:
            self = .some(pulses: pulses + 1, until: time + Self.reach)
            return .handled(.reportNoise(width: width.inWholeMicroseconds))
        case .some(let pulses, _):
            self = .burst(pulses: pulses + 1, until: time + Self.silence)
            return .handled(.reportNoiseBurst)
        case .burst(let pulses, _):
            self = .burst(pulses: pulses + 1, until: time + Self.silence)
            return .handled
        }
    }

    /// Takes a train of so many pulses, which is none, for a burst of noise. None of its pulses has
    /// a record of its own, as the first ones of a burst do that is heard pulse by pulse.
    fileprivate mutating func hummed(
        pulses: Int, at time: Instant
    ) -> Outcome<CoinDecoder.Command> {
        let until = time + Self.silence
        switch self {
        case .none, .some:
            self = .burst(pulses: Self.tolerated + pulses, until: until)
            return .handled(.reportNoiseBurst)
        case .burst(let earlier, _):
            self = .burst(pulses: earlier + pulses, until: until)
            return .handled
        }
    }

    /// Forgets the noise, or says that the burst is over.
    fileprivate mutating func timedOut() -> Outcome<CoinDecoder.Command> {
        defer { self = .none }
        switch self {
        case .none, .some: return .handled
        case .burst(let pulses, _): return .handled(.reportNoiseOver(pulses: pulses))
        }
    }

    /// Moves every instant that the state holds.
    fileprivate mutating func shiftInstants(by duration: Duration) {
        switch self {
        case .none: break
        case .some(let pulses, let until): self = .some(pulses: pulses, until: until + duration)
        case .burst(let pulses, let until): self = .burst(pulses: pulses, until: until + duration)
        }
    }
}

extension CoinDecoder: Composite {
    /// What it is called.
    public static var title: String { "coin_decoder" }
    /// One of a silent line.
    public static var blank: CoinDecoder { CoinDecoder(policy: CoinPolicy(unit: 1)) }

    /// What the line is doing; the times are the policy's, and what is said before a train is over
    /// follows from whether there is a ledger.
    public func visit(_ fields: inout some FieldVisitor) -> CoinDecoder {
        var decoder = self
        decoder.state = fields.inline(state, as: .phase)
        decoder.noise = fields.field(.noise, noise)
        return decoder
    }
}
