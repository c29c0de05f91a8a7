import Seeds
import StateMachines
import Testing
import Turnstile

/// Long walks of random events, each from a seed that a failure prints. Anything may happen at any
/// time: what must hold, holds after every event.
@Suite struct RandomWalkTests {
    /// Seeds that are the same in every run, and some that are new in each.
    static let seeds: [UInt64] = (1...24) + (0..<8).map { _ in .random(in: 1_000...(.max)) }

    @Test(arguments: seeds) func `the invariants hold after every event`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var walker = Walker(&generator)
        for _ in 0..<2_000 {
            let event = walker.nextEvent(&generator)
            if let complaint = walker.step(event) {
                Issue.record("seed \(seed), after \(event): \(complaint)")
                return
            }
        }
    }

    @Test func `the walks meet every kind of record`() {
        var met: Set<Substring> = []
        for seed in Self.seeds.prefix(24) {
            var generator = SeededGenerator(seed: seed)
            var walker = Walker(&generator)
            for _ in 0..<2_000 { _ = walker.step(walker.nextEvent(&generator)) }
            met.formUnion(walker.met)
        }
        // An edge alone cannot skip a state of the rotor, and a walk does not stop the service.
        #expect(
            met == [
                "coinAccepted", "coinLate", "coinNoise", "creditUsed", "creditReturned",
                "creditForfeited", "released", "passageStarted", "passageCompleted",
                "passageBackedOut", "passageLost", "waitTimedOut", "passageUnauthorised",
                "passageInEmergency", "refused", "alarmRaised", "alarmCleared", "faultRaised",
                "faultCleared", "outOfService", "inService", "emergencyStarted",
                "emergencyLoopClosed", "emergencyReset", "started",
            ])
    }

    @Test(arguments: seeds.prefix(8)) func `the same events lead to the same state`(seed: UInt64) {
        var first = SeededGenerator(seed: seed)
        var second = SeededGenerator(seed: seed)
        var a = Walker(&first)
        var b = Walker(&second)
        for _ in 0..<500 {
            _ = a.step(a.nextEvent(&first))
            _ = b.step(b.nextEvent(&second))
        }
        #expect(a.turnstile == b.turnstile)
        #expect(a.turnstile.hashValue == b.turnstile.hashValue)
    }
}

/// What the records say of money and people.
struct Ledger {
    var valueIn = 0
    var used = 0
    var returned = 0
    var forfeited = 0
    var releases = 0
    var passages = 0

    mutating func write(_ record: Record) {
        switch record {
        case .coinAccepted(let value, _), .coinLate(let value, _): valueIn += value
        case .creditUsed(let value): used += value
        case .creditReturned(let value): returned += value
        case .creditForfeited(let value): forfeited += value
        case .released: releases += 1
        case .passageCompleted, .passageLost: passages += 1
        case .started, .stopped, .policyChanged, .policyDeferred, .coinNoise, .passageStarted,
            .passageBackedOut, .waitTimedOut, .passageUnauthorised, .passageInEmergency,
            .alarmRaised, .alarmCleared, .faultRaised, .faultCleared, .outOfService, .inService,
            .emergencyStarted, .emergencyLoopClosed, .emergencyReset, .refused:
            break
        }
    }
}

/// A turnstile on a random walk, with all that must hold written down beside it.
struct Walker {
    var turnstile: Turnstile
    var ledger = Ledger()
    /// The names of the records so far.
    private(set) var met: Set<Substring> = []
    private var now = Instant.zero + .seconds(10)
    private var levels = InputLevels()
    private var shadow = Gate.Drive(isReleased: false, acceptsCoins: false, soundsAlarm: false)
    private var pulses = PulseCounter()

    init(_ generator: inout SeededGenerator) {
        var policy = Policy(price: Int.random(in: 1...300, using: &generator), coinUnit: 50)
        policy.onWaitTimeout = .allCases.randomElement(using: &generator) ?? .retain
        policy.overpay = .allCases.randomElement(using: &generator) ?? .retain
        policy.relockAt = .allCases.randomElement(using: &generator) ?? .middle
        policy.repairResumes = .allCases.randomElement(using: &generator) ?? .locked
        policy.forcedPassage = .allCases.randomElement(using: &generator) ?? .latch
        policy.fireReset = .allCases.randomElement(using: &generator) ?? .auto
        turnstile = Turnstile(policy: policy)
        _ = step(Event(.started([]), at: now))
    }

