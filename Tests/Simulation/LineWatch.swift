import Controller
import Hardware
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
    /// Since when the loop is open, outputs can be driven, and a process runs.
    private var openSince: Instant?
    /// Until when the shell may not have noticed a missing edge or a repaired output.
    private var troubledUntil = Instant.zero
    private var wasTroubled = false
    /// Since when each output has not carried what the machine wants.
    private var strayingSince = [Instant?](repeating: nil, count: Output.allCases.count)
    /// The outputs that did not follow when the last process ended, or since.
    private var leftAlone: Set<Output> = []
    private let maximumOnTimes: [Duration?]
    private let lock: PowerLoss
    private var wasReleased = false

    init(_ installation: Installation) {
        maximumOnTimes = Output.allCases.map {
            installation.wiring.outputs[$0]?.maximumOnTime
        }
        lock = installation.physics.lock
    }

    mutating func look(at service: Service, _ drive: Gate.Drive) throws(Violation) {
        let world = service.world
        let isTroubled =
            world.losesEdges || Output.allCases.contains { Self.isBroken($0, world) }
        // What was about to go missing before may be missing since now.
        if isTroubled || wasTroubled { troubledUntil = world.now + Self.noticeTime }
        wasTroubled = isTroubled
        guard let process = service.process else {
            try lookAtOrphan(world)
            return
        }
        leftAlone.removeAll()
        try lookAtTimes(world, service)
        try lookAtLevels(world, process, drive, service)
        try lookAtEmergency(world, service)
        try lookAtPeople(world, drive, service)
    }

    /// While no process runs, every line that can be driven is at its safe level.
    private mutating func lookAtOrphan(_ world: World) throws(Violation) {
        openSince = nil
        for output in Output.allCases { strayingSince[output.index] = nil }
        wasReleased = false
        for output in world.energised {
            // A line that is repaired while nobody drives it stays as it is.
            if Self.isBroken(output, world) { leftAlone.insert(output) }
            if leftAlone.contains(output) { continue }
            throw Violation(description: "\(output) is energised and no process runs")
        }
        for output in Output.allCases where !world.energised.contains(output) {
            energisedSince[output.index] = nil
        }
    }

    private mutating func lookAtTimes(_ world: World, _ service: Service) throws(Violation) {
        for output in Output.allCases {
            guard world.energised.contains(output) else {
                energisedSince[output.index] = nil
                continue
            }
            // A line that does not follow is not the shell's until it is repaired.
            let isForeign = Self.isBroken(output, world)
            let since = isForeign ? world.now : energisedSince[output.index] ?? world.now
            energisedSince[output.index] = since
            guard let limit = maximumOnTimes[output.index],
                world.now > max(since + limit, troubledUntil) + Self.noticeTime,
                service.heldUp.until + limit < world.now
            else { continue }
            throw Violation(description: "\(output) has been energised for \(world.now - since)")
        }
    }

    private mutating func lookAtLevels(
        _ world: World, _ process: Process, _ drive: Gate.Drive, _ service: Service
    ) throws(Violation) {
        for output in Output.allCases {
            let carries = world.energised.contains(output)
            let reported = process.controller.isEnergised(output)
            let wanted = Self.level(of: output, drive, lock)
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
        let isSeen =
            world.levels[.fire] && !world.defects.contains(.unreadable(.fire))
            && !Output.allCases.contains { Self.isBroken($0, world) }
            && service.process?.controller.turnstile.gate.faults
                .isUp(.energisedTooLong(.lockEntry)) == false
        guard isSeen else {
            openSince = nil
            return
        }
        let since = openSince ?? world.now
        openSince = since
        let start = max(since, max(service.heldUp.until, troubledUntil))
        guard world.now > start + Self.emergencyTime else { return }
        if world.boltIsOut {
            throw Violation(description: "the loop is open and the bolt is out")
        }
        if world.energised.contains(.coinInhibit) {
            throw Violation(description: "the loop is open and coins are taken")
        }
    }

    /// Between the first sensor and the middle nobody is locked in.
    private mutating func lookAtPeople(
        _ world: World, _ drive: Gate.Drive, _ service: Service
    ) throws(Violation) {
        defer { wasReleased = drive.isReleased }
        guard wasReleased, !drive.isReleased, (26..<54).contains(abs(world.rotorDegrees)),
            max(service.heldUp.until, troubledUntil) + .seconds(1) < world.now,
            world.defects.isEmpty, let gate = service.process?.controller.turnstile.gate,
            !gate.faults.isUp(.energisedTooLong(.lockEntry))
        else { return }
        throw Violation(description: "locked with somebody in the rotor at \(world.rotorDegrees)°")
    }

    private static func isBroken(_ output: Output, _ world: World) -> Bool {
        world.defects.contains(.stuckOutput(output)) || world.defects.contains(.undrivable(output))
    }

    private static func level(of output: Output, _ drive: Gate.Drive, _ lock: PowerLoss) -> Bool {
        switch output {
        case .lockEntry: drive.isReleased == (lock == .failSecure)
        case .coinInhibit: drive.acceptsCoins
        case .alarm: drive.soundsAlarm
        }
    }
}
