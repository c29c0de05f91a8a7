public import Hardware
public import StateMachines
public import Turnstile

/// A simulated gate and its surroundings, as a value: rotor or light beams, locks, acceptors,
/// contacts, and defects.
///
/// It is a machine like the one that controls it, seen from the other side: its events are actions
/// of people and the controller's outputs, its commands are the lines' reports. It has no clock: it
/// stands at ``now`` until ``Event/timePassed(until:)`` moves it, in one step or in many, to the
/// same end. All chance comes from the seed, so the same seed and the same events give the same
/// edges, to the nanosecond.
public struct World: TimedMachine, Hashable, Sendable {
    public private(set) var now: Instant
    /// When the world next changes without an event.
    public private(set) var deadline: Instant?
    /// The levels of the input lines.
    public private(set) var levels = InputLevels()
    /// Which output lines carry "energised".
    public private(set) var energised = OutputSet()
    public private(set) var defects = Defects()
    /// How many pulses the counter of passages has had since the beginning.
    public private(set) var countPulses = 0
    /// How many pulses the counter of money has had since the beginning.
    public private(set) var meterPulses = 0

    private let measures: Measures
    private var randomness: SplitMix64
    private var locks: LockMechanisms
    private var arm: DropArm
    private var rotor = Rotor()
    /// A disturbance of the common supply of the rotor's sensors.
    private var glitch: Glitch?
    private var acceptors: Acceptors
    private var contacts = InputContacts()
    /// When anything but a contact next changes without an event.
    private var machineDeadline: Instant?
    /// Where the gate's own sensors have moved their contacts.
    private var sensed = InputLevels()
    /// People who went past a dropped arm.
    private var entriesUnseen = 0, exitsUnseen = 0
    private var edgesToLose = 0
    private var edgesLost = 0
    private var edgesToMiss = InputLevels()

    /// A gate at rest, its doors closed and its vault in place, without power on any output, at
    /// `now`.
    public init(_ physics: Physics, seed: UInt64, now: Instant = .zero) {
        self.now = now
        measures = Measures(physics)
        randomness = SplitMix64(seed: seed)
        locks = LockMechanisms(physics)
        let equipment = physics.equipment
        arm = DropArm(physics.dropArm, isWired: equipment.outputs[.dropArm])
        acceptors = Acceptors(equipment.inputs)
        sensed = sensorLevels
        // Inputs that the gate's own mechanism moves are omitted.
        let atRest = InputLevels(
            Self.inputs.filter { $0.entry.key != nil && $0.entry.isActiveAtRest })
        levels = sensed.union(equipment.inputs.intersection(atRest))
        contacts = InputContacts(active: levels)
    }

    public var physics: Physics { measures.physics }

    /// Time never runs backwards: a moment that has passed changes nothing.
    public mutating func handle(_ event: Event) -> Outcome<LineEvent> {
        var reports: [LineEvent] = []
        handle(event, into: &reports)
        return .handled(Commands(reports))
    }

    /// Handles `event` and appends the lines' reports, oldest first.
    public mutating func handle(_ event: Event, into reports: inout [LineEvent]) {
        switch event {
        case .timePassed(let until):
            advance(to: until, &reports)
            return
        case .coinInserted(let value, let acceptor):
            acceptors.change(acceptor) { $0.insert(value, at: now, measures) }
        case .coinFished(let pulses, let acceptor):
            acceptors.change(acceptor) { $0.fish(pulses: pulses, at: now) }
        case .acceptorStruck(let acceptor):
            acceptors.change(acceptor) { $0.strike(at: now, measures) }
        case .armPushed(let direction, let speed): push(direction, degreesPerSecond: speed)
        case .armForced(let direction, let speed):
            take(.forcing(direction, degreesPerSecond: speed))
        case .tailgated(let direction, let speed):
            if !rotor.follow(direction, degreesPerSecond: speed) {
                push(direction, degreesPerSecond: speed)
            }
        case .armLetGo: take(.nobody)
        case .stoodStill: take(.standing)
        case .steppedBack(let speed): take(.steppingBack(degreesPerSecond: speed))
        case .armRaised: updateBlocking(moved: arm.raise())
        case .sensorsDisturbed(let isActive, let duration):
            glitch = Glitch(isActive: isActive, until: now + duration)
        case .contactMoved(let input, let isActive):
            contacts.move(input.index, to: isActive, at: now, measures, &randomness)
        case .contactPressed(let input, let duration):
            contacts.press(input.index, for: duration, at: now, measures, &randomness)
        case .outputDriven(let output, let energised): drive(output, energised: energised)
        case .defectAppeared(let defect): changeDefects { $0.set(defect, true) }
        case .defectRepaired(let defect): changeDefects { $0.set(defect, false) }
        case .everythingRepaired: changeDefects { $0 = Defects() }
        case .queueOverflowed(let edges): edgesToLose += edges
        case .edgeMissed(let input): edgesToMiss[input] = true
        }
        moveSensors()
        report(&reports)
    }
}

