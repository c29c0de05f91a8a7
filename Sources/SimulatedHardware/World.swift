public import Hardware
public import StateMachines
public import Turnstile

/// One simulated gate and what surrounds it, as a value: rotor, lock, acceptor, contacts, and
/// whatever is broken.
///
/// It is a machine like the one that controls it, seen from the other side: its events are what
/// people do and what the controller drives, its commands are what the lines then report. It has
/// no clock: it stands at ``now`` until ``Event/timePassed(until:)`` moves it, in one step or in
/// many, to the same end. All chance comes from the seed, so the same seed and the same events give
/// the same edges, to the nanosecond.
public struct World: StateMachine, Hashable, Sendable {
    /// The moment at which the world stands.
    public private(set) var now: Instant
    /// The measures of the gate.
    public let physics: Physics
    /// What the input lines carry.
    public private(set) var levels = InputLevels()
    /// Which output lines carry "energised".
    public private(set) var energised: Set<Output> = []
    /// What is broken.
    public private(set) var defects: Set<Defect> = []

    private var randomness: Randomness
    private var lock: Lock
    private var rotor = Rotor()
    private var acceptor = Acceptor()
    private var contacts = [Contact](repeating: Contact(), count: Input.allCases.count)
    private var sensors = Sensors()
    private var edgesToLose = 0
    private var edgesLost = 0
    private var edgesToMiss = InputLevels()

    /// A gate at rest, without power on any output, at `now`.
    public init(_ physics: Physics, seed: UInt64, now: Instant = .zero) {
        self.physics = physics
        self.now = now
        randomness = Randomness(seed: seed)
        lock = Lock(physics.lock)
    }

    /// When the world next changes by itself.
    public var deadline: Instant? {
        var earliest = Instant.earliest(lock.deadline, rotor.deadline(physics))
        earliest = Instant.earliest(earliest, acceptor.deadline)
        for contact in contacts { earliest = Instant.earliest(earliest, contact.deadline) }
        return earliest
    }

    /// Lets `event` happen and says what the lines report, oldest first.
    ///
    /// Time never runs backwards: a moment that has passed changes nothing.
    public mutating func handle(_ event: Event) -> Outcome<LineEvent> {
        var reports: [LineEvent] = []
        handle(event, into: &reports)
        return .handled(Commands(reports))
    }

    /// Lets `event` happen and appends what the lines report, oldest first.
    public mutating func handle(_ event: Event, into reports: inout [LineEvent]) {
        switch event {
        case .timePassed(let until): advance(to: until, &reports)
        case .coinInserted(let value): acceptor.insert(value, at: now, physics)
        case .armPushed(let direction, let speed):
            take(.pushing(direction, degreesPerSecond: speed))
        case .armForced(let direction, let speed):
            take(.forcing(direction, degreesPerSecond: speed))
        case .armLetGo: take(.nobody)
        case .steppedBack(let speed): take(.steppingBack(degreesPerSecond: speed))
        case .contactMoved(let input, let isActive): move(input, to: isActive)
        case .contactPressed(let input, let duration):
            contacts[input.index].press(for: duration, at: now, physics, &randomness)
        case .outputDriven(let output, let energised): drive(output, energised: energised)
        case .defectAppeared(let defect): defects.insert(defect)
        case .defectRepaired(let defect): defects.remove(defect)
        case .everythingRepaired: defects.removeAll()
        case .queueOverflowed(let edges): edgesToLose += edges
        case .edgeMissed(let input): edgesToMiss[input] = true
        }
        report(&reports)
    }
}

// MARK: What really happened

extension World {
    /// How many people went through the rotor, this way, by whatever means.
    public func passages(_ direction: Direction) -> Int {
        switch direction {
        case .entry: rotor.entries
        case .exit: rotor.exits
        }
    }

    /// How far the rotor stands from rest, in degrees, positive towards the paid side.
    public var rotorDegrees: Int { rotor.angle(at: now, physics) / 1_000 }
    /// Whether the bolt is out: it holds the rotor, or catches it at its next rest.
    public var boltIsOut: Bool { lock.isEngaged }
    /// The value of all coins in the box, in minor units of the currency.
    public var valueInBox: Int { acceptor.valueInBox }
    /// The value of all coins that were given back, in minor units of the currency.
    public var valueReturned: Int { acceptor.valueReturned }
    /// Whether edges to come will go missing, noticed or not.
    public var losesEdges: Bool { edgesToLose > 0 || !edgesToMiss.isEmpty }
}

