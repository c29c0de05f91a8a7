import StateMachines
import TraceExport
import Turnstile

@testable import Trace

/// A real turnstile and what happens to it, as the steps of a replay.
///
/// Time is virtual, and every deadline is met. Contacts bounce.
struct Recording {
    private(set) var turnstile: Turnstile
    private(set) var now = Instant.zero + .seconds(1000)
    private(set) var steps: [ReplayedStep] = []
    private var levels = InputLevels()
    private var outputs = OutputSet()
    private var energised = OutputSet()
    /// Which boot of the machine it is.
    var bootID = "1"
    private var wallOffset: Duration = .seconds(1_795_338_000 - 1000)

    /// A gate both ways at which a passage costs 250 and a pulse is worth 50.
    init(policy edit: (inout Policy) -> Void = { _ in }) {
        var policy = Policy(price: 250, coinUnit: 50)
        edit(&policy)
        let debounce: [Input: Duration] = [
            .rotorA: .milliseconds(5), .rotorB: .milliseconds(5), .fire: .milliseconds(20),
            .releaseExit: .milliseconds(20), .serviceKey: .milliseconds(20),
            .emergencyResetKey: .milliseconds(20),
        ]
        turnstile = Turnstile(
            policy: policy, equipment: Self.equipment, debounce: debounce)
        send(.started(InputLevels(.vaultPresent)))
    }

    static let equipment = Equipment(
        inputs: [
            .coinPulse, .rotorA, .rotorB, .fire, .releaseEntry, .releaseExit, .stop, .serviceKey,
            .emergencyResetKey, .externalFault, .vaultDoor, .vaultPresent,
        ],
        outputs: [
            .lockEntry, .lockExit, .alarm, .buzzer, .lampGo, .lampStop, .coinEnable, .ready,
            .countPulse,
        ])

    /// What local time is ahead of UTC: an hour.
    static let utcOffset = 3600

    /// Takes the steps so far away, for whoever needs no list of all.
    mutating func takeSteps() -> [ReplayedStep] {
        defer { steps.removeAll(keepingCapacity: true) }
        return steps
    }

    /// What the log says so far.
    var records: [Record] { steps.flatMap(\.records) }

    mutating func send(_ kind: Event.Kind) {
        switch kind {
        case .started(let levels), .edgesLost(let levels): self.levels = levels
        case .changed(let input, let isActive): levels[input] = isActive
        case .clockStepped(let step): wallOffset += step
        default: break
        }
        let event = Event(kind, at: now)
        var commands: [Command] = []
        let verdict = turnstile.handle(event) { commands.append($0) }
        var records: [Record] = []
        commands.removeAll { command in
            if case .record(let record) = command { records.append(record) } else { return false }
            return true
        }
        for case .set(let output, let isOn) in commands {
            outputs[output] = isOn
            // The lock of the way in opens without power.
            energised[output] = isOn != (output == .lockEntry)
        }
        steps.append(
            ReplayedStep(
                place: .init(page: 0, ordinal: steps.count), event: event, verdict: verdict,
                commands: commands, records: records, turnstile: turnstile, levels: levels,
                outputs: outputs, energised: energised,
                clock: ClockOffset(utc: wallOffset, local: Self.utcOffset), bootID: bootID))
    }

    /// Lets time pass, with every deadline on the way.
    mutating func wait(_ duration: Duration) {
        let end = now + duration
        while let due = turnstile.deadline, due <= end {
            now = max(now, due)
            send(.timePassed)
        }
        now = end
    }

    /// A contact that bounces so often before it rests.
    mutating func change(_ input: Input, to isActive: Bool, bounces: Int = 1) {
        for _ in 0..<bounces {
            send(.changed(input, isActive: isActive))
            wait(.microseconds(700))
            send(.changed(input, isActive: !isActive))
            wait(.microseconds(400))
        }
        send(.changed(input, isActive: isActive))
    }

    /// A key that is turned and let go.
    mutating func press(_ input: Input) {
        change(input, to: true)
        wait(.milliseconds(150))
        change(input, to: false)
        wait(.milliseconds(100))
    }

    /// A coin of so many pulses, and the silence after it.
    mutating func insertCoin(pulses: Int) {
        for _ in 0..<pulses {
            send(.changed(.coinPulse, isActive: true))
            wait(.milliseconds(50))
            send(.changed(.coinPulse, isActive: false))
            wait(.milliseconds(100))
        }
        wait(.milliseconds(200))
    }

    /// Somebody turns the rotor all the way round.
    mutating func pass(_ direction: Direction = .entry, bounces: Int = 1) {
        let sensors: [Input] = direction == .entry ? [.rotorA, .rotorB] : [.rotorB, .rotorA]
        for isActive in [true, false] {
            for sensor in sensors {
                change(sensor, to: isActive, bounces: bounces)
                wait(.milliseconds(180))
            }
        }
    }

    /// Somebody pays and begins to go in.
    mutating func payAndStepIn() {
        insertCoin(pulses: 5)
        for sensor in [Input.rotorA, .rotorB] {
            change(sensor, to: true)
            wait(.milliseconds(180))
        }
    }

    /// Somebody pays with two coins and goes in.
    mutating func payAndPass() {
        insertCoin(pulses: 2)
        insertCoin(pulses: 3)
        wait(.milliseconds(400))
        pass()
    }
}

extension Recording {
    /// An operator whose name is made to break out of whatever it is put into.
    static let hostile = Operator(number: 1000, name: "</script><b>\"'&\\$end")

    /// Some minutes in which all kinds of things happen.
    static let story: Recording = {
        var story = Recording()
        story.wait(.seconds(2))
        story.payAndPass()
        story.wait(.seconds(2))
        story.press(.releaseExit)
        story.pass(.exit, bounces: 2)
        if let hostile { story.send(.requested(.grant(.entry), by: .person(hostile))) }
        story.wait(.seconds(1))
        story.pass()
        story.wait(.seconds(1))
        story.send(.changed(.vaultDoor, isActive: false))
        story.send(.clockStepped(by: .seconds(-2)))
        story.insertCoin(pulses: 2)
        story.change(.fire, to: true)
        story.wait(.seconds(3))
        story.pass(.exit)
        story.change(.fire, to: false)
        story.wait(.seconds(1))
        story.press(.emergencyResetKey)
        story.wait(.seconds(2))
        story.send(.edgesLost(InputLevels(.vaultPresent)))
        story.wait(.seconds(1))
        story.press(.serviceKey)
        story.pass()
        story.wait(.seconds(8))
        story.send(.stopped)
        return story
    }()

    /// Has so many people pass in an hour, about 34 events each, and hands over the steps.
    static func busyHour(of people: Int = 1250, take: (ReplayedStep) -> Void) {
        var hour = Recording()
        let end = hour.now + .seconds(3600)
        for number in 0..<people {
            hour.payAndPass()
            let next = Instant.zero + .seconds(1000) + .seconds(3600) * (number + 1) / people
            if hour.now < next { hour.wait(next - hour.now) }
            for step in hour.takeSteps() { take(step) }
        }
        hour.wait(end - hour.now)
        for step in hour.takeSteps() { take(step) }
    }

    /// What an export makes of steps.
    static func text(_ format: ExportFormat, of steps: [ReplayedStep]) -> String {
        var (text, equipment) = ("", Equipment(inputs: InputLevels(), outputs: OutputSet()))
        for step in steps { equipment.formUnion(step.turnstile.gate.equipment) }
        var export = format.export(of: "north gate", with: equipment) { text += $0 }
        for step in steps { export.add(step) }
        export.finish()
        return text
    }
}