    /// Something that may happen next: mostly people, sometimes trouble.
    mutating func nextEvent(_ generator: inout SeededGenerator) -> Event {
        now = now + .milliseconds(Int.random(in: 0...120, using: &generator))
        switch Int.random(in: 0..<1_000, using: &generator) {
        case 0..<450: return toggle(.coinPulse)
        case 450..<780: return toggle(Bool.random(using: &generator) ? .rotorA : .rotorB)
        case 780..<800: return toggle(.fire)
        case 800..<850: return toggle(.emergencyResetKey)
        case 850..<900: return toggle(.serviceKey)
        case 900..<920: return toggle(.externalFault)
        case 920..<950: return toggle(.releaseEntry)
        case 950..<960:
            levels = InputLevels(rawValue: UInt16.random(in: 0..<256, using: &generator))
            return Event(.edgesLost(levels), at: now)
        case 960..<965: return Event(.lineFailed(.output(.alarm), .mismatch), at: now)
        case 965..<970: return Event(.outputCut(.lockEntry), at: now)
        default:
            now = now + .seconds(Int.random(in: 0...40, using: &generator))
            return Event(.timePassed, at: now)
        }
    }

    private mutating func toggle(_ input: Input) -> Event {
        levels[input].toggle()
        return Event(.changed(input, isActive: levels[input]), at: now)
    }

    /// Handles `event` and says what does not hold, or nil.
    mutating func step(_ event: Event) -> String? {
        let before = turnstile
        let outcome = turnstile.handle(event)
        pulses.hear(event)
        for command in outcome.commands {
            switch command {
            case .release: shadow.isReleased = true
            case .lock: shadow.isReleased = false
            case .acceptCoins: shadow.acceptsCoins = true
            case .inhibitCoins: shadow.acceptsCoins = false
            case .soundAlarm: shadow.soundsAlarm = true
            case .silenceAlarm: shadow.soundsAlarm = false
            case .record(let record):
                ledger.write(record)
                met.insert("\(record)".prefix { $0 != "(" })
            }
        }
        if !outcome.isHandled && turnstile != before {
            return "an event that was not handled changed the turnstile"
        }
        return complaint(before: before.gate, after: turnstile.gate, event)
    }

    private func complaint(before: Gate, after: Gate, _ event: Event) -> String? {
        guard after.drive == shadow else {
            return "driven to \(shadow), the state wants \(String(describing: after.drive))"
        }
        let wasCut = after.faults.isUp(.energisedTooLong(.lockEntry))
        if after.emergency.isActive && (shadow.isReleased == wasCut || shadow.acceptsCoins) {
            return "an emergency, and the gate is not open (invariant 1)"
        }
        if before.emergency.isActive && !after.emergency.isActive && !after.isLaneClear {
            return "relocked after an emergency with somebody in the lane (invariant 2)"
        }
        if before.lane.isOccupied && before.drive?.isReleased == true && !shadow.isReleased
            && after.lane.isOccupied && !mayRelockInMidPassage(event)
        {
            return "relocked against a person in mid-passage (invariant 5)"
        }
        if ledger.passages > ledger.releases { return "more passages than releases (invariant 6)" }
        if shadow.acceptsCoins && (after.faults.reason != nil || after.emergency.isActive) {
            return "takes coins while not in service (invariant 7)"
        }
        let held = ledger.valueIn - (ledger.used - ledger.returned) - ledger.forfeited
        if after.credit != held { return "credit \(after.credit), but the records say \(held)" }
        if after.credit < 0 { return "negative credit" }
        if turnstile.inputs[.coinPulse] == false && !turnstile.isCounting
            && ledger.valueIn != 50 * pulses.good
        {
            return "\(pulses.good) good pulses, but \(ledger.valueIn) credited (invariant 8)"
        }
        if let due = turnstile.deadline, due <= event.time { return "a deadline was left behind" }
        return nil
    }

    /// The lock may close on an occupied rotor at the middle, and when it was cut.
    private func mayRelockInMidPassage(_ event: Event) -> Bool {
        switch event.kind {
        case .outputCut: true
        case .changed(.rotorA, _), .changed(.rotorB, _):
            turnstile.sensors == RotorDecoder.Sensors(a: true, b: true)
        case .started, .changed, .edgesLost, .timePassed, .lineFailed, .policyChanged, .stopped:
            false
        }
    }
}

/// Counts the pulses of a coin line in the plainest way: the oracle of the coin decoder.
struct PulseCounter {
    private(set) var good = 0
    private var since: Instant?

    mutating func hear(_ event: Event) {
        switch event.kind {
        case .changed(.coinPulse, isActive: true): since = since ?? event.time
        case .changed(.coinPulse, isActive: false):
            guard let start = since else { return }
            since = nil
            let width = event.time - start
            if width >= .milliseconds(25) && width <= .milliseconds(100) { good += 1 }
        case .edgesLost(let levels):
            // A pulse is measured from the gap on; a line that is stuck stays stuck.
            let isStuck = since.map { event.time - $0 >= .seconds(1) } ?? false
            since = levels[.coinPulse] ? (isStuck ? since : event.time) : nil
        case .started, .changed, .timePassed, .lineFailed, .outputCut, .policyChanged, .stopped:
            break
        }
    }
}
