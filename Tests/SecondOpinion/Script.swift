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
        case 0..<24: for _ in 0...pick(0...3) { insertCoin() }
        case 24..<52: pass()
        case 52..<60: press(one(of: [.releaseEntry, .releaseExit]), 110...400)
        case 60..<66: press(.serviceKey, chance.oneIn(2) ? 110...900 : 2_000...9_000)
        case 66..<70: press(.emergencyResetKey, 110...400)
        case 70..<73: press(.fire, 30...8_000)
        case 73..<76: press(.stop, 110...9_000)
        case 76..<80: lastingTrouble()
        case 80..<83: crackle()
        case 83: press(one(of: [.coinPulse, .coinPulse2, .coinPulse3]), 900...3_000)
        case 84..<87: flutter()
        case 87: add(.edgesLost([]))
        case 88..<91: fail()
        case 91..<93: if !outputs.isEmpty { add(.outputCut(one(of: outputs))) }
        case 93..<95: add(.policyChanged(.random(&chance)))
        case 95: stepClock()
        case 96: add(.timePassed)
        default: wait(5_000...90_000)
        }
        // Some wait until the one before them is through, some do not.
        if !chance.oneIn(3) { next = now }
        next = next + .milliseconds(pick(0...(chance.oneIn(3) ? 7_000 : 600)))
    }

    private mutating func insertCoin() {
        let acceptor = one(of: Acceptor.allCases)
        let nominal = Int(policy.coins[acceptor].pulseWidth / .milliseconds(1))
        for _ in 0...pick(0...4) {
            set(acceptor.line, true)
            wait(chance.oneIn(20) ? 5...nominal * 3 : nominal * 8 / 10...nominal * 12 / 10)
            set(acceptor.line, false)
            wait(60...115)
        }
        wait(100...600)
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
        for (quarter, following) in zip(quarters, quarters.dropFirst()) {
            for sensor in 0...1 where level(sensor, quarter) != level(sensor, following) {
                set(order[sensor], level(sensor, following))
            }
            wait(chance.oneIn(25) ? 2_000...40_000 : step)
        }
        if !chance.oneIn(40) { set(.home, true) }
    }

    private mutating func press(_ input: Input, _ milliseconds: ClosedRange<Int>) {
        set(input, true)
        wait(milliseconds)
        set(input, false)
    }

    private mutating func lastingTrouble() {
        let input: Input = one(of: [
            .externalFault, .powerLow, .cabinetTamper, .vaultDoor, .coinJam, .vaultPresent, .home,
            .lockFeedback, .lockFeedbackExit,
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

    private mutating func stepClock() {
        add(.clockStepped(by: .seconds(pick(-3_600...3_600))))
        add(.clockRead(.random(&chance)))
    }

    private var outputs: [Output] { Output.allCases.filter { equipment.outputs[$0] } }
}
