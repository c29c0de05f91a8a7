import StateMachines
import Turnstile

/// The turnstile once more, as the second opinion on what the first one says: one piece, written
/// down from what a gate is to do, with plain variables and without machines, regions or tables.
///
/// It shares nothing with the first but the words for what comes in and what is recorded.
struct PlainGate {
    /// What the way through is, for whoever holds an authorisation.
    enum Way { case locked, released, suspended, passing }

    /// What was recorded since this was last emptied.
    var records: [Record] = []
    var policy: Policy
    var newPolicy: Policy?
    var credit = 0

    // What the lines carry, as far as it counts, and when the opposite will count.
    var isActive = [Bool](repeating: false, count: Input.allCases.count)
    var countsAt = [Instant?](repeating: nil, count: Input.allCases.count)
    private let debounce: [Duration]

    // The coin line.
    var pulseBegan: Instant?
    var pulses = 0
    var trainEnds: Instant?
    var isCoinStuck = false

    // The rotor: quarters from home, positive on the way in; nil when nobody can tell.
    var position: Int? = 0

    // Who may pass.
    var way = Way.locked
    var authorisation = Authorisation.contact
    var isRelocked = false
    var waitEnds: Instant?
    var delayBegins: Instant?
    var isDelayed = false

    // The emergency.
    var isLoopOpen = false
    var isEmergency = false
    var isReset = false

    // Faults and alarms. An alarm without an end is either latched or lasts while its cause does.
    var causes: Set<Fault> = []
    var faults: Set<Fault> = []
    var alarms: [Alarm: Instant?] = [:]
    var isForcedLatched = false

    init(policy: Policy, debounce: [Input: Duration]) {
        self.policy = policy
        self.debounce = Input.allCases.map { debounce[$0] ?? .zero }
    }

    // MARK: What follows from the state

    var isOutOfService: Bool { faults.contains { $0.takesOutOfService } }
    var isCounting: Bool { pulseBegan != nil || trainEnds != nil }
    var isIdle: Bool { !isEmergency && way == .locked && position == 0 && !isCounting }

    var isReleased: Bool {
        if isEmergency { return !faults.contains(.energisedTooLong(.lockEntry)) }
        if way == .passing { return !isRelocked }
        return way == .released && (!isOutOfService || waitEnds == nil)
    }

    var acceptsCoins: Bool { !isEmergency && !isOutOfService && way == .locked }

    /// The gate's state by its name in the journal.
    var state: String {
        if isEmergency {
            return isLoopOpen ? "emergency" : isReset ? "awaiting_clear_lane" : "awaiting_reset"
        }
        if isOutOfService { return "out_of_service" }
        switch way {
        case .locked, .suspended: return "locked"
        case .released: return "released"
        case .passing: return "passing"
        }
    }

    // MARK: What happens

    mutating func happen(_ event: Event) {
        let now = event.time
        if case .started(let levels) = event.kind {
            start(levels, now)
        } else {
            passTime(until: now)
        }
        switch event.kind {
        case .started, .timePassed: break
        case .changed(let input, let level): change(input, level, now)
        case .edgesLost(let levels): loseEdges(levels, now)
        case .lineFailed(let line, let failure): fail(.line(line, failure), now)
        case .outputCut(let output): cut(output, now)
        case .policyChanged(let policy):
            newPolicy = policy
            if !isIdle { records.append(.policyDeferred) }
        case .stopped: records.append(.stopped)
        }
        if let policy = newPolicy, isIdle {
            newPolicy = nil
            self.policy = policy
            records.append(.policyChanged)
        }
    }

    private mutating func start(_ levels: InputLevels, _ now: Instant) {
        for input in Input.allCases { isActive[input.index] = levels[input] }
        position = levels[.rotorA] || levels[.rotorB] ? nil : 0
        records.append(.started)
        for input in [Input.fire, .externalFault, .coinPulse] where levels[input] {
            count(input, now)
        }
    }

    /// Everything that is due until `end`, at its time: contacts first, then coins, then the gate.
    private mutating func passTime(until end: Instant) {
        while let now = nextTime, now <= end {
            for input in Input.allCases {
                guard let due = countsAt[input.index], due <= now else { continue }
                countsAt[input.index] = nil
                isActive[input.index].toggle()
                count(input, now)
            }
            if let due = trainEnds, due <= now { endTrain(now) }
            if let since = pulseBegan, since + policy.coinStuckAfter <= now { stickCoin(now) }
            if let due = waitEnds, due <= now { stopWaiting() }
            if let due = delayBegins, due <= now {
                delayBegins = nil
                isDelayed = true
                raise(.passageDelayed, until: nil)
            }
            for alarm in Alarm.allCases {
                if case let end?? = alarms[alarm], end <= now { clear(alarm) }
            }
        }
    }

    private var nextTime: Instant? {
        var times: [Instant] = countsAt.compactMap { $0 } + alarms.values.compactMap { $0 }
        times += [trainEnds, pulseBegan.map { $0 + policy.coinStuckAfter }, waitEnds, delayBegins]
            .compactMap { $0 }
        return times.min()
    }

    private mutating func change(_ input: Input, _ level: Bool, _ now: Instant) {
        let index = input.index
        if level == isActive[index] {
            // The coin line does not bounce: an edge to the level that it has follows a lost one.
            if input == .coinPulse && countsAt[index] == nil {
                fail(.edgesLost, now)
                recountCoins(level, now)
            }
            countsAt[index] = nil
        } else if debounce[index] == .zero {
            isActive[index] = level
            count(input, now)
        } else if countsAt[index] == nil {
            countsAt[index] = now + debounce[index]
        }
    }

    /// A level that counts.
    private mutating func count(_ input: Input, _ now: Instant) {
        let level = isActive[input.index]
        switch input {
        case .coinPulse: level ? beginPulse(now) : endPulse(now)
        case .rotorA, .rotorB: turn(now)
        case .fire: level ? openLoop() : closeLoop()
        case .externalFault: level ? find(.external) : lose(.external, now)
        case .emergencyResetKey where level: turnResetKey()
        case .serviceKey where level: turnServiceKey(now)
        case .releaseEntry where level: grant(now)
        case .emergencyResetKey, .serviceKey, .releaseEntry: break
        }
    }

    private mutating func loseEdges(_ levels: InputLevels, _ now: Instant) {
        fail(.edgesLost, now)
        if levels[.fire] { change(.fire, true, now) }
        for input in [Input.coinPulse, .rotorA, .rotorB] {
            isActive[input.index] = levels[input]
            countsAt[input.index] = nil
        }
        // Who was in the rotor is through before a coin lets in the next.
        if levels[.rotorA] || levels[.rotorB] {
            position = nil
            if way == .released && !isEmergency { enter(now) }
        } else if position != 0 {
            findHome(now)
        }
        recountCoins(levels[.coinPulse], now)
        let contacts: [Input] = [
            .fire, .releaseEntry, .emergencyResetKey, .serviceKey, .externalFault,
        ]
        for input in contacts { change(input, levels[input], now) }
    }
}
