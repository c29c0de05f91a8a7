import StateMachines

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

    func wasNoisy(since time: Instant) -> Bool {
        switch self {
        case .none: false
        case .some(_, let until): until - Self.reach > time
        case .burst(_, let until): until - Self.silence > time
        }
    }

    /// Takes a pulse of noise that is known at `time` to have been one.
    mutating func addPulse(
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

    /// Takes a train of too many pulses to be a coin for a burst of noise. None of its pulses has
    /// a record of its own, as the first ones of a burst do that is heard pulse by pulse.
    mutating func addOverlongTrain(
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
    mutating func timedOut() -> Outcome<CoinDecoder.Command> {
        defer { self = .none }
        switch self {
        case .none, .some: return .handled
        case .burst(let pulses, _): return .handled(.reportNoiseOver(pulses: pulses))
        }
    }

    mutating func shiftInstants(by duration: Duration) {
        switch self {
        case .none: break
        case .some(let pulses, let until): self = .some(pulses: pulses, until: until + duration)
        case .burst(let pulses, let until): self = .burst(pulses: pulses, until: until + duration)
        }
    }
}
