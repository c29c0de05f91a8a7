import Turnstile

/// What an onlooker sees of the rotor's sensors: quarters of a turn, and what nobody can have
/// turned.
struct Rotor: Hashable {
    /// How far the rotor has turned since it was home, counted on the way in; nil when nobody saw.
    private(set) var quarters: Int? = 0
    /// A whole turn that the last happening completed.
    private(set) var passage: Direction?
    /// Whether both sensors had changed at once, and the last happening changed them back.
    private(set) var wasNoise = false
    /// Whether the last happening showed that the sensors skipped a state for good.
    private(set) var hasSkipped = false
    /// The quarter that the sensors showed when they were last to be believed.
    private var quarter = 0
    /// For how many ticks they have shown another one; nil while they do not.
    private var ticks: Int?
    /// Whether both changed at once.
    private var isDoubtful = false
    /// For how many ticks they have shown what they show, while that is doubtful.
    private var shownTicks = 0
    /// How long the sensors have not been at rest; nil while they are.
    private var unrest: Unrest?

    /// For how many ticks there was no rest, and for how many the sensors have not changed.
    private struct Unrest: Hashable {
        var age = 0
        var quiet = 0
    }

    /// How many ticks a change takes to count, how many to be believed that nobody can have made,
    /// and how many there may be without a rest; none of each where every change counts at once.
    struct SettlingTimes: Hashable {
        var step: Int
        var noise: Int
        var unrest: Int
    }

    /// Whether nobody is in the rotor, and it is known.
    var isHome: Bool { quarter == 0 && isKnown }

    /// Whether it is known whether somebody moves.
    var isKnown: Bool { unrest == nil }

    /// For how many ticks that has not been known.
    var ticksOfUnrest: Int { unrest?.age ?? 0 }

    /// Forgets what the last happening was.
    mutating func rest() {
        passage = nil
        wasNoise = false
        hasSkipped = false
    }

    /// A sensor cannot be read: nobody knows what becomes of whoever is in the rotor.
    mutating func loseTrack() { quarters = nil }

    /// Begins to look, or looks again after a gap.
    mutating func find(_ levels: InputLevels) {
        quarter = levels.quarter
        quarters = quarter == 0 ? 0 : nil
        ticks = nil
        isDoubtful = false
        unrest = nil
    }

    /// Sees a sensor change.
    mutating func change(_ levels: InputLevels, _ settlingTimes: SettlingTimes) {
        let distance = abs(levels.quarter - quarter)
        defer { shownTicks = 0 }
        if settlingTimes.step > 0 { unrest = Unrest(age: unrest?.age ?? 0) }
        if distance == 0 {
            // Back one after the other, somebody may have gone through.
            hasSkipped = isDoubtful && shownTicks > settlingTimes.step
            wasNoise = isDoubtful && !hasSkipped
            if hasSkipped { (quarters, unrest) = (quarter == 0 ? 0 : nil, nil) }
            ticks = nil
            isDoubtful = false
        } else if settlingTimes.step == 0 {
            believe(levels)
        } else if distance == 2 && !isDoubtful {
            isDoubtful = true
            ticks = 0
        } else if ticks == nil {
            ticks = 0
        }
    }

    /// A tick passes.
    mutating func tick(_ levels: InputLevels, _ settlingTimes: SettlingTimes) {
        guard let before = unrest else { return }
        let now = Unrest(age: before.age + 1, quiet: before.quiet + 1)
        unrest = now
        ticks = ticks.map { $0 + 1 }
        if isDoubtful { shownTicks = min(shownTicks + 1, settlingTimes.step + 1) }
        if let ticks {
            if ticks == (isDoubtful ? settlingTimes.noise : settlingTimes.step) {
                return believe(levels)
            }
        } else if now.quiet == settlingTimes.step {
            unrest = nil
            return
        }
        if now.age == settlingTimes.unrest { believe(levels, isSkip: true) }
    }

    private mutating func believe(_ levels: InputLevels, isSkip isSkipped: Bool = false) {
        let distance = (levels.quarter - quarter + 4) % 4
        let isSkip = distance == 2 || isDoubtful || isSkipped
        quarter = levels.quarter
        unrest = nil
        ticks = nil
        isDoubtful = false
        shownTicks = 0
        if isSkip {
            hasSkipped = true
            quarters = nil
        } else if let turned = quarters {
            let now = turned + (distance == 1 ? 1 : -1)
            quarters = now
            if now == 4 { passage = .entry }
            if now == -4 { passage = .exit }
        }
        if quarter == 0 { quarters = 0 }
    }
}

extension InputLevels {
    /// How many quarters after home the sensors show on the way in, 0 to 3.
    fileprivate var quarter: Int {
        let a = self[.rotorA] || self[.beamA]
        let b = self[.rotorB] || self[.beamB]
        return a ? (b ? 2 : 1) : (b ? 3 : 0)
    }
}
