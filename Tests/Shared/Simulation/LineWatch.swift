import Controller
import Hardware
import SecondOpinion
import SimulatedHardware
import StateMachines
import Turnstile

/// What the lines carry, and for how long: nothing is energised for too long, an emergency opens
/// the gate, a person in the rotor is not locked in, and what is reported is what is.
struct LineWatch {
    /// Twice the interval in which the shell looks at its lines, and what it then takes to act.
    private static let noticeTime: Duration = Installation.watchdogInterval + .milliseconds(200)
    /// From a contact that moves to a bolt that has moved: bounces, debounce, bolt.
    private static let emergencyTime: Duration = .milliseconds(2 + 20 + 30)

    /// Since when each output has been energised.
    private var energisedSince = [Instant?](repeating: nil, count: Output.allCases.count)
    /// Since when the loop is open or cannot be read, outputs can be driven, and a process runs.
    private var openSince: Instant?
    /// Until when the shell may not have noticed a missing edge, a line that failed or works again,
    /// or a bolt that is free to move and is to be pulled once more.
    private var troubledUntil = Instant.zero
    private var wasTroubled = false
    /// Whether the loop could not be read at the last look.
    private var wasUnreadable = false
    /// Since when a lock's contact shows what the bolt does not do.
    private var misledSince: Instant?
    /// The locks that may have been pulled in vain by a coil that only then can move them: a bolt
    /// was jammed since they were energised, and no contact tells the shell of it.
    private var pulledInVain = OutputSet()
    /// Since when each output has not carried what the machine wants.
    private var strayingSince = [Instant?](repeating: nil, count: Output.allCases.count)
    /// The outputs that did not follow when the last process ended, or since.
    private var leftAlone = OutputSet()
    private let maximumOnTimes: [Duration?]
    private let wired: [Output]
    private let wiring: Wiring
    private var before = OutputSet()
    /// The locks that have engaged on somebody, as far as the gate knows.
    private var engaged = OutputSet()

    init(_ installation: Installation) {
        maximumOnTimes = Output.allCases.map {
            installation.wiring.outputs[$0]?.maximumOnTime
        }
        wiring = installation.wiring
        wired = Output.allCases.filter { installation.equipment.outputs[$0] }
    }

    mutating func look(
        at service: Service, _ on: OutputSet, isBlind: Bool
    ) throws(Violation) {
        let world = service.world
        let isUnreadable = world.defects.contains(.unreadable(.fire))
        let isTroubled =
            world.losesEdges || isUnreadable && !wasUnreadable
            || wired.contains { Self.isBroken($0, world) }
            || Direction.allCases.contains { world.defects.contains(.jammedBolt($0)) }
            || isMisled(world)
        // What was about to go missing before may be missing since now.
        if isTroubled || wasTroubled { troubledUntil = world.now + Self.noticeTime }
        wasTroubled = isTroubled
        wasUnreadable = isUnreadable
        noticeJams(world)
        guard let process = service.process else {
            try lookAtOrphan(world)
            return
        }
        leftAlone = []
        try lookAtTimes(world, service)
        try lookAtLevels(world, process, on, service)
        try lookAtEmergency(world, service)
        try lookAtMoment(world, on, service, isBlind)
        try lookAtPeople(world, on, service, isBlind)
    }

    /// Whether a lock's contact, held by somebody, hides from the shell where the bolt is: for
    /// longer than it bounces.
    private mutating func isMisled(_ world: World) -> Bool {
        let isMisleading = Direction.allCases.contains {
            wiring.inputs[$0.lockFeedback] != nil
                && world.levels[$0.lockFeedback] == world.boltIsOut($0)
        }
        misledSince = isMisleading ? misledSince ?? world.now : nil
        return misledSince.map { world.now > $0 + .milliseconds(10) } ?? false
    }

    private mutating func noticeJams(_ world: World) {
        let isJammed = Direction.allCases.contains { world.defects.contains(.jammedBolt($0)) }
        for direction in Direction.allCases
        where wired.contains(direction.holdingCoil) && wiring.inputs[direction.lockFeedback] == nil
        {
            let isEnergised =
                world.energised[direction.lock] || world.energised[direction.holdingCoil]
            let wasPulled = isJammed || pulledInVain[direction.lock]
            pulledInVain[direction.lock] = isEnergised && wasPulled
        }
    }

    /// While no process runs, every line that can be driven is at its safe level.
    private mutating func lookAtOrphan(_ world: World) throws(Violation) {
        openSince = nil
        for output in Output.allCases { strayingSince[output.index] = nil }
        before = []
        for output in wired {
            guard world.energised[output] else {
                energisedSince[output.index] = nil
                continue
            }
            // A line that is repaired while nobody drives it stays as it is.
            if Self.isBroken(output, world) { leftAlone[output] = true }
            if leftAlone[output] { continue }
            throw Violation(description: "\(output) is energised and no process runs")
        }
    }

