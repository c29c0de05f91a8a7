import Seeds
import StateMachines
import Turnstile

/// What is to happen on a walk, in episodes that may overlap.
struct Script {
    private let equipment: Equipment
    private let policy: Policy
    private(set) var chance: SeededGenerator
    private(set) var entries: [Event] = []
    /// When the next episode begins.
    private var next = Instant.zero + .seconds(10)
    /// Where the next thing of the episode that is being written happens.
    private var now = Instant.zero
    private let sensors: [Input]

    init(_ equipment: Equipment, _ policy: Policy, _ chance: SeededGenerator) {
        self.equipment = equipment
        self.policy = policy
        self.chance = chance
        sensors = equipment.inputs[.beamA] ? [.beamA, .beamB] : [.rotorA, .rotorB]
    }

    // MARK: Words

    private mutating func pick(_ range: ClosedRange<Int>) -> Int {
        .random(in: range, using: &chance)
    }

    private mutating func wait(_ milliseconds: ClosedRange<Int>) {
        // Not at whole milliseconds: what happens at one moment has no order that is laid down.
        now = now + .milliseconds(pick(milliseconds)) + .nanoseconds(pick(1...999_999))
    }

    private mutating func add(_ kind: Event.Kind) { entries.append(Event(kind, at: now)) }

    private mutating func set(_ input: Input, _ isActive: Bool) {
        if equipment.inputs[input] { add(.changed(input, isActive: isActive)) }
    }

    private mutating func one<T>(of things: [T]) -> T { things[pick(0...things.count - 1)] }

    // MARK: Episodes

    mutating func addEpisode() {
        now = next
        wait(0...50)
        switch pick(0...99) {
        case 0..<18: for _ in 0...pick(0...3) { insertCoin() }
        case 18..<40: pass()
        case 40..<48:
            // Some stick.
            let length = chance.oneIn(12) ? 5_000...150_000 : 110...400
            press(one(of: [.releaseEntry, .releaseExit]), length)
        case 48..<54: press(.serviceKey, chance.oneIn(2) ? 110...900 : 2_000...9_000)
        case 54..<57: press(.emergencyResetKey, 110...400)
        case 57..<59: press(.fire, 30...8_000)
        case 59..<61: press(.stop, 110...9_000)
        case 61..<66: meanwhile()
        case 66..<72: glitch()
        case 72..<74: rock()
        case 74..<76: dip()
        case 76..<80: lastingTrouble()
        case 80..<83: crackle()
        case 83: press(one(of: [.coinPulse, .coinPulse2, .coinPulse3]), 900...3_000)
        case 84..<87: flutter()
        case 87: add(.edgesLost([]))
        case 88..<91: fail()
        case 91..<93: burn()
        case 93..<95: add(.requested(.adopt(.random(&chance)), by: .settings))
        case 95: stepClock()
        case 96: add(.timePassed)
        case 97..<100 where chance.oneIn(2): askFromAfar()
        default: wait(5_000...90_000)
        }
        // Some wait until the one before them is through, some do not.
        if !chance.oneIn(3) { next = now }
        next = next + .milliseconds(pick(0...(chance.oneIn(3) ? 7_000 : 600)))
    }

    private mutating func insertCoin() {
        let acceptor = one(of: Acceptor.allCases)
        let contact: Input = one(of: [.releaseEntry, .releaseEntry, .releaseExit])
        // Somebody else is let in while the coin is being counted.
        let isAcross = chance.oneIn(8)
        let nominal = Int(policy.coins[acceptor].pulseWidth / .milliseconds(1))
        for _ in 0...pick(0...4) {
            set(acceptor.line, true)
            wait(chance.oneIn(20) ? 5...nominal * 3 : nominal * 8 / 10...nominal * 12 / 10)
            set(acceptor.line, false)
            if isAcross { set(contact, true) }
            // Nearly always a gap; else a contact that fails, or a second coin right behind.
            wait(chance.oneIn(12) ? 0...16 : chance.oneIn(16) ? 120...190 : 60...115)
        }
        wait(100...600)
        if isAcross { set(contact, false) }
    }

    /// Somebody goes through, or turns back somewhere; some stand there for long.
    private mutating func pass() {
        let order = chance.oneIn(2) ? sensors : sensors.reversed()
        let turnsBack = chance.oneIn(3) ? pick(1...3) : 4
        let step = chance.oneIn(2) ? 10...80 : 50...900
        func level(_ sensor: Int, _ quarter: Int) -> Bool {
            sensor == 0 ? quarter == 1 || quarter == 2 : quarter == 2 || quarter == 3
        }
        var quarters = Array(0...turnsBack)
        if turnsBack < 4 { quarters += quarters.dropLast().reversed() }
        set(.home, false)
        // The detector sees some of them.
        let isSeen = chance.oneIn(4)
        if isSeen { set(.intrusion, true) }
        for (quarter, following) in zip(quarters, quarters.dropFirst()) {
            for sensor in 0...1 where level(sensor, quarter) != level(sensor, following) {
                set(order[sensor], level(sensor, following))
            }
            wait(chance.oneIn(25) ? 2_000...40_000 : step)
        }
        if isSeen { set(.intrusion, false) }
        if !chance.oneIn(40) { set(.home, true) }
    }