extension World {
    /// Lets time pass until `end`, or until the lines report something, which is then appended,
    /// oldest first.
    public mutating func pass(until end: Instant, into reports: inout [LineEvent]) {
        let before = reports.count
        while let due = deadline, due <= (reports.count == before ? end : now) {
            now = max(now, due)
            step()
            report(&reports)
        }
        if reports.count == before { now = max(now, end) }
    }
}

// MARK: What really happened

extension World {
    /// The number of people who went through the rotor or the beams this way, in any manner.
    public func passages(_ direction: Direction) -> Int {
        direction == .entry ? rotor.entries : rotor.exits
    }

    /// How many people went past a dropped arm, this way, where no sensor sees them.
    public func passagesUnseen(_ direction: Direction) -> Int {
        direction == .entry ? entriesUnseen : exitsUnseen
    }

    /// The state that a disturbance shows on both sensors of the rotor; nil without one.
    public var sensorsShow: Bool? { glitch?.isActive }

    /// How far the rotor stands from rest, in degrees, positive towards the paid side.
    public var rotorDegrees: Int { rotor.angle(at: now, measures) / 1_000 }
    /// Whether the bolt of the way in is out: it holds the rotor, or catches it at its next rest.
    public var boltIsOut: Bool { boltIsOut(.entry) }
    /// Whether the bolt of this direction is out.
    public func boltIsOut(_ direction: Direction) -> Bool { locks[direction].isOut }
    /// Whether the arm is up, or cannot drop.
    public var armIsUp: Bool { arm.isUp }
    /// The value of all accepted coins, less ejected ones, in minor units of the currency.
    public var valueInBox: Int { acceptors.sum(of: \.valueInBox) }
    /// The value of all coins that acceptors did not take, in minor units of the currency.
    public var valueReturned: Int { acceptors.sum(of: \.valueReturned) }
    /// The value of all coins that they took and then ejected, in minor units of the currency.
    public var valueEjected: Int { acceptors.sum(of: \.valueEjected) }
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
        // Most events are bounces of contacts.
        guard let due = machineDeadline, due <= now else {
            return contacts.advance(to: now, measures, &randomness)
        }
        let boltsMoved = locks.advance(to: now)
        let armMoved = arm.advance(to: now)
        updateBlocking(moved: boltsMoved || armMoved)
        rotor.advance(to: now, held: held, measures)
        if let end = glitch?.until, end <= now { glitch = nil }
        acceptors.advance(
            to: now, accepts: energised[.coinEnable], jammed: defects.jammedAcceptors, measures,
            &randomness)
        contacts.advance(to: now, measures, &randomness)
        moveSensors()
    }

    /// Updates the rotor after a movement of bolts or arm.
    private mutating func updateBlocking(moved: Bool) {
        if moved { rotor.boltMoved(held: held, at: now, measures) }
    }

    /// Which ways are held: by the bolts, unless the arm that they hold has dropped.
    private var held: Ways { arm.isUp ? locks.held : .none }
}

// MARK: What people and the controller do

extension World {
    private mutating func take(_ hand: Rotor.Hand) {
        rotor.take(hand, at: now, held: held, measures)
    }

    /// A person walks into the arm, or past a dropped one without beams, unseen.
    private mutating func push(_ direction: Direction, degreesPerSecond speed: Int) {
        guard arm.isUp || measures.hasBeams || !rotor.isHome else {
            switch direction {
            case .entry: entriesUnseen += 1
            case .exit: exitsUnseen += 1
            }
            return
        }
        take(.pushing(direction, degreesPerSecond: speed))
    }