// MARK: How it happens

extension World {
    private mutating func advance(to end: Instant, _ reports: inout [LineEvent]) {
        while let due = deadline, due <= end {
            now = max(now, due)
            step()
            report(&reports)
        }
        now = max(now, end)
    }

    /// Lets everything happen that is due now.
    private mutating func step() {
        if lock.advance(to: now) {
            rotor.boltMoved(isOut: lock.isEngaged, at: now, physics)
        }
        rotor.advance(to: now, boltIsOut: lock.isEngaged, physics)
        if let due = acceptor.deadline, due <= now {
            acceptor.advance(
                to: now, accepts: energised.contains(.coinInhibit), physics, &randomness)
        }
        for index in contacts.indices { contacts[index].advance(to: now, physics, &randomness) }
    }
}

// MARK: What people and the controller do

extension World {
    private mutating func take(_ hand: Rotor.Hand) {
        rotor.take(hand, at: now, boltIsOut: lock.isEngaged, physics)
    }

    /// Drives an output's line, unless it is broken, and what hangs on it.
    private mutating func drive(_ output: Output, energised: Bool) {
        guard !defects.contains(.stuckOutput(output)), self.energised.contains(output) != energised
        else { return }
        if energised { self.energised.insert(output) } else { self.energised.remove(output) }
        if output == .lockEntry { lock.drive(energised: energised, at: now, physics) }
    }
}

// MARK: What the lines report

extension World {
    /// What rotor and acceptor make of the contacts that are theirs.
    private struct Sensors: Hashable, Sendable {
        var coinPulse = false
        var rotorA = false
        var rotorB = false
    }

    /// Reports every input line whose level differs from what it was.
    private mutating func report(_ reports: inout [LineEvent]) {
        moveSensors()
        let present = presentLevels
        guard present != levels else { return }
        for input in Input.allCases where present[input] != levels[input] {
            if edgesToMiss[input] {
                edgesToMiss[input] = false
            } else if edgesToLose > 0 {
                lose(&reports)
            } else {
                reports.append(.edge(input, isActive: present[input], at: now))
            }
        }
        levels = present
    }

    /// Moves the contacts of the rotor and the acceptor when these have moved.
    private mutating func moveSensors() {
        let moved = Sensors(
            coinPulse: acceptor.isPulsing, rotorA: rotor.sensorA, rotorB: rotor.sensorB)
        guard moved != sensors else { return }
        if moved.coinPulse != sensors.coinPulse { move(.coinPulse, to: moved.coinPulse) }
        if moved.rotorA != sensors.rotorA { move(.rotorA, to: moved.rotorA) }
        if moved.rotorB != sensors.rotorB { move(.rotorB, to: moved.rotorB) }
        sensors = moved
    }

    /// Moves a contact. The coin line is driven by a transistor, which does not bounce.
    private mutating func move(_ input: Input, to isActive: Bool) {
        contacts[input.index].move(
            to: isActive, at: now, bounces: input != .coinPulse, physics, &randomness)
    }

    /// What the input lines carry now: the contacts' levels, and what defects make of them.
    private var presentLevels: InputLevels {
        var bits: UInt16 = 0
        for index in contacts.indices where contacts[index].isActive { bits |= 1 << index }
        var present = InputLevels(rawValue: bits)
        guard !defects.isEmpty else { return present }
        for input in Input.allCases {
            if defects.contains(.stuckActive(input)) {
                present[input] = true
            } else if defects.contains(.brokenWire(input)) {
                present[input] = input == .fire
            } else if defects.contains(.unreadable(input)) {
                present[input] = levels[input]
            }
        }
        return present
    }

    private mutating func lose(_ reports: inout [LineEvent]) {
        edgesToLose -= 1
        edgesLost += 1
        guard edgesToLose == 0 else { return }
        reports.append(.lost(count: edgesLost, at: now))
        edgesLost = 0
    }
}