    private mutating func press(_ input: Input, _ milliseconds: ClosedRange<Int>) {
        set(input, true)
        wait(milliseconds)
        set(input, false)
    }

    /// Both sensors change within a moment, for a while.
    private mutating func glitch() {
        let order = chance.oneIn(2) ? sensors : sensors.reversed()
        // As long as it takes, or one of the two stays behind for long.
        let length = chance.oneIn(4) ? 480...700 : chance.oneIn(3) ? 100...1_500 : 1...60
        if chance.oneIn(3) { set(order[0], true) }
        wait(0...12)
        for sensor in order {
            set(sensor, true)
            wait(0...(chance.oneIn(3) ? 110 : 8))
        }
        wait(length)
        for sensor in chance.oneIn(2) ? order : order.reversed() {
            set(sensor, false)
            wait(0...(chance.oneIn(3) ? 110 : 8))
        }
        // Somebody may be on the way in the middle of it.
        if chance.oneIn(3) { pass() }
    }

    /// Somebody begins again and again, one way or the other, and goes back.
    private mutating func rock() {
        if chance.oneIn(2) { press(one(of: [.releaseEntry, .releaseExit]), 110...400) }
        let sensor = one(of: sensors)
        for _ in 0...pick(1...12) {
            press(sensor, 110...(chance.oneIn(6) ? 9_000 : 900))
            wait(110...900)
        }
    }

    /// The supply is low, for less than anybody waits or for longer.
    private mutating func dip() {
        let patience = Int(policy.passWait / .milliseconds(1))
        if chance.oneIn(2) { press(one(of: [.releaseEntry, .releaseExit]), 110...400) }
        set(.powerLow, true)
        wait(chance.oneIn(2) ? 110...patience : patience...patience * 2)
        if chance.oneIn(4) { press(.serviceKey, 110...900) }
        set(.powerLow, false)
        wait(110...200)
    }

    /// A key, a contact or a coin while somebody is on the way, or while the gate is blocked.
    private mutating func meanwhile() {
        let cause: Input = one(of: [.stop, .fire, sensors[0], .powerLow, .releaseEntry])
        set(cause, true)
        wait(110...600)
        if cause == .releaseEntry { set(cause, false) }
        for _ in 0...pick(0...3) {
            switch pick(0...5) {
            case 0, 1: press(.serviceKey, chance.oneIn(4) ? 110...400 : 1_100...5_000)
            case 2: press(.emergencyResetKey, 110...400)
            case 3: insertCoin()
            default: press(one(of: [.releaseEntry, .releaseEntry, .releaseExit]), 110...400)
            }
            wait(110...900)
        }
        if cause == .releaseEntry { pass() } else { set(cause, false) }
    }

    /// An output was on for nearly as long as it may be, or for all of that.
    private mutating func burn() {
        guard !outputs.isEmpty else { return }
        let isLock = equipment.outputs[.lockEntry] && chance.oneIn(2)
        let output = isLock ? .lockEntry : one(of: outputs)
        let sensor = one(of: sensors)
        let isInside = chance.oneIn(2)
        if isInside {
            press(.releaseEntry, 110...400)
            set(sensor, true)
            wait(50...900)
        }
        if !chance.oneIn(4) { add(.onTimeWarning(output)) }
        wait(1_000...(chance.oneIn(2) ? 2_000 : 10_000))
        if !chance.oneIn(4) { add(.outputCut(output)) }
        if chance.oneIn(2) {
            wait(500...2_000)
            press(.serviceKey, 110...900)
        }
        if isInside {
            wait(50...900)
            set(sensor, false)
        }
    }

    private mutating func lastingTrouble() {
        let input: Input = one(of: [
            .externalFault, .powerLow, .cabinetTamper, .vaultDoor, .coinJam, .vaultPresent, .home,
            .lockFeedback, .lockFeedbackExit, .vaultFull, .intrusion,
        ])
        let level = input != .vaultPresent && input != .home
        set(input, level)
        wait(20...9_000)
        set(input, !level)
    }

    private mutating func crackle() {
        let line = one(of: Acceptor.allCases).line
        for _ in 0...pick(0...9) {
            press(line, 1...20)
            wait(10...(chance.oneIn(3) ? 1_300 : 400))
        }
    }

    /// A contact that comes to no rest.
    private mutating func flutter() {
        let input = one(of: Input.allCases)
        for _ in 0...pick(1...4) {
            set(input, true)
            wait(0...130)
            set(input, false)
            wait(0...130)
        }
    }