    private mutating func changeDefects(_ body: (inout Defects) -> Void) {
        body(&defects)
        locks.jam(defects.jammedBolts, at: now, measures)
    }

    /// Drives an output's line, unless it is defective, and its device.
    private mutating func drive(_ output: Output, energised: Bool) {
        guard !defects.stuckOutputs[output], self.energised[output] != energised else { return }
        self.energised[output] = energised
        switch output {
        case .lockEntry: locks.drive(.entry, .pull, energised: energised, at: now, measures)
        case .lockEntryHold: locks.drive(.entry, .hold, energised: energised, at: now, measures)
        case .lockExit: locks.drive(.exit, .pull, energised: energised, at: now, measures)
        case .lockExitHold: locks.drive(.exit, .hold, energised: energised, at: now, measures)
        case .dropArm: arm.drive(energised: energised, at: now, measures)
        case .coinEnable:
            if energised { acceptors.changeAll { $0.clearFlap() } }
        case .coinReject:
            if energised { acceptors.changeAll { $0.eject() } }
        case .countPulse: countPulses += energised ? 1 : 0
        case .coinMeter: meterPulses += energised ? 1 : 0
        case .alarm, .buzzer, .lampGo, .lampStop, .ready: break
        }
    }
}

// MARK: What the lines report

extension World {
    /// Reports every input line whose level has changed.
    private mutating func report(_ reports: inout [LineEvent]) {
        deadline = Instant.earliest(machineDeadline, contacts.deadline)
        let present =
            defects.isEmpty ? contacts.active : defects.apply(to: contacts.active, before: levels)
        let changed = present.symmetricDifference(levels)
        guard !changed.isEmpty else { return }
        levels = present
        changed.forEach { index in
            if edgesToMiss.contains(index) {
                edgesToMiss.set(index, false)
            } else if edgesToLose > 0 {
                dropEdges(&reports)
            } else {
                reports.append(
                    .edge(Self.inputs[index], isActive: present.contains(index), at: now))
            }
        }
    }

    private mutating func dropEdges(_ reports: inout [LineEvent]) {
        edgesToLose -= 1
        edgesLost += 1
        guard edgesToLose == 0 else { return }
        reports.append(.lost(count: edgesLost, at: now))
        edgesLost = 0
    }

    /// Moves the contacts of the gate's own sensors to what they see.
    private mutating func moveSensors() {
        machineDeadline = Instant.earliest(
            Instant.earliest(rotor.deadline, acceptors.deadline),
            Instant.earliest(
                Instant.earliest(locks.deadline, arm.deadline), glitch?.until))
        let seen = sensorLevels
        let changed = seen.symmetricDifference(sensed)
        guard !changed.isEmpty else { return }
        sensed = seen
        changed.forEach { index in
            contacts.move(index, to: seen.contains(index), at: now, measures, &randomness)
        }
    }

    /// The state of the gate's own sensors: rotor or beams, acceptors, arm and bolts.
    @inline(__always)  // Else the whole world is copied for the call.
    private var sensorLevels: InputLevels {
        var levels = acceptors.pulsing
        if glitch?.isActive ?? rotor.sensorA { levels.formUnion(measures.sensorA) }
        if glitch?.isActive ?? rotor.sensorB { levels.formUnion(measures.sensorB) }
        if rotor.isHome && arm.isUp && !defects.isArmBent { levels.formUnion(measures.home) }
        if !isSeated(.entry) { levels.formUnion(measures.entryFeedback) }
        if !isSeated(.exit) { levels.formUnion(measures.exitFeedback) }
        if !defects.jammedAcceptors.isEmpty { levels.formUnion(measures.coinJam) }
        return levels
    }

    /// Whether the bolt that holds this way is in a notch of the rotor.
    private func isSeated(_ direction: Direction) -> Bool {
        locks[direction].isOut && rotor.isInNotch
    }

    private static let inputs = Input.allCases
}

/// The state that a disturbance shows on both sensors of the rotor, and its end.
private struct Glitch: Hashable, Sendable {
    let isActive: Bool
    let until: Instant
}