    private mutating func lookAtTimes(_ world: World, _ service: Service) throws(Violation) {
        for output in wired {
            guard world.energised[output] else {
                energisedSince[output.index] = nil
                continue
            }
            // A line that does not follow is not the shell's until it is repaired.
            let isForeign = Self.isBroken(output, world)
            let since = isForeign ? world.now : energisedSince[output.index] ?? world.now
            energisedSince[output.index] = since
            guard let limit = maximumOnTimes[output.index],
                world.now > max(since + limit, troubledUntil) + Self.noticeTime,
                service.heldUpUntil + limit < world.now
            else { continue }
            throw Violation(description: "\(output) has been energised for \(world.now - since)")
        }
    }

    private mutating func lookAtLevels(
        _ world: World, _ process: Process, _ on: OutputSet, _ service: Service
    ) throws(Violation) {
        for output in wired {
            let carries = world.energised[output]
            let reported = process.controller.isEnergised(output)
            let wanted = level(of: output, on)
            // An output may be cut, and a coil that pulls is when it has pulled.
            let isCut = wanted && !reported
            if Self.isBroken(output, world) || carries == reported && (reported == wanted || isCut)
            {
                strayingSince[output.index] = nil
                continue
            }
            let since = strayingSince[output.index] ?? world.now
            strayingSince[output.index] = since
            if world.now > since + Self.noticeTime {
                throw Violation(
                    description: "\(output) carries \(carries), is reported as \(reported), and "
                        + "the machine wants \(wanted), since \(world.now - since)")
            }
        }
    }

    private mutating func lookAtEmergency(_ world: World, _ service: Service) throws(Violation) {
        guard let gate = service.process?.controller.turnstile.gate else { return }
        let isSeen =
            (world.levels[.fire] || world.defects.contains(.unreadable(.fire)))
            && !Direction.allCases.contains { world.defects.contains(.jammedBolt($0)) }
            && !wired.contains {
                Self.isBroken($0, world) || gate.faults.isUp(.energisedTooLong($0))
            }
            // A lock that cannot be held open rests, and opens again.
            && !Direction.allCases.contains { gate.isResting($0) }
        guard isSeen else {
            openSince = nil
            return
        }
        let since = openSince ?? world.now
        openSince = since
        let start = max(since, max(service.heldUpUntil, troubledUntil))
        guard world.now > start + Self.emergencyTime else { return }
        for direction in Direction.allCases where wired.contains(direction.lock) {
            if world.boltIsOut(direction), !pulledInVain[direction.lock] {
                throw Violation(
                    description:
                        "the loop is open, or cannot be read, and a bolt is out (\(direction))")
            }
        }
        if world.energised[.coinEnable] {
            throw Violation(description: "the loop is open, or cannot be read, and coins are taken")
        }
    }

    /// No lock engages on whoever is between the first sensor and the middle at that moment,
    /// whatever it engages for: their first edge has been heard, though it may not count yet.
    private func lookAtMoment(
        _ world: World, _ on: OutputSet, _ service: Service, _ isBlind: Bool
    ) throws(Violation) {
        let engaging = before.subtracting(on)
        let angle = world.rotorDegrees
        let way: Direction = angle > 0 ? .entry : .exit
        guard engaging[way.lock], !isBlind, (26..<54).contains(abs(angle)), world.defects.isEmpty,
            max(service.heldUpUntil, troubledUntil) + .seconds(1) < world.now,
            let gate = service.process?.controller.turnstile.gate, gate.service.tested == nil,
            !gate.faults.isUp(.energisedTooLong(way.lock)),
            !gate.faults.isUp(.energisedTooLong(way.holdingCoil)), !gate.isResting(way)
        else { return }
        throw Violation(description: "\(way.lock) engages on somebody at \(angle)°")
    }

    /// Between the first sensor and the middle nobody is locked in, as soon as the gate knows where
    /// they are: what a sensor shows counts once it has lasted.
    private mutating func lookAtPeople(
        _ world: World, _ on: OutputSet, _ service: Service, _ isBlind: Bool
    ) throws(Violation) {
        defer { before = on }
        engaged = engaged.union(before).subtracting(on)
        guard !engaged.isEmpty else { return }
        let angle = world.rotorDegrees
        let lock = angle > 0 ? Output.lockEntry : .lockExit
        guard engaged[lock], !isBlind, (26..<54).contains(abs(angle)),
            max(service.heldUpUntil, troubledUntil) + .seconds(1) < world.now,
            world.defects.isEmpty, let turnstile = service.process?.controller.turnstile,
            turnstile.gate.standing == .inService,
            !turnstile.gate.faults.isUp(.energisedTooLong(lock))
        else { return engaged = [] }
        let levels = world.levels
        guard turnstile.sensors.a == (levels[.rotorA] || levels[.beamA]),
            turnstile.sensors.b == (levels[.rotorB] || levels[.beamB])
        else { return }
        throw Violation(description: "locked with somebody in the rotor at \(angle)°")
    }

    private static func isBroken(_ output: Output, _ world: World) -> Bool {
        world.defects.contains(.stuckOutput(output)) || world.defects.contains(.undrivable(output))
    }

    private func level(of output: Output, _ on: OutputSet) -> Bool {
        let lock = Direction.allCases.first { $0.holdingCoil == output }?.lock ?? output
        let isOnWithoutPower = wiring.outputs[lock]?.powerLoss == .failSafe
        return on[lock] != isOnWithoutPower
    }
}