    /// A line fails, and as a rule is repaired.
    private mutating func fail() {
        let inputs = Input.allCases.filter { equipment.inputs[$0] }
        let isInput = chance.oneIn(2) || outputs.isEmpty
        let line: Line = isInput ? .input(one(of: inputs)) : .output(one(of: outputs))
        add(.lineFailed(line, isInput ? .unreadable : one(of: LineFailure.allCases)))
        guard !chance.oneIn(8) else { return }
        wait(20...9_000)
        add(.lineRecovered(line))
    }

    // MARK: From afar

    /// Operators ask for one thing or several, one soon after the other.
    private mutating func askFromAfar() {
        guard let anna = Operator(number: 1000, name: "anna"),
            let bert = Operator(number: 1001, name: "bert")
        else { preconditionFailure("these are names") }
        if chance.oneIn(4) { return drive(for: .person(anna)) }
        for _ in 0...pick(0...3) {
            add(.requested(request(), by: .person(chance.oneIn(5) ? bert : anna)))
            wait(chance.oneIn(3) ? 500...6_000 : 0...400)
        }
    }

    private mutating func request() -> Request {
        let way = one(of: Direction.allCases)
        let until = chance.oneIn(2) ? nil : now + .seconds(pick(-1...40))
        // By what is drawn already, so that earlier seeds keep their meaning.
        let clock = until.flatMap {
            TimeOfDay(minute: Int($0.nanoseconds / 1_000_000 % 3_000))
        }
        let kinds = Request.Kind.allCases.filter {
            $0 != .setModeUntil && $0 != .setEnforcementUntil
        }
        return switch one(of: kinds) {
        case .grant: .grant(way)
        case .grantGroup: .grantGroup(way, count: pick(1...6))
        case .withdraw: .withdraw(way)
        case .setMode:
            setMode(way, chance.oneIn(2) ? nil : one(of: Mode.allCases), until, clock)
        case .setEnforcement:
            setEnforcement(chance.oneIn(2) ? nil : one(of: Enforcement.allCases), until, clock)
        case .setModeUntil, .setEnforcementUntil: preconditionFailure("it is none of these")
        case .confirmRepair: .confirmRepair
        case .acknowledgeAlarms: .acknowledgeAlarms
        case .resetEmergency: .resetEmergency
        case .beginService: .beginService
        case .endService: .endService
        case .selfTest: .selfTest
        case .test: .test(one(of: Output.allCases), for: testLength())
        case .collectCoins: .collectCoins(counted: chance.oneIn(3) ? nil : pick(-1...900))
        case .adopt: .adopt(chance.oneIn(2) ? .random(&chance) : similarPolicy())
        }
    }

    /// One that differs from the first in what fits every gate.
    private mutating func similarPolicy() -> Policy {
        let other = Policy.random(&chance)
        var policy = self.policy
        policy.maxStored = other.maxStored
        policy.onWaitTimeout = other.onWaitTimeout
        policy.overpay = other.overpay
        policy.creditExpiry = other.creditExpiry
        policy.relockAt = other.relockAt
        policy.rotorStep = other.rotorStep
        policy.repairResumes = other.repairResumes
        return policy
    }

    /// Somebody takes the gate, and drives outputs in it; some are on for too long.
    private mutating func drive(for requester: Requester) {
        add(.requested(.beginService, by: requester))
        for _ in 0...pick(0...2) {
            let output = outputs.isEmpty || chance.oneIn(8) ? .alarm : one(of: outputs)
            wait(0...4_000)
            add(.requested(.test(output, for: testLength()), by: requester))
            guard chance.oneIn(3) else { continue }
            wait(0...2_000)
            let burnt = chance.oneIn(4) ? .lockEntry : output
            if equipment.outputs[burnt] { add(.outputCut(burnt)) }
        }
        wait(0...8_000)
        add(.requested(.endService, by: requester))
    }

    private func setMode(
        _ way: Direction, _ mode: Mode?, _ until: Instant?, _ clock: TimeOfDay?
    ) -> Request {
        guard let mode, let clock else { return .setMode(way, mode, until: until) }
        return .setModeUntil(way, mode, clock)
    }

    private func setEnforcement(
        _ enforcement: Enforcement?, _ until: Instant?, _ clock: TimeOfDay?
    ) -> Request {
        guard let enforcement, let clock else { return .setEnforcement(enforcement, until: until) }
        return .setEnforcementUntil(enforcement, clock)
    }

    /// For how long somebody wants an output on: some for no time at all, some for too long.
    private mutating func testLength() -> Duration? {
        if chance.oneIn(3) { return nil }
        return chance.oneIn(6)
            ? one(of: [.seconds(-1), .zero, .seconds(300), .seconds(301)])
            : .milliseconds(pick(1...8_000))
    }

    private mutating func stepClock() {
        // Up to nine days, of which no two are alike.
        add(.clockStepped(by: .milliseconds(pick(-3_600...3_600) * 216_001)))
        add(.clockRead(.random(&chance)))
    }

    private var outputs: [Output] { Output.allCases.filter { equipment.outputs[$0] } }
}
